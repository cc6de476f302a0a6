"""The commands and their options, in the order of a typical workflow."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache

from opgen import __version__
from opgen.cli import bench_options, commands, options, start, watch
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


@dataclass(frozen=True)
class Command:
    """A command: its function, a line of help, an example, and a function that adds its options."""

    name: str
    run: Callable[..., int]
    help: str
    example: str
    options: Callable[[argparse.ArgumentParser], None] = lambda parser: None


@cache
def command_names() -> tuple[str, ...]:
    """Return the names of all commands, in workflow order."""
    return tuple(command.name for group in groups().values() for command in group)


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line, or of the command `only`."""
    whole = argparse.ArgumentParser(
        prog="opgen",
        usage="opgen COMMAND [OPTIONS]",
        description=f"{DESCRIPTION}\n\n{_listed()}",
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
        own.set_defaults(command=command.run)
        command.options(own)
    return whole


def _listed() -> str:
    """Return the text about all commands: their groups, and an example of each command."""
    lines = []
    for title, group in groups().items():
        lines += [f"{title}:"]
        lines += [f"  {each.name:<12}{each.help:<52}  {each.example}" for each in group]
        lines += [""]
    return "\n".join(lines).rstrip()


@cache
def groups() -> dict[str, tuple[Command, ...]]:
    """Return the commands in groups, by the title of each group."""
    return {
        "Start": (
            Command(
                "init",
                start.init,
                "Create a project in this folder.",
                "opgen init my_ops",
                options.init,
            ),
            Command(
                "new", start.new, "Add an op that works, to edit.", "opgen new softcap", options.new
            ),
            Command(
                "import",
                draft,
                "Draft the spec of an existing op.",
                "opgen import torch aten::gelu",
                options.import_op,
            ),
            Command(
                "doctor",
                commands.doctor,
                "Check this machine; report how to fix it.",
                "opgen doctor",
                options.output_format,
            ),
        ),
        "Write": (
            Command("lint", lint, "Check specs.", "opgen lint --fix", options.lint),
            Command("lsp", lsp, "Serve an editor: check, complete and explain specs.", "opgen lsp"),
            Command(
                "explain",
                explain,
                "Explain an error, a key of the language, or an op.",
                "opgen explain OG503",
                options.explain,
            ),
            Command(
                "scaffold",
                start.scaffold,
                "Create the kernel files that do not exist yet.",
                "opgen scaffold",
                options.scaffold,
            ),
            Command(
                "diff",
                commands.diff,
                "Report which changes of specs break callers.",
                "opgen diff --against v1.0",
                options.diff,
            ),
        ),
        "Build and ship": (
            Command(
                "render",
                watch.render,
                "Generate the package from the specs.",
                "opgen render",
                options.render,
            ),
            Command(
                "build",
                commands.build,
                "Compile the generated package.",
                "opgen build --only softcap",
                options.build,
            ),
            Command(
                "package",
                package,
                "Build a wheel and a source distribution.",
                "opgen package",
                options.package,
            ),
            Command(
                "eject",
                eject,
                "Keep an op's generated files and edit them by hand.",
                "opgen eject softcap",
                options.eject,
            ),
        ),
        "Measure": (
            Command(
                "judge",
                judge,
                "Check a kernel from anywhere, and time it.",
                "opgen judge softcap fast.cpp",
                options.judge,
            ),
            Command(
                "adopt",
                adopt,
                "Take an accepted kernel into an op's list.",
                "opgen adopt softcap fast.cpp",
                options.adopt,
            ),
            Command(
                "bench",
                commands.bench,
                "Compare the speed of ops with alternatives.",
                "opgen bench softcap",
                bench_options.bench,
            ),
            Command(
                "tune",
                commands.tune,
                "Choose the fastest kernel parameters for a device.",
                "opgen tune softcap",
                bench_options.tune,
            ),
            Command(
                "replay",
                replay,
                "Repeat a recorded call next to its reference.",
                "opgen replay FILE",
                options.replay,
            ),
        ),
        "For other tools": (
            Command(
                "export",
                commands.export,
                "Write an op as a problem for another benchmark.",
                "opgen export flashinfer softcap",
                options.export,
            ),
            Command(
                "schema",
                commands.schema,
                "Print the JSON Schema of specs, or of verdicts.",
                "opgen schema > opgen.schema.json",
                options.schema,
            ),
            Command(
                "reference",
                commands.reference,
                "Print the reference of the language.",
                "opgen reference > reference.md",
            ),
            Command(
                "cmake-dir",
                commands.cmake_dir,
                "Print the folder of the CMake files.",
                'cmake -Dopgen_DIR="$(opgen cmake-dir)"',
            ),
            Command(
                "include-dir",
                commands.include_dir,
                "Print the folder of the C++ headers.",
                'g++ -I"$(opgen include-dir)"',
            ),
        ),
    }
