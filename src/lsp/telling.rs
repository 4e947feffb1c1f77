//! What an editor is told: findings at their places, what a run is at, and why nothing can be judged.

use super::{
    program::{Judged, Shows},
    publish::{self, Desk},
    server::Server,
    uri,
};
use crate::{report::Failure, run::Retold};
use gen_lsp_types::{
    MessageType, ProgressParams, ProgressToken, PublishDiagnosticsParams, ShowMessageParams,
    WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use std::path::{Path, PathBuf};

impl Server {
    pub fn judged(&mut self, root: &Path, run: u64, judged: Judged) {
        let program = self.programs.get_mut(root).filter(|one| one.run == Some(run));
        let Some(program) = program else { return };
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
        let outcome = self.programs.get(root).and_then(|one| one.outcome.as_ref()).filter(|_| is_new);
        for (full, document) in own.filter(|_| is_new) {
            let read = outcome.and_then(|outcome| outcome.sources.find(&document.source.path));
            document.adopt(read.map(|(_, source)| source.text()));
            if document.is_changed() {
                changed.push(full.clone());
            }
        }
        for full in &changed {
            self.retell(full);
        }
        self.tell_failure(root);
        self.publish_all(root);
    }

    /// What a panic leaves of a run is not asked again: the next one makes it anew.
    pub fn fault(&mut self, root: Option<&Path>, what: &str) {
        let Some((root, program)) = root.and_then(|root| Some((root, self.programs.get_mut(root)?))) else {
            return;
        };
        program.fail(Failure::of_panic(what));
        let own = self.documents.values_mut().filter(|one| one.program.as_deref() == Some(root));
        for document in own {
            document.retold = Retold::default();
        }
        self.tell_failure(root);
        self.publish_all(root);
    }

    /// Says why nothing can be judged, where no file says it.
    fn tell_failure(&mut self, root: &Path) {
        let Some(program) = self.programs.get_mut(root) else { return };
        let failure = program.failure.as_ref().filter(|one| one.excerpt.is_none());
        let message = failure.map(publish::text);
        let is_told = program.told == message;
        program.told.clone_from(&message);
        if let Some(message) = message.filter(|_| !is_told) {
            self.tell("window/showMessage", ShowMessageParams { kind: MessageType::Error, message });
        }
    }

    pub fn phase(&self, root: &Path, run: u64, phase: &str) {
        let program = self.programs.get(root).filter(|one| one.run == Some(run));
        if program.is_some_and(|one| one.progress == Shows::Yes) {
            let message = Some(phase.to_owned());
            self.report(root, WorkDoneProgressReport { message, ..WorkDoneProgressReport::default() });
        }
    }

    /// The editor answers what it was asked: the one answer of interest is whether it shows progress.
    pub fn answered(&mut self, response: &Response) {
        let Some(root) = self.asked.remove(&response.id) else { return };
        let Some(program) = self.programs.get_mut(&root) else { return };
        // Where the run has ended meanwhile, nothing would end what begins here.
        let is_under_way = program.run.is_some() && program.outcome.is_none();
        let is_shown = response.response_result.is_ok() && is_under_way;
        program.progress = if is_shown { Shows::Yes } else { Shows::Over };
        if is_shown {
            let title = "planlint".to_owned();
            self.report(&root, WorkDoneProgressBegin { title, ..WorkDoneProgressBegin::default() });
        }
    }

    pub fn report(&self, root: &Path, value: impl Serialize) {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.tell("$/progress", ProgressParams { token: token(root), value });
    }

    pub fn desk<'a>(&'a self, root: &'a Path) -> Option<Desk<'a>> {
        let program = self.programs.get(root)?;
        Some(Desk { client: self.client, options: self.options, root, program, documents: &self.documents })
    }

    /// Shows what is said of an open text.
    pub fn publish(&mut self, full: &Path) {
        let Some(document) = self.documents.get(full) else { return };
        let (Some(root), path) = (document.program.clone(), document.source.path.clone()) else { return };
        self.publish_path(&root, &path, false);
    }

    fn publish_all(&mut self, root: &Path) {
        let Some(desk) = self.desk(root) else { return };
        let mut paths = desk.paths();
        paths.extend(desk.program.shown.iter().cloned());
        let own = self.documents.values().filter(|one| one.program.as_deref() == Some(root));
        // That nothing is found in what is open is said as well.
        let open: Vec<String> = own.map(|one| one.source.path.clone()).collect();
        paths.extend(open.iter().cloned());
        for path in &paths {
            self.publish_path(root, path, open.contains(path));
        }
    }

    fn publish_path(&mut self, root: &Path, path: &str, is_open: bool) {
        let roots: Vec<PathBuf> = self.programs.keys().cloned().collect();
        let Some(desk) = self.desk(root).filter(|_| publish::is_owned(root, path, &roots)) else { return };
        let said = desk.publication(path);
        let is_said = !said.diagnostics.is_empty();
        let was_said = desk.program.shown.contains(path);
        if is_said || was_said || is_open {
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
    pub fn withdraw(&self, full: &Path) {
        let uri = self.documents.get(full).map_or_else(|| uri::of(full), |one| one.uri.clone());
        let said = PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() };
        self.tell("textDocument/publishDiagnostics", said);
    }

    pub fn ask(&mut self, method: &str, params: impl Serialize) -> RequestId {
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

    pub fn send(&self, message: impl Into<Message>) {
        // An editor that is gone says so itself.
        let _ = self.connection.sender.send(message.into());
    }
}

/// What the progress of a program's run goes by.
pub(super) fn token(root: &Path) -> ProgressToken {
    ProgressToken::String(format!("planlint {}", root.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::{Options, client::Client};
    use lsp_server::Connection;

    /// A server with these programs, and the numbers of their runs.
    fn server(programs: &[(&str, Option<u64>)]) -> (Server, Connection) {
        let (ours, editor) = Connection::memory();
        let mut server = Server::new(ours, Client::default(), Options { notes: false, growth: false }, &[]);
        for (root, run) in programs {
            server.programs.entry(PathBuf::from(root)).or_default().run = *run;
        }
        (server, editor)
    }

    /// What the editor was told, and not yet heard.
    fn heard(editor: &Connection) -> Vec<String> {
        editor.receiver.try_iter().map(|one| serde_json::to_string(&one).unwrap()).collect()
    }

    #[test]
    fn a_run_of_a_program_that_was_closed_is_not_taken_for_that_of_another() {
        let (mut server, editor) = server(&[("/a", Some(2))]);
        let root = Path::new("/a");
        server.judged(root, 1, Err(Failure::new("of old")));
        assert_eq!((server.programs[root].run, heard(&editor)), (Some(2), Vec::new()));
        server.judged(root, 2, Err(Failure::new("of now")));
        assert_eq!(server.programs[root].run, None);
        assert!(heard(&editor)[0].contains("of now"));
    }

    #[test]
    fn the_progress_of_a_run_that_has_ended_is_not_begun() {
        for (run, shows, told) in [(None, Shows::Over, 0), (Some(1), Shows::Yes, 1)] {
            let (mut server, editor) = server(&[("/a", run)]);
            let root = Path::new("/a");
            server.asked.insert(RequestId::from(1), root.to_owned());
            server
                .answered(&Response { id: RequestId::from(1), response_result: Ok(serde_json::Value::Null) });
            assert_eq!((server.programs[root].progress, heard(&editor).len()), (shows, told));
        }
    }

    #[test]
    fn each_program_says_once_why_it_can_not_be_judged() {
        let (mut server, editor) = server(&[("/a", None), ("/b", None)]);
        for (run, root) in (0..).zip(["/a", "/b", "/a", "/b"]) {
            server.programs.get_mut(Path::new(root)).unwrap().run = Some(run);
            server.judged(Path::new(root), run, Err(Failure::new(format!("not {root}"))));
        }
        assert_eq!(heard(&editor).len(), 2);
    }

    #[test]
    fn a_panic_over_a_program_is_told_and_a_run_is_due() {
        let (mut server, editor) = server(&[("/a", None)]);
        let root = Path::new("/a");
        server.programs.get_mut(root).unwrap().shown.insert("a.rs".to_owned());
        server.fault(Some(root), "a list without an end");
        let told = heard(&editor);
        assert!(told[0].contains("a list without an end") && told[1].contains("a.rs"), "{told:?}");
        assert!(server.programs[root].due().is_some() && server.programs[root].shown.is_empty());
        server.fault(None, "of no program");
        assert_eq!(heard(&editor), Vec::<String>::new());
    }
}
