"""Products with weights of 8 and 4 bits equal plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from .calls import call, differentiable, integers, normal, reference, same


def test_int8_linear() -> None:
    x, weight, scale = normal(2, 3, 5), integers(-128, 128, 4, 5, dtype="int8"), normal(4)
    whole = np.array([[scale[i] * int(weight[i, j]) for j in range(5)] for i in range(4)])
    int8_linear = reference("quantized_linear", "int8_linear")
    same(call(int8_linear, x, weight, scale), x @ whole.T)
    differentiable(int8_linear, [x, weight, scale], (0,))
    dy = normal(2, 3, 4)
    same(call(reference("quantized_linear", "int8_linear_dgrad"), dy, weight, scale), dy @ whole)


@pytest.mark.parametrize("zeros", [True, False])
@pytest.mark.parametrize("groups, bytes_of_group", [(2, 3), (1, 1), (0, 2)])
def test_int4_linear(groups, bytes_of_group, zeros) -> None:
    k = 2 * groups * bytes_of_group
    x, weight = normal(3, k), integers(0, 256, 4, k // 2, dtype="uint8")
    scale, zero = normal(4, groups), normal(4, groups) if zeros else None
    whole = np.zeros((4, k))
    for i, j in np.ndindex(4, k):
        byte, group = int(weight[i, j // 2]), j // (2 * bytes_of_group)
        value = byte // 16 if j % 2 else byte % 16
        whole[i, j] = scale[i, group] * (value - (zero[i, group] if zeros else 8))
    int4_linear = reference("quantized_linear", "int4_linear")
    same(call(int4_linear, x, weight, scale, zero), x @ whole.T)
    differentiable(int4_linear, [x, weight, scale, zero], (0,))
    dy = normal(3, 4)
    dgrad = reference("quantized_linear", "int4_linear_dgrad")
    same(call(dgrad, dy, weight, scale, zero), dy @ whole)
