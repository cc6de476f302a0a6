"""Text in a spec stays text in C++, Python, Markdown, HTML and terminals."""

from __future__ import annotations

import ast
import random
import re
import sys
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from opgen.cli.main import main
from opgen.language.expr.cpp import quoted as cpp_quoted
from opgen.language.expr.python import quoted as python_quoted
from opgen.source.source_file import SourceFile
from opgen.source.terminal import unseen, visible, visible_lines
from opgen.spec.parse import parse_spec
from opgen.targets.cpp.cpp_format import aligned, doc
from opgen.targets.docs.markdown import cell, markdown
from opgen.targets.python_format import docstring

PAYLOADS = (
    "text \\ ",
    "text \\",
    "text ??/",
    "\\\\" * 120,
    '"""',
    '""""',
    'ends with a quote"',
    "'; import os #",
    "*/ int main() {}",
    "// */ #define x",
    "{{ 7*7 }} {% raw %}",
    "%s {} ${x}",
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[click](javascript:alert(1))",
    "[click]: javascript:alert(1)",
    "![x](http://example.com/x.png)",
    "```{include} /etc/passwd\n```",
    "~~~{raw} html\n<b>\n~~~",
    ":::{include} /etc/passwd\n:::",
    "{raw}`<b>`",
    "{include}`x`",
    "&lt;script&gt; &#60;b&#62;",
    "# heading\n\n% comment\n(target)=\n+++\n",
    "a | b",
    "\\`<b>`",
    "`` ` `` <b> `",
)


def of_every_category() -> list[str]:
    """Return four characters of each Unicode category, except lone surrogates."""
    found: dict[str, list[str]] = {}
    for n in range(sys.maxunicode + 1):
        found.setdefault(unicodedata.category(chr(n)), []).append(chr(n))
    del found["Cs"]
    assert len(found) == 29
    dice = random.Random(0)
    return [c for every in found.values() for c in dice.sample(every, min(4, len(every)))]


@cache
def texts() -> list[str]:
    return [*PAYLOADS, *(f"a{c}" for c in of_every_category()), *(f"{c} b" for c in "\n\t\r\f\v")]


def same(one: str, other: str) -> bool:
    """Return whether two texts are equal except for blanks, which wrapping changes."""
    return one.split() == other.split()


def test_a_comment_of_cpp_ends_with_its_line() -> None:
    for text in texts():
        for lines in (doc(text, 2).splitlines(), aligned([("int a;", text), ("int b;", "")])):
            for line in lines:
                assert not re.search(r"(\\|\?\?/)\s*$", line), text
            assert all(line.strip().startswith("///") for line in lines) or lines[1] == "int b;"
            assert all(len(line.splitlines()) == 1 for line in lines)


def test_a_string_of_cpp_is_the_text() -> None:
    for text in texts():
        literal = cpp_quoted(text)
        inner = literal[1:-1]
        assert literal[0] == literal[-1] == '"' and not re.search(r"[\x00-\x1f\x7f]", inner)
        known = {"n": "\n", "t": "\t"}
        back = re.sub(
            r"\\([0-7]{3}|.)",
            lambda m: chr(int(m[1], 8)) if len(m[1]) == 3 else known.get(m[1], m[1]),
            inner,
        )
        assert back == text
        assert not re.search(r'(?<!\\)(\\\\)*"', inner)


def test_a_string_and_a_docstring_of_python_are_the_text() -> None:
    for text in texts():
        assert ast.literal_eval(python_quoted(text)) == text
        assert same(ast.literal_eval(docstring(text)), text)


def test_markdown_is_text_and_code() -> None:
    markdown_it = pytest.importorskip("markdown_it")
    parse = markdown_it.MarkdownIt("commonmark").enable("table").parse
    known = {"paragraph", "inline", "text", "code_inline", "softbreak", "em", "strong", "hardbreak"}
    for text in texts():
        tokens = [t for block in parse(markdown(text)) for t in (block, *(block.children or ()))]
        kinds = {re.sub("_(open|close)$", "", token.type) for token in tokens}
        assert kinds <= known | {"code_block", "hr"}, (text, kinds)
        assert not re.search(r"(?<!\\)\{\w+\}`|^\s*(%|\+\+\+|\(\w+\)=)", markdown(text), re.M), text
        row = parse(f"| a | b |\n| --- | --- |\n| {cell(text)} | c |\n")
        if "\r" not in text and "\f" not in text and "\v" not in text:
            assert sum(token.type == "td_open" for token in row) == 2, text


def test_terminals_show_no_control() -> None:
    for text in (*texts(), "\x1b[2J\x1b]0;x\x07", "\u202eabc", "a\rb", "\x9b31m"):
        assert visible(text).isprintable()
        assert all(c.isprintable() or c == "\n" for c in visible_lines(text))


@pytest.mark.parametrize("character", "\u200b\u202e\u2066\u00ad\ufeff\u3164\u034f\U000e0041\ufe0f")
def test_what_nobody_sees_is_a_finding(character: str) -> None:
    assert unseen(character)
    for line in (f'doc = "a{character}b"', f'replaces = ["{character}"]', f'"{character}" = 1'):
        text = f"spec = 1\n[ops.f]\n{line}\n"
        _, found = parse_spec(SourceFile.decode("f.toml", text.encode()))
        assert f"U+{ord(character):04X}" in " ".join(d.message for d in found), line


SPEC = """
spec = 1
[dtypes]
T = ["f32", "bf16"]
[ops.evil]
doc = {0}
replaces = [{1}]
inputs.x = {{ dtype = "T", shape = "*s m", doc = {0} }}
inputs.w = {{ dtype = "T", shape = "m" }}
attrs.by = {{ type = "float", default = 1.0, doc = {0} }}
attrs.mode = {{ type = "str", default = {1}, choices = [{1}, "b"] }}
outputs.y = {{ dtype = "T", shape = "*s m", doc = {0} }}
require = [{{ "m % 2 == 0" = {1} }}]
grad.formulas = {{ x = "by*dy", w = "by*dy" }}
sharding.split = ["s"]
kernels = ["cpu"]
"""


def test_a_rendered_package_holds_payloads_as_text(tmp_path: Path) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    parse = markdown_it.MarkdownIt("commonmark").enable("table").parse
    for n, text in enumerate(("text \\ ", '"""', " ".join(PAYLOADS).replace("\n", " "))):
        root = tmp_path / str(n)
        (root / "specs").mkdir(parents=True)
        (root / "pyproject.toml").write_text('[tool.opgen]\npackage = "evil"\nout = "evil"\n')
        value = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        (root / "specs/evil.toml").write_text(SPEC.format(value, value))
        arguments = ["render", str(root / "specs"), "--no-cache"]
        assert main([*arguments, "--out", str(root / "evil")]) == 0
        for file in (root / "evil").rglob("*"):
            if file.suffix == ".py":
                compile(file.read_text(), str(file), "exec", dont_inherit=True)
            elif file.suffix in (".h", ".cpp", ".cu"):
                for line in file.read_text().splitlines():
                    assert not re.search(r"//.*(\\|\?\?/)\s*$", line), (file, line)
            elif file.suffix == ".md":
                tokens = [
                    t for block in parse(file.read_text()) for t in block.children or (block,)
                ]
                kinds = {token.type for token in tokens}
                assert not kinds & {"html_inline", "html_block", "image"}, file
                assert {t.attrs["href"] for t in tokens if t.type == "link_open"} <= {"evil.md"}
                assert [t.info for t in tokens if t.type == "fence"] in ([], ["python"]), file


def test_a_name_of_a_file_cannot_write_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a\x1b[2J\nb.toml"
    file.write_text("spec = 2\n")
    assert main(["lint", str(file)]) == 1
    assert main(["lint", str(tmp_path / "\x1b[2J")]) == 2
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err and "b.toml:1" in said.out
