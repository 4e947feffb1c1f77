<?php
// Choices by a static method, and by one of the object.
class Notes {
    public static function packed(): bool { return PHP_INT_SIZE > 4; }

    public function change(PDO $pdo) {
        $pdo->prepare('UPDATE note SET body = ' . (static::packed() ? 'compress(:body)' : ':body') . ' WHERE id = :id');
    }

    public function body(PDO $pdo) {
        $pdo->prepare('SELECT ' . (self::packed() ? 'expand(body)' : 'body') . ' FROM note WHERE id = :id');
    }
}
