"""Report diagnostics as JSON for programs. Lines and columns count from 1, `end` is exclusive."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from opgen.source.diagnostics import Diagnostic
from opgen.source.source_file import SourceFile


def render(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, SourceFile], *, color: bool = False
) -> str:
    """Return `diagnostics` as JSON."""
    found = [_object(d, sources[d.where.file]) for d in diagnostics]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _object(diagnostic: Diagnostic, source: SourceFile) -> dict[str, Any]:
    start, end = map(source.position, source.resolve(diagnostic.where))
    return {
        "file": source.path,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "rule": diagnostic.rule,
        "name": diagnostic.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
    }
