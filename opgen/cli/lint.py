"""`opgen lint` and `opgen lsp`: check specs, and fix mistakes.

`opgen lint` checks specs once or, with `--watch`, after each change. `opgen lsp` checks the specs
that are open in an editor.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opgen.cli import commands, watch
from opgen.cli.console import read_config, say
from opgen.compiler.discovery import spec_files
from opgen.source.failure import Failure
from opgen.source.source_file import SourceFile
from opgen.source.work import Work


def lint(paths: Sequence[Path], fix: bool, diff: bool, watch_: bool, **options: Any) -> int:
    """Check specs, and return the exit code.

    With `fix`, correct the specs first. With `diff`, only print the corrections. With `watch_`,
    check again after each change.
    """
    if watch_:
        if fix or diff:
            raise Failure("`--watch` changes no spec: leave `--fix` and `--diff` out")
        watch.repeat(paths, lambda: commands.lint(paths, **options))
    if fix or diff:
        changed = _fix(paths, options["format"], write=fix)
        if diff:
            return 1 if changed else 0
    return commands.lint(paths, **options)


def lsp() -> int:
    """Serve an editor over stdin and stdout, until it ends the session."""
    try:
        from opgen.lsp.server import server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Failure("a language server needs pygls: `pip install pygls`") from None
    with Work(sys.maxsize):  # a session has no limit, but the check of each file has one
        server.start_io()
    return 0


def _fix(paths: Sequence[Path], format: str, *, write: bool) -> bool:
    """Correct the specs, or print corrections as a diff. Return whether any correction exists."""
    from difflib import unified_diff

    from opgen.compiler.fix import fixed

    changed = False
    for path in spec_files(paths, read_config(paths, format)):
        source = SourceFile.read(path)
        if source.problem is not None or (new := fixed(source)).text == source.text:
            continue
        changed = True
        lines = unified_diff(
            source.text.splitlines(keepends=True),
            new.text.splitlines(keepends=True),
            *(str(path), f"{path} (fixed)"),
        )
        if not write:
            sys.stdout.writelines(lines)
            continue
        count = sum(line.startswith("+") for line in lines) - 1
        path.write_text(new.text, encoding="utf-8")
        say(f"{path}: {count} {'line' if count == 1 else 'lines'} fixed")
    return changed
