"""Find the function that computes an op in the op's C++ files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from opgen.source.frozen import dataclass
from opgen.start.cpp_functions import Function, functions
from opgen.start.op import StartError


@dataclass(frozen=True)
class Sources:
    """The text of some C++ files, and their functions."""

    text: str = ""
    functions: Sequence[Function] = ()

    @classmethod
    def read(cls, paths: Sequence[Path]) -> Sources:
        """Read the C++ files at `paths`. Raises `StartError` if a file cannot be read."""
        texts = []
        for path in paths:
            try:
                texts.append(path.read_text(encoding="utf-8"))
            except OSError as error:
                raise StartError(f"{path} cannot be read: {error.strerror}") from None
            except UnicodeDecodeError as error:
                raise StartError(f"{path} cannot be read: {error}") from None
        return cls("\n".join(texts), [each for text in texts for each in functions(text)])

    def of(self, op: str, arguments: int) -> Function | None:
        """Return the function that computes `op`, or None.

        The function is registered as `op` or has the name of `op`, and has `arguments` parameters.
        """
        space, _, name = op.partition("::")
        short = name.partition(".")[0]
        registered = re.findall(
            rf'"(?:{re.escape(space)}::)?{re.escape(short)}\b[^"]*"\s*\)?\s*,\s*(?:\w+\s*\(\s*)?&?([\w:]+)',
            self.text,
        )
        for called in (*registered, short):
            for each in self.functions:
                if each.body and each.is_called(called) and len(each.parameters) == arguments:
                    return each
        return None
