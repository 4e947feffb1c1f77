<?php
class Harbours {
    function deep(PDO $db) {
        return $db->query('SELECT id FROM harbours WHERE depth > 20');
    }
}
