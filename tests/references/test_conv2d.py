"""The conv2d reference equals PyTorch's convolution."""

from __future__ import annotations

import pytest
import torch.nn.functional as F

from .calls import call, convert, differentiable, normal, reference, same, to_torch


@pytest.mark.parametrize(
    "n, cg, k, size, filters, stride, padding, dilation, groups",
    [
        (2, 2, 6, (7, 8), (3, 2), [2, 1], [1, 0], [1, 2], 3),
        (1, 1, 1, (1, 1), (1, 1), [1, 1], [0, 0], [1, 1], 1),
        (0, 3, 2, (5, 4), (3, 3), [1, 3], [2, 1], [2, 1], 1),
        (1, 1, 4, (2, 9), (5, 1), [3, 2], [2, 0], [1, 1], 4),
    ],
)
def test_conv2d(n, cg, k, size, filters, stride, padding, dilation, groups) -> None:
    conv2d = reference("conv2d")
    x, weight, bias = normal(n, groups * cg, *size), normal(k, cg, *filters), normal(k)
    attrs = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    for given in ([x, weight, bias], [x, weight, None]):
        wanted = F.conv2d(*convert(to_torch, given), **attrs)
        same(call(conv2d, *given, **attrs), wanted)
    differentiable(conv2d, [x, weight, bias], (0, 1, 2), **attrs)
