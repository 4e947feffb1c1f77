// The program.
package main

var steps = []Step{
	{Version: 1, CustomMigration: fillOwners},
	{Version: 2, CustomMigration: dropLate},
}

var programmaticMigrations = map[uint]Run{3: fillUrls}

func main() {
	db.Exec("DELETE FROM mark WHERE id = ?", 1)
	run(db)
	planter.Start()
	for _, one := range service.APIs() {
		server.RegisterName(one.Namespace, one.Service)
	}
}

func fillOwners(tx *sql.Tx) { tx.Exec("UPDATE mark SET owner = ''") }

func dropLate(tx *sql.Tx) { tx.Exec("UPDATE mark SET late = 0") }

func fillUrls(tx *sql.Tx) { tx.Exec("UPDATE mark SET url = ''") }

func (p *Planter) Start() error {
	p.startOnce.Do(func() {
		p.db.Pending()
		p.setup()
		go p.loop()
		go func() {
			p.tick()
		}()
	})
	return nil
}

func (p *Planter) setup() { p.db.Lost() }

func (p *Planter) loop() { p.db.Due() }

func (p *Planter) tick() { p.db.Late() }
