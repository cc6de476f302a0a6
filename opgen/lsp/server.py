"""The language server: reads an editor's requests from stdin, and answers on stdout."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from opgen.compiler.fix import correction, fixed
from opgen.lsp.completion import choices
from opgen.lsp.cursor import Cursor, cursor_at, gap_at
from opgen.lsp.definition import Target, definitions
from opgen.lsp.hover import hover
from opgen.lsp.rename import RenameError, renamed
from opgen.lsp.workspace import Workspace
from opgen.source.diagnostics import Diagnostic, Severity
from opgen.source.edit import Edit
from opgen.source.source_file import SourceFile
from opgen.source.toml import read_toml
from opgen.source.version import __version__
from opgen.spec.config import load_config

# The seconds without further changes after which a changed spec is checked.
PAUSE = 0.02
KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.EnumMember,
    "bare value": lsp.CompletionItemKind.Keyword,
    "name": lsp.CompletionItemKind.Variable,
    "function": lsp.CompletionItemKind.Function,
}
FIX_ALL = lsp.CodeActionKind.SourceFixAll


class Server(LanguageServer):
    """A language server, with the editor's open files and the scheduled checks."""

    def __init__(self) -> None:
        super().__init__("opgen", __version__)
        self.files = Workspace()
        self.uris: dict[str, str] = {}  # the URI of each path, as the editor writes it
        self.due: dict[str, asyncio.TimerHandle] = {}
        self.found: dict[str, list[Diagnostic]] = {}

    def changed(self, uri: str, pause: float = PAUSE) -> None:
        """Schedule a check of a file after a pause, because its text has changed."""
        path = path_of(uri)
        self.uris[path] = uri
        self.files.texts[path] = (
            self.workspace.get_text_document(uri)
            .source.removeprefix("\ufeff")
            .replace("\r\n", "\n")
        )
        if before := self.due.pop(path, None):
            before.cancel()
        self.due[path] = asyncio.get_running_loop().call_later(pause, self.check, path)

    def check(self, path: str) -> None:
        """Check the project that contains a file, and send the findings to the editor."""
        self.due.pop(path, None)
        done = self.files.check(path)
        for file in done.files:
            self.found[file] = [d for d in done.found if d.where.file == file]
            source = done.sources.get(file) or self.files.source(file)
            uri = self.uri(file)
            opened = self.workspace.text_documents.get(uri)
            shown = [self.diagnostic(d, source) for d in self.found[file]]
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, shown, opened and opened.version)
            )

    def uri(self, path: str) -> str:
        return self.uris.get(path) or from_fs_path(str(Path(path).absolute())) or path

    def diagnostic(self, found: Diagnostic, source: SourceFile) -> lsp.Diagnostic:
        error = found.severity is Severity.ERROR
        return lsp.Diagnostic(
            self.range(source, *source.resolve(found.where)),
            "\n".join(filter(None, (found.message, found.help))),
            lsp.DiagnosticSeverity.Error if error else lsp.DiagnosticSeverity.Warning,
            found.rule,
            source="opgen",
        )

    def range(self, source: SourceFile, start: int, end: int) -> lsp.Range:
        """Convert character offsets in a file to a range of lines and columns for the editor."""
        places = []
        for line, column in (source.position(start), source.position(end)):
            place = lsp.Position(line - 1, column - 1)
            places.append(
                self.workspace.position_codec.position_to_client_units(source.lines, place)
            )
        return lsp.Range(*places)

    def edits(self, source: SourceFile, uri: str, edits: list[Edit]) -> lsp.WorkspaceEdit:
        found = [lsp.TextEdit(self.range(source, e.start, e.end), e.text) for e in edits]
        return lsp.WorkspaceEdit({uri: found})

    def location(self, target: Target) -> lsp.Location:
        source, start, end = target
        return lsp.Location(self.uri(source.path), self.range(source, start, end))

    def op(self, name: str, path: str) -> Target | None:
        """Return the location of the op `name` in the project that contains the file `path`."""
        source = self.files.source(self.files.ops(path).get(name, path))
        span = source.spans.get(("ops", name)) if read_toml(source)[0] else None
        return Target(source, *span.key) if span else None

    def spec(self, params: Any) -> tuple[SourceFile, int] | None:
        """Return a request's spec and the cursor's offset, or None if the file is not a spec."""
        path = path_of(params.text_document.uri)
        if path not in self.files.known:
            return None
        source = self.files.source(path)
        codec = self.workspace.position_codec
        place = codec.position_from_client_units(source.lines, params.position)
        return source, source.line_starts[place.line] + place.character

    def cursor(self, params: Any) -> Cursor | None:
        found = self.spec(params)
        return cursor_at(*found) if found else None


def path_of(uri: str) -> str:
    return Path(to_fs_path(uri) or uri).as_posix()


server = Server()


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def opened(
    ls: Server, params: lsp.DidOpenTextDocumentParams | lsp.DidSaveTextDocumentParams
) -> None:
    ls.changed(params.text_document.uri, 0)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget the editor's text of a closed file, so that checks read the file from disk."""
    path = path_of(params.text_document.uri)
    ls.files.texts.pop(path, None)
    ls.check(path)


@server.feature(
    lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=['"', ".", " ", "*"])
)
def completion(ls: Server, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    found = ls.spec(params)
    gap = gap_at(*found) if found else None
    if found is None or gap is None:
        return []
    items = []
    ops = ls.files.ops(found[0].path)
    place = ls.range(found[0], gap.start, gap.end)
    for choice in choices(gap, ops):
        quoted = gap.quoted and choice.kind in ("value", "name")
        text = json.dumps(choice.text) if quoted else choice.text
        items.append(
            lsp.CompletionItem(
                choice.text,
                kind=KINDS[choice.kind],
                detail=choice.detail,
                filter_text=choice.text.lstrip("*"),
                documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, choice.documentation),
                text_edit=lsp.TextEdit(place, text),
            )
        )
    return items


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    cursor = ls.cursor(params)
    if cursor is None:
        return None
    text = hover(cursor, lambda name: ls.files.op(cursor.source.path, name))
    place = ls.range(cursor.source, cursor.start, cursor.end)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place) if text else None


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def defined(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    cursor = ls.cursor(params)
    if cursor is None:
        return []
    config, _, _ = load_config(Path(cursor.source.path))
    find = partial(ls.op, path=cursor.source.path)
    return [ls.location(target) for target in definitions(cursor, config, find)]


@server.feature(lsp.TEXT_DOCUMENT_RENAME)
def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    cursor = ls.cursor(params)
    try:
        if cursor is None:
            raise RenameError("there is no name here")
        edits = renamed(cursor, params.new_name)
    except RenameError as error:
        raise JsonRpcInvalidParams(str(error)) from error
    return ls.edits(cursor.source, params.text_document.uri, edits)


@server.feature(
    lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, FIX_ALL])
)
def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the fixes of `opgen lint --fix`: one per finding in the range, and one for all."""
    uri = params.text_document.uri
    source = ls.files.source(path_of(uri))
    first, last = params.range.start.line, params.range.end.line
    only = params.context.only
    found = []
    for each in ls.found.get(source.path, ()):
        shown = ls.diagnostic(each, source)
        if first <= shown.range.start.line <= last and (edit := correction(each, source)):
            title = f"Replace with `{edit.text.strip()}`"
            action = lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, [shown], is_preferred=True)
            action.edit = ls.edits(source, uri, [edit])
            found.append(action)
    if (whole := fixed(source)).text != source.text:
        every = ls.edits(source, uri, [Edit(0, len(source.text), whole.text)])
        found.append(lsp.CodeAction("Fix all that opgen can correct", FIX_ALL, edit=every))
    return [each for each in found if not only or each.kind in only]
