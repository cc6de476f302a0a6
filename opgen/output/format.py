"""Python that outside targets render is laid out by black, where black is installed.

The targets of opgen need no formatter: their templates are black-stable by construction.
"""

from __future__ import annotations

from opgen.targets.python_format import WIDTH
from opgen.targets.target import OutputFile


def formatted(file: OutputFile) -> OutputFile:
    """`file` as black would write it, if it is Python that black can read."""
    if not file.path.endswith(".py"):
        return file
    try:
        import black
        from black.parsing import InvalidInput
    except ImportError:
        return file
    try:
        return OutputFile(
            file.path, black.format_str(file.text, mode=black.Mode(line_length=WIDTH))
        )
    except InvalidInput:
        return file
