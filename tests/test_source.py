"""Positions: the text that `locate` finds for a key parses to the value that tomli reads."""

from __future__ import annotations

import gc
import string
from pathlib import Path

import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from opgen.source.diagnostics import Where
from opgen.source.garbage import uncollected
from opgen.source.locate import inside, locate
from opgen.source.source_file import SourceFile
from opgen.source.toml import read_toml

ROOT = Path(__file__).parent.parent

# --- a writer of TOML in many styles: what hypothesis draws is text and its document


def basic(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def folded(text: str) -> str:
    """Return `text` as a multi-line TOML string, with each character on a separate line."""
    return '"""\n' + "\\\n   ".join(basic(c)[1:-1] for c in text) + '"""'


@st.composite
def strings(draw: st.DrawFn) -> str:
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
    styles = [basic, folded]
    if text.isprintable() and "'" not in text:
        styles += [lambda t: f"'{t}'", lambda t: f"'''\n{t}'''"]
    return draw(st.sampled_from(styles))(text)


@st.composite
def keys(draw: st.DrawFn) -> str:
    bare = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=4)
    text = draw(bare | st.text(max_size=3, alphabet=".é\"' []{}=#,\\\n"))
    plain = text and set(text) <= {*string.ascii_letters, *string.digits, *"_-"}
    return text if plain and draw(st.booleans()) else basic(text)


blanks = st.sampled_from(["", " ", "\t "])
breaks = st.sampled_from(["", " ", "\n", "  # ]}\"'\n\n"])
numbers = st.sampled_from(["1", "-2.5e3", "0xff", "true", "1979-05-27 07:32:00", "07:32:00", "nan"])


def values(depth: int = 3) -> st.SearchStrategy[str]:
    if depth == 0:
        return strings() | numbers
    return strings() | numbers | arrays(depth - 1) | inline_tables(depth - 1)


@st.composite
def arrays(draw: st.DrawFn, depth: int) -> str:
    items = draw(st.lists(values(depth), max_size=3))
    text = ",".join(f"{draw(breaks)}{item}{draw(breaks)}" for item in items)
    comma = "," if items and draw(st.booleans()) else ""
    return f"[{text}{comma}{draw(breaks)}]"


@st.composite
def inline_tables(draw: st.DrawFn, depth: int) -> str:
    items = draw(st.lists(st.tuples(dotted(), values(depth)), max_size=3))
    return (
        "{"
        + ",".join(f"{draw(blanks)}{k}{draw(blanks)}={draw(blanks)}{v} " for k, v in items)
        + "}"
    )


@st.composite
def dotted(draw: st.DrawFn) -> str:
    parts = draw(st.lists(keys(), min_size=1, max_size=3))
    return f"{draw(blanks)}.{draw(blanks)}".join(parts)


@st.composite
def documents(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(0, 6))):
        key = draw(dotted())
        match draw(st.sampled_from(["pair", "pair", "table", "array"])):
            case "pair":
                lines.append(f"{key}{draw(blanks)}={draw(blanks)}{draw(values())}")
            case "table":
                lines.append(f"[{draw(blanks)}{key}{draw(blanks)}] # ]")
            case "array":
                lines.append(f"[[{draw(blanks)}{key}{draw(blanks)}]]")
        lines.append(draw(breaks))
    return "\n".join(lines)


def walk(value: object, path: tuple = ()):
    yield path, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from walk(below, (*path, key))
    elif isinstance(value, list):
        for n, below in enumerate(value):
            yield from walk(below, (*path, n))


def assert_located(text: str) -> None:
    document = tomli.loads(text)
    spans = locate(text)
    for path, value in walk(document):
        if not path:
            continue
        span = spans[path]
        if isinstance(path[-1], str):
            written = text[slice(*span.key)]
            assert path[-1] in tomli.loads(f"{written} = 1")
        if not isinstance(value, dict | list):
            raw = text[slice(*span.value)]
            assert repr(tomli.loads(f"k = {raw}")["k"]) == repr(value)
        if isinstance(value, str):
            for n, character in enumerate(value):
                assert raw[inside(raw, n)] in (character, "\\")


@settings(max_examples=100, deadline=None)
@given(documents())
def test_every_value_is_where_locate_says(text: str) -> None:
    try:
        tomli.loads(text)
    except tomli.TOMLDecodeError:
        return  # the writer of this test does not track colliding keys
    assert_located(text)


@pytest.mark.parametrize("spec", sorted((ROOT / "specs").glob("*.toml")), ids=lambda p: p.stem)
def test_specs_are_located(spec: Path) -> None:
    assert_located(spec.read_text())


def test_offsets_in_strings() -> None:
    cases = {
        '"abc"': "abc",
        r'"a\tb\u00e9c"': "a\tbéc",
        "'a\\b'": "a\\b",
        '"""\nab"""': "ab",
        '"""a\\\n   b"""': "ab",
        '"""a""b"""""': 'a""b""',
        "'''\n'a'''": "'a",
    }
    for raw, value in cases.items():
        assert tomli.loads(f"k={raw}")["k"] == value
        for n, character in enumerate(value):
            at = inside(raw, n)
            assert raw[at] in (character, "\\"), (raw, n)
        assert raw[inside(raw, len(value)) :] in ('"', "'", '"""', "'''")


def marked(text: str, *path: str | int, **rest) -> str:
    start, end = SourceFile("f", text).resolve(Where("f", path, **rest))
    return text[start:end]


def test_resolve_falls_back_to_what_is_written() -> None:
    text = 'a.b = 1\n[ops.x]\ninputs.x = { dtype = "T" }\n'
    assert marked(text, "a", "b") == "1"
    assert marked(text, "a", "b", part="key") == "b"
    assert marked(text, "ops", "x", "inputs", "x", "dtype", start=0, end=1) == "T"
    assert marked(text, "ops", "x", "inputs", "x", "shape") == "x"
    assert marked(text, "ops", "x", "doc") == "x"
    assert marked(text, "nowhere") == "a.b = 1"
    assert marked('"a b" = 1', "a b", part="key", start=2, end=3) == "b"


def test_a_deep_nest_is_located_without_recursion() -> None:
    assert len(locate("a = " + "[" * 3_000 + "]" * 3_000)) == 3_000


# --- TOML 1.0


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a = {\n b = 1 }", 5),
        ("a = { b = 1, }", 11),
        ("a = { b = [\n1,\n], }", 16),
        ('a = "\\e"', 5),
        ('a = """\n\\x41"""', 8),
        ("a = 07:32", 4),
        ("a = 1979-05-27 07:32Z", 15),
    ],
)
def test_newer_toml_is_refused_where_it_stands(text: str, at: int) -> None:
    tomli.loads(text)
    document, (diagnostic, *_) = read_toml(SourceFile("f", text))
    assert document is None and diagnostic.rule == "OG002"
    assert diagnostic.where.start == at


@pytest.mark.parametrize(
    "text",
    [
        "a = { b = [\n1,\n] }",
        "a = [ { b = 1 },\n { b = 2 },\n]",
        "a = '\\e' # , }",
        'a = "\\\\e, }"',
        "a = 1979-05-27T07:32:00.5-07:00",
        "a = {}",
        "a = [1, {}]",
    ],
)
def test_toml_1_0_is_read(text: str) -> None:
    assert read_toml(SourceFile("f", text)) == (tomli.loads(text), [])


# --- files


@pytest.mark.parametrize(
    ("raw", "line", "column"),
    [
        (b"spec = 1\r\n# caf\xe9", 2, 6),
        (b"\xef\xbb\xbfspec = 1", 1, 1),
        (b"a = \x00", 1, 5),
        (b"a = 1\nb = " + b"9" * 5000, 2, 5),
        (b"a = " + b"[" * 10_000, 1, 1),
        (b"a = " + b"[" * 40 + b"]" * 40, 1, 1),
        (b"a." * 10_000 + b"b = 1", 1, 1),
        (b"a." * 40 + b"b = 1", 1, 1),
        (b"a = 1\r", 1, 6),
    ],
)
def test_odd_bytes_are_findings(raw: bytes, line: int, column: int) -> None:
    source = SourceFile.decode("f", raw)
    document, (diagnostic,) = read_toml(source)
    assert document is None
    start, _ = source.resolve(diagnostic.where)
    assert source.position(start) == (line, column)


def test_odd_files_are_findings(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"#" * 1_000_001)
    for path in (tmp_path, tmp_path / "none", tmp_path / "big", Path("/dev/zero")):
        source = SourceFile.read(path)
        assert source.problem is not None and source.problem.rule == "OG001"


# --- the garbage collector


def test_objects_of_an_uncollected_block_are_old_when_it_ends() -> None:
    with uncollected():
        made = [[n] for n in range(10_000)]
    young = (*gc.get_objects(generation=0), *gc.get_objects(generation=1))
    assert gc.isenabled() and not {*map(id, made)} & {*map(id, young)}
