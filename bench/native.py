"""The peers of this repository's ops: equivalent functions of frameworks and other libraries.

`opgen bench` compares the ops with their peers. docs/benchmarks.md describes the format of this
module.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise
from math import isqrt

import numpy as np

PARAMETERS = 100  # a model has many, and most are small
VOCABULARY = 8192
BAG = 8  # entries
HEAD = 128
HEAD_SIZE = 64  # of attention
GROUPS = 8
GROUP = 64  # values of a weight that share a scale
PAGE = 16  # tokens
SIDE = 28  # pixels of an image, at most
SEQUENCES = 7
TOP = 16


def sizes():
    def parameters(rows, columns):
        each = max(1, rows * columns // PARAMETERS)
        return {"s": ((each,),) * PARAMETERS}

    def tokens(rows, columns):
        return {"s": (rows,), "rows": VOCABULARY, "d": columns}

    def bags(rows, columns):
        bags = max(1, rows // BAG)
        return {"n": rows, "b": bags, "rows": VOCABULARY, "d": columns}

    def heads(rows, columns):
        """Return sizes with two heads of `q` for each head of `k`, if `columns` allows. All
        elements of a head are rotated.
        """
        groups = 1 if columns < 2 * HEAD else 2
        sizes = {"lead": (1,), "t": rows, "hk": max(1, columns // HEAD // groups)}
        return sizes | {"g": groups, "d": HEAD, "r": HEAD // 2, "p": rows}

    def heads_of_tokens(rows, columns):
        sizes = heads(rows, columns)
        return {name: size for name, size in sizes.items() if name != "p"}

    def vocabulary(rows, columns):
        return {"batch": (rows,), "d": columns, "c": VOCABULARY}

    def pages(rows, columns):
        """Return sizes with a paged cache that has room for twice as many tokens as there are."""
        head = min(columns, HEAD)
        sizes = {"t": rows, "h": columns // head, "d": head}
        return sizes | {"bs": PAGE, "nb": max(1, 2 * rows // PAGE)}

    def routed(rows, columns):
        return {"t": rows, "d": columns, "k": 2, "e": GROUPS}

    def groups(rows, columns):
        return {"m": rows, "k": columns, "g": GROUPS, "n": columns}

    def images(rows, columns):
        """Return sizes of images with about `rows` pixels in total, and of 3x3 filters.

        The number of filters equals the number of channels: `columns`, but at most 256.
        """
        channels = min(columns, 256)
        side = min(SIDE, max(7, isqrt(rows)))
        sizes = {"n": max(1, rows // side**2), "cg": channels, "h": side, "w": side}
        return sizes | {"k": channels, "r": 3, "s": 3}

    def one_channel(rows, columns):
        return images(rows, columns) | {"cg": 1}

    def attention(sequences, longest):
        """Return a function that returns sizes. They have as many heads of `k` as of `q`, as
        PyTorch's fastest kernel requires.
        """

        def sizes(rows, columns):
            longest_here = -(-rows // longest)
            heads = {"hk": max(1, columns // HEAD_SIZE), "d": HEAD_SIZE, "e": HEAD_SIZE, "g": 1}
            tokens = {"tq": rows, "tk": rows, "b": sequences}
            return heads | tokens | {"max_q": longest_here, "max_k": longest_here}

        return sizes

    def linear(rows, columns):
        return {"batch": (rows,), "n": columns, "k": columns}

    def linear_of_4_bits(rows, columns):
        groups = max(1, columns // GROUP)
        return {"batch": (rows,), "n": columns, "g": groups, "h": columns // groups // 2}

    return {
        "adamw_": parameters,
        "apply_rotary": heads_of_tokens,
        "conv2d": {"": images, "of one channel": one_channel},
        "embedding": tokens,
        "embedding_bag": bags,
        "embedding_bwd": tokens,
        "grouped_gemm": groups,
        "int4_linear": linear_of_4_bits,
        "int8_linear": linear,
        "linear_cross_entropy": vocabulary,
        "moe_permute": routed,
        "moe_unpermute": lambda rows, columns: {"t": rows, "d": columns, "k": 2},
        "paged_cache_write": pages,
        "rotary": heads,
        "rotary_": heads,
        "varlen_attention": {
            "": attention(1, 1),
            f"in {SEQUENCES} sequences": attention(SEQUENCES, 4),
        },
    }


def inputs():
    def corners(boxes, scores):
        """Order the corners of each box, because torchvision assumes that areas are positive."""
        low, high = np.split(boxes, 2, axis=1)
        return np.concatenate([np.minimum(low, high), np.maximum(low, high)], axis=1), scores

    def without_ties(logits):
        """Make the largest elements of each row distinct, because the order of equal elements is
        undefined.
        """
        count = min(TOP, logits.shape[-1])
        logits = np.minimum(logits, 2).astype(logits.dtype)
        order = np.argpartition(logits.astype(np.float32), -count, axis=-1)[..., -count:]
        top = np.linspace(3, 4, count, dtype=np.float32).astype(logits.dtype)
        np.put_along_axis(logits, order, np.broadcast_to(top, order.shape), axis=-1)
        return (logits,)

    def bounds(tokens, drawn):
        steps = np.cumsum(np.arange(len(drawn)))
        return (tokens * steps // max(1, steps[-1])).astype(drawn.dtype)

    def lengths(q, k, v, cu_q, cu_k, blocks=None, *others):
        """Make the second sequence twice as long as the first, the third three times as long, and
        so on.
        """
        keys = bounds(len(k), cu_k) if blocks is None else cu_k
        return q, k, v, bounds(len(q), cu_q), keys, blocks, *others

    def trained(hidden, weight, labels):
        """Scale the weight as layers do, so that few probabilities are subnormal."""
        return hidden, (weight / isqrt(weight.shape[1])).astype(weight.dtype), labels

    return {
        "linear_cross_entropy": trained,
        "nms": corners,
        "topk_softmax": without_ties,
        "varlen_attention": lengths,
    }


def jax_peers():
    import jax
    import jax.numpy as jnp

    def dropout(x, seed, offset=None, *, p):
        kept = jax.random.bernoulli(jax.random.key(seed), 1 - p, x.shape)
        return jnp.where(kept, x / (1 - p), 0)

    return {"dropout": {"jax.random.bernoulli and where": dropout}}


def torch_peers():
    import torch
    from torch.nn import functional as F

    def rms_norm(x, weight, *, eps):
        return F.rms_norm(x, weight.shape, weight, eps)

    def rms_layer_norm(x, weight=None, *, normalized_shape, eps, offset, cast_first):
        return F.rms_norm(x, normalized_shape, weight + offset if offset else weight, eps)

    def layer_norm(x, weight=None, bias=None, *, normalized_shape, eps):
        return F.layer_norm(x, normalized_shape, weight, bias, eps)

    def fused_add_rms_norm(x, residual, weight, *, eps):
        residual += x
        return F.rms_norm(residual, weight.shape, weight, eps)

    def silu_and_mul(x):
        gate, up = x.chunk(2, dim=-1)
        return F.silu(gate) * up

    def swiglu(gate, up):
        return F.silu(gate) * up

    def gelu_and_mul(x, *, approximate):
        gate, up = x.chunk(2, dim=-1)
        return F.gelu(gate, approximate=approximate) * up

    def geglu(gate, up, *, approximate):
        return F.gelu(gate, approximate=approximate) * up

    def cross_entropy(logits, labels, weight=None, **attrs):
        """Compute in f32 like opgen's op, but round the result to the dtype of the logits, as
        PyTorch does.
        """
        return F.cross_entropy(logits, labels, weight, **attrs).float()

    def weighted_cross_entropy(logits, labels, weight=None, *, classes, **attrs):
        """Call `F.cross_entropy` on rows of logits, with the weights in the dtype of the logits."""
        weight = None if weight is None else weight.to(logits.dtype)
        return cross_entropy(logits, labels, weight, **attrs)

    def apply_rotary(q, k, cos, sin, *, order, style, inverse):
        """Rotate as transformers does: only in the default style and order, and only forwards."""
        cos, sin = cos.unsqueeze(-3).to(q.dtype), sin.unsqueeze(-3).to(q.dtype)

        def turned(x):
            a, b = x.chunk(2, dim=-1)
            return torch.cat((-b, a), dim=-1)

        return tuple(x * cos + turned(x) * sin for x in (q, k))

    def linear_cross_entropy(hidden, weight, labels, **attrs):
        return cross_entropy(F.linear(hidden, weight), labels, **attrs)

    def moe_permute(x, ids, *, e):
        chosen, order = ids.flatten().sort(stable=True)
        rows = x.index_select(0, order // ids.shape[1])
        bounds = torch.arange(e + 1, dtype=chosen.dtype, device=ids.device)
        offsets = torch.searchsorted(chosen, bounds, out_int32=True)
        places = torch.empty_like(order, dtype=torch.int32)
        places[order] = torch.arange(len(order), dtype=torch.int32, device=ids.device)
        return rows, offsets, places.view(ids.shape)

    def moe_unpermute(rows, places, weights=None):
        chosen = rows.index_select(0, places.flatten()).view(*places.shape, -1)
        return (chosen if weights is None else chosen * weights[..., None]).sum(1)

    def embedding(weight, indices, *, padding_idx):
        return F.embedding(indices, weight, padding_idx)

    def embedding_bag(weight, indices, offsets, sample_weights=None, *, mode):
        return F.embedding_bag(
            indices,
            weight,
            offsets,
            mode=mode,
            per_sample_weights=sample_weights,
            include_last_offset=True,
        )

    def adamw(params, grads, exp_avgs, exp_avg_sqs, step, lr, largest=None, **attrs):
        step += 1
        steps = [step] * len(params)
        torch._fused_adamw_(
            params, grads, exp_avgs, exp_avg_sqs, largest or [], steps, lr=lr, **attrs
        )

    def conv2d(x, weight, bias=None, **attrs):
        return F.conv2d(x, weight, bias, **attrs)

    def topk_softmax(logits, *, k, renormalize):
        weights, ids = F.softmax(logits.float(), -1).topk(k)
        return weights / weights.sum(-1, keepdim=True) if renormalize else weights, ids

    def dropout(x, seed, offset=None, *, p):
        return F.dropout(x, p)

    def quantize_fp8(x, *, block, out_dtype, column_major, floor):
        blocks = x.float().unflatten(-1, (-1, block))
        limit = torch.finfo(out_dtype).max
        scale = blocks.abs().amax(-1).clamp(min=floor) / limit
        return (blocks / scale[..., None]).clamp(-limit, limit).to(out_dtype).flatten(-2), scale

    def int8_linear(x, weight, scale):
        return torch._weight_int8pack_mm(x, weight, scale)

    def int8_dequantized(x, weight, scale):
        return F.linear(x, weight.to(x.dtype) * scale[:, None])

    def values_of_4_bits(weight):
        return torch.stack([weight & 15, weight >> 4], -1).flatten(1)

    packed = {}

    def int4_linear(x, weight, scale, zero=None):
        """Convert each weight to PyTorch's layout only once, like a program that loads a model."""
        found = packed.get(weight.data_ptr())
        if found is None:
            values = values_of_4_bits(weight).int()
            zeros = scale * (8 - (8 if zero is None else zero))
            found = (
                torch._convert_weight_to_int4pack_for_cpu(values, 1),
                torch.stack([scale, zeros], -1).transpose(0, 1).contiguous(),
            )
            packed[weight.data_ptr()] = found
        group = x.shape[-1] // scale.shape[1]
        return torch._weight_int4pack_mm_for_cpu(x, found[0], group, found[1])

    def int4_dequantized(x, weight, scale, zero=None):
        values = values_of_4_bits(weight).unflatten(1, (scale.shape[1], -1)).to(x.dtype)
        values = values - (8 if zero is None else zero[..., None])
        return F.linear(x, (values * scale[..., None]).flatten(1))

    def grouped_gemm(a, b, offsets, *, trans_b):
        """Multiply each group in a separate call. The bounds of the groups are read on the host."""
        bounds = offsets.tolist()
        groups = [a[first:last] for first, last in pairwise(bounds)]
        factors = [matrix.t() for matrix in b] if trans_b else list(b)
        if a.requires_grad or b.requires_grad:
            return torch.cat([*map(torch.mm, groups, factors)])
        c = a.new_empty(a.shape[0], factors[0].shape[1])
        for group, factor, (first, last) in zip(groups, factors, pairwise(bounds), strict=True):
            torch.mm(group, factor, out=c[first:last])
        return c

    def varlen_attention(q, k, v, cu_q, cu_k, *absent, scale, causal, **attrs):
        """Compute each sequence in a separate call. The lengths of the sequences are read on the
        host.
        """
        outs = []
        bounds_q, bounds_k = cu_q.tolist(), cu_k.tolist()
        for (a, b), (c, d) in zip(pairwise(bounds_q), pairwise(bounds_k), strict=True):
            heads = (x.transpose(0, 1)[None] for x in (q[a:b], k[c:d], v[c:d]))
            out = F.scaled_dot_product_attention(
                *heads, is_causal=causal, scale=scale, enable_gqa=True
            )
            outs.append(out[0].transpose(0, 1))
        return torch.cat(outs) if len(outs) > 1 else outs[0]

    native = {
        "adamw_": {"torch._fused_adamw_": adamw},
        "apply_rotary": {"as in transformers": apply_rotary},
        "conv2d": {"F.conv2d": conv2d},
        "cross_entropy": {"F.cross_entropy": cross_entropy},
        "dropout": {"F.dropout": dropout},
        "embedding": {"F.embedding": embedding},
        "embedding_bag": {"F.embedding_bag": embedding_bag},
        "fused_add_rms_norm": {"add_ and F.rms_norm": fused_add_rms_norm},
        "geglu": {"F.gelu and mul": geglu},
        "gelu_and_mul": {"F.gelu and mul": gelu_and_mul},
        "grouped_gemm": {"torch.mm of each group": grouped_gemm},
        "int4_linear": {
            "torch._weight_int4pack_mm_for_cpu": int4_linear,
            "dequantized, F.linear": int4_dequantized,
        },
        "int8_linear": {
            "torch._weight_int8pack_mm": int8_linear,
            "dequantized, F.linear": int8_dequantized,
        },
        "layer_norm": {"F.layer_norm": layer_norm},
        "linear_cross_entropy": {"F.cross_entropy of F.linear": linear_cross_entropy},
        "moe_permute": {"sort and index_select": moe_permute},
        "moe_unpermute": {"index_select and sum": moe_unpermute},
        "quantize_fp8": {"amax, div and to": quantize_fp8},
        "relu": {"torch.relu": torch.relu},
        "rms_layer_norm": {"F.rms_norm": rms_layer_norm},
        "rms_norm": {"F.rms_norm": rms_norm},
        "silu_and_mul": {"F.silu and mul": silu_and_mul},
        "soft_cross_entropy": {"F.cross_entropy": weighted_cross_entropy},
        "swiglu": {"F.silu and mul": swiglu},
        "tensor_add": {"torch.add": torch.add},
        "tensor_negate": {"torch.neg": torch.neg},
        "topk_softmax": {"F.softmax and topk": topk_softmax},
        "weighted_cross_entropy": {"F.cross_entropy": weighted_cross_entropy},
        "varlen_attention": {"F.scaled_dot_product_attention": varlen_attention},
    }
    for more in (liger_peers(), torchvision_peers()):
        for op, peers in more.items():
            native[op] = native.get(op, {}) | peers
    return native


def torchvision_peers():
    """Return torchvision's nms as a peer, if torchvision is installed for this PyTorch, else an
    empty dict.
    """
    if find_spec("torchvision") is None:
        return {}
    import torch

    try:
        from torchvision.ops import nms as torchvision_nms
    except RuntimeError:  # it was built for another PyTorch
        return {}

    def nms(boxes, scores, *, iou):
        keep = torchvision_nms(boxes, scores, iou)
        return keep, torch.tensor(keep.shape[0], device=keep.device)

    return {"nms": {"torchvision.ops.nms": nms}}


def liger_peers():
    """Return Liger's Triton kernels as peers, if Liger is installed and there is a GPU, else an
    empty dict.

    Liger's cross-entropy is not among them, because it overwrites the logits.
    """
    import torch

    if not torch.cuda.is_available() or find_spec("liger_kernel") is None:
        return {}
    from liger_kernel.transformers import functional as liger

    def rms_norm(x, weight, *, eps):
        return liger.liger_rms_norm(x, weight, eps, in_place=False)

    def rms_layer_norm(x, weight, *, normalized_shape, eps, offset, cast_first):
        casting = "llama" if cast_first else "gemma"
        return liger.liger_rms_norm(x, weight, eps, offset, casting, in_place=False)

    def layer_norm(x, weight, bias, *, normalized_shape, eps):
        return liger.liger_layer_norm(x, weight, bias, eps)

    def silu_and_mul(x):
        gate, up = x.chunk(2, dim=-1)
        return liger.liger_swiglu(gate, up)

    return {
        "layer_norm": {"liger_layer_norm": layer_norm},
        "rms_layer_norm": {"liger_rms_norm": rms_layer_norm},
        "rms_norm": {"liger_rms_norm": rms_norm},
        "silu_and_mul": {"liger_swiglu": silu_and_mul},
        "swiglu": {"liger_swiglu": liger.liger_swiglu},
    }
