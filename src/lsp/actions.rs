//! What an editor offers to do about a finding, as edits that it makes itself.

use super::{
    publish::{Desk, Placed, touches},
    uri,
};
use crate::{
    run::{Insert, Outcome},
    source::Source,
};
use gen_lsp_types::{
    CodeAction, CodeActionKind, CreateFile, DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier,
    Position, Range, SnippetTextEdit, StringValue, TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri,
    WorkspaceEdit,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is offered for the findings of a file that touch a range.
pub(super) fn offered(desk: &Desk<'_>, path: &str, range: Range) -> Vec<CodeAction> {
    let Some(outcome) = desk.program.outcome.as_deref() else { return Vec::new() };
    let placed = desk.placed(path);
    let here = placed.iter().filter(|placed| touches(placed.range, range));
    here.flat_map(|placed| [index(desk, outcome, placed), allowance(desk, outcome, placed)])
        .flatten()
        .collect()
}

/// The index that was proved to help, made where the program makes its schema.
fn index(desk: &Desk<'_>, outcome: &Outcome, placed: &Placed<'_>) -> Option<CodeAction> {
    let made = outcome.index_for(placed.one, desk.root)?;
    if !made.files.is_empty() && !desk.client.makes_files {
        return None;
    }
    let mut changes = Vec::new();
    for (path, text) in &made.files {
        let uri = uri::of(&desk.root.join(path));
        let created = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
        let edit = Edit::TextEdit(TextEdit { range: Range::default(), new_text: text.clone() });
        changes.push(DocumentChange::CreateFile(created));
        changes.push(DocumentChange::TextDocumentEdit(edits(uri, None, vec![edit])));
    }
    let mut by_file: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for insert in &made.inserts {
        let edit = TextEdit { range: place(desk, outcome, insert)?, new_text: insert.text.clone() };
        by_file.entry(&insert.path).or_default().push(Edit::TextEdit(edit));
    }
    for (path, all) in by_file {
        changes.push(DocumentChange::TextDocumentEdit(edits_of(desk, path, all)));
    }
    let names = made.files.iter().map(|(path, _)| path.as_str());
    let others = made.inserts.iter().map(|insert| insert.path.as_str());
    // Each once, be it the place of several.
    let all: BTreeSet<&str> = names.chain(others).collect();
    let all: Vec<&str> = all.into_iter().collect();
    let verb = if made.files.is_empty() { "Add" } else { "Create" };
    let rest = made.rest.as_ref().map_or_else(String::new, |rest| format!(" ({rest})"));
    let title = format!("{verb} the index in {}{rest}: {}", all.join(" and "), made.sql);
    Some(action(desk, placed, title, changes, true))
}

/// The comment that accepts the finding. Its reason is for the user to write: without one it is not followed.
fn allowance(desk: &Desk<'_>, outcome: &Outcome, placed: &Placed<'_>) -> Option<CodeAction> {
    let allowance = outcome.allowance(placed.one)?;
    let insert = &allowance.insert;
    let range = place(desk, outcome, insert)?;
    let edit = if desk.client.takes_snippets && desk.client.takes_changes {
        let (before, behind) = insert.text.split_at_checked(allowance.reason)?;
        // What is special within a snippet.
        let plain = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
        let value = format!("{}$0{}", plain(before), plain(behind));
        Edit::SnippetTextEdit(SnippetTextEdit { range, snippet: StringValue { value }, annotation_id: None })
    } else {
        Edit::TextEdit(TextEdit { range, new_text: insert.text.clone() })
    };
    let changes = vec![DocumentChange::TextDocumentEdit(edits_of(desk, &insert.path, vec![edit]))];
    let title = format!("Accept {} here: write the reason into the comment", placed.one.rule);
    Some(action(desk, placed, title, changes, false))
}

fn action(
    desk: &Desk<'_>,
    placed: &Placed<'_>,
    title: String,
    changes: Vec<DocumentChange>,
    is_preferred: bool,
) -> CodeAction {
    let edit = if desk.client.takes_changes {
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    } else {
        WorkspaceEdit { changes: Some(plain(changes)), ..WorkspaceEdit::default() }
    };
    CodeAction {
        title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![desk.diagnostic(placed)]),
        is_preferred: Some(is_preferred),
        edit: Some(edit),
        ..CodeAction::default()
    }
}

/// The same for an editor that takes no versions.
fn plain(changes: Vec<DocumentChange>) -> HashMap<Uri, Vec<TextEdit>> {
    let mut all: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for change in changes {
        if let DocumentChange::TextDocumentEdit(edit) = change {
            let texts = edit.edits.into_iter().filter_map(|edit| match edit {
                Edit::TextEdit(edit) => Some(edit),
                _ => None,
            });
            all.entry(edit.text_document.text_document_identifier.uri).or_default().extend(texts);
        }
    }
    all
}

fn edits_of(desk: &Desk<'_>, path: &str, all: Vec<Edit>) -> TextDocumentEdit {
    match desk.document(path) {
        Some(document) => edits(document.uri.clone(), Some(document.version), all),
        None => edits(uri::of(&desk.root.join(path)), None, all),
    }
}

fn edits(uri: Uri, version: Option<i32>, edits: Vec<Edit>) -> TextDocumentEdit {
    let text_document_identifier = TextDocumentIdentifier { uri };
    let text_document = OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
    TextDocumentEdit { text_document, edits }
}

/// Where a text goes now; `None` where that was changed since the run.
fn place(desk: &Desk<'_>, outcome: &Outcome, insert: &Insert) -> Option<Range> {
    let at = |source: &Source, at: u32| -> Position { desk.client.encoding.position(source, at) };
    let start = match desk.document(&insert.path) {
        Some(document) => at(&document.source, document.now((insert.at, insert.at))?.0),
        None => at(outcome.sources.find(&insert.path)?.1, insert.at),
    };
    Some(Range { start, end: start })
}
