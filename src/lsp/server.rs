//! What an editor says, one message after the other, and what is answered.

use super::{
    Options, actions,
    client::Client,
    document::Document,
    program::{self, Judged, Program, Shows},
    publish::{self, Desk},
    uri, watch,
};
use gen_lsp_types::{
    CodeActionParams, Contents, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, FileChangeType, Hover, HoverParams, MarkupContent, MarkupKind, MessageType,
    ProgressParams, ProgressToken, ShowMessageParams, TextDocumentContentChangeEvent as Change, Uri,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
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
    /// The run of a program begins with something else.
    Phase(PathBuf, String),
    /// The run of a program has ended.
    Judged(PathBuf, Judged),
}

/// What is known of an editor and of what is open in it.
pub(super) struct Server {
    connection: Connection,
    client: Client,
    options: Options,
    events: (Sender<Event>, Receiver<Event>),
    /// The folders that are worked in.
    folders: Vec<PathBuf>,
    /// The texts that are open, by where they lie.
    documents: BTreeMap<PathBuf, Document>,
    /// The programs, by their roots.
    programs: BTreeMap<PathBuf, Program>,
    /// The number of the next request.
    next: i32,
    /// The programs of which was asked whether progress is shown, by the request.
    asked: BTreeMap<RequestId, PathBuf>,
    /// What could not be done and was said last.
    told: Option<String>,
    is_over: bool,
}

impl Server {
    pub fn new(connection: Connection, client: Client, options: Options, folders: Vec<PathBuf>) -> Self {
        Self {
            connection,
            client,
            options,
            events: mpsc::channel(),
            folders: folders.iter().map(|folder| program::canonical(folder)).collect(),
            documents: BTreeMap::new(),
            programs: BTreeMap::new(),
            next: 0,
            asked: BTreeMap::new(),
            told: None,
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
                Some(Event::Phase(root, phase)) => self.phase(&root, &phase),
                Some(Event::Judged(root, judged)) => self.judged(&root, judged),
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
            one.begin(root, own, self.options, &self.events.0);
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
        let answer = match method.as_str() {
            _ if self.is_over => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
            "shutdown" => {
                self.is_over = true;
                Ok(Value::Null)
            }
            "textDocument/hover" => asked(params, |params| self.hover(&params)),
            "textDocument/codeAction" => asked(params, |params| self.actions(&params)),
            _ => Err((ErrorCode::MethodNotFound, format!("{method} is nothing that this server does"))),
        };
        self.send(match answer {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
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
        let document = Document::new(opened.uri, opened.version, opened.text);
        self.documents.insert(full.clone(), document);
        self.settle();
        if self
            .documents
            .get(&full)
            .is_some_and(|one| std::fs::read(&full).ok() != Some(one.source.text.clone().into_bytes()))
        {
            self.touch(&full);
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
    fn retell(&mut self, full: &Path) {
        let Some(document) = self.documents.get_mut(full).filter(|one| !one.is_hidden) else { return };
        let program = document.program.as_ref().and_then(|root| self.programs.get_mut(root));
        if let Some(outcome) = program.and_then(|program| program.outcome.as_mut()) {
            document.retold = outcome.typed(&document.source.path, &document.source.text);
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
                let path = root.as_ref().and_then(|root| program::below(root, full)).unwrap_or_default();
                document.is_hidden = root.as_ref().is_some_and(|root| crate::source::is_hidden(root, &path));
                document.rename(&path);
                document.program.clone_from(&root);
            }
            wanted.extend(root);
        }
        let roots: Vec<PathBuf> = self.programs.keys().cloned().collect();
        for root in roots.into_iter().filter(|root| !wanted.contains(root)) {
            let gone = self.programs.remove(&root).unwrap_or_default();
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

    fn judged(&mut self, root: &Path, judged: Judged) {
        let Some(program) = self.programs.get_mut(root) else { return };
        let is_new = judged.is_ok();
        program.end(judged);
        if program.progress == Shows::Yes {
            self.report(root, WorkDoneProgressEnd::default());
        }
        if let Some(program) = self.programs.get_mut(root).filter(|one| one.progress != Shows::Asked) {
            program.progress = Shows::Over;
        }
        let own = self.documents.iter_mut().filter(|(_, one)| one.program.as_deref() == Some(root));
        let mut changed = Vec::new();
        for (full, document) in own.filter(|_| is_new) {
            document.adopt();
            if document.is_changed() {
                changed.push(full.clone());
            }
        }
        changed.iter().for_each(|full| self.retell(full));
        self.tell_failure(root);
        self.publish_all(root);
    }

    /// Says why nothing can be judged, where no file says it.
    fn tell_failure(&mut self, root: &Path) {
        let failure = self.programs.get(root).and_then(|one| one.failure.as_ref());
        let message = failure.filter(|one| one.excerpt.is_none()).map(publish::text);
        if let Some(message) = message.clone().filter(|_| message != self.told) {
            self.tell("window/showMessage", ShowMessageParams { kind: MessageType::Error, message });
        }
        self.told = message;
    }

    fn phase(&mut self, root: &Path, phase: &str) {
        if self.programs.get(root).is_some_and(|one| one.progress == Shows::Yes) {
            let message = Some(phase.to_owned());
            self.report(root, WorkDoneProgressReport { message, ..WorkDoneProgressReport::default() });
        }
    }

    /// The editor answers what it was asked: the one answer of interest is whether it shows progress.
    fn answered(&mut self, response: &Response) {
        let Some(root) = self.asked.remove(&response.id) else { return };
        let Some(program) = self.programs.get_mut(&root) else { return };
        let is_shown = response.response_result.is_ok() && program.outcome.is_none();
        program.progress = if is_shown { Shows::Yes } else { Shows::Over };
        if is_shown {
            let title = "planlint".to_owned();
            self.report(&root, WorkDoneProgressBegin { title, ..WorkDoneProgressBegin::default() });
        }
    }

    fn report(&self, root: &Path, value: impl Serialize) {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.tell("$/progress", ProgressParams { token: token(root), value });
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

    fn actions(&self, params: &CodeActionParams) -> Vec<gen_lsp_types::CodeAction> {
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

    fn desk<'a>(&'a self, root: &'a Path) -> Option<Desk<'a>> {
        let program = self.programs.get(root)?;
        Some(Desk { client: self.client, options: self.options, root, program, documents: &self.documents })
    }

    /// Shows what is said of an open text.
    fn publish(&mut self, full: &Path) {
        let Some(document) = self.documents.get(full) else { return };
        let (Some(root), path) = (document.program.clone(), document.source.path.clone()) else { return };
        self.publish_path(&root, &path);
    }

    fn publish_all(&mut self, root: &Path) {
        let Some(desk) = self.desk(root) else { return };
        let mut paths = desk.paths();
        paths.extend(desk.program.shown.iter().cloned());
        let own = self.documents.values().filter(|one| one.program.as_deref() == Some(root));
        paths.extend(own.map(|one| one.source.path.clone()));
        paths.iter().for_each(|path| self.publish_path(root, path));
    }

    fn publish_path(&mut self, root: &Path, path: &str) {
        let roots: Vec<PathBuf> = self.programs.keys().cloned().collect();
        let Some(desk) = self.desk(root).filter(|_| publish::is_owned(root, path, &roots)) else { return };
        let said = desk.publication(path);
        let is_said = !said.diagnostics.is_empty();
        let was_said = desk.program.shown.contains(path);
        if is_said || was_said {
            self.tell("textDocument/publishDiagnostics", said);
        }
        if let Some(program) = self.programs.get_mut(root) {
            if is_said {
                program.shown.insert(path.to_owned())
            } else {
                program.shown.remove(path)
            };
        }
    }

    /// Takes back what is shown of a file.
    fn withdraw(&self, full: &Path) {
        let uri = self.documents.get(full).map_or_else(|| uri::of(full), |one| one.uri.clone());
        let said = gen_lsp_types::PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() };
        self.tell("textDocument/publishDiagnostics", said);
    }

    /// Where an open text lies.
    fn full(&self, uri: &Uri) -> Option<PathBuf> {
        let own = self.documents.iter().find(|(_, one)| one.uri == *uri);
        own.map(|(full, _)| full.clone())
    }

    fn ask(&mut self, method: &str, params: impl Serialize) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Request { id: id.clone(), method: method.to_owned(), params });
        id
    }

    fn tell(&self, method: &str, params: impl Serialize) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Notification { method: method.to_owned(), params });
    }

    fn send(&self, message: impl Into<Message>) {
        // An editor that is gone says so itself.
        let _ = self.connection.sender.send(message.into());
    }
}

/// What the progress of a program's run goes by.
fn token(root: &Path) -> ProgressToken {
    ProgressToken::String(format!("planlint {}", root.display()))
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
