//! The chain as it is known: blocks, their transactions, and what these spend.

use rusqlite::{Connection, OptionalExtension, Result, params};

pub type Hash = [u8; 32];

const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_blocks.sql"),
    include_str!("migrations/0002_staging.sql"),
    include_str!("migrations/0003_outputs.sql"),
    include_str!("migrations/0004_largest.sql"),
];

pub struct Block {
    pub hash: Hash,
    pub parent: Hash,
    pub height: u32,
    pub header: Vec<u8>,
    pub txs: Vec<Tx>,
}

impl Block {
    fn decode(bytes: &[u8]) -> Self {
        let field = |at: usize| bytes.get(at..at + 32).and_then(|part| part.try_into().ok()).unwrap_or_default();
        let header = bytes.get(..80).unwrap_or_default().to_vec();
        Self { hash: field(0), parent: field(32), height: bytes.len() as u32 / 80, header, txs: Vec::new() }
    }
}

fn file_name(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub struct Tx {
    pub txid: Hash,
    pub raw: Vec<u8>,
    pub inputs: Vec<Vec<u8>>,
    pub outputs: Vec<Output>,
    pub events: Vec<(String, Vec<u8>)>,
}

pub struct Output {
    pub outpoint: Vec<u8>,
    pub address: String,
    pub amount: u64,
}

pub fn open(path: &str) -> Result<Connection> {
    let mut db = Connection::open(path)?;
    db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;")?;
    migrate(&mut db)?;
    Ok(db)
}

fn migrate(db: &mut Connection) -> Result<()> {
    for step in &MIGRATIONS[version(db)?..] {
        let tx = db.transaction()?;
        tx.execute_batch(step)?;
        tx.commit()?;
    }
    Ok(())
}

/// A table of one row is scanned, and that is all there is to read.
fn version(db: &Connection) -> Result<usize> {
    let exists: bool =
        db.query_row("SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'db_version'", [], |row| row.get(0))?;
    if !exists {
        return Ok(0);
    }
    db.query_row("SELECT version FROM db_version", [], |row| row.get(0))
}

pub fn store(db: &mut Connection, block: &Block) -> Result<()> {
    let sql = db.transaction()?;
    sql.execute(
        "INSERT INTO blocks (hash, parent, height, header) VALUES (?1, ?2, ?3, ?4)",
        params![block.hash, block.parent, block.height, block.header],
    )?;
    for tx in &block.txs {
        sql.execute(
            "INSERT INTO txs (txid, block, bytes, raw) VALUES (?1, ?2, ?3, ?4)",
            params![tx.txid, block.hash, tx.raw.len(), tx.raw],
        )?;
        let id = sql.last_insert_rowid();
        for (index, outpoint) in tx.inputs.iter().enumerate() {
            sql.prepare_cached("INSERT INTO spends (tx, input, outpoint) VALUES (?1, ?2, ?3)")?
                .execute(params![id, index, outpoint])?;
        }
        for output in &tx.outputs {
            sql.prepare_cached("INSERT INTO outputs (outpoint, address, height, amount) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![output.outpoint, output.address, block.height, output.amount])?;
        }
        for (topic, body) in &tx.events {
            sql.prepare_cached("INSERT INTO events (tx, topic, body) VALUES (?1, ?2, ?3)")?
                .execute(params![id, topic, body])?;
        }
    }
    sql.execute(
        "INSERT OR REPLACE INTO tip (id, hash, height) VALUES (1, ?1, ?2)",
        params![block.hash, block.height],
    )?;
    sql.commit()
}

/// Blocks lie beside the database, in files of their own.
pub fn read(hash: &Hash) -> Block {
    Block::decode(&std::fs::read(file_name(hash)).unwrap_or_default())
}

/// Takes a block of a losing fork out of the chain, with all that hangs on it.
pub fn disconnect(db: &Connection, hash: &Hash) -> Result<()> {
    db.execute("DELETE FROM blocks WHERE hash = ?1", [hash])?;
    Ok(())
}

pub fn tip(db: &Connection) -> Result<Option<(Hash, u32)>> {
    db.query_row("SELECT hash, height FROM tip", [], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// The index `blocks_by_parent` has the height, behind the parent.
pub fn at_height(db: &Connection, height: u32) -> Result<Option<Hash>> {
    db.query_row("SELECT hash FROM blocks WHERE height = ?1", [height], |row| row.get(0)).optional() // finds: growing-table-scan
}

pub fn children(db: &Connection, hash: &Hash) -> Result<Vec<Hash>> {
    let mut statement = db.prepare_cached("SELECT hash FROM blocks WHERE parent = ?1 ORDER BY height")?;
    statement.query_map([hash], |row| row.get(0))?.collect()
}

/// From a block back to where the main chain is met, one search of the key at each step.
pub fn ancestors(db: &Connection, hash: &Hash, steps: u32) -> Result<Vec<Hash>> {
    let mut statement = db.prepare_cached(
        "WITH RECURSIVE line (hash, parent, step) AS (
             SELECT hash, parent, 0 FROM blocks WHERE hash = ?1
             UNION ALL
             SELECT blocks.hash, blocks.parent, step + 1
             FROM line JOIN blocks ON blocks.hash = line.parent
             WHERE step < ?2
         )
         SELECT hash FROM line",
    )?;
    statement.query_map(params![hash, steps], |row| row.get(0))?.collect()
}

/// Three rows that a migration wrote are scanned, and no program adds to them.
pub fn checkpoint(db: &Connection, height: u32) -> Result<Option<Hash>> {
    db.query_row("SELECT hash FROM checkpoints WHERE height = ?1", [height], |row| row.get(0)).optional()
}
