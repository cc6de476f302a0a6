"""The first tutorial in PyTorch: docs/tutorials/first-op.md."""

import torch
from acme_ops.torch import scaled_square

x = torch.randn(5, 7, requires_grad=True)
y = scaled_square(x, scale=3.0)
y.sum().backward()
torch.testing.assert_close(y, 3 * x**2)
torch.testing.assert_close(x.grad, 6 * x)

compiled = torch.compile(lambda x: scaled_square(x) + 1, fullgraph=True)
torch.testing.assert_close(compiled(x), x**2 + 1)
