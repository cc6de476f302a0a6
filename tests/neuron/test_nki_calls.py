"""NKI kernels in JAX: lowering for the platform neuron, which needs no plugin, and the HLO.

On the CPU the same jitted functions run the CPU kernel.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import re
from pathlib import Path

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from generated.jax import cross_entropy, rms_norm, silu_and_mul, tensor_add
from generated.torch import tensor_add as torch_tensor_add
from opgen.cli.main import main

HERE = Path(__file__).parent
UPDATE = os.environ.get("OPGEN_UPDATE_GOLDEN") == "1"
HASH = re.compile(r"\b[0-9a-f]{64}\b")
CONFIG = re.compile(r'backend_config="([^"]*)"')


def add_and_multiply(a: jax.Array, b: jax.Array) -> jax.Array:
    return tensor_add(a, b) * a * b


def matrices(m: int = 256, n: int = 1024) -> list[jax.Array]:
    keys = jax.random.split(jax.random.key(0))
    return [jax.random.normal(key, (m, n)) for key in keys]


def hlo(function, *args, debug_info: bool = False) -> str:
    """Return the HLO of a function for the platform neuron."""
    traced = jax.jit(function).trace(*args)
    lowered = traced.lower(lowering_platforms=("neuron",))
    return lowered.as_text(dialect="hlo", debug_info=debug_info)


def normalised(text: str) -> str:
    """Return HLO without counters and op hashes, and with readable configs.

    An op's hash changes with any line of the package, but the HLO does not depend on these lines.
    """

    def clear(found: re.Match) -> str:
        return f"backend_config={json.dumps(config(found[1]))}"

    names: dict[str, str] = {}

    def rename(found: re.Match) -> str:
        return names.setdefault(found[0], f"{found[1]}.{len(names)}")

    text = HASH.sub("HASH", CONFIG.sub(clear, text))
    text = re.sub(r"\b([A-Za-z_]\w*)\.(\d+)\b(?!\w)", rename, text)
    return text.strip() + "\n"


def config(text: str) -> dict:
    return json.loads(base64.b64decode(text))


def test_hlo_of_add_and_multiply() -> None:
    text = normalised(hlo(add_and_multiply, *matrices()))
    golden = HERE / "expected" / "add_and_multiply.hlo.txt"
    if UPDATE:
        golden.write_text(text)
    assert text == golden.read_text()


def test_one_custom_call_of_two_operands_is_consumed_by_a_multiply() -> None:
    text = hlo(add_and_multiply, *matrices())
    (call,) = re.findall(r"(\S+) = (\S+) custom-call\(([^)]*)\), (.*)", text)
    name, shape, operands, rest = call
    assert shape == "f32[256,1024]{1,0}" and len(operands.split(", ")) == 2
    assert 'custom_call_target="AwsNeuronCustomNativeKernel"' in rest
    assert "api_version=API_VERSION_STATUS_RETURNING" in rest
    # The call is the root of the op's own computation, which XLA inlines.
    body = text[: text.index(f"ROOT {name} = ")]
    computation = re.findall(r"^(\S+) \{$", body, re.M)[-1]
    (caller,) = re.findall(rf"(\S+) = \S+ call\(.*to_apply={re.escape(computation)}", text)
    assert re.search(rf"multiply\({re.escape(caller)}, ", text)


def test_metadata_names_the_op_and_its_source() -> None:
    text = hlo(add_and_multiply, *matrices(), debug_info=True)
    (line,) = (line for line in text.splitlines() if "custom-call(" in line)
    assert re.search(r'metadata=\{op_name="\S*tensor_add\S*" stack_frame_id=\d+', line)
    assert "_tensor_add.py" in text, "the frames lead to the op's own file"


def test_the_legacy_grid_follows_the_shape() -> None:
    for (m, n), grid in {(256, 1024): [2, 2], (128, 512): [1, 1]}.items():
        (text,) = CONFIG.findall(hlo(tensor_add, *matrices(m, n)))
        assert config(text)["grid"] == grid


@pytest.mark.parametrize("cores", ["1", "2"])
def test_another_kernel_is_launched_on_the_cores_of_a_logical_one(
    cores: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", cores)
    x, weight = jnp.ones((128, int(cores))), jnp.ones(int(cores))
    (text,) = CONFIG.findall(hlo(rms_norm, x, weight))
    assert config(text)["grid"] == [int(cores)]
    monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "4")
    message = "rms_norm: its NKI kernel runs on 1 or 2 of a logical core's cores, and .* is 4"
    with pytest.raises(RuntimeError, match=message):
        hlo(rms_norm, jnp.ones((128, 8)), jnp.ones(8))


def test_residuals_are_results_too() -> None:
    x, weight = jnp.ones((128, 64)), jnp.ones(64)
    text = hlo(rms_norm, x, weight)
    assert "(f32[128,64]{1,0}, f32[128]{0}) custom-call(" in text
    (found,) = CONFIG.findall(text)
    values = config(found)
    assert values["output_names"] == ["y", "invvar"] and values["attrs"] == {"eps": 1e-5}


def test_silu_and_mul_is_one_call() -> None:
    text = hlo(silu_and_mul, jnp.ones((2, 128, 64), jnp.bfloat16))
    assert "bf16[2,128,32]{2,1,0} custom-call(" in text
    (found,) = CONFIG.findall(text)
    assert config(found)["grid"] == [2] and config(found)["output_names"] == ["y"]


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_the_results_of_a_loss_are_those_that_its_call_has(reduction: str) -> None:
    logits, labels = jnp.ones((4, 64, 33)), jnp.zeros((4, 64), jnp.int32)
    text = hlo(lambda *xs: cross_entropy(*xs, reduction=reduction), logits, labels)
    rows, one = "f32[4,64]{1,0}", "f32[]"
    types = [rows if reduction == "none" else one, rows, rows, *[one] * (reduction == "mean")]
    assert f"({', '.join(types)}) custom-call(" in text
    (found,) = CONFIG.findall(text)
    values = config(found)
    names = ["loss", "top", "rest", "count"]
    assert values["output_names"] == names[: len(types)] and values["grid"] == [2]
    assert values["attrs"] == {
        "ignore_index": -100,
        "label_smoothing": 0.0,
        "reduction": reduction,
    }


def test_what_the_kernel_does_not_take_is_refused_in_lowering_only() -> None:
    a, b = matrices(100, 512)
    np.testing.assert_array_equal(tensor_add(a, b), a + b)
    with pytest.raises(ValueError, match="tensor_add: its kernel for neuron requires m % 128"):
        hlo(tensor_add, a, b)


OR_REFERENCE = """
spec = 1
[dtypes]
T = ["f32", "f64"]
[ops.tensor_add]
doc            = "`a + b`."
reference      = "tensor_add.py:tensor_add"
inputs.a       = { dtype = "T", shape = "m n" }
inputs.b       = { dtype = "T", shape = "m n" }
outputs.c      = { dtype = "T", shape = "m n" }
grad.formulas  = { a = "dc", b = "dc" }
sharding.split = ["m", "n"]
kernels        = [
    { on = "neuron", nki = "tensor_add/nki_tensor_add.py:nki_tensor_add", lnc = [1, 2], require = ["m % 128 == 0", "n % 512 == 0"] },
    "reference",
]
"""


def test_the_reference_takes_what_the_kernel_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "tensor_add.toml").write_text(OR_REFERENCE)
    (tmp_path / "specs" / "tensor_add.py").write_text(
        "def tensor_add(xp, a, b):\n    return a + b\n"
    )
    (tmp_path / "pyproject.toml").write_text(
        '[tool.opgen]\npackage = "sums_ops"\nout = "sums_ops"\nnamespace = "sums_ops"\n'
    )
    (tmp_path / "kernels").symlink_to(HERE.parents[1] / "runtime" / "kernels")
    monkeypatch.chdir(tmp_path)
    assert main(["render", "specs"]) == 0
    monkeypatch.syspath_prepend(str(tmp_path))
    op = importlib.import_module("sums_ops.jax").tensor_add
    assert "AwsNeuronCustomNativeKernel" in hlo(op, *matrices(128, 512))
    text = hlo(op, *matrices(100, 512))
    assert "AwsNeuronCustomNativeKernel" not in text and "f32[100,512]" in text
    assert "a kernel that requires m % 128 == 0 for platform neuron" in caplog.text
    # The kernel checks symbolic sizes, as on other platforms with kernels that Python launches.
    m = jax.export.symbolic_shape("m, 512")
    exported = jax.export.export(jax.jit(op), platforms=["cpu"])(
        *[jax.ShapeDtypeStruct(m, jnp.float32)] * 2
    )
    assert exported.platforms == ("cpu",)


def test_a_batch_is_one_call_after_the_other() -> None:
    a, b = (jnp.stack([x] * 3) for x in matrices(128, 512))
    text = hlo(jax.vmap(tensor_add), a, b)
    (line,) = (line for line in text.splitlines() if "custom-call(" in line)
    assert "f32[128,512]{1,0} custom-call(" in line and "while(" in text


def test_training_in_both_frameworks() -> None:
    """Gradients of sum((a + b) * a * b) are b(a + b) + ab and a(a + b) + ab in both frameworks."""
    a, b = matrices()
    found = jax.grad(lambda a, b: add_and_multiply(a, b).sum(), (0, 1))(a, b)
    x, y = (torch.tensor(np.asarray(m), requires_grad=True) for m in (a, b))
    (torch_tensor_add(x, y) * x * y).sum().backward()
    wanted = b * (a + b) + a * b, a * (a + b) + a * b
    for ours, theirs, right in zip(found, (x.grad, y.grad), wanted):
        np.testing.assert_allclose(ours, right, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(theirs.numpy(), right, rtol=1e-5, atol=1e-5)


def test_the_gradient_lowers_with_one_call() -> None:
    def loss(a: jax.Array, b: jax.Array) -> jax.Array:
        return add_and_multiply(a, b).sum()

    text = hlo(jax.grad(loss, (0, 1)), *matrices())
    assert text.count("AwsNeuronCustomNativeKernel") == 1


def test_debugging_writes_hlo_in_the_run_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    a, b = matrices(128, 1024)
    hlo(tensor_add, a, b)
    assert not [*tmp_path.iterdir()]
    monkeypatch.setenv("NEURON_FRAMEWORK_DEBUG", "1")
    jax.jit(tensor_add)(a, b)
    assert not [*tmp_path.iterdir()], "nothing was lowered for Neuron"
    hlo(lambda a, b: tensor_add(a, b), a, b)
    text, proto = sorted(tmp_path.iterdir(), key=lambda path: path.suffix == ".pbtxt")
    assert re.fullmatch(r"tensor_add-[0-9a-f]{8}\.hlo\.txt", text.name)
    assert proto.name == text.name.removesuffix("txt") + "pbtxt"
    assert "f32[128,1024]{1,0} custom-call(" in text.read_text()
    (found,) = CONFIG.findall(text.read_text())
    written = proto.read_text()
    assert f'backend_config: "{found}"' in written
    assert 'custom_call_target: "AwsNeuronCustomNativeKernel"' in written
    assert "custom_call_api_version: 2\n" in written
    assert written.count("{\n") == written.count("}\n")
