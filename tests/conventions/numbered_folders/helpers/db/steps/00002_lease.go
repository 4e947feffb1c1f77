package steps

import "database/sql"

func up2(tx *sql.Tx) error {
	if _, err := tx.Exec("ALTER TABLE jobs ADD COLUMN lease INTEGER"); err != nil {
		return err
	}
	return indexLease(tx)
}

func indexLease(tx *sql.Tx) error {
	_, err := tx.Exec("CREATE INDEX jobs_lease ON jobs(lease)")
	return err
}
