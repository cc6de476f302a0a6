"""acme_ops in PyTorch: values, gradients, and features that need no line of code."""

import sys

import torch
from acme_ops.torch import gain, scaled_square

x = torch.randn(5, 7, dtype=torch.float64, requires_grad=True)
y = scaled_square(x, scale=3.0)
torch.testing.assert_close(y, 3 * x**2)
(dx,) = torch.autograd.grad(y.sum(), x)
torch.testing.assert_close(dx, 6 * x)
torch.autograd.gradcheck(scaled_square, x)
torch.autograd.gradgradcheck(scaled_square, x)

weight = torch.randn(7, dtype=torch.float64, requires_grad=True)
torch.testing.assert_close(gain(x, weight), x * weight)
torch.autograd.gradcheck(gain, (x, weight))
torch.autograd.gradgradcheck(gain, (x, weight))

wide = torch.randn(1000, 129)
torch.testing.assert_close(scaled_square(wide.T, scale=0.5), 0.5 * wide.T**2)
compiled = torch.compile(lambda x: scaled_square(x) + 1, fullgraph=True, backend="eager")
torch.testing.assert_close(compiled(wide), wide**2 + 1)
torch.library.opcheck(torch.ops.acme_ops.scaled_square.default, (wide, 2.0))

try:
    scaled_square(wide.int())
except TypeError as refusal:
    assert "scaled_square" in str(refusal) and "i32" in str(refusal), refusal
else:
    raise AssertionError("i32 is not in the spec")

assert "jax" not in sys.modules
assert sys.modules["opgen"] is None
