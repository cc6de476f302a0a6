"""The options of `opgen bench` and `opgen tune`."""

from __future__ import annotations

import argparse
from pathlib import Path

from opgen.cli import arguments


def bench(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _calls(
        parser,
        ops="ops to measure (default: all with a kernel and a sample)",
        sizes="8x128,128x1024,1024x1024,4096x4096,8192x8192",
    )
    add(
        "--devices",
        type=arguments.devices,
        default="cpu",
        metavar="DEVICES",
        help="cpu, cuda or hip, separated by commas (default: %(default)s)",
    )
    add(
        "--frameworks",
        type=arguments.frameworks,
        default="",
        metavar="NAMES",
        help="torch, jax, or torch,jax (default: the installed ones)",
    )
    add(
        "--threads",
        type=arguments.positive,
        metavar="N",
        help="number of CPUs to use (default: all)",
    )
    add("--json", type=Path, metavar="FILE", help="write all measurements to this file, as JSON")
    add("--plot", type=Path, metavar="FILE", help="write a roofline plot to this file, as SVG")
    add(
        "--compare",
        type=Path,
        metavar="FILE",
        help="compare with a file of an earlier --json; exit code 1 if an op is slower",
    )


def tune(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    _calls(
        parser,
        ops="ops to tune (default: all with a kernel that has `tune`)",
        sizes="8x128,32x512,32x1024,128x1024,1024x1024,4096x4096",
    )
    add(
        "--at",
        dest="dims",
        type=arguments.dim_sizes,
        action="append",
        default=[],
        metavar="DIMS",
        help="sizes by name instead of --sizes: batch=16x2048,norm=4096 (repeatable)",
    )
    add("--device", choices=arguments.DEVICES, default="cpu", help="default: %(default)s")
    add(
        "--framework",
        dest="frameworks",
        type=arguments.frameworks,
        default="",
        metavar="NAME",
        help="torch or jax: the framework to call the ops from (default: the first installed)",
    )
    add(
        "--threads",
        type=arguments.positive,
        metavar="N",
        help="number of CPUs to use; the table holds for this number alone (default: all)",
    )


def _calls(parser: argparse.ArgumentParser, *, ops: str, sizes: str) -> None:
    parser.add_argument("ops", nargs="*", metavar="OP", help=ops)
    parser.add_argument(
        "--sizes",
        type=arguments.sizes,
        default=sizes,
        metavar="SIZES",
        help="rows x columns, separated by commas (default: %(default)s)",
    )
    parser.add_argument(
        "--dtypes",
        type=arguments.words,
        default="f32,bf16",
        metavar="DTYPES",
        help="dtypes, separated by commas (default: %(default)s)",
    )
