"""The extension module `bindings` packs descriptors, rejects wrong fields, lists FFI handlers."""

from __future__ import annotations

import importlib
import re
from types import ModuleType

import pytest

from generated.core import adamw_, conv2d

FIELDS = {name: n for n, name in enumerate(("beta1", "beta2", "eps", "weight_decay"), 1)}
FIELDS |= {name: n for n, name in enumerate(("amsgrad", "maximize", "T", "G", "M", "Acc"), 5)}


@pytest.fixture(scope="module")
def bindings() -> ModuleType:
    pytest.importorskip("generated.lib.bindings", exc_type=ImportError)
    return importlib.import_module("generated.lib.bindings")


def test_fields_by_place_and_by_name(bindings) -> None:
    data = adamw_.pack(**FIELDS)
    first, second, *_ = FIELDS.values()
    rest = {name: FIELDS[name] for name in list(FIELDS)[2:]}
    create = bindings.create_adamw__descriptor
    assert create(**FIELDS) == create(*FIELDS.values()) == create(first, second, **rest) == data


def test_documentation(bindings) -> None:
    text = bindings.create_adamw__descriptor.__doc__
    assert text.startswith("create_adamw__descriptor(beta1: float, beta2: float, ")
    assert text.endswith("Acc: int) -> bytes\n\nThe packed descriptor of adamw_.")
    assert "stride: Sequence[int], stride_rank: int" in bindings.create_conv2d_descriptor.__doc__


@pytest.mark.parametrize(
    ("placed", "named", "reason"),
    [
        ((1.0,), FIELDS, "create_adamw__descriptor() got two values for beta1"),
        ((), {**FIELDS, "more": 1}, "create_adamw__descriptor() takes 10 arguments, got 11"),
        ((*FIELDS.values(), 1), {}, "create_adamw__descriptor() takes 10 arguments, got 11"),
        ((1.0,), {"beta2": 2.0}, "create_adamw__descriptor() lacks eps"),
        ((), {**FIELDS, "T": "f32"}, "adamw_: T: expected int, got str"),
        ((), {**FIELDS, "eps": "small"}, "adamw_: eps: expected float, got str"),
    ],
)
def test_wrong_calls(bindings, placed, named, reason: str) -> None:
    with pytest.raises(TypeError, match=re.escape(reason)):
        bindings.create_adamw__descriptor(*placed, **named)


def test_whole_numbers_that_do_not_fit(bindings) -> None:
    with pytest.raises(ValueError, match=f"adamw_: T: {2**63} does not fit i64"):
        bindings.create_adamw__descriptor(**{**FIELDS, "T": 2**63})


def test_arrays(bindings) -> None:
    names = "n cg h w k r s p q padding_rank dilation_rank groups T".split()
    arrays = dict.fromkeys(("padding", "dilation"), (0,) * 8)
    fields = dict.fromkeys(names, 7) | arrays | {"stride": (3, 4) + (0,) * 6, "stride_rank": 2}
    create = bindings.create_conv2d_descriptor
    assert create(**{**fields, "stride": [3, 4]}) == conv2d.pack(**fields)
    with pytest.raises(ValueError, match="conv2d: stride: at most 8 values fit the field, got 9"):
        create(**{**fields, "stride": range(9)})
    with pytest.raises(TypeError, match="conv2d: stride: expected a sequence, got int"):
        create(**{**fields, "stride": 3})


def test_handlers(bindings) -> None:
    pytest.importorskip("jax")
    found = bindings.registrations()
    assert len(found) > 50
    assert found.keys() == bindings.registrations(platform="cpu").keys()
    assert type(found["generated.rms_norm_bwd"]).__name__ == "PyCapsule"
    assert bindings.registrations("no") == {}
