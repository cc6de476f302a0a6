"""`opgen import`: a first draft of a spec, from what there is already."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.console import Failure, read_config, say
from opgen.compiler.discovery import NO_PROJECT, shown


def draft(kind: str, what: str, modules: Sequence[str]) -> int:
    """Write the spec and the reference of an op that PyTorch or a C++ file has."""
    from opgen.start.draft import draft_files, overloads
    from opgen.start.from_cpp import from_cpp
    from opgen.start.from_torch import from_torch
    from opgen.start.op import StartError, write_files

    config = read_config([], "text")
    if not (config.root / "pyproject.toml").is_file():
        raise Failure(NO_PROJECT)
    if modules and kind != "torch":
        raise Failure("`--module` goes with `opgen import torch`")
    try:
        found = from_torch(what, modules) if kind == "torch" else from_cpp(what)
        files = draft_files(config, found)
        write_files(files)
    except StartError as error:
        raise Failure(str(error)) from error
    for path, text in files.items():
        count = text.count("# guess")
        say(f"{shown(path)}: drafted" + (f", with {count} guesses to check" if count else ""))
    if found.left_out:
        names = ", ".join(f"`{name}`" for name in found.left_out)
        say(f"left out, since a spec has nothing of their types: {names}")
    if found.others:
        names = ", ".join(f"`{other}`" for other in found.others)
        say(f"{overloads(found.name, found.others)}: {names}")
    say("next: check the guesses, write the reference, and `opgen scaffold` begins the kernel")
    return 0
