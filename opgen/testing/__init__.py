"""The checks behind `generated/tests`.

A rendered test file says which op it is about and lists the checks; what they do is
written here once. Every check draws fresh inputs, compares with a float64 reference and
states its tolerance as k * eps * magnitude.
"""

from opgen.testing.cases import Case, cases, doubles
from opgen.testing.devices import DEVICES
from opgen.testing.subject import Subject, load

__all__ = ["DEVICES", "Case", "Subject", "cases", "doubles", "load"]
