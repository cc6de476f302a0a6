"""`SGD` for PyTorch: like `torch.optim.SGD` with momentum. The op `momentum_` computes each step."""

import torch

from . import momentum_

__all__ = ["SGD"]


class SGD(torch.optim.Optimizer):
    """Gradient descent with momentum, with the state and options of `torch.optim.SGD`."""

    def __init__(self, params, lr=1e-3, momentum=0.9):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            for p in params:
                self.state[p].setdefault("momentum_buffer", torch.zeros_like(p))
            momenta = [self.state[p]["momentum_buffer"] for p in params]
            grads = [p.grad for p in params]
            momentum_(params, grads, momenta, group["lr"], momentum=group["momentum"])
