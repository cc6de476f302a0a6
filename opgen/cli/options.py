"""The options of each command. One function per command adds them to its parser."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from opgen.cli import arguments
from opgen.exchange import EXPORTED, IMPORTED
from opgen.judge import LEVELS
from opgen.source.report import FORMATS
from opgen.start import KINDS


def init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "package",
        nargs="?",
        metavar="PACKAGE",
        help="the name of the package that you will import (default: the folder's name)",
    )
    parser.add_argument("--op", metavar="NAME", help="the name of the first op (default: by KIND)")
    _like(parser)
    parser.add_argument(
        "--ci",
        action="store_true",
        help="add a GitHub workflow and settings for cibuildwheel; works in an existing project too",
    )


def new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("op", metavar="OP", help="the name of the op")
    _like(parser)


def import_op(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "kind", choices=("torch", "jax", "cpp", *IMPORTED), help="where the op exists"
    )
    parser.add_argument(
        "what",
        metavar="OP",
        help="NAMESPACE::OP, NAMESPACE::* for all of them, MODULE:FUNCTION, FILE:FUNCTION, or FILE",
    )
    parser.add_argument(
        "--module",
        dest="modules",
        action="append",
        default=[],
        metavar="NAME",
        help="import this Python module first: it registers the op (repeatable)",
    )
    parser.add_argument(
        "--calls",
        type=shlex.split,
        default=(),
        metavar="TEST",
        help="run this test, or script and arguments, and learn from its calls of the op",
    )
    parser.add_argument(
        "--source",
        dest="sources",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="read names, dtypes and shapes in the op's C++ (repeatable)",
    )
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="NAME",
        help="this argument is filled and not read: an output (repeatable)",
    )


def export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("form", choices=EXPORTED, metavar="FORMAT", help=", ".join(EXPORTED))
    parser.add_argument("op", metavar="OP", help="the name of an op")
    parser.add_argument(
        "--to", type=Path, metavar="DIR", help="write into this folder (default: ./FORMAT)"
    )


def lint(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    output_format(parser)
    parser.add_argument(
        "--select",
        type=arguments.words,
        metavar="RULES",
        help="report only these rules: ids, names, prefixes",
    )
    parser.add_argument(
        "--ignore",
        type=arguments.words,
        metavar="RULES",
        help="do not report these rules",
        default=(),
    )
    parser.add_argument(
        "--fix", action="store_true", help="apply the corrections that are certain, then check"
    )
    parser.add_argument(
        "--diff", action="store_true", help="show what --fix would change, and change nothing"
    )
    parser.add_argument(
        "--watch",
        dest="watch_",
        action="store_true",
        help="check again whenever a spec or a reference changes",
    )


def explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a rule's id or name, a key or TABLE.KEY, or an op (default: list the rules)",
    )
    parser.add_argument(
        "--mesh",
        type=arguments.mesh,
        metavar="MESH",
        help="show the communication of the op on this mesh in JAX: d=4,t=2",
    )
    parser.add_argument(
        "--split",
        dest="splits",
        type=arguments.split,
        action="append",
        default=[],
        metavar="INPUT=AXES",
        help="how an input is split, dim by dim: x=d,-,t (d+t: over both)",
    )
    parser.add_argument(
        "--sizes",
        dest="sizes",
        type=arguments.dim_sizes,
        default=(),
        metavar="SIZES",
        help="sizes of dims and groups: batch=16x2048,norm=4096",
    )


def scaffold(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    output_format(parser)


def diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against", required=True, metavar="REVISION", help="a git revision, or a folder of specs"
    )
    _paths(parser)
    output_format(parser)


def render(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    output_format(parser)
    _out(parser)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; list the files that would change"
    )
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    parser.add_argument("--force", action="store_true", help="overwrite files edited by hand")
    parser.add_argument(
        "--watch", action="store_true", help="render again whenever a spec or a kernel changes"
    )
    parser.add_argument(
        "--no-cache", dest="cache", action="store_false", help="render everything again"
    )
    parser.add_argument(
        "--target",
        dest="targets",
        action="append",
        metavar="NAME",
        help="render only this target (repeatable)",
    )


def build(parser: argparse.ArgumentParser) -> None:
    _out(parser)
    parser.add_argument(
        "--only",
        nargs="+",
        default=(),
        metavar="FAMILY",
        help="compile only these families (names of spec files); the other ops cannot run",
    )
    parser.add_argument(
        "--no-gpus", dest="gpus", action="store_false", help="compile no kernels for GPUs"
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="compile N files at once")
    parser.add_argument("--verbose", action="store_true", help="show the compiler's command lines")


def package(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("dist"),
        metavar="DIR",
        help="write the wheel and the source distribution here (default: %(default)s)",
    )
    parser.add_argument(
        "--hub", type=Path, metavar="DIR", help="also write a folder for Hugging Face's kernels"
    )
    parser.add_argument(
        "--runtime",
        action="store_true",
        help="build opgen-runtime instead: the runtime of all packages, with libraries for this PyTorch",
    )
    parser.add_argument("--verbose", action="store_true", help="show all output")


def eject(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("op", metavar="OP", help="the op; all ops of its spec file go with it")


def judge(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("op", metavar="OP", help="the op of the project here")
    add(
        "candidate",
        metavar="CANDIDATE",
        help="C++ of the op's view, LIB.so, LIB.so:SYMBOL, FILE.py:FUNCTION, or a Solution of "
        "FlashInfer-Bench, FILE.json",
    )
    add(
        "--level",
        choices=LEVELS,
        default=LEVELS[-1],
        metavar="LEVEL",
        help=f"the last level to run: {', '.join(LEVELS)} (default: %(default)s)",
    )
    add(
        "--format",
        choices=("text", "json", "trace"),
        default="text",
        help="the format of the verdict; `trace` is a Trace of FlashInfer-Bench",
    )


def schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "of",
        nargs="?",
        choices=("spec", "verdict"),
        default="spec",
        help="of specs, for editors, or of verdicts of `opgen judge` (default: %(default)s)",
    )


def adopt(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("op", metavar="OP", help="the op of the project here")
    add("candidate", metavar="CANDIDATE", help="C++ of the op's view")
    add("--name", metavar="NAME", help="the kernel's name (default: that of the file)")
    add(
        "--require",
        action="append",
        default=[],
        metavar="CONDITION",
        help="the calls that it takes, as `n %% 4 == 0` (repeatable; default: every call)",
    )


def replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the recorded call")
    parser.add_argument(
        "--package",
        metavar="NAME",
        help="the installed package of the call (default: that of the project here)",
    )
    parser.add_argument(
        "--no-shrink",
        dest="shrink",
        action="store_false",
        help="repeat the whole call; do not search for a smaller one that fails",
    )


# Options that several commands share


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="SPECS",
        help="spec files or folders of specs (default: the project's)",
    )


def _like(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--like",
        choices=KINDS,
        default="elementwise",
        help="the kind of op to start from (default: %(default)s)",
    )
    parser.add_argument(
        "--module",
        action="store_true",
        help="also write an nn.Module next to the spec (with --like norm)",
    )


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the folder of the generated package (default: the project's)",
    )


def output_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="the format of the output"
    )
