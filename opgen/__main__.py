"""`python -m opgen`, and the program `opgen`."""

from __future__ import annotations

import gc
import sys

from opgen.source.garbage import uncollected


def main() -> int:
    """Run one command and return the exit code."""
    with uncollected():  # imported modules stay alive
        from opgen.cli.main import main
    code = main()
    gc.freeze()  # Python collects garbage once more at exit, although the process ends anyway
    return code


if __name__ == "__main__":
    sys.exit(main())
