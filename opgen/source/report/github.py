"""Report diagnostics to GitHub Actions, as workflow commands that annotate lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opgen.source.diagnostics import Diagnostic
from opgen.source.source_file import SourceFile


def render(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, SourceFile], *, color: bool = False
) -> str:
    """Return `diagnostics` as workflow commands, one per line."""
    return "".join(_command(d, sources[d.where.file]) for d in diagnostics)


def _command(diagnostic: Diagnostic, source: SourceFile) -> str:
    start, end = map(source.position, source.resolve(diagnostic.where))
    properties = {
        "file": source.path,
        "line": start.line,
        "col": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "title": f"{diagnostic.rule} {diagnostic.name}",
    }
    listed = ",".join(f"{k}={_property(str(v))}" for k, v in properties.items())
    text = ": ".join(filter(None, (diagnostic.message, diagnostic.help)))
    return f"::{diagnostic.severity.value} {listed}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
