"""The target `docs`: a page of documentation for every op."""

from opgen.spec.extensions import Extension

EXTENSION = Extension(title="Pages", on_demand=True)
