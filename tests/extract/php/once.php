<?php
// What leaves a mark that it is done, and what only makes sure of a setting.

class Demo
{
	public function fill($skip)
	{
		$count = $this->db->query('SELECT COUNT(*) FROM steps WHERE step = -1')->fetchColumn();
		if ($count == 0)
		{
			if ($skip)
			{
				$this->db->exec('INSERT INTO steps (step) VALUES (-1)');
				return;
			}
			$this->db->exec("INSERT INTO berths (name) VALUES ('north')");
			$this->db->exec("INSERT INTO steps (step) VALUES (-1); DELETE FROM berths WHERE name = ''");
		}
	}

	public function record($ship)
	{
		$count = $this->db->query("SELECT COUNT(*) FROM settings WHERE name = 'theme'")->fetchColumn();
		if ($count == 0)
		{
			$this->db->exec("INSERT INTO settings (name, value) VALUES ('theme', 'dark')");
		}
		$this->db->prepare('INSERT INTO calls (ship) VALUES (?)')->execute([$ship]);
	}

	public function once($name)
	{
		$known = $this->db->prepare('SELECT COUNT(*) FROM berths WHERE name = ?')->execute([$name]);
		if ($known == 0)
		{
			$this->db->prepare('INSERT INTO berths (name) VALUES (?)')->execute([$name]);
		}
	}
}
