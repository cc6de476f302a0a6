"""The checks that `generated/tests` runs.

A rendered test file names the op under test and lists the checks. This package implements them.
Each check draws new inputs, compares the results with a float64 reference, and states its tolerance
as k * eps * magnitude.

The checks for a framework are skipped if the framework is not installed or if the package was not
rendered for it. `opgen bench` also uses this package to draw inputs, so importing this package does
not require pytest.
"""

import importlib
import importlib.util

from opgen.testing.cases import cases, doubles
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest, load

__all__ = ["DEVICES", "Case", "OpUnderTest", "cases", "doubles", "load"]


def __getattr__(name: str) -> object:
    """Import names that need pytest or a framework when a program first uses them."""
    if name == "DEVICES":
        from opgen.testing.devices import DEVICES

        return DEVICES
    if importlib.util.find_spec(f"{__name__}.{name}") is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        # The name of each module of checks begins with the name of its framework.
        if error.name != name.partition("_")[0]:
            raise
        from opgen.testing.missing import Missing

        return Missing(error.name)
