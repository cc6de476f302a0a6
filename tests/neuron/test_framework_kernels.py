"""Framework kernels: the message to Neuron's compiler for a call, and when it is computed again."""

from __future__ import annotations

import base64
import json
import threading

import jax.numpy as jnp
import pytest
import torch

from generated import core
from generated.neuron.legacy import FrameworkKernel, dump_config
from generated.neuron.legacy.jax import JaxFrameworkKernel
from generated.neuron.legacy.torch import PyTorchFrameworkKernel

SMALL, WIDE = (16, 8, 128, 512), (16, 8, 64, 1024)


def example_kernel(in1, in2, out, scale=1.0):
    """Stands for the example kernel in the SDK's documentation."""


def values(config: str) -> dict:
    return json.loads(base64.b64decode(config))


def kernel(**options) -> PyTorchFrameworkKernel:
    return PyTorchFrameworkKernel(func=example_kernel, grid=(16, 8), **options)


def tensors(shape: tuple[int, ...], count: int = 3) -> list[torch.Tensor]:
    return [torch.zeros(shape) for _ in range(count)]


def test_shapes_are_specialised() -> None:
    small, inputs, outputs = kernel().dump_config(*tensors(SMALL))
    wide, *_ = kernel().dump_config(*tensors(WIDE))
    assert small != wide and inputs == ["in1", "in2"] and outputs == ["out"]
    assert values(small)["shapes"]["out"] == list(SMALL)
    assert values(wide)["grid"] == [16, 8]


def test_an_output_by_keyword_is_the_positional_one() -> None:
    a, b, out = tensors(SMALL)
    assert kernel().dump_config(a, b, out) == kernel().dump_config(a, b, out=out)


def test_what_is_no_tensor_is_a_constant() -> None:
    assert kernel().is_framework_tensor("this is not a tensor") is False
    assert kernel().is_framework_tensor(torch.zeros(2, 3)) is True
    config, inputs, _ = kernel().dump_config(*tensors(SMALL), scale=2.0)
    assert values(config)["attrs"] == {"scale": 2.0} and "scale" not in inputs


def test_tensors_are_mapped_and_dtypes_translated() -> None:
    shape, dtype = kernel().map_framework_tensor(torch.zeros(2, 3, dtype=torch.bfloat16))
    assert (shape, dtype) == (torch.Size([2, 3]), torch.bfloat16)
    assert kernel().translate_to_neuron_dtype(torch.float32) == "float32"
    assert kernel().translate_to_neuron_dtype(torch.bfloat16) == "bfloat16"
    ours = JaxFrameworkKernel(example_kernel)
    assert ours.translate_to_neuron_dtype(jnp.bfloat16).name == "bfloat16"


def test_the_instruction_has_the_outputs_as_results() -> None:
    text = kernel().custom_call(*tensors(SMALL))
    shape = "f32[16,8,128,512]{3,2,1,0}"
    assert text.startswith(f"%custom-call = {shape} custom-call({shape} %in1, {shape} %in2), ")
    assert 'custom_call_target="AwsNeuronCustomNativeKernel"' in text
    assert "api_version=API_VERSION_UNSPECIFIED" in text
    jax_text = JaxFrameworkKernel(example_kernel).custom_call(*[jnp.zeros(SMALL)] * 3)
    assert "api_version=API_VERSION_STATUS_RETURNING" in jax_text


def test_an_op_is_told_its_grid_attrs_and_descriptor() -> None:
    a = torch.zeros(256, 1024)
    config, inputs, outputs = PyTorchFrameworkKernel(core.tensor_add).dump_config(a, a)
    assert (inputs, outputs) == (["a", "b"], ["c"])
    found = values(config)
    assert found["grid"] == [2, 2] and found["func_name"] == "nki_tensor_add"
    packed = core.tensor_add.unpack(base64.b64decode(found["descriptor"]))
    assert (packed["m"], packed["n"]) == (256, 1024)
    ours = JaxFrameworkKernel(core.tensor_add).dump_config(*[jnp.zeros((256, 1024))] * 2)
    assert ours[0] == config
    spec = core.TensorSpec((256, 1024), "f32")
    assert dump_config(core.tensor_add, spec, spec, out=spec)[0] == config
    assert dump_config(core.tensor_add, spec, spec, grid=(1, 1))[0] != config


@pytest.mark.parametrize(
    ("args", "keywords", "error", "message"),
    [
        (4, {}, TypeError, "expected at most 3 tensors, got 4"),
        (3, {"out": (256, 1024)}, TypeError, "got two of them"),
        (2, {"out": (1, 2)}, ValueError, "expected TensorSpec"),
    ],
)
def test_calls_that_are_refused(args, keywords, error, message: str) -> None:
    a = torch.zeros(256, 1024)
    given = {name: torch.zeros(shape) for name, shape in keywords.items()}
    with pytest.raises(error, match=message):
        PyTorchFrameworkKernel(core.tensor_add).dump_config(*[a] * args, **given)


def test_an_op_without_an_nki_kernel_says_so() -> None:
    with pytest.raises(TypeError, match="swiglu: there is no NKI kernel"):
        PyTorchFrameworkKernel(core.swiglu)


class Counting(PyTorchFrameworkKernel):
    """Counts how often a config is created."""

    made = 0

    def _config(self, *args):
        self.made += 1
        return super()._config(*args)


def counting(**options) -> Counting:
    return Counting(example_kernel, grid=(16, 8), **options)


def test_cached_on_arguments_keywords_grid_and_attributes() -> None:
    it = counting()
    a, b, out = tensors(SMALL)
    first = it.dump_config(a, b, out)
    first[1].append("mine")
    assert it.dump_config(*tensors(SMALL))[1] == ["in1", "in2"] and it.made == 1
    for call in (
        lambda: it.dump_config(*tensors(WIDE)),
        lambda: it.dump_config(a, b, out, scale=1),
        lambda: it.dump_config(a, b, out, scale=True),
        lambda: it.dump_config(a, b, out, scale=1.0),
        lambda: it.dump_config(a, b, out, scale=-0.0),
        lambda: it.dump_config(a, b, out, scale=0.0),
        lambda: it.dump_config(a, b, out, scale=[1, 2]),
    ):
        before = it.made
        assert call() == call() and it.made == before + 1
    before = it.made
    for name, value in {"grid": (1,), "func_name": "other"}.items():
        setattr(it, name, value)
        assert it.dump_config(a, b, out) != first
    assert it.made == before + 2


def test_never_cached_without() -> None:
    it = counting(enable_cache=False)
    a, b, out = tensors(SMALL)
    assert it.dump_config(a, b, out) == it.dump_config(a, b, out) and it.made == 2


def test_the_cache_is_bounded() -> None:
    it = counting(cache_size=2)
    a, b, out = tensors(SMALL)
    for scale in (1, 2, 3, 2, 1):
        it.dump_config(a, b, out, scale=scale)
    assert len(it._cache) == 2 and it.made == 4, "the one used last is kept"


def test_threads_share_it() -> None:
    it = counting(cache_size=4)
    found: list = []

    def work() -> None:
        for n in range(200):
            found.append((n % 8, it.dump_config(*tensors((n % 8 + 1, 2)))))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1600 and len(it._cache) <= 4
    assert len({(n, config[0]) for n, config in found}) == 8


def test_it_is_abstract() -> None:
    with pytest.raises(TypeError):
        FrameworkKernel(example_kernel)
