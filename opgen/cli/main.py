"""The command line: arguments in, exit code out.

Findings go to stdout, progress to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from opgen.cli import commands
from opgen.cli.parser import command_names, parser
from opgen.compiler.discovery import DiscoveryError
from opgen.source.diagnostics import did_you_mean
from opgen.spec.extensions import TargetError

BROKEN_PIPE = 128 + 13
INTERRUPTED = 128 + 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    if argv and not argv[0].startswith("-") and argv[0] not in command_names():
        hint = did_you_mean(argv[0], command_names())
        print(f"opgen: there is no command `{argv[0]}`: {hint}", file=sys.stderr)
        return 2
    arguments = vars(parser().parse_args(argv))
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
