"""Diagnostics as text, JSON or GitHub annotations. Each format has a module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from opgen.source.diagnostics import Diagnostic
from opgen.source.source_file import SourceFile

FORMATS = ("text", "json", "github")


def report(
    diagnostics: Sequence[Diagnostic],
    sources: Mapping[str, SourceFile],
    format: str,
    *,
    color: bool = False,
) -> str:
    """Return a report of `diagnostics` in the given `format`, sorted by file and position.

    `sources` maps paths to the files to which the diagnostics refer.
    """
    placed = sorted(
        diagnostics, key=lambda d: (d.where.file, sources[d.where.file].resolve(d.where), d.rule)
    )
    render: Callable[..., str] = import_module(f"opgen.source.report.{format}").render
    return render(placed, sources, color=color)
