"""`opgen lsp`: one session of a real language client, in a project of `opgen init`."""

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

from opgen.lsp.workspace import Workspace

CAPABILITIES = lsp.ClientCapabilities()


class Client(LanguageClient):
    """An editor with one open file. `found` holds the diagnostics that the server publishes."""

    def __init__(self, file: Path) -> None:
        super().__init__("an editor", "1")
        self.file, self.uri, self.text, self.version = file, file.as_uri(), file.read_text(), 0
        self.document = lsp.TextDocumentIdentifier(self.uri)
        self.found: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda found: self.found.put_nowait(found)
        )

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        """Return the diagnostics of the current text."""
        while True:
            found = await asyncio.wait_for(self.found.get(), 60)
            if (found.uri, found.version) == (self.uri, self.version):
                return list(found.diagnostics)

    async def start(self) -> None:
        await self.start_io(sys.executable, "-m", "opgen", "lsp", cwd=self.file.parent)
        await self.initialize_async(
            lsp.InitializeParams(CAPABILITIES, root_uri=self.file.parent.as_uri())
        )
        self.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(self.uri, "toml", 0, self.text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def write(self, old: str, new: str, *, first: bool = False) -> None:
        """Replace `old` by `new`, as by typing.

        With `first`, the first match is replaced. Otherwise there must be only one.
        """
        assert first or self.text.count(old) == 1, old
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
        """Return the parameters of a request: the document, and the position of `text` in it."""
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
        """Return the file of a definition, and the text at its position."""
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
    right = editor.text
    await mistakes(editor)
    assert editor.text == right
    await completion(editor)
    editor.write(editor.text, right)
    assert await editor.diagnostics() == []
    await explanations(editor)
    await renaming(editor)
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()


async def mistakes(editor: Client) -> None:
    """Check that a mistake is reported at its position, in an editor's units, and corrected."""
    start = "outputs.y      = { "
    editor.write(start, f'{start}doc = "\N{GRINNING FACE}", ')
    assert await editor.diagnostics() == []
    editor.write('dtype = "T", shape = "*batch", red', 'dtype = "T", shpe = "*batch", red')
    (found,) = (d for d in await editor.diagnostics() if d.code == "OG010")
    assert found.message == "unknown key `shpe`\ndid you mean `shape`?"
    start, end = map(editor.offset, (found.range.start, found.range.end))
    assert editor.text[start:end] == "shpe" and found.severity is lsp.DiagnosticSeverity.Error
    actions = await editor.actions(found)
    assert {*actions} == {"Replace with `shape`", "Fix all that opgen can correct"}
    for title, action in actions.items():
        assert action.edit is not None and action.edit.changes is not None
        wrong = editor.text
        editor.apply(action.edit.changes[editor.uri])
        assert editor.text == wrong.replace("shpe", "shape"), title
        editor.text = wrong
    editor.write("shpe", "shape")
    assert await editor.diagnostics() == []
    # An error in a reference is reported in the reference's file, and disappears after its
    # correction.
    editor.write('py:sum_of_squares"', 'py:sum_of"')
    (found,) = await editor.diagnostics()
    assert found.code == "OG030"
    editor.write('py:sum_of"', 'py:sum_of_squares"')
    assert await editor.diagnostics() == []
    editor.write('doc = "\N{GRINNING FACE}", ', "")
    assert await editor.diagnostics() == []


# The typed part of a line, a suggestion, the inserted text, and a name that is not suggested.
UNFINISHED = (
    ('inputs.x       = { dtype = "T", sh', "shape", "shape", "dtype"),
    ('inputs.x       = { dtype = "', "bf16", "bf16", "x"),
    ('inputs.x       = { dtype = "', "T", "T", "n"),
    ("outputs.y      = { dtype = ", "f32", '"f32"', "n"),
    ('outputs.y      = { dtype = "T", shape = "', "*batch", "*batch", "x"),
    ('outputs.y      = { dtype = "T", shape = "*', "batch", "batch", "n"),
    (
        'outputs.y      = { dtype = "T", shape = "*batch", di',
        "differentiable",
        "differentiable",
        "values",
    ),
    ('grad.backward  = "', "sum_of_squares_bwd", "sum_of_squares_bwd", "n"),
    ("grad.backward  = ", "sum_of_squares_bwd", '"sum_of_squares_bwd"', "n"),
    ('grad.formulas  = { x = "2*', "tanh", "tanh", "ceildiv"),
    ('sharding.split = ["', "batch", "batch", "x"),
    ('kernels        = ["', "cuda", "cuda", "batch"),
    ("sharding.", "stages", "stages", "doc"),
)


async def completion(editor: Client) -> None:
    """Check suggestions for incomplete lines: only what may stand there is suggested."""
    right = editor.text
    for written, wanted, inserted, other in UNFINISHED:
        start = written.split(".")[0].split(" ")[0]
        line = next(each for each in right.split("\n") if each.startswith(start))
        editor.write(f"{line}\n", f"{written}\n", first=True)
        found = await editor.completions(written)
        assert wanted in found and other not in found, written
        edit = found[wanted].text_edit
        assert isinstance(edit, lsp.TextEdit) and edit.new_text == inserted, written
        editor.write(editor.text, right)
    documented = found["stages"].documentation
    assert isinstance(documented, lsp.MarkupContent) and "one after the other" in documented.value


async def explanations(editor: Client) -> None:
    """Check hovers and definitions.

    A key shows its documentation, a name shows its resolved meaning, and each named file or op can
    be opened.
    """
    shape = await editor.hover('shape = "*batch n" }\noutputs')
    assert "The dims, by name." in shape and "x  T  *batch n" in shape
    assert "n: x.shape[-1]" in await editor.hover("n = 16")
    backward = '"sum_of_squares_bwd"'
    assert "dx  T  *batch n" in await editor.hover(backward, 3)
    assert await editor.definition(backward, 3) == (editor.file.name, "sum_of_squares_bwd")
    reference = "sum_of_squares.py:"
    assert await editor.definition(reference, 3) == ("sum_of_squares.py", "sum_of_squares")
    assert await editor.definition('"cpu"', 2) == ("sum_of_squares.cpp", "sum_of_squares")
    assert await editor.definition('"T", shape', 1) == (editor.file.name, "T")
    assert await editor.definition("n = 16") == (editor.file.name, "n")


async def renaming(editor: Client) -> None:
    """Check that a dim is renamed in its op only, and keeps its meaning."""
    right = editor.text
    op, backward = right.split("[ops.sum_of_squares_bwd]")
    editor.apply(await editor.rename("n = 16", "columns"))
    expected = op.replace("*batch n", "*batch columns").replace('"n"', '"columns"')
    expected = expected.replace("{ n = ", "{ columns = ").replace(", n = ", ", columns = ")
    assert editor.text == f"{expected}[ops.sum_of_squares_bwd]{backward}"
    editor.text = right
    for text, new, why in (
        ("n = 16", "batch", "`sum_of_squares` has a `batch` already"),
        ("n = 16", "1n", "`1n` is not a name"),
        ("doc  ", "n", "`doc` is not a dim or group"),
    ):
        with pytest.raises(JsonRpcException, match=why):
            await editor.rename(text, new)


def test_what_is_wrong_elsewhere(spec: Path) -> None:
    """If a spec changes, its references and all specs that share a name with it are checked."""
    op, backward = spec.read_text().split("[ops.sum_of_squares_bwd]")
    spec.write_text(op)
    other = spec.with_name("other.toml")
    other.write_text(f"{op.partition('[ops.')[0]}[ops.sum_of_squares_bwd]{backward}")
    assert main(["new", "unrelated"]) == 0
    editor = Workspace()

    def check(file: Path, text: str = "") -> tuple[set[str], list[tuple[str, str]]]:
        if text:
            editor.texts[str(file)] = text
        done = editor.check(str(file))
        found = [(Path(d.where.file).name, d.rule) for d in done.found]
        return {Path(each).name for each in done.files}, found

    assert check(spec) == ({"sum_of_squares.toml", "other.toml", "unrelated.toml"}, [])
    right, tied = other.read_text(), {"sum_of_squares.toml", "other.toml"}
    without = right.replace("sum_of_squares_bwd]", "another]")
    missing = ("sum_of_squares.toml", "OG401")
    # While this spec is incomplete, names that another spec does not find in it are not reported.
    assert check(other, f"{right}[") == ({other.name}, [(other.name, "OG002")])
    assert check(other, without) == (tied, [missing])
    assert check(other, right) == (tied, [])
    reference = spec.with_suffix(".py")
    python = reference.read_text()
    reference.write_text("import torch\n" + python)
    assert check(spec) == ({*tied, reference.name}, [(reference.name, "OG030")])
    reference.write_text(python)
    assert check(other) == ({*tied, reference.name}, [])
    other.unlink()
    del editor.texts[str(other)]
    assert check(spec) == (tied, [missing])
    (spec.parents[1] / "pyproject.toml").write_text("[tool.opgen]\nspec = 1\n")
    assert check(spec) == ({"pyproject.toml"}, [("pyproject.toml", "OG010")])
