"""The TOML reader reads the documents by which CPython tests `tomllib`.

They are part of the interpreter's test package, which some distributions omit.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from opgen.source.source_file import SourceFile
from opgen.source.toml import read_toml

corpus = pytest.importorskip("test.test_tomllib", reason="this Python has no tests")
DATA = Path(corpus.__file__).parent / "data"
DOCUMENTS = sorted(DATA.rglob("*.toml"))


def name(path: Path) -> str:
    return path.relative_to(DATA).with_suffix("").as_posix()


def test_there_are_documents() -> None:
    assert {path.relative_to(DATA).parts[0] for path in DOCUMENTS} == {"valid", "invalid"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_document(path: Path) -> None:
    source = SourceFile(path.name, path.read_bytes().decode())
    document, found = read_toml(source)
    if "invalid" in path.relative_to(DATA).parts:
        (mistake,) = found
        start, end = source.resolve(mistake.where)
        assert document is None and 0 <= start <= end <= len(source.text)
    else:
        assert found == [] and document == tomllib.loads(source.text)
