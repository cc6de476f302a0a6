"""Edits of the text of a spec."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """An edit: `text` replaces the characters from `start` to `end` of a spec."""

    start: int
    end: int
    text: str


def joined(text: str, edits: Iterable[Edit]) -> Edit:
    """Return one edit of `text` that has the effect of all `edits`, which must not overlap."""
    ordered = sorted(edits)
    start, at, parts = ordered[0].start, ordered[0].start, []
    for edit in ordered:
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return Edit(start, at, "".join(parts))
