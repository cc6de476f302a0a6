"""The tables of attr types, of descriptor fields and of memory keys agree with each other."""

import re
import struct

import pytest

from opgen.build.runtime_files import runtime_dir
from opgen.runtime.core.attrs import SCALARS
from opgen.runtime.core.descriptor import FIELDS
from opgen.spec.attr_types import ATTR_TYPES, FIELD_TYPES, type_of_attr
from opgen.spec.models.tensors import MEMORY
from opgen.targets.jax.ffi import TYPES
from opgen.targets.torch.schema import ATTRS


def test_frameworks_pass_the_values_of_every_type() -> None:
    passed = {type_of_attr(kind.passed).name for kind in ATTR_TYPES.values()}
    assert passed == {*ATTRS} == {*TYPES}
    assert {*SCALARS} == {name for name, kind in ATTR_TYPES.items() if not kind.several}


@pytest.mark.parametrize("name", [name for name, scalar in SCALARS.items() if scalar.passed])
def test_parts_are_read_again(name: str) -> None:
    value = ATTR_TYPES[name].sample
    parts = ATTR_TYPES[name].encoded(value)
    assert isinstance(parts, tuple) and SCALARS[name].read(parts) == value


def test_fields_are_packed_as_c_lays_them_out() -> None:
    sizes = {name: struct.calcsize(field.code) for name, field in FIELDS.items()}
    assert sizes == {name: kind.size for name, kind in FIELD_TYPES.items()}
    header = runtime_dir() / "adapters/python/include/opgen/bindings.h"
    rows = re.findall(r"TYPE\((\w+), \"[^\"]+\", ([\w:<>]+)\)", header.read_text())
    found = {name.rstrip("_"): cpp.removeprefix("opgen::") for name, cpp in rows}
    assert found == {n: t.cpp.removeprefix("opgen::") for n, t in FIELD_TYPES.items()}


def test_memory_keys_are_members_of_the_tensor_spec() -> None:
    text = (runtime_dir() / "include/opgen/layout.h").read_text()
    members = re.search(r"struct TensorSpec \{(.*?)\n\}", text, re.S)
    assert members is not None
    assert tuple(re.findall(r"(\w+) = ", members[1]))[2:] == MEMORY
