"""Count the guesses that `opgen import` marks in drafts for twelve schemas of published libraries.

`python -m bench.imported` prints a table: the number of guesses in a draft from the schema alone,
and in a draft from the schema and calls. The schemas are those of vLLM, FlashInfer, Transformer
Engine, Apex and torchvision. Simple ops with the same results replace the libraries' ops, and the
calls are like those that users of the libraries make.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCHEMAS = """
vLLM: silu_and_mul(Tensor! result, Tensor input) -> ()
vLLM: rms_norm(Tensor! result, Tensor input, Tensor weight, float epsilon) -> ()
vLLM: fused_add_rms_norm(Tensor! input, Tensor! residual, Tensor weight, float epsilon) -> ()
vLLM: rotary_embedding(Tensor positions, Tensor! query, Tensor!? key, int head_size, Tensor cos_sin_cache, bool is_neox) -> ()
vLLM: topk_softmax(Tensor! topk_weights, Tensor! topk_indices, Tensor! token_expert_indices, Tensor gating_output) -> ()
vLLM: static_scaled_fp8_quant(Tensor! result, Tensor input, Tensor scale) -> ()
FlashInfer: merge_state(Tensor v_a, Tensor s_a, Tensor v_b, Tensor s_b, Tensor! v_merged, Tensor! s_merged) -> ()
FlashInfer: rmsnorm(Tensor! output, Tensor input, Tensor weight, float eps, bool enable_pdl) -> ()
Transformer Engine: layernorm_fwd_inf_ts(Tensor input, Tensor weight, Tensor bias, float eps, int sm_margin, bool zero_centered_gamma) -> Tensor
Apex: forward_affine(Tensor _0, int[] _1, Tensor _2, Tensor _3, float _4) -> (Tensor, Tensor, Tensor)
torchvision: nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor
torchvision: roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor
"""
OPS = """
import torch
import torch.nn.functional as F

library = torch.library.Library("published", "DEF")

def silu_and_mul(result, input):
    a, b = input.chunk(2, -1)
    result.copy_(F.silu(a) * b)

def rms_norm(result, input, weight, epsilon):
    result.copy_(F.rms_norm(input, weight.shape, weight, epsilon))

def fused_add_rms_norm(input, residual, weight, epsilon):
    residual.add_(input)
    input.copy_(F.rms_norm(residual, weight.shape, weight, epsilon))

def rotary_embedding(positions, query, key, head_size, cos_sin_cache, is_neox):
    cos, sin = cos_sin_cache[positions].chunk(2, -1)
    for each in (query, key):
        if each is not None:
            x = each.view(*each.shape[:-1], -1, head_size)
            a, b = x.float().chunk(2, -1)
            c, s = cos.unsqueeze(-2), sin.unsqueeze(-2)
            each.copy_(torch.cat((a * c - b * s, b * c + a * s), -1).view(each.shape))

def topk_softmax(topk_weights, topk_indices, token_expert_indices, gating_output):
    n, k = topk_weights.shape
    weights, ids = torch.topk(gating_output.float().softmax(-1), k)
    topk_weights.copy_(weights)
    topk_indices.copy_(ids)
    token_expert_indices.copy_(torch.arange(n * k).view(k, n).t())

def static_scaled_fp8_quant(result, input, scale):
    result.copy_((input.float() / scale).to(result.dtype))

def merge_state(v_a, s_a, v_b, s_b, v_merged, s_merged):
    s = torch.logaddexp(s_a, s_b)
    s_merged.copy_(s)
    v_merged.copy_(v_a * (s_a - s).exp().unsqueeze(-1) + v_b * (s_b - s).exp().unsqueeze(-1))

def rmsnorm(output, input, weight, eps, enable_pdl):
    output.copy_(F.rms_norm(input, weight.shape, weight, eps))

def layernorm_fwd_inf_ts(input, weight, bias, eps, sm_margin, zero_centered_gamma):
    return F.layer_norm(input, weight.shape, weight, bias, eps)

def forward_affine(x, shape, weight, bias, eps):
    y, mean, rstd = torch.native_layer_norm(x, shape, weight, bias, eps)
    return y, mean.flatten(), rstd.flatten()

def nms(dets, scores, iou_threshold):
    order, kept = scores.argsort(descending=True).tolist(), []
    for i in order:
        a = dets[i]
        for j in kept:
            b = dets[j]
            side = (torch.minimum(a[2:], b[2:]) - torch.maximum(a[:2], b[:2])).clamp(min=0)
            area = side.prod()
            if area / ((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - area) > iou_threshold:
                break
        else:
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64)

def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    return input.new_zeros((rois.shape[0], input.shape[1], pooled_height, pooled_width))

def fake_norm(input, weight, bias, eps, sm_margin, zero_centered_gamma):
    return torch.empty_like(input)

for schema in SCHEMAS.split(";"):
    name = library.define(schema)
    library.impl(name, globals()[name], "CPU")
torch.library.register_fake("published::layernorm_fwd_inf_ts", fake_norm, lib=library)
torch.library.register_fake("published::roi_align", roi_align, lib=library)
"""
CALLS = """
import torch
import published_ops

ops = torch.ops.published
f32, bf16 = torch.float32, torch.bfloat16
for rows, n, t in (((3,), 8, f32), ((2, 5), 16, bf16), ((7,), 16, f32)):
    x, w = torch.randn(*rows, n, dtype=t), torch.randn(n, dtype=t)
    ops.silu_and_mul(x.new_empty(*rows, n // 2), x)
    ops.rms_norm(torch.empty_like(x), x, w, 1e-6)
    ops.layernorm_fwd_inf_ts(x, w, w, 1e-5, 0, False)
    ops.static_scaled_fp8_quant(torch.empty_like(x, dtype=torch.float8_e4m3fn), x, torch.ones(1))
for n, h, t in ((3, 64, f32), (5, 128, bf16)):
    x, w = torch.randn(n, h, dtype=t), torch.randn(h, dtype=t)
    ops.fused_add_rms_norm(x.clone(), x, w, 1e-6)
    ops.rmsnorm(torch.empty_like(x), x, w, 1e-6, False)
    ops.forward_affine(x.float(), [h], w.float(), w.float(), 1e-5)
for n, heads, d, most, t in ((4, 2, 16, 32, f32), (6, 3, 8, 64, bf16)):
    positions, cache = torch.arange(n), torch.randn(most, d, dtype=t)
    query, key = torch.randn(n, heads * d, dtype=t), torch.randn(n, d, dtype=t)
    ops.rotary_embedding(positions, query, key, d, cache, True)
    v, s = torch.randn(n, heads, d, dtype=t), torch.randn(n, heads)
    ops.merge_state(v, s, v, s, torch.empty_like(v), torch.empty_like(s))
for n, experts, k in ((5, 8, 2), (9, 16, 4)):
    out = torch.empty(n, k), torch.empty(n, k, dtype=torch.int32), torch.empty(n, k, dtype=torch.int32)
    ops.topk_softmax(*out, torch.randn(n, experts))
for n, c, h, w, boxes in ((1, 3, 8, 9, 4), (2, 5, 6, 7, 11)):
    corners = torch.rand(boxes, 2)
    dets = torch.cat((corners, corners + torch.rand(boxes, 2)), 1)
    ops.nms(dets, torch.rand(boxes), 0.5)
    rois = torch.cat((torch.zeros(boxes, 1), dets), 1)
    ops.roi_align(torch.randn(n, c, h, w), rois, 1.0, h // 2, w // 2, 2, True)
"""


def main() -> None:
    """Print the table of all schemas in Markdown."""
    schemas = [line.split(": ", 1) for line in SCHEMAS.strip().splitlines()]
    counts: list[dict[str, int]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pyproject.toml").write_text(
            '[tool.opgen]\npackage = "p"\nout = "p"\nnamespace = "p"\n'
        )
        listed = ";".join(schema for _, schema in schemas)
        (folder / "published_ops.py").write_text(f"SCHEMAS = {listed!r}\n{OPS}")
        (folder / "calls.py").write_text(CALLS)
        for more in ((), ("--calls", "calls.py")):
            counts.append(_guesses(folder, schemas, more))
    print("| library | op | from the schema | with calls |\n|---|---|---|---|")
    for owner, schema in schemas:
        op = schema.partition("(")[0]
        print(f"| {owner} | `{op}` | {' | '.join(str(each[op]) for each in counts)} |")
    print(f"| | all | {' | '.join(str(sum(each.values())) for each in counts)} |")


def _guesses(folder: Path, schemas: list[list[str]], more: tuple[str, ...]) -> dict[str, int]:
    for file in (folder / "specs").glob("*"):
        file.unlink()
    command = (sys.executable, "-m", "opgen", "import", "torch", "published::*")
    subprocess.run([*command, "--module", "published_ops", *more], cwd=folder, check=True)
    texts = {op.stem: op.read_text() for op in (folder / "specs").glob("*.toml")}
    return {
        op: sum(line.count(",") + 1 for line in re.findall(r"# guess.*", texts[op]))
        for op in (schema.partition("(")[0] for _, schema in schemas)
    }


if __name__ == "__main__":
    main()
