//! What wallets and explorers ask.

use rusqlite::{Connection, OptionalExtension, Result};

pub struct Databases {
    pub chain: Connection,
    pub peers: Connection,
    /// The file of the price daemon, which makes its own tables.
    pub prices: Connection,
}

pub type Row = Vec<(&'static str, String)>;

pub fn answer(databases: &Databases, method: &str, argument: &str) -> Result<Vec<Row>> {
    match method {
        "history" => history(&databases.chain, argument),
        "unspent" => unspent(&databases.chain, argument),
        "events" => events(&databases.chain, argument),
        "peers" => peers(&databases.peers),
        "price" => Ok(price(&databases.prices, argument)?.into_iter().collect()),
        _ => Ok(Vec::new()),
    }
}

/// The index finds the outputs of the address; the newest of them are found by sorting all.
fn history(chain: &Connection, address: &str) -> Result<Vec<Row>> {
    let mut statement = chain.prepare_cached(
        "SELECT outpoint, amount FROM outputs WHERE address = ?1 ORDER BY height DESC LIMIT 20", // finds: growing-sort
    )?;
    statement.query_map([address], |row| Ok(vec![("outpoint", row.get(0)?), ("amount", row.get(1)?)]))?.collect()
}

/// `spends` is found by its transaction, and here by what it spends.
fn unspent(chain: &Connection, address: &str) -> Result<Vec<Row>> {
    let mut statement = chain.prepare_cached(
        "SELECT outputs.outpoint, outputs.amount -- finds: correlated-scan
         FROM outputs
         LEFT JOIN spends ON spends.outpoint = outputs.outpoint
         WHERE outputs.address = ?1 AND spends.tx IS NULL",
    )?;
    statement.query_map([address], |row| Ok(vec![("outpoint", row.get(0)?), ("amount", row.get(1)?)]))?.collect()
}

/// Looks like `history`: a column, an order, a limit. The index goes on with the column of the order.
fn events(chain: &Connection, topic: &str) -> Result<Vec<Row>> {
    let mut statement =
        chain.prepare_cached("SELECT body FROM events WHERE topic = ?1 ORDER BY id DESC LIMIT 20")?;
    statement.query_map([topic], |row| Ok(vec![("body", row.get(0)?)]))?.collect()
}

/// Asks for what the table was to have.
fn peers(peers: &Connection) -> Result<Vec<Row>> {
    let mut statement =
        peers.prepare("SELECT address, score FROM peers ORDER BY last_seen DESC LIMIT 50")?; // finds: refused-statement
    statement.query_map([], |row| Ok(vec![("address", row.get(0)?), ("score", row.get(1)?)]))?.collect()
}

fn price(prices: &Connection, day: &str) -> Result<Option<Row>> {
    let sql = "SELECT dollars FROM daily_prices WHERE day = ?1"; // finds: unknown-schema
    prices.query_row(sql, [day], |row| Ok(vec![("dollars", row.get(0)?)])).optional()
}
