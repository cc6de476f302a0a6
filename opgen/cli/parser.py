"""The commands and their options, in the order of a typical workflow."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from functools import cache

from opgen import __version__
from opgen.cli import commands, options, start, watch
from opgen.cli.eject import eject
from opgen.cli.explain import explain
from opgen.cli.imports import draft
from opgen.cli.judge import adopt, judge
from opgen.cli.lint import lint, lsp
from opgen.cli.package import package
from opgen.cli.replay import replay
from opgen.source.frozen import dataclass

DESCRIPTION = "opgen generates what PyTorch and JAX need around a hand-written kernel."
ENDING = """\
Exit codes:
  0  success
  1  the command found something: a mistake in a spec, a stale file, a slower op
  2  the command could not run: wrong usage, wrong configuration, a failed build

Environment variables:
  OPGEN_CPU_LEVELS  build for these levels of x86-64 ("x86-64-v3 x86-64-v4"; empty: for all)
  CUDAARCHS         build CUDA kernels for these GPUs ("80;90")
  OPGEN_WERROR=1    treat compiler warnings as errors
  OPGEN_DEBUG=1     show the traceback of an internal error
  XDG_CACHE_HOME    keep opgen's cache here (default: ~/.cache)
  NO_COLOR=1        print without colours

`opgen COMMAND --help` lists the options of a command. The pages are in docs/ of opgen's
repository: docs/tutorials/first-op.md is the first, docs/commands.md lists the commands by task."""

# The groups of commands, as `opgen --help` prints them: name, help and example of each command.
COMMANDS = """\
Start:
  init        Create a project in this folder.                      opgen init my_ops
  new         Add an op that works, to edit.                        opgen new softcap
  import      Draft the spec of an existing op.                     opgen import torch aten::gelu
  doctor      Check this machine; report how to fix it.             opgen doctor

Write:
  lint        Check specs.                                          opgen lint --fix
  lsp         Serve an editor: check, complete and explain specs.   opgen lsp
  explain     Explain an error, a key of the language, or an op.    opgen explain OG503
  scaffold    Create the kernel files that do not exist yet.        opgen scaffold
  diff        Report which changes of specs break callers.          opgen diff --against v1.0

Build and ship:
  render      Generate the package from the specs.                  opgen render
  build       Compile the generated package.                        opgen build --only softcap
  package     Build a wheel and a source distribution.              opgen package
  eject       Keep an op's generated files and edit them by hand.   opgen eject softcap

Measure:
  judge       Check a kernel from anywhere, and time it.            opgen judge softcap fast.cpp
  adopt       Take an accepted kernel into an op's list.            opgen adopt softcap fast.cpp
  bench       Compare the speed of ops with alternatives.           opgen bench softcap
  tune        Choose the fastest kernel parameters for a device.    opgen tune softcap
  replay      Repeat a recorded call next to its reference.         opgen replay FILE

For other tools:
  export      Write an op as a problem for another benchmark.       opgen export flashinfer softcap
  schema      Print the JSON Schema of specs, or of verdicts.       opgen schema > opgen.schema.json
  reference   Print the reference of the language.                  opgen reference > reference.md
  cmake-dir   Print the folder of the CMake files.                  cmake -Dopgen_DIR="$(opgen cmake-dir)"
  include-dir Print the folder of the C++ headers.                  g++ -I"$(opgen include-dir)"
"""
# The function of each command, and the function that adds its options.
RUN: Mapping[str, tuple[Callable[..., int], Callable[[argparse.ArgumentParser], None] | None]] = {
    "init": (start.init, options.init),
    "new": (start.new, options.new),
    "import": (draft, options.import_op),
    "doctor": (commands.doctor, options.output_format),
    "lint": (lint, options.lint),
    "lsp": (lsp, None),
    "explain": (explain, options.explain),
    "scaffold": (start.scaffold, options.scaffold),
    "diff": (commands.diff, options.diff),
    "render": (watch.render, options.render),
    "build": (commands.build, options.build),
    "package": (package, options.package),
    "eject": (eject, options.eject),
    "judge": (judge, options.judge),
    "adopt": (adopt, options.adopt),
    "bench": (commands.bench, options.bench),
    "tune": (commands.tune, options.tune),
    "replay": (replay, options.replay),
    "export": (commands.export, options.export),
    "schema": (commands.schema, options.schema),
    "reference": (commands.reference, None),
    "cmake-dir": (commands.cmake_dir, None),
    "include-dir": (commands.include_dir, None),
}


@dataclass(frozen=True)
class Command:
    """A command: its name, a line of help, and an example."""

    name: str
    help: str
    example: str


@cache
def groups() -> dict[str, tuple[Command, ...]]:
    """Return the commands in groups, by the title of each group."""
    parts = [text.split(":\n", 1) for text in COMMANDS.split("\n\n")]
    row = re.compile(r"^  (\S+) +(.*?\.)  +(.*)$", re.M)
    return {title: tuple(Command(*found) for found in row.findall(text)) for title, text in parts}


@cache
def command_names() -> tuple[str, ...]:
    """Return the names of all commands, in workflow order."""
    return tuple(RUN)


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line, or of the command `only`."""
    whole = argparse.ArgumentParser(
        prog="opgen",
        usage="opgen COMMAND [OPTIONS]",
        description=f"{DESCRIPTION}\n\n{COMMANDS.rstrip()}",
        epilog=ENDING,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"opgen {__version__}")
    subparsers = whole.add_subparsers(
        prog="opgen", metavar="COMMAND", required=True, help=argparse.SUPPRESS
    )
    for command in (command for group in groups().values() for command in group):
        if only not in (None, command.name):
            continue
        own = subparsers.add_parser(
            command.name,
            description=command.help,
            epilog=f"example: {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        run, add_options = RUN[command.name]
        own.set_defaults(command=run)
        if add_options is not None:
            add_options(own)
    return whole
