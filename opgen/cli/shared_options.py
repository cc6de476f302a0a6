"""The options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

from opgen.cli import arguments
from opgen.source.report import FORMATS
from opgen.start import KINDS


def calls(parser: argparse.ArgumentParser, *, ops: str, sizes: str) -> None:
    parser.add_argument(
        "ops",
        nargs="*",
        metavar="OP",
        help=ops,
    )
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


def paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="SPECS",
        help="spec files or folders of specs (default: the project's)",
    )


def like(parser: argparse.ArgumentParser) -> None:
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


def out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the folder of the generated package (default: the project's)",
    )


def format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="the format of the output"
    )
