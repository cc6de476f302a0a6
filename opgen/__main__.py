"""The entry point of the program `opgen` and of `python -m opgen`."""

from __future__ import annotations

import gc
import sys

from opgen.source.garbage import uncollected


def main() -> int:
    """Run one command and return the exit code."""
    with uncollected():  # imported modules stay alive, so a garbage collection would free nothing
        from opgen.cli.main import main
    code = main()
    gc.freeze()  # makes the garbage collection fast that Python runs at exit
    return code


if __name__ == "__main__":
    sys.exit(main())
