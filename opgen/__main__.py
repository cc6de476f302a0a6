"""The entry point of the program `opgen` and of `python -m opgen`."""

from __future__ import annotations

import gc
import sys

from opgen.source.garbage import uncollected


def main() -> int:
    """Run one command and return the exit code."""
    with uncollected():  # a collection would free nothing, because imported modules stay alive
        from opgen.cli.main import main
    code = main()
    gc.freeze()  # makes the garbage collection that Python runs at exit fast
    return code


if __name__ == "__main__":
    sys.exit(main())
