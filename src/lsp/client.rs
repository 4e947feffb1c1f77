//! What an editor can do, as it says so, and what it is told that we can.

use super::document::Encoding;
use gen_lsp_types::{
    ChangeNotifications, ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProvider,
    HoverProvider, InitializeParams, InitializeResult, MarkupKind, PositionEncodingKind,
    ResourceOperationKind, Save, ServerCapabilities, ServerInfo, TextDocumentSync, TextDocumentSyncKind,
    TextDocumentSyncOptions, Uri, WorkspaceFolders, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};

/// What an editor can do.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Client {
    pub encoding: Encoding,
    /// It shows places that belong to a diagnostic.
    pub shows_related: bool,
    pub shows_markdown: bool,
    /// It takes code actions that are more than commands.
    pub takes_actions: bool,
    /// It takes edits of several files with their versions.
    pub takes_changes: bool,
    /// It makes new files.
    pub makes_files: bool,
    /// It takes edits with places for the cursor.
    pub takes_snippets: bool,
    /// It can be asked to watch files.
    pub watches: bool,
    /// It shows what a long run is at.
    pub shows_progress: bool,
}

impl Client {
    /// What an editor says of itself, and the folders that it works in.
    pub fn new(params: &InitializeParams) -> (Self, Vec<Uri>) {
        let mut folders: Vec<Uri> = match &params.workspace_folders_initialize_params.workspace_folders {
            Some(WorkspaceFolders::WorkspaceFolderList(all)) => {
                all.iter().map(|one| one.uri.clone()).collect()
            }
            _ => Vec::new(),
        };
        if folders.is_empty() {
            folders.extend(root(params));
        }
        (Self::able(&params.capabilities), folders)
    }

    fn able(all: &ClientCapabilities) -> Self {
        let text = all.text_document.as_ref();
        let workspace = all.workspace.as_ref();
        let edits = workspace.and_then(|one| one.workspace_edit.as_ref());
        let encodings = all.general.as_ref().and_then(|one| one.position_encodings.as_ref());
        let is_utf8 = encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        let formats = text.and_then(|one| one.hover.as_ref()).and_then(|one| one.content_format.as_ref());
        let operations = edits.and_then(|one| one.resource_operations.as_ref());
        let diagnostics = text.and_then(|one| one.publish_diagnostics.as_ref());
        let actions = text.and_then(|one| one.code_action.as_ref());
        let watching = workspace.and_then(|one| one.did_change_watched_files.as_ref());
        let makes_files = operations.is_some_and(|all| all.contains(&ResourceOperationKind::Create));
        Self {
            encoding: if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            shows_related: diagnostics
                .is_some_and(|one| one.diagnostics_capabilities.related_information == Some(true)),
            shows_markdown: formats.is_some_and(|all| all.contains(&MarkupKind::Markdown)),
            takes_actions: actions.is_some_and(|one| one.code_action_literal_support.is_some()),
            // Neovim says the second alone, which is nothing without the first.
            takes_changes: makes_files || edits.is_some_and(|one| one.document_changes == Some(true)),
            makes_files,
            takes_snippets: edits.is_some_and(|one| one.snippet_edit_support == Some(true)),
            watches: watching.is_some_and(|one| one.dynamic_registration == Some(true)),
            shows_progress: all.window.as_ref().is_some_and(|one| one.work_done_progress == Some(true)),
        }
    }

    /// What it is told.
    pub fn answer(&self) -> InitializeResult {
        let encoding = match self.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        };
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            save: Some(Save::Bool(true)),
            ..TextDocumentSyncOptions::default()
        };
        let actions = CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
            ..CodeActionOptions::default()
        };
        let folders = WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(ChangeNotifications::Bool(true)),
        };
        InitializeResult {
            capabilities: ServerCapabilities {
                position_encoding: Some(encoding),
                text_document_sync: Some(TextDocumentSync::Options(sync)),
                hover_provider: Some(HoverProvider::Bool(true)),
                code_action_provider: Some(CodeActionProvider::CodeActionOptions(actions)),
                workspace: Some(WorkspaceOptions {
                    workspace_folders: Some(folders),
                    ..WorkspaceOptions::default()
                }),
                ..ServerCapabilities::default()
            },
            server_info: Some(ServerInfo {
                name: "planlint".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        }
    }
}

#[expect(deprecated, reason = "older editors name one folder, and in this way")]
fn root(params: &InitializeParams) -> Option<Uri> {
    params.root_uri.clone()
}
