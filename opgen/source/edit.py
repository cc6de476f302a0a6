"""Edits of the text of a spec."""

from __future__ import annotations

from typing import NamedTuple


class Edit(NamedTuple):
    """An edit: `text` replaces the characters from `start` to `end` of a spec."""

    start: int
    end: int
    text: str
