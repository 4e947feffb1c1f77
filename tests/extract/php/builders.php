<?php
class Books {
    function appended($db, $newest) {
        $sql = 'SELECT id FROM book';
        $sql .= ' WHERE author = ?';
        if ($newest) {
            $sql .= ' AND year > 2000';
        }
        return $db->prepare($sql);
    }

    function listed($db, $author) {
        $where = ['1 = 1'];
        if ($author) {
            $where[] = 'author = ?';
        }
        return $db->prepare('SELECT id FROM book WHERE ' . implode(' AND ', $where));
    }
}
