//! What comes in from other nodes and goes out to them. The threads that speak the protocol hold the other ends.

use crate::chain::{Block, Hash, Tx};
use crate::peers::Peer;
use crate::rpc::Row;
use std::sync::mpsc::{Receiver, RecvError, Sender};

pub enum Message {
    Block(Block),
    Tx { tx: Tx, sender: String, fee: u64 },
    Hello { peer: Peer, height: u32 },
    Fork(Hash),
    Ask { method: String, argument: String },
    Bad(String),
    Gone(String),
    Minute,
}

pub enum Reply {
    Dial(String),
    Hashes(Vec<Hash>),
    Announce { tip: Option<(Hash, u32)>, pending: Vec<Hash> },
    Rows(Vec<Row>),
}

pub struct Net {
    pub inbox: Receiver<Message>,
    pub outbox: Sender<Reply>,
}

impl Net {
    pub fn receive(&self) -> Result<Message, RecvError> {
        self.inbox.recv()
    }

    /// A reply to a peer that has gone is lost, as on any network.
    pub fn send(&self, reply: Reply) {
        let _ = self.outbox.send(reply);
    }
}
