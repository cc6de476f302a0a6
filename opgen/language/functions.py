"""Python functions next to a spec that compute sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class SizeFunction:
    """A Python function that computes a size. `text` is the content of `file`.

    Its parameters are names whose values are known once a call has bound the sizes of its inputs.
    """

    file: str
    name: str
    parameters: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"

    def __call__(self, values: Mapping[str, object]) -> object:
        """Compute the size for a call. `values` maps names to values; an absent value is None."""
        module: dict[str, Any] = {"__name__": self.file.removesuffix(".py")}
        exec(compile(self.text, self.file, "exec"), module)
        return module[self.name](*map(values.get, self.parameters))
