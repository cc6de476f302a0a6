"""`opgen import`: writes first drafts of specs from existing code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.console import read_config, say
from opgen.compiler.discovery import NO_PROJECT, shown
from opgen.source.failure import Failure
from opgen.source.guesses import guesses

if TYPE_CHECKING:
    from opgen.start.draft import Draft


def draft(
    kind: str,
    what: str,
    modules: Sequence[str],
    calls: Sequence[str],
    sources: Sequence[Path],
    out: Sequence[str],
) -> int:
    """Write specs and references for the ops in `what`, from the framework or format `kind`."""
    from opgen.start.draft import draft_files, overloads
    from opgen.start.from_cpp import from_cpp
    from opgen.start.from_jax import from_jax
    from opgen.start.from_torch import from_torch
    from opgen.start.op import StartError, write_files

    config = read_config([], "text")
    if not (config.root / "pyproject.toml").is_file():
        raise Failure(NO_PROJECT)
    takes = {"torch": ("module", "calls", "source", "out"), "jax": ("calls",), "cpp": ("out",)}
    options = {"module": modules, "calls": calls, "source": sources, "out": out}
    for option in (name for name, given in options.items() if given):
        if option not in takes.get(kind, ()):
            kinds = " or ".join(f"`opgen import {k}`" for k, own in takes.items() if option in own)
            raise Failure(f"`--{option}` goes with {kinds}")
    whole, done = what.endswith("::*"), 0
    drafts: Iterable[Draft]
    if kind == "torch":
        drafts = from_torch(what, modules, calls, out, sources)
    elif kind == "jax":
        drafts = from_jax(what, calls)
    elif kind == "cpp":
        drafts = [from_cpp(what, out)]
    else:
        drafts = [import_module(f"opgen.exchange.{kind}").draft(Path(what))]
    for found in drafts:
        try:
            files = draft_files(config, found)
            write_files(files)
        except StartError as error:
            if not whole:
                raise
            say(f"`{found.name}` is left out: {error}")
            continue
        done += 1
        for path, text in files.items():
            count = guesses(text)
            checked = f", with {count} guess{'es' * (count > 1)} to check" if count else ""
            say(f"{shown(path)}: drafted{checked}")
        if found.left_out:
            names = ", ".join(f"`{name}`" for name in found.left_out)
            say(f"left out, since a spec has nothing of their types: {names}")
        if found.others:
            names = ", ".join(f"`{other}`" for other in found.others)
            say(f"{overloads(found.name, found.others)}: {names}")
    if not done:
        raise Failure(f"no op of `{what}` can be drafted")
    say("next: check the guesses, write the reference, and `opgen scaffold` begins the kernel")
    return 0
