"""The command line: arguments in, exit code out. Each command is one function.

Exit codes: 0 clean; 1 findings, or files that are not what they should be; 2 usage,
configuration or internal error. Findings go to stdout, what is said along the way to stderr.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from opgen import __version__
from opgen.cli import commands, start, watch
from opgen.cli.arguments import (
    DEVICES,
    devices,
    dim_sizes,
    frameworks,
    mesh,
    positive,
    sizes,
    split,
    words,
)
from opgen.cli.eject import eject
from opgen.cli.explain import explain
from opgen.cli.imports import draft
from opgen.cli.package import package
from opgen.cli.replay import replay
from opgen.cli.tune import tune
from opgen.compiler.discovery import DiscoveryError
from opgen.source.report import FORMATS
from opgen.spec.extensions import TargetError
from opgen.start import KINDS

BROKEN_PIPE = 128 + 13
INTERRUPTED = 128 + 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = vars(_parser().parse_args(argv))
    command = arguments.pop("command")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code: int = command(**arguments)
        sys.stdout.flush()
        return code
    except (commands.Failure, DiscoveryError, TargetError) as failure:
        print(f"opgen: {failure}", file=sys.stderr)
    except BrokenPipeError:
        # Python flushes stdout once more when it exits: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (PermissionError, NotADirectoryError, IsADirectoryError, FileExistsError) as error:
        print(f"opgen: {error.filename}: {error.strerror}", file=sys.stderr)
    except Exception as error:
        if os.environ.get("OPGEN_DEBUG") == "1":
            raise
        print(
            f"opgen: internal error: this is a bug in opgen: {error!r}\n"
            "opgen: OPGEN_DEBUG=1 shows where it happened",
            file=sys.stderr,
        )
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="opgen",
        description="Render everything PyTorch and JAX need around hand-written kernels.",
    )
    parser.add_argument("--version", action="version", version=f"opgen {__version__}")
    commands_of = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, command: object, help: str) -> argparse.ArgumentParser:
        sub = commands_of.add_parser(name, help=help, description=help)
        sub.set_defaults(command=command)
        return sub

    lint = add("lint", commands.lint, "Check specs.")
    _paths(lint)
    _format(lint)
    lint.add_argument(
        "--select",
        type=words,
        metavar="RULES",
        help="report these rules only: ids, names or prefixes, by commas",
    )
    lint.add_argument(
        "--ignore", type=words, metavar="RULES", help="do not report these rules", default=()
    )

    render = add("render", watch.render, "Render the project's specs.")
    _paths(render)
    _format(render)
    _out(render)
    render.add_argument(
        "--check", action="store_true", help="write nothing, name the files that would change"
    )
    render.add_argument("--diff", action="store_true", help="write nothing, show what would change")
    render.add_argument(
        "--force", action="store_true", help="replace files that were edited by hand"
    )
    render.add_argument(
        "--watch", action="store_true", help="render again whenever a spec or a kernel changes"
    )
    render.add_argument(
        "--no-cache", dest="cache", action="store_false", help="render everything anew"
    )
    render.add_argument(
        "--target",
        dest="targets",
        action="append",
        metavar="NAME",
        help="render this target only; may be given again",
    )

    init = add("init", start.init, "Begin a project in the working directory.")
    init.add_argument(
        "package",
        nargs="?",
        metavar="PACKAGE",
        help="what is rendered and imported (default: the folder's name)",
    )
    init.add_argument("--op", metavar="NAME", help="the name of the first op (default: by KIND)")
    _like(init)
    init.add_argument(
        "--ci",
        action="store_true",
        help="add a workflow for GitHub and the settings of cibuildwheel, also to a project that is there",
    )
    new = add("new", start.new, "Begin an op: a spec, a reference and a kernel that work.")
    new.add_argument("op", metavar="OP", help="the op's name")
    _like(new)

    importing = add(
        "import",
        draft,
        "Draft the spec of an op that PyTorch or a C++ file has, with its guesses marked.",
    )
    importing.add_argument("kind", choices=("torch", "cpp"), help="what it is drafted from")
    importing.add_argument("what", metavar="OP", help="NAMESPACE::OP, or FILE:FUNCTION")
    importing.add_argument(
        "--module",
        dest="modules",
        action="append",
        default=[],
        metavar="NAME",
        help="import this first, which registers the op; may be given again",
    )

    scaffold = add(
        "scaffold",
        start.scaffold,
        "Begin the kernels that specs announce and nobody has written.",
    )
    _paths(scaffold)
    _format(scaffold)

    ejecting = add("eject", eject, "Leave an op's rendered files to their owner.")
    ejecting.add_argument("op", metavar="OP", help="the op, with all of its spec file")

    build = add("build", commands.build, "Build the libraries of the rendered package.")
    _out(build)
    build.add_argument(
        "--only",
        nargs="+",
        default=(),
        metavar="FAMILY",
        help="compile these families alone, each the name of a spec file; calls of other ops fail",
    )
    build.add_argument(
        "--no-gpus", dest="gpus", action="store_false", help="compile no kernels for GPUs"
    )
    build.add_argument("--jobs", type=int, metavar="N", help="compile N files at once")
    build.add_argument("--verbose", action="store_true", help="show the compiler's command lines")

    packaging = add(
        "package", package, "Build a wheel and a source distribution of the rendered package."
    )
    packaging.add_argument(
        "--out", type=Path, default=Path("dist"), metavar="DIR", help="default: %(default)s"
    )
    packaging.add_argument(
        "--hub",
        type=Path,
        metavar="DIR",
        help="also write the folder that Hugging Face's kernels loads",
    )
    packaging.add_argument(
        "--runtime",
        action="store_true",
        help="build opgen-runtime instead, for the PyTorch and the Python that run: what knows no op",
    )
    packaging.add_argument("--verbose", action="store_true", help="show all that is printed")

    add(
        "doctor",
        commands.doctor,
        "Say what is missing to build and use the package, and what mends it.",
    )

    _bench(add("bench", commands.bench, "Measure ops beside what they compete with."))

    _tune(add("tune", tune, "Choose the values of kernels by measuring; write the device's table."))

    replaying = add(
        "replay", replay, "Run a call again that a shadowed program kept, beside its reference."
    )
    replaying.add_argument("file", type=Path, metavar="FILE", help="what the program wrote")
    replaying.add_argument(
        "--no-shrink",
        dest="shrink",
        action="store_false",
        help="run the call as it was, and none that is smaller",
    )

    explaining = add(
        "explain", explain, "Explain a rule, a key of the language, or an op of the project."
    )
    explaining.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a rule's id or name, a key or TABLE.KEY, or an op (default: list the rules)",
    )
    explaining.add_argument(
        "--mesh",
        type=mesh,
        metavar="MESH",
        help="print what splitting an op over this mesh moves in JAX: d=4,t=2",
    )
    explaining.add_argument(
        "--split",
        dest="splits",
        type=split,
        action="append",
        default=[],
        metavar="INPUT=AXES",
        help="how an input is split, dim by dim: x=d,-,t (d+t: over both)",
    )
    explaining.add_argument(
        "--sizes",
        dest="sizes",
        type=dim_sizes,
        default=(),
        metavar="SIZES",
        help="sizes of dims and groups: batch=16x2048,norm=4096",
    )

    add("schema", commands.schema, "Print the JSON Schema of specs.")
    add("reference", commands.reference, "Print the reference of the spec language, as Markdown.")
    diff = add("diff", commands.diff, "Say what the specs break of what they were.")
    diff.add_argument(
        "--against", required=True, metavar="REVISION", help="a git revision, or a folder of specs"
    )
    _paths(diff)
    _format(diff)

    add("cmake-dir", commands.cmake_dir, "Print the folder of opgen's CMake files.")
    add("include-dir", commands.include_dir, "Print the folder of opgen's headers.")
    return parser


def _bench(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "ops",
        nargs="*",
        metavar="OP",
        help="ops of the project (default: all with a kernel and a sample)",
    )
    add(
        "--sizes",
        type=sizes,
        default="8x128,128x1024,1024x1024,4096x4096,8192x8192",
        metavar="SIZES",
        help="rows x columns, by commas (default: %(default)s)",
    )
    add(
        "--dtypes",
        type=words,
        default="f32,bf16",
        metavar="DTYPES",
        help="by commas (default: %(default)s)",
    )
    add(
        "--devices",
        type=devices,
        default="cpu",
        metavar="DEVICES",
        help="of cpu, cuda and hip, by commas (default: %(default)s)",
    )
    add(
        "--frameworks",
        type=frameworks,
        default="",
        metavar="NAMES",
        help="torch, jax, or both by a comma (default: those that are there)",
    )
    add(
        "--threads",
        type=positive,
        metavar="N",
        help="CPUs to run on (default: all that the process may use)",
    )
    add("--json", type=Path, metavar="FILE", help="write everything measured")
    add("--plot", type=Path, metavar="FILE", help="write a roofline plot, a PNG")
    add(
        "--compare",
        type=Path,
        metavar="FILE",
        help="what an earlier --json wrote; exit code 1 if an op is slower than there",
    )


def _tune(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "ops",
        nargs="*",
        metavar="OP",
        help="ops of the project (default: all with a kernel that has `tune`)",
    )
    add(
        "--sizes",
        type=sizes,
        default="8x128,32x512,32x1024,128x1024,1024x1024,4096x4096",
        metavar="SIZES",
        help="rows x columns, by commas (default: %(default)s)",
    )
    add(
        "--dtypes",
        type=words,
        default="f32,bf16",
        metavar="DTYPES",
        help="by commas (default: %(default)s)",
    )
    add(
        "--at",
        dest="dims",
        type=dim_sizes,
        action="append",
        default=[],
        metavar="DIMS",
        help="instead of sizes, dims and groups of a call: batch=16x2048,norm=4096; may be given again",
    )
    add("--device", choices=DEVICES, default="cpu", help="default: %(default)s")
    add(
        "--framework",
        dest="frameworks",
        type=frameworks,
        default="",
        metavar="NAME",
        help="torch or jax, in which the ops are called (default: the first that is there)",
    )
    add(
        "--threads",
        type=positive,
        metavar="N",
        help="CPUs to run on, for which alone the table holds (default: all that the process may use)",
    )


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="SPECS",
        help="spec files, or folders of them (default: the project's)",
    )


def _like(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--like",
        choices=KINDS,
        default="elementwise",
        help="what the op is like (default: %(default)s)",
    )
    parser.add_argument(
        "--module", action="store_true", help="render an nn.Module too (with --like norm)"
    )


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the rendered package (default: the project's)"
    )


def _format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how findings are printed"
    )
