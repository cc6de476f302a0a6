"""Two steps of the adamw reference equal those of `torch.optim.AdamW`."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from .calls import call, normal, reference, same, to_torch


@pytest.mark.parametrize(
    "amsgrad, maximize, beta1", [(False, False, 0.9), (True, False, 0.9), (False, True, 0.0)]
)
def test_adamw(amsgrad, maximize, beta1) -> None:
    shapes = [(3, 4), (), (0,), (5,)]
    params = [normal(*shape) for shape in shapes]
    attrs = {"eps": 1e-8, "weight_decay": 0.3, "amsgrad": amsgrad, "maximize": maximize}
    mirrors = [torch.nn.Parameter(to_torch(p)) for p in params]
    optimizer = torch.optim.AdamW(mirrors, 0.01, (beta1, 0.99), **attrs, foreach=False)
    avgs, squares = ([np.zeros(shape) for shape in shapes] for _ in range(2))
    maxima = [np.zeros(shape) for shape in shapes] if amsgrad else None
    step = np.zeros(())
    for count in range(1, 3):
        grads = [normal(*shape) * 3 / count for shape in shapes]
        for mirror, grad in zip(mirrors, grads):
            mirror.grad = to_torch(grad)
        optimizer.step()
        given = (params, grads, avgs, squares, step, np.array(0.01), maxima)
        params, avgs, squares, step, maxima = call(
            reference("adamw"), *given, beta1=beta1, beta2=0.99, **attrs
        )
        assert step == count
        same(params, [mirror.detach() for mirror in mirrors], 1e-9, 1e-12)
        states = [optimizer.state[mirror] for mirror in mirrors]
        same(avgs, [state["exp_avg"] for state in states])
        same(squares, [state["exp_avg_sq"] for state in states])
        if amsgrad:
            same(maxima, [state["max_exp_avg_sq"] for state in states])
        else:
            assert maxima is None


def test_adamw_of_nothing() -> None:
    attrs = {"beta1": 0.9, "beta2": 0.9, "eps": 0.1, "weight_decay": 0.0}
    given = ([], [], [], [], np.array(4.0), np.array(0.1), None)
    results = call(reference("adamw"), *given, amsgrad=False, maximize=False, **attrs)
    same(results, ([], [], [], np.array(5.0), None))
