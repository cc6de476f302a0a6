"""The main function of the command line. It runs a command and reports failures.

Findings go to stdout, and progress goes to stderr.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from opgen.cli.console import Mistakes
from opgen.cli.ending import drop_stdout, ended_by_signals
from opgen.cli.parser import command_names, parser
from opgen.source.diagnostics import did_you_mean
from opgen.source.failure import Failure
from opgen.source.terminal import visible, visible_lines
from opgen.source.work import TooMuchWork, Work

# The largest number of steps of work for one command, which takes about half a minute.
# `opgen.source.work` counts the steps. The check of each file has a separate limit.
COMMAND_AT_MOST = 20_000_000
BROKEN_PIPE = 128 + 13
INTERRUPTED = 128 + 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command with the arguments `argv`, and return its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    if argv and not argv[0].startswith("-") and argv[0] not in command_names():
        hint = did_you_mean(argv[0], command_names())
        print(f"opgen: there is no command `{argv[0]}`: {hint}", file=sys.stderr)
        return 2
    only = argv[0] if argv and argv[0] in command_names() else None
    arguments = vars(parser(only).parse_args(argv))
    command = arguments.pop("command")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with ended_by_signals(), Work(COMMAND_AT_MOST):
            code: int = command(**arguments)
            sys.stdout.flush()
            return code
    except Failure as failure:
        print(f"opgen: {visible_lines(str(failure))}", file=sys.stderr)
    except Mistakes:
        return 1
    except BrokenPipeError:
        drop_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except TooMuchWork:
        print(
            f"opgen: the specs take more than {COMMAND_AT_MOST:,} steps: give their ops fewer "
            "options, cases and names of names",
            file=sys.stderr,
        )
    except Exception as error:
        if isinstance(error, OSError) and (said := _refused(error)):  # not a bug of opgen
            print(f"opgen: {visible(said)}", file=sys.stderr)
            try:
                sys.stdout.flush()
            except OSError:  # the error was about stdout
                drop_stdout()
            return 2
        if os.environ.get("OPGEN_DEBUG") == "1":
            raise
        print(
            f"opgen: internal error: this is a bug in opgen: {error!r}\n"
            "opgen: OPGEN_DEBUG=1 shows where it happened",
            file=sys.stderr,
        )
    return 2


def _refused(error: OSError) -> str:
    """Return the message for an error that the operating system raised: the file and the reason.

    Return an empty string if the error has no reason.
    """
    import shutil

    # If copying a folder fails, the error lists (source, destination, message) for each file.
    if isinstance(error, shutil.Error):
        source, target, text = error.args[0][0]
        why = re.search(r"\[Errno (\d+)\]", text)
        place = target if os.path.exists(source) else source
        return f"{place}: {os.strerror(int(why[1])) if why else text}"
    where = [os.fsdecode(error.filename)] if error.filename else []
    return ": ".join([*where, error.strerror]) if error.strerror else ""
