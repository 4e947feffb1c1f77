//! What an editor says, one message after the other, and what is answered.

use super::{
    Options, actions,
    client::Client,
    document::Document,
    fault,
    program::{self, Judged, Program, Shows},
    telling::token,
    uri, watch,
};
use crate::source::{is_hidden, plain, relative};
use gen_lsp_types::{
    CodeAction, CodeActionParams, Contents, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, FileChangeType, Hover, HoverParams, MarkupContent, MarkupKind,
    TextDocumentContentChangeEvent as Change, Uri, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Instant,
};

/// What happens.
pub(super) enum Event {
    /// The editor says something.
    Said(Message),
    /// The editor is gone.
    Gone,
    /// The run of this number of a program begins with something else.
    Phase(PathBuf, u64, String),
    /// The run of this number of a program has ended.
    Judged(PathBuf, u64, Judged),
}

/// What is known of an editor and of what is open in it.
pub(super) struct Server {
    pub connection: Connection,
    pub client: Client,
    pub options: Options,
    events: (Sender<Event>, Receiver<Event>),
    /// The folders that are worked in.
    folders: Vec<PathBuf>,
    /// The texts that are open, by where they lie.
    pub documents: BTreeMap<PathBuf, Document>,
    /// The programs, by their roots.
    pub programs: BTreeMap<PathBuf, Program>,
    /// The number of the last run, of all programs.
    runs: u64,
    /// The number of the next request.
    pub next: i32,
    /// The programs of which was asked whether progress is shown, by the request.
    pub asked: BTreeMap<RequestId, PathBuf>,
    is_over: bool,
}

impl Server {
    pub fn new(connection: Connection, client: Client, options: Options, folders: &[PathBuf]) -> Self {
        Self {
            connection,
            client,
            options,
            events: mpsc::channel(),
            folders: folders.iter().map(|folder| program::canonical(folder)).collect(),
            documents: BTreeMap::new(),
            programs: BTreeMap::new(),
            runs: 0,
            next: 0,
            asked: BTreeMap::new(),
            is_over: false,
        }
    }

    /// Serves until the editor is done; false where it left without asking for the end.
    pub fn run(mut self) -> bool {
        let (said, events) = (self.connection.receiver.clone(), self.events.0.clone());
        thread::spawn(move || {
            for message in said {
                if events.send(Event::Said(message)).is_err() {
                    return;
                }
            }
            // Where nobody listens any more, nobody needs to know.
            let _ = events.send(Event::Gone);
        });
        if self.client.watches {
            self.ask("client/registerCapability", watch::registration());
        }
        self.settle();
        loop {
            match self.next() {
                Some(Event::Said(Message::Request(request))) => self.answer(request),
                Some(Event::Said(Message::Notification(said))) if said.method == "exit" => {
                    return self.is_over;
                }
                Some(Event::Said(Message::Notification(said))) => self.hear(said),
                Some(Event::Said(Message::Response(response))) => self.answered(&response),
                Some(Event::Phase(root, run, phase)) => self.phase(&root, run, &phase),
                Some(Event::Judged(root, run, judged)) => self.judged(&root, run, judged),
                Some(Event::Gone) => return false,
                None => self.begin(),
            }
        }
    }

    /// What happens next; `None` where a run is due before.
    fn next(&self) -> Option<Event> {
        let due = self.programs.values().filter_map(Program::due).min();
        let Some(due) = due else { return Some(self.events.1.recv().unwrap_or(Event::Gone)) };
        match self.events.1.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Gone),
        }
    }

    /// Begins the runs that are due.
    fn begin(&mut self) {
        let now = Instant::now();
        let mut asks = Vec::new();
        for (root, one) in &mut self.programs {
            if one.due().is_none_or(|due| due > now) {
                continue;
            }
            let own = self.documents.values_mut().filter(|document| document.program.as_ref() == Some(root));
            self.runs += 1;
            one.begin(self.runs, root, own, self.options, &self.events.0);
            if self.client.shows_progress && one.progress == Shows::Not {
                one.progress = Shows::Asked;
                asks.push(root.clone());
            }
        }
        for root in asks {
            let params = WorkDoneProgressCreateParams { token: token(&root) };
            let id = self.ask("window/workDoneProgress/create", params);
            self.asked.insert(id, root);
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let root = self.program_of(&params);
        let answer = fault::caught(|| self.reply(&method, params)).unwrap_or_else(|what| {
            self.fault(root.as_deref(), &what);
            Err((ErrorCode::InternalError, what))
        });
        self.send(match answer {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
    }

    fn reply(&mut self, method: &str, params: Value) -> Result<Value, (ErrorCode, String)> {
        match method {
            _ if self.is_over => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
            "shutdown" => {
                self.is_over = true;
                Ok(Value::Null)
            }
            "textDocument/hover" => asked(params, |params| self.hover(&params)),
            "textDocument/codeAction" => asked(params, |params| self.actions(&params)),
            _ => Err((ErrorCode::MethodNotFound, format!("{method} is nothing that this server does"))),
        }
    }

    /// The program of the text that a request is about.
    fn program_of(&self, params: &Value) -> Option<PathBuf> {
        let uri = Uri(params.pointer("/textDocument/uri")?.as_str()?.to_owned());
        self.documents.get(&self.full(&uri)?)?.program.clone()
    }

    fn hear(&mut self, said: Notification) {
        let Notification { method, params } = said;
        match method.as_str() {
            "textDocument/didOpen" => heard(params, |params| self.open(params)),
            "textDocument/didChange" => heard(params, |params| self.change(params)),
            "textDocument/didSave" => heard(params, |params| self.save(&params)),
            "textDocument/didClose" => heard(params, |params| self.close(&params)),
            "workspace/didChangeWatchedFiles" => heard(params, |params| self.watched(&params)),
            "workspace/didChangeWorkspaceFolders" => heard(params, |params| self.work_in(&params)),
            // Requests are answered at once, so that there is none to cancel.
            _ => {}
        }
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let Some(full) = uri::path(&opened.uri).map(|path| program::canonical(&path)) else { return };
        let is_saved = plain::read_text(&full).is_ok_and(|saved| saved == opened.text);
        let document = Document::new(opened.uri, opened.version, opened.text);
        self.documents.insert(full.clone(), document);
        self.settle();
        if !is_saved {
            self.touch(&full);
        }
        if self.documents.get(&full).is_some_and(Document::is_changed) {
            self.retell(&full);
        }
        self.publish(&full);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let of = params.text_document;
        let Some(full) = self.full(&of.text_document_identifier.uri) else { return };
        let encoding = self.client.encoding;
        let Some(document) = self.documents.get_mut(&full) else { return };
        document.version = of.version;
        for change in params.content_changes {
            match change {
                Change::TextDocumentContentChangePartial(part) => {
                    document.change(Some(part.range), &part.text, encoding);
                }
                Change::TextDocumentContentChangeWholeDocument(whole) => {
                    document.change(None, &whole.text, encoding);
                }
            }
        }
        self.retell(&full);
        self.touch(&full);
        self.publish(&full);
    }

    /// What can be said at once of a text that was changed.
    pub fn retell(&mut self, full: &Path) {
        let Some(document) = self.documents.get_mut(full).filter(|one| !one.is_hidden) else { return };
        let Some(root) = document.program.clone() else { return };
        let program = self.programs.get_mut(&root);
        let Some(outcome) = program.and_then(|program| program.outcome.as_mut()) else { return };
        match fault::caught(|| outcome.typed(&document.source.path, document.source.text())) {
            Ok(retold) => document.retold = retold,
            Err(what) => self.fault(Some(&root), &what),
        }
    }

    fn save(&mut self, params: &DidSaveTextDocumentParams) {
        let Some(full) = self.full(&params.text_document.uri) else { return };
        if watch::is_configuration(&full) {
            self.settle();
        }
        if !self.client.watches {
            self.touch(&full);
        }
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let Some(full) = self.full(&params.text_document.uri) else { return };
        self.touch(&full);
        self.documents.remove(&full);
        self.settle();
    }

    fn watched(&mut self, params: &DidChangeWatchedFilesParams) {
        let mut is_new = false;
        for change in &params.changes {
            let Some(full) = uri::path(&change.uri).map(|path| program::canonical(&path)) else { continue };
            is_new |= watch::is_configuration(&full) && change.kind != FileChangeType::Changed;
            if watch::matters(&full) {
                self.touch(&full);
            }
        }
        if is_new {
            self.settle();
        }
    }

    fn work_in(&mut self, params: &DidChangeWorkspaceFoldersParams) {
        let path = |uri: &Uri| uri::path(uri).map(|path| program::canonical(&path));
        let gone: Vec<PathBuf> = params.event.removed.iter().filter_map(|one| path(&one.uri)).collect();
        self.folders.retain(|folder| !gone.contains(folder));
        self.folders.extend(params.event.added.iter().filter_map(|one| path(&one.uri)));
        self.settle();
    }

    /// Finds out to which program each text belongs: those of the folders, and those of the texts that are open.
    fn settle(&mut self) {
        let of_folder = |folder: &PathBuf| program::root(&folder.join("x"), &self.folders);
        let mut wanted: Vec<PathBuf> = self.folders.iter().filter_map(of_folder).collect();
        for (full, document) in &mut self.documents {
            let root = program::root(full, &self.folders);
            if root != document.program {
                let path = root.as_ref().and_then(|root| relative(root, full)).unwrap_or_default();
                document.is_hidden = root.as_ref().is_some_and(|root| is_hidden(root, &path));
                document.rename(&path);
                document.program.clone_from(&root);
                let program = root.as_ref().and_then(|root| self.programs.get(root));
                let read = program.and_then(|one| one.outcome.as_ref()?.sources.find(&path));
                document.follow(read.map(|(_, source)| source.text()));
            }
            wanted.extend(root);
        }
        let roots: Vec<PathBuf> = self.programs.keys().cloned().collect();
        for root in roots.into_iter().filter(|root| !wanted.contains(root)) {
            let gone = self.programs.remove(&root).unwrap_or_default();
            self.asked.retain(|_, of| *of != root);
            if gone.progress == Shows::Yes {
                self.report(&root, WorkDoneProgressEnd::default());
            }
            for path in gone.shown {
                self.withdraw(&root.join(path));
            }
        }
        for root in wanted {
            self.programs.entry(root).or_insert_with(|| {
                let mut new = Program::default();
                new.hurry();
                new
            });
        }
    }

    /// A run is wanted of each program that a file is in.
    fn touch(&mut self, full: &Path) {
        for (root, program) in &mut self.programs {
            if full.starts_with(root) {
                program.touch();
            }
        }
    }

    fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let asked = &params.text_document_position_params;
        let document = self.documents.get(&self.full(&asked.text_document.uri)?)?;
        let outcome = self.programs.get(document.program.as_ref()?)?.outcome.as_ref()?;
        let encoding = self.client.encoding;
        let now = encoding.offset(&document.source, asked.position);
        let found = outcome.hover(&document.source.path, now, document.then(now))?;
        let range =
            found.range.and_then(|range| if found.is_typed { Some(range) } else { document.now(range) });
        let kind = if self.client.shows_markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
        let contents = Contents::MarkupContent(MarkupContent { kind, value: found.text });
        Some(Hover { contents, range: range.map(|range| encoding.range(&document.source, range)) })
    }

    fn actions(&self, params: &CodeActionParams) -> Vec<CodeAction> {
        let only = params.context.only.as_ref().and_then(|only| serde_json::to_value(only).ok());
        let is_wanted = only.is_none_or(|only| {
            only.as_array().is_some_and(|all| all.iter().any(|one| *one == "quickfix" || *one == ""))
        });
        let document = self.full(&params.text_document.uri).and_then(|full| self.documents.get(&full));
        let Some(document) = document.filter(|_| is_wanted && self.client.takes_actions) else {
            return Vec::new();
        };
        let desk = document.program.as_ref().and_then(|root| self.desk(root));
        desk.map_or_else(Vec::new, |desk| actions::offered(&desk, &document.source.path, params.range))
    }

    /// Where an open text lies.
    fn full(&self, uri: &Uri) -> Option<PathBuf> {
        let own = self.documents.iter().find(|(_, one)| one.uri == *uri);
        own.map(|(full, _)| full.clone())
    }
}

/// What is answered to a request, or what is wrong with it.
fn asked<P: DeserializeOwned, A: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> A,
) -> Result<Value, (ErrorCode, String)> {
    let params =
        serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
    serde_json::to_value(answer(params)).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

/// Does what a notification says. One that says nothing is passed over: nobody waits for an answer.
fn heard<P: DeserializeOwned>(params: Value, act: impl FnOnce(P)) {
    if let Ok(params) = serde_json::from_value(params) {
        act(params);
    }
}
