"""The tests in the rendered `tests/test_ops.py`: a class for each op, a method for each check.

pytest identifies a test as `test_ops.py::rms_norm::test_torch_values[f32-batch3x5-d33]`. A class
draws its cases when pytest collects it, so that one op can be tested without the others.
`opgen/targets/tests/render.py` determines the properties of an op.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from opgen import testing
from opgen.ir.op import Op
from opgen.source.frozen import dataclass
from opgen.testing.cases import cases, doubles
from opgen.testing.devices import DEVICES
from opgen.testing.environment import Case
from opgen.testing.op_under_test import OpUnderTest, load
from opgen.testing.special_values import special_cases

# PyTorch's forward-mode autodiff calls a function that PyTorch itself has deprecated.
_QUIET = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")

Draw = Callable[[Op], list[Case]]

FLOATING = partial(cases, floating=True)


@dataclass(frozen=True)
class Check:
    """A check that applies to every op that has the properties listed in `needs`.

    `run` is `module.function`, in a module next to this module. Without `draw`, the function is
    called once. Otherwise it is called for each case that `draw` returns, or for the first `most`
    cases. With `devices`, the check also runs on a GPU if the op has a GPU kernel.
    """

    run: str
    needs: str = ""
    draw: Draw | None = None
    most: int | None = None
    devices: bool = False


CHECKS = {
    "hostile": Check("hostile.conformance", "runs"),
    "descriptor": Check("agreement.descriptor"),
    "kernel_is_built": Check("built.kernel", "kernel"),
    "torch_kinds_refused": Check("torch_kinds.refused"),
    "torch_kinds_compiled": Check("torch_kinds.compiled"),
    "jax_kinds_refused": Check("jax_kinds.refused"),
    "torch_kinds_taken": Check("torch_kinds.taken", "runs"),
    "jax_kinds_taken": Check("jax_kinds.taken", "runs"),
    "torch_wrong_calls": Check("torch_wrong_calls.conformance", "runs"),
    "jax_wrong_calls": Check("jax_wrong_calls.conformance", "runs"),
    "torch_fake": Check("torch_checks.fake", "", cases, 3),
    "jax_abstract": Check("jax_checks.abstract", "", cases, 3),
    "triton_interpreted": Check("triton_checks.interpreted", "triton", cases),
    "pallas_interpreted": Check("pallas_checks.interpreted", "pallas", cases),
    "inferred": Check("agreement.inferred", "runs", cases),
    "torch_and_jax_agree": Check("agreement.bits", "runs", cases),
    "torch_opcheck": Check("torch_checks.opcheck", "runs", cases, 1),
    "torch_compiles": Check("torch_checks.compiles", "runs", cases, 2),
    "torch_exports": Check("torch_transforms.exports", "runs", cases, 2),
    "torch_graphs": Check("torch_graphs.conformance", "runs"),
    "torch_packages": Check("torch_transforms.packages", "runs optional"),
    "torch_vmap": Check("torch_checks.vmap", "runs vmap", cases, 2),
    "jax_vmap": Check("jax_checks.vmap", "runs", cases, 2),
    "jax_sharded": Check("jax_sharding.conformance", "runs split"),
    "torch_sharded": Check("torch_sharding.conformance", "runs dtensor"),
    "torch_values": Check("torch_checks.values", "values", cases, devices=True),
    "jax_values": Check("jax_checks.values", "values", cases, 3, devices=True),
    "torch_gradients": Check("torch_checks.gradients", "grad", FLOATING, devices=True),
    "torch_transforms": Check("torch_transforms.transforms", "runs grad", FLOATING, 2),
    "jax_gradients": Check("jax_checks.gradients", "grad", FLOATING, devices=True),
    "torch_gradcheck": Check("torch_checks.gradcheck", "runs f64", doubles),
    "jax_gradcheck": Check("jax_checks.gradcheck", "runs f64", doubles),
    "jax_linear": Check("jax_linear.conformance", "runs f64"),
    "torch_special_values": Check("special_values.torch_values", "special", special_cases),
    "torch_special_gradients": Check(
        "special_values.torch_gradients", "special grad", special_cases
    ),
    "jax_special_values": Check("special_values.jax_values", "special", special_cases),
    "jax_special_gradients": Check("special_values.jax_gradients", "special grad", special_cases),
}


class Tests:
    """The tests of the op `subject`."""

    subject: OpUnderTest
    devices: tuple[Any, ...]
    drawn: dict[Draw, list[Case]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Parametrize a check over its cases and devices."""
        check = CHECKS[metafunc.function.__name__.removeprefix("test_")]
        if check.draw is None:
            return
        if check.draw not in self.drawn:
            self.drawn[check.draw] = check.draw(self.subject.op)
        metafunc.parametrize("case", self.drawn[check.draw][: check.most], ids=str)
        if "device" in metafunc.fixturenames:
            metafunc.parametrize("device", self.devices)


def tests(
    test_file: str, ops: Mapping[str, str], *, package: str, namespace: str
) -> dict[str, type[Tests]]:
    """Return the test classes of `test_file` by op name. `ops` maps each op to its properties."""
    return {
        name: _tests(load(test_file, name, package=package, namespace=namespace), {*words.split()})
        for name, words in ops.items()
    }


def _tests(subject: OpUnderTest, properties: set[str]) -> type[Tests]:
    """Return the test class of one op, with the checks whose required properties the op has."""
    methods = {
        f"test_{name}": _method(name, check, "gpu" in properties)
        for name, check in CHECKS.items()
        if {*check.needs.split()} <= properties
    }
    devices = DEVICES if "runs" in properties else DEVICES[1:]
    kept = {
        "subject": subject,
        "drawn": {},
        "devices": devices,
        "__test__": True,
        "pytestmark": _QUIET,
    }
    return type(subject.name, (Tests,), kept | methods)


def _method(name: str, check: Check, gpu: bool) -> Callable[..., None]:
    """Return the test method that runs a check, with the parameters that pytest supplies."""
    module, _, function = check.run.partition(".")

    def run(self: Tests, *given: object) -> None:
        getattr(getattr(testing, module), function)(self.subject, *given)

    def once(self: Tests) -> None:
        run(self)

    def each(self: Tests, case: Case) -> None:
        run(self, case)

    def on_each(self: Tests, case: Case, device: str) -> None:
        run(self, case, device)

    test = once if check.draw is None else on_each if check.devices and gpu else each
    test.__name__ = f"test_{name}"
    return test
