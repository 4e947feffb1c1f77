package steps

const harbours = `
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE berths (id INTEGER PRIMARY KEY, harbour INTEGER, length REAL);
CREATE INDEX berths_harbour ON berths(harbour);
`

const harboursDown = `DROP TABLE berths; DROP TABLE harbours`

func init() { register(1, harbours, harboursDown) }
