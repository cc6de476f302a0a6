"""The C++ of a project: what is compiled into its libraries."""

from opgen.spec.extensions import Extension, Platform

EXTENSION = Extension(
    title="C++",
    platforms=(
        Platform("cpu", sources=("*.cpp", "*.cc", "*.cxx"), native=True),
        Platform("cuda", sources=("*.cu",), native=True),
    ),
)
