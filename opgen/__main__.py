"""`python -m opgen`."""

import sys

from opgen.cli.main import main

sys.exit(main())
