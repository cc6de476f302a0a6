"""The checks behind `generated/tests`.

A rendered test file says which op it is about and lists the checks; what they do is
written here once. Every check draws fresh inputs, compares with a float64 reference and
states its tolerance as k * eps * magnitude.

`opgen bench` draws its inputs here too, and runs where pytest is not installed.
"""

from opgen.testing.cases import Case, cases, doubles
from opgen.testing.subject import Subject, load

__all__ = ["DEVICES", "Case", "Subject", "cases", "doubles", "load"]


def __getattr__(name: str) -> object:
    """`DEVICES`, which needs pytest, when it is asked for."""
    if name == "DEVICES":
        from opgen.testing.devices import DEVICES

        return DEVICES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
