"""What the frameworks and others have for the ops of this repository.

The table of peers that `opgen bench` reads; `opgen/bench/peers.py` says what it may hold.
"""

from __future__ import annotations


def torch_peers():
    import torch
    from torch.nn import functional as F

    def rms_norm(x, weight, *, eps):
        return F.rms_norm(x, weight.shape, weight, eps)

    def layer_norm(x, weight=None, bias=None, *, normalized_shape, eps):
        return F.layer_norm(x, normalized_shape, weight, bias, eps)

    return {
        "relu": {"torch.relu": torch.relu},
        "tensor_add": {"torch.add": torch.add},
        "tensor_negate": {"torch.neg": torch.neg},
        "rms_norm": {"F.rms_norm": rms_norm},
        "layer_norm": {"F.layer_norm": layer_norm},
    }
