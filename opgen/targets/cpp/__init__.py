"""The C++ code of a project, which is compiled into the project's libraries."""

from opgen.language.dtypes import DTYPES
from opgen.spec.extensions import Extension, Platform
from opgen.targets.cpp.platforms import OWN

# The built-in C++ types. Other dtypes use opgen's types, such as `opgen::bf16`.
_BUILT_IN = {
    "f32": "float",
    "f64": "double",
    "bool": "bool",
    "c64": "std::complex<float>",
    "c128": "std::complex<double>",
}
_INTEGERS = ("int", "uint")
CPP_TYPES = {
    name: _BUILT_IN.get(name)
    or (f"{d.numpy}_t" if d.kind in _INTEGERS and d.bits >= 8 else f"opgen::{name}")
    for name, d in DTYPES.items()
}
EXTENSION = Extension(
    title="C++",
    dtypes=CPP_TYPES,
    lint="opgen.targets.cpp.lint",
    platforms=tuple(
        Platform(each.name, sources=each.sources, native=True, cpp=each) for each in OWN
    ),
)
