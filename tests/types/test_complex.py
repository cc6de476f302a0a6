"""Attrs of type `complex`: in both frameworks, their compilers, gradients and descriptors."""

from __future__ import annotations

import importlib
import io
import re

import numpy as np
import pytest

pytestmark = pytest.mark.slow

X = np.float64([1.0, -2.0, 0.25])
ALPHA = 0.1 - 3.0j
SAME = [2, 2.0, 2 + 0j, [2, 0], (2.0, 0.0), np.float32(2), np.complex64(2), True + 1]
OTHER = "turned: alpha: expected a complex number, got"
WRONG = [
    *((value, OTHER) for value in ("1j", b"1", {}, None, True, object(), complex)),
    ([1.0], r"turned: alpha: expected 2 values, got 1: \(1.0,\)"),
    ([1, 2, 3], "turned: alpha: expected 2 values, got 3"),
    ([1j, 2], r"turned: alpha\[0\]: expected a number, got a complex"),
]


def parts(x: np.ndarray, alpha: complex, beta: complex = 0.5 - 1j) -> tuple:
    y = alpha * x + beta
    return y.real, y.imag


class TestTorch:
    def test_values(self, torch_ops) -> None:
        import torch

        x = torch.from_numpy(X)
        compiled = torch.compile(torch_ops.turned, fullgraph=True, backend="aot_eager")
        for function in (torch_ops.turned, compiled):
            for options in ({"alpha": ALPHA}, {"alpha": -1j, "beta": 1e300 - 0.5j}):
                for got, wanted in zip(function(x, **options), parts(X, **options)):
                    np.testing.assert_allclose(got, wanted, rtol=1e-15)
        assert torch_ops.turned.__kwdefaults__["beta"] == 0.5 - 1j

    @pytest.mark.parametrize("alphas", [(2.5, 3.5), (2, 3), (1j, 2j), ([1.0, 2.0], [3.0, 4.0])])
    def test_values_that_change_between_compiled_calls(self, torch_ops, alphas) -> None:
        import torch

        def gradient(alpha):
            x = torch.from_numpy(X).requires_grad_()
            a, b = torch_ops.turned(x, alpha=alpha)
            return torch.autograd.grad((a + b * b).sum(), x)[0]

        compiled = torch.compile(gradient, fullgraph=True, backend="aot_eager")
        for alpha in alphas:
            assert torch.equal(compiled(alpha), gradient(alpha))

    def test_what_means_the_same(self, torch_ops) -> None:
        import torch

        x = torch.from_numpy(X)
        for alpha in (*SAME, torch.tensor(2), torch.tensor(2 + 0j)):
            np.testing.assert_array_equal(torch_ops.turned(x, alpha=alpha)[0], 2 * X + 0.5)

    def test_what_is_refused(self, torch_ops) -> None:
        import torch

        x = torch.from_numpy(X)
        for alpha, message in (*WRONG, (torch.ones(2), OTHER), (torch.ones(1), OTHER)):
            with pytest.raises(TypeError, match=message):
                torch_ops.turned(x, alpha=alpha)
        with pytest.raises(ValueError, match="that a double holds"):
            torch_ops.turned(x, alpha=10**400)
        with pytest.raises(ValueError, match=r"turned: alpha: expected 2 values, got 1: \(1,\)"):
            torch.ops.number_types.turned(x, [1.0])

    def test_gradients(self, torch_ops) -> None:
        import torch

        x = torch.from_numpy(X).requires_grad_()
        a, b = torch_ops.turned(x, alpha=ALPHA)
        (2 * a + 5 * b).sum().backward()
        np.testing.assert_allclose(x.grad, np.full(3, 2 * 0.1 - 5 * 3.0))
        for options, wanted in (({}, 1), ({"alpha": ALPHA}, 0.1), ({"gamma": 7j - 4}, -4)):
            compiled = torch.compile(torch_ops.referred, fullgraph=True, backend="aot_eager")
            for function in (torch_ops.referred, compiled):
                y = torch.from_numpy(X).requires_grad_()
                result = function(y, **options)
                np.testing.assert_allclose(result.detach(), wanted * X)
                result.sum().backward()
                np.testing.assert_allclose(y.grad, np.full(3, wanted))

    def test_transforms_and_export(self, torch_ops) -> None:
        import torch

        x = torch.from_numpy(np.stack([X, 2 * X]))
        got = torch.func.vmap(lambda x: torch_ops.turned(x, alpha=ALPHA))(x)
        np.testing.assert_allclose(got[1], parts(x.numpy(), ALPHA)[1])
        torch.library.opcheck(torch.ops.number_types.turned.default, (x, [0.1, -3.0]))

        class Module(torch.nn.Module):
            def forward(self, x):
                return torch_ops.turned(x, alpha=ALPHA)

        file = io.BytesIO()
        torch.export.save(torch.export.export(Module(), (x,)), file)
        file.seek(0)
        got = torch.export.load(file).module()(x)
        np.testing.assert_allclose(got[1], parts(x.numpy(), ALPHA)[1])

    def test_what_a_kernel_is_told(self, torch_ops) -> None:
        import torch

        x = torch.from_numpy(X)
        assert torch_ops.told(x).tolist() == [0, -1, 1e-3]
        assert torch_ops.told(x, gamma=ALPHA).tolist() == [1, 0.1, -3]


class TestJax:
    @pytest.fixture(autouse=True)
    def _wide(self):
        import jax

        with jax.enable_x64(True):
            yield

    def test_values(self, jax_ops) -> None:
        import jax

        for options in ({"alpha": ALPHA}, {"alpha": -1j, "beta": 1e300 - 0.5j}):
            jitted = jax.jit(lambda x, options=options: jax_ops.turned(x, **options))
            static = jax.jit(jax_ops.turned, static_argnames=("alpha", "beta"))
            for got in (jax_ops.turned(X, **options), jitted(X), static(X, **options)):
                for one, wanted in zip(got, parts(X, **options)):
                    np.testing.assert_allclose(one, wanted, rtol=1e-15)

    def test_what_means_the_same(self, jax_ops) -> None:
        for alpha in SAME:
            np.testing.assert_array_equal(jax_ops.turned(X, alpha=alpha)[0], 2 * X + 0.5)

    def test_what_is_refused(self, jax_ops) -> None:
        import jax.numpy as jnp

        for alpha, message in WRONG:
            with pytest.raises(TypeError, match=message):
                jax_ops.turned(X, alpha=alpha)
        with pytest.raises(TypeError, match="turned: alpha: expected a Python value"):
            jax_ops.turned(X, alpha=jnp.ones(()))

    def test_gradients(self, jax_ops) -> None:
        import jax

        def loss(x):
            a, b = jax_ops.turned(x, alpha=ALPHA)
            return (2 * a + 5 * b).sum()

        for gradient in (jax.grad(loss), jax.jit(jax.grad(loss))):
            np.testing.assert_allclose(gradient(X), np.full(3, 2 * 0.1 - 5 * 3.0))
        for options, wanted in (({}, 1), ({"alpha": ALPHA}, 0.1), ({"gamma": 7j - 4}, -4)):
            got = jax.jit(jax.grad(lambda x, o=options: jax_ops.referred(x, **o).sum()))(X)
            np.testing.assert_allclose(got, np.full(3, wanted))

    def test_transforms_and_export(self, jax_ops) -> None:
        import jax

        x = np.stack([X, 2 * X])
        function = lambda x: jax_ops.turned(x, alpha=ALPHA)  # noqa: E731
        np.testing.assert_allclose(jax.vmap(function)(x)[1], parts(x, ALPHA)[1])
        checks = [jax.export.DisabledSafetyCheck.custom_call("number_types.turned")]
        exported = jax.export.export(jax.jit(function), disabled_checks=checks)(x)
        again = jax.export.deserialize(exported.serialize())
        np.testing.assert_allclose(again.call(x)[1], parts(x, ALPHA)[1])

    def test_what_a_kernel_is_told(self, jax_ops) -> None:
        assert jax_ops.told(X).tolist() == [0, -1, 1e-3]
        assert jax_ops.told(X, gamma=ALPHA).tolist() == [1, 0.1, -3]


def test_descriptors(package) -> None:
    core = importlib.import_module("number_types.core")
    data = core.told.pack(given=True, n=3, gamma=ALPHA)
    assert len(data) == 24
    assert core.told.unpack(data) == {"given": True, "n": 3, "gamma": ALPHA}
    bindings = importlib.import_module("number_types.lib.bindings")
    assert bindings.create_told_descriptor(given=True, n=3, gamma=ALPHA) == data


def test_messages_name_the_attr(package) -> None:
    core = importlib.import_module("number_types.core")
    spec = core.TensorSpec((3,), "f64")
    reason = "turned: alpha: expected a complex number, got a str"
    with pytest.raises(TypeError, match=re.escape(reason)):
        core.turned.infer(spec, alpha="1j")
