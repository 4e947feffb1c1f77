<!-- Don't read "this", it's no code: SELECT id FROM notes -->
<?php
// Texts, heredocs, names in texts, functions and loops.

namespace Notes;

const TABLE = 'notes';

class Store
{
    private $table = 'notes';
    const CREATE = 'CREATE TABLE ' . TABLE . ' (id INTEGER PRIMARY KEY, title TEXT)';
    private static $steps = [
        'ALTER TABLE notes ADD COLUMN body TEXT',
        "CREATE INDEX notes_title ON notes (title)",
    ];

    public function __construct(\PDO $db)
    {
        $this->db = $db;
        $this->db->exec('PRAGMA foreign_keys = ON');
    }

    public function find(int $id): ?array
    {
        $statement = $this->db->prepare("SELECT title FROM {$this->table} WHERE id = ?");
        $statement->execute([$id]);
        return $statement->fetch() ?: null;
    }

    function strings($order, $newest, array $ids)
    {
        $this->db->query("SELECT \"id\" FROM notes WHERE title = 'a'");
        $this->db->query('SELECT \'id\' FROM notes');
        $this->db->query("SELECT id FROM $this->table ORDER BY $order");
        $this->db->query("SELECT id FROM {$ids['a']}");
        $this->db->query(<<<SQL
            SELECT id
            FROM {$this->table}
            WHERE title = 'SQLite'
            SQL);
        $sql = <<<'SQL'
SELECT $id FROM notes
SQL;
        $this->db->query($sql);
        $this->db->query('SELECT id FROM notes ' . 'WHERE title = ?'
            . ($newest ? ' ORDER BY id DESC' : ' ORDER BY id'));
        $this->db->query(sprintf('SELECT %s FROM %2$s', $order, TABLE));
        $this->db->query('SELECT id FROM notes WHERE id IN (' . implode(',', $ids) . ')');
    }

    public function saveAll(array $rows): void
    {
        $insert = $this->db->prepare('INSERT INTO notes (title) VALUES (?)');
        foreach ($rows as $row) {
            $insert->execute([$row['title']]);
            $this->find($row['id']);
        }
        foreach ($rows as $id => $row) $this->db->exec('DELETE FROM tags');
        $this->db->exec('DELETE FROM notes WHERE title IS NULL');
    }
}
?>
<p>It's "over": <?= $db->querySingle('SELECT count(*) FROM notes') ?> notes, don't count</p>
