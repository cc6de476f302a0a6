"""`opgen lsp`: one session of a real client, in a project of `opgen init`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from opgen.cli.main import main

pytest.importorskip("pygls")
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

CAPABILITIES = lsp.ClientCapabilities()


class Client(LanguageClient):
    """An editor with one open file; `found` gets what the server publishes, by file name."""

    def __init__(self, file: Path) -> None:
        super().__init__("an editor", "1")
        self.file, self.uri, self.text, self.version = file, file.as_uri(), file.read_text(), 0
        self.document = lsp.TextDocumentIdentifier(self.uri)
        self.found: asyncio.Queue[tuple[str, list[lsp.Diagnostic]]] = asyncio.Queue()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.found.put_nowait((params.uri.rpartition("/")[2], list(params.diagnostics)))

    async def diagnostics(self, name: str = "") -> list[lsp.Diagnostic]:
        """The next findings of a file."""
        while True:
            file, found = await asyncio.wait_for(self.found.get(), 60)
            if file == (name or self.file.name):
                return found

    async def start(self) -> None:
        await self.start_io(sys.executable, "-m", "opgen", "lsp", cwd=self.file.parent)
        await self.initialize_async(
            lsp.InitializeParams(CAPABILITIES, root_uri=self.file.parent.as_uri())
        )
        self.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(self.uri, "toml", 0, self.text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def write(self, old: str, new: str) -> None:
        """Replace a part of the text, as by typing."""
        assert self.text.count(old) == 1, old
        start = self.text.index(old)
        place = lsp.Range(self.position(start), self.position(start + len(old)))
        self.apply([lsp.TextEdit(place, new)])
        self.version += 1
        document = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = lsp.TextDocumentContentChangePartial(place, new)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def apply(self, edits: Any) -> None:
        for edit in sorted(
            edits, key=lambda e: e.range.start.line * 1000 + e.range.start.character
        )[::-1]:
            start, end = map(self.offset, (edit.range.start, edit.range.end))
            self.text = self.text[:start] + edit.new_text + self.text[end:]

    def position(self, offset: int) -> lsp.Position:
        before = self.text[:offset].split("\n")
        return lsp.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)

    def offset(self, place: lsp.Position) -> int:
        lines = self.text.split("\n")
        raw = lines[place.line].encode("utf-16-le")[: 2 * place.character]
        return sum(len(line) + 1 for line in lines[: place.line]) + len(raw.decode("utf-16-le"))

    def at(self, text: str, inside: int = 0) -> Any:
        """The document, and the place of a text that it holds."""
        return {
            "text_document": self.document,
            "position": self.position(self.text.index(text) + inside),
        }

    async def completions(self, text: str) -> dict[str, lsp.CompletionItem]:
        params = lsp.CompletionParams(**self.at(text, len(text)))
        items = await self.text_document_completion_async(params)
        assert isinstance(items, list)
        return {item.label: item for item in items}

    async def hover(self, text: str, inside: int = 0) -> str:
        found = await self.text_document_hover_async(lsp.HoverParams(**self.at(text, inside)))
        assert found is not None and isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    async def definition(self, text: str, inside: int = 0) -> tuple[str, str]:
        """The file of a definition, and the characters that it points at."""
        params = lsp.DefinitionParams(**self.at(text, inside))
        found = await self.text_document_definition_async(params)
        assert isinstance(found, list) and len(found) == 1
        place = found[0]
        file = Path(place.uri.removeprefix("file://"))
        text = self.text if file == self.file else file.read_text()
        line = text.split("\n")[place.range.start.line]
        return file.name, line[place.range.start.character : place.range.end.character]

    async def actions(self, found: lsp.Diagnostic) -> dict[str, lsp.CodeAction]:
        context = lsp.CodeActionContext([found])
        params = lsp.CodeActionParams(self.document, found.range, context)
        actions = await self.text_document_code_action_async(params)
        return {a.title: a for a in actions or () if isinstance(a, lsp.CodeAction)}

    async def rename(self, text: str, new: str) -> list[lsp.TextEdit]:
        params = lsp.RenameParams(**self.at(text), new_name=new)
        edit = await self.text_document_rename_async(params)
        assert edit is not None and edit.changes is not None and [*edit.changes] == [self.uri]
        return list(edit.changes[self.uri])


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "acme_ops", "--like", "reduction"]) == 0
    return tmp_path / "specs" / "sum_of_squares.toml"


def test_a_session(spec: Path) -> None:
    asyncio.run(asyncio.wait_for(session(Client(spec)), 120))


async def session(editor: Client) -> None:
    await editor.start()
    assert await editor.diagnostics() == []
    before = editor.text
    print(before)
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()
