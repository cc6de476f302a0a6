"""The C++ of a project: what is compiled into its libraries."""

from opgen.spec.extensions import Extension, Platform

CPP_TYPES = {
    "bf16": "opgen::bf16",
    "f16": "opgen::f16",
    "f32": "float",
    "f64": "double",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "u8": "uint8_t",
    "u16": "uint16_t",
    "u32": "uint32_t",
    "u64": "uint64_t",
    "bool": "bool",
    "f8e4m3": "opgen::f8e4m3",
    "f8e5m2": "opgen::f8e5m2",
    "f8e4m3fnuz": "opgen::f8e4m3fnuz",
    "f8e5m2fnuz": "opgen::f8e5m2fnuz",
    "f8e8m0": "opgen::f8e8m0",
    "f4e2m1": "opgen::f4e2m1",
    "c64": "std::complex<float>",
    "c128": "std::complex<double>",
}
EXTENSION = Extension(
    title="C++",
    dtypes=CPP_TYPES,
    platforms=(
        Platform("cpu", sources=("*.cpp", "*.cc", "*.cxx"), native=True),
        Platform("cuda", sources=("*.cu",), native=True),
    ),
)
