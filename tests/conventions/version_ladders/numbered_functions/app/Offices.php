<?php

class Offices
{
    public function all()
    {
        return $this->db->table('offices')
            ->subquery('SELECT COUNT(*) FROM parcels WHERE office=offices.id', 'parcels')
            ->findAll();
    }
}
