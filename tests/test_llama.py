"""The Llama of `examples/llama` trains as transformers' own, in every mode."""

from __future__ import annotations

import pytest

pytest.importorskip(
    "transformers", reason="transformers is not installed: pip install 'opgen[llama]'"
)

from examples.llama import __main__ as llama  # noqa: E402
from examples.llama.train import losses_of, model_of  # noqa: E402


@pytest.fixture(scope="module")
def exact() -> list[float]:
    return losses_of(ours=False, dtype="f64")


@pytest.mark.parametrize("backend", [None, "aot_eager"], ids=["eager", "compiled"])
@pytest.mark.parametrize("dtype", llama.DTYPES)
def test_losses_are_as_native(dtype: str, backend: str | None, exact: list[float]) -> None:
    native, ours = (losses_of(each, dtype, backend) for each in (False, True))
    assert llama.agree(ours, native, exact)
    assert exact[-1] < exact[0] - 0.5


@pytest.mark.slow
def test_losses_are_as_native_in_four_processes(exact: list[float]) -> None:
    losses = llama.distributed()
    for dtype in llama.DTYPES:
        ours, native = losses[f"ours, {dtype}"], losses[f"native, {dtype}"]
        assert llama.agree(ours, native, exact)


def test_checkpoints_stay_what_they_are() -> None:
    native, ours = model_of(ours=False), model_of(ours=True)
    ours.load_state_dict(native.state_dict())
    native.load_state_dict(ours.state_dict())
    kinds = {type(part).__module__ for part in ours.modules()}
    assert {"generated.torch._rms_norm", "examples.llama.swap"} <= kinds
