"""A session with the language server by a client that is not ours, with what four editors say that they can do."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

EDITORS = ["visual-studio-code", "neovim@v0.11", "neovim@v0.8", "emacs"]
ROOT = pathlib.Path(os.environ["PROGRAM"])
FILE = ROOT / "src/orders.py"


@pytest_lsp.fixture(params=EDITORS, config=ClientServerConfig(server_command=[os.environ["PLANLINT"], "lsp"]))
async def editor(request, lsp_client: LanguageClient):
    params = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[types.WorkspaceFolder(uri=ROOT.as_uri(), name="program")],
    )

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def registered(params: types.RegistrationParams):
        assert params.registrations[0].method == "workspace/didChangeWatchedFiles"

    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


async def found(editor, rules):
    """Waits until these rules speak of the file, and gives what they say."""
    while True:
        said = editor.diagnostics.get(FILE.as_uri())
        if said is not None and [one.code for one in said] == rules:
            return said
        await editor.wait_for_notification("textDocument/publishDiagnostics")


@pytest.mark.asyncio
async def test_session(editor: LanguageClient):
    document = types.TextDocumentItem(FILE.as_uri(), "python", 1, FILE.read_text())
    editor.text_document_did_open(types.DidOpenTextDocumentParams(document))
    [one] = await found(editor, ["growing-table-scan"])
    assert one.severity == types.DiagnosticSeverity.Warning
    this = types.TextDocumentIdentifier(FILE.as_uri())
    hover = await editor.text_document_hover_async(types.HoverParams(this, one.range.start))
    assert "SCAN orders" in hover.contents.value
    context = types.CodeActionContext(diagnostics=[one], only=["quickfix"])
    actions = await editor.text_document_code_action_async(types.CodeActionParams(this, one.range, context))
    assert any(action.title.startswith("Accept growing-table-scan") for action in actions)
    # What is written above the statement accepts the finding.
    line = one.range.start.line
    start = types.Position(line, 0)
    comment = "    # planlint: allow(growing-table-scan) asked once a month\n"
    change = types.TextDocumentContentChangePartial(range=types.Range(start, start), text=comment)
    version = types.VersionedTextDocumentIdentifier(version=2, uri=FILE.as_uri())
    editor.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
    await found(editor, [])
