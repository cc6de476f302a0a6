"""`opgen export`: writes an op as a problem in the format of a benchmark project."""

from __future__ import annotations

from pathlib import Path

from opgen.cli.console import Failure, op_of, read_config, read_project, say
from opgen.compiler.discovery import shown


def export(form: str, op: str, to: Path | None) -> int:
    """Write an op in a benchmark's format, and report the parts that the format cannot express."""
    from importlib import import_module

    from opgen.exchange import Refused
    from opgen.exchange.problem import problems
    from opgen.source.atomic import put_all

    config = read_config([], "text")
    project = read_project([], config)
    writer = import_module(f"opgen.exchange.{form}")
    try:
        made = problems(op_of(project, op), config.specs_dir, tuple(writer.DTYPES_THERE))
        files = writer.files(made.problems)
    except Refused as error:
        raise Failure(str(error)) from error
    folder = to or Path(form)
    texts = {folder / path: text for path, text in files.items()}
    for path in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
    put_all(texts)
    say(f"{shown(folder)}: {len(made.problems)} problems of {op}")
    for each in made.lost:
        say(f"lost: {each}")
    return 0
