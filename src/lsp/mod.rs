//! The language server: what an editor says, made into runs over its buffers; what they find, made into what it shows.
//! Knows the protocol; knows nothing of how a run works.

mod actions;
mod client;
mod document;
mod fault;
mod program;
mod publish;
mod server;
mod telling;
mod uri;
mod watch;

use client::Client;
use lsp_server::{Connection, ProtocolError};
use server::Server;
use std::{panic, path::PathBuf};

/// How findings are made and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether notes are shown.
    pub notes: bool,
    /// Whether growth is measured, if the configuration does not forbid it.
    pub growth: bool,
}

/// Speaks with an editor over standard input and output until it is done; false where it left without saying so.
pub fn serve(options: Options) -> bool {
    let (connection, threads) = Connection::stdio();
    fault::listen();
    let ended = fault::caught(|| converse(connection, options));
    // Who started it says so, and with which exit code.
    let ended = ended.unwrap_or_else(|what| panic::resume_unwind(Box::new(what)));
    let is_orderly = ended.unwrap_or(false);
    // What could not be written is missed by nobody: the editor is gone.
    let is_written = threads.join().is_ok();
    is_orderly && is_written
}

fn converse(connection: Connection, options: Options) -> Result<bool, ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let (client, folders) = match serde_json::from_value(params) {
        Ok(params) => Client::new(&params),
        // Whoever says it wrongly is served as one who can do nothing.
        Err(_) => (Client::default(), Vec::new()),
    };
    let result = serde_json::to_value(client.answer()).unwrap_or_default();
    connection.initialize_finish(id, result)?;
    let folders: Vec<PathBuf> = folders.iter().filter_map(uri::path).collect();
    Ok(Server::new(connection, client, options, &folders).run())
}
