//! A small node: it follows a chain, keeps what waits for a block, and answers questions.

mod chain;
mod mempool;
mod net;
mod peers;
mod rpc;
mod sync;

use net::{Message, Net, Reply};
use rusqlite::{Connection, Result};
use std::time::{SystemTime, UNIX_EPOCH};

struct Node {
    chain: Connection,
    mempool: Connection,
    peers: Connection,
    databases: rpc::Databases,
}

fn main() -> Result<()> {
    let mut node = Node {
        chain: chain::open("chain.db")?,
        mempool: mempool::open("mempool.db")?,
        peers: peers::open("peers.db")?,
        databases: rpc::Databases {
            chain: Connection::open("chain.db")?,
            peers: Connection::open("peers.db")?,
            prices: Connection::open("prices.db")?,
        },
    };
    let (_messages, inbox) = std::sync::mpsc::channel();
    let (outbox, _replies) = std::sync::mpsc::channel();
    let net = Net { inbox, outbox };
    for address in peers::addresses(&node.peers)? {
        net.send(Reply::Dial(address));
    }
    while let Ok(message) = net.receive() {
        node.handle(message, &net)?;
    }
    Ok(())
}

impl Node {
    fn handle(&mut self, message: Message, net: &Net) -> Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        match message {
            Message::Block(block) => {
                sync::stage(&self.chain, &block, now)?;
                sync::advance(&mut self.chain)?;
                let txids: Vec<_> = block.txs.iter().map(|tx| tx.txid).collect();
                mempool::remove(&self.mempool, &txids)?;
            }
            Message::Tx { tx, sender, fee } => {
                let nonce = mempool::next_nonce(&self.mempool, &sender)?.unwrap_or(0);
                mempool::add(&self.mempool, &tx, &sender, nonce, fee, now)?;
            }
            Message::Hello { peer, height } => {
                peers::see(&self.peers, &peer, height, now)?;
                if let Some(hash) = chain::at_height(&self.chain, height)? {
                    net.send(Reply::Hashes(chain::children(&self.chain, &hash)?));
                }
            }
            Message::Fork(hash) => net.send(Reply::Hashes(chain::ancestors(&self.chain, &hash, 500)?)),
            Message::Ask { method, argument } => {
                net.send(Reply::Rows(rpc::answer(&self.databases, &method, &argument)?));
            }
            Message::Bad(address) => peers::ban(&self.peers, &address, now + 86_400)?,
            Message::Gone(address) => peers::forget(&self.peers, &address),
            Message::Minute => self.every_minute(now, net)?,
        }
        Ok(())
    }

    fn every_minute(&self, now: u64, net: &Net) -> Result<()> {
        mempool::expire(&self.mempool, now - 14 * 86_400)?;
        peers::pardon(&self.peers, now)?;
        for peer in peers::freshest(&self.peers, 8)? {
            net.send(Reply::Dial(peer.address));
        }
        let tip = chain::tip(&self.chain)?;
        if let Some((_, height)) = tip {
            for address in peers::at_height(&self.peers, height + 1)? {
                net.send(Reply::Dial(address));
            }
        }
        net.send(Reply::Announce { tip, pending: mempool::best(&self.mempool, 2_000)? });
        Ok(())
    }
}
