"""Print the fifteen randomly drawn ops for which specs were written: `python -m tests.signatures.lot`.

The draw takes one op from each of fifteen projects in the list `PAIRS`. Some names in the list differ from those in
the specs: MONAI's filter is its trainable bilateral filter, and GPyTorch's solver is `linear_cg`. For k2, the spec
describes `swoosh_l`, which also has a gradient and dropout, instead of `swoosh_l_forward`.
"""

import random

PAIRS = """
torch_cluster:knn torch_cluster:fps torch_cluster:radius
torch_sparse:spspmm torch_sparse:spmm_sum torch_sparse:ind2ptr
torch_spline_conv:spline_weighting
pyg-lib:segment_matmul pyg-lib:sampled_op
xformers:sparse24_sparsify_both_ways xformers:scaled_index_add xformers:rope_padded
flash-linear-attention:chunk_gated_delta_rule flash-linear-attention:token_shift
fairseq:ngram_repeat_block fairseq:dynamicconv
DeepSpeed:moe_res_matmul DeepSpeed:bias_residual_gelu
FBGEMM:jagged_dense_elementwise_add FBGEMM:asynchronous_complete_cumsum FBGEMM:permute_1D_sparse_data FBGEMM:jagged_to_padded_dense
detectron2:box_iou_rotated detectron2:nms_rotated
spconv:sparse_maxpool
fused-ssim:fusedssim
k2:mutual_information k2:swoosh_l_forward
warp-transducer:transducer_loss_lattice
DeepGEMM:m_grouped_fp8_gemm_nt_contiguous
quack:softmax quack:topk
e3nn:segmented_tensor_product OpenEquivariance:tensor_product_uvu
cuequivariance:triangle_attention cuequivariance:segmented_polynomial
kaolin:packed_simple_sum kaolin:unbatched_points_to_octree kaolin:dibr_soft_mask
Open3D:continuous_conv Open3D:fixed_radius_search
torchsparse:sphashquery torchsparse:trilinear_devoxelize
nvdiffrast:interpolate nvdiffrast:texture
tiny-cuda-nn:grid_encoding
lightseq:ls_dropout_bias_relu lightseq:ls_quantize
ColossalAI:decode_kv_cache_memcpy ColossalAI:moe_dispatch
grouped_gemm:permute
megablocks:topology megablocks:padded_gather
fast-hadamard-transform:hadamard_transform
RWKV:wkv5
pytorch3d:chamfer_knn_points pytorch3d:packed_to_padded pytorch3d:sigmoid_alpha_blend
nerfacc:render_visibility nerfacc:inclusive_prod
torch-ngp:sh_encode torch-ngp:morton3D
pointnet2:three_interpolate pointnet2:gather_points
stylegan3:upfirdn2d stylegan3:bias_act filtered_lrelu:filtered_lrelu
exllamav2:rms_norm_head marlin:gptq_marlin_repack
sageattention:qk_int8_per_block_quant
flash_attn:layer_norm_dropout_add
sgl-kernel:moe_fused_gate sgl-kernel:tree_speculative_sampling
S5:diagonal_scan accelerated-scan:warpscan
gpytorch:cg_tridiag KeOps:gaussian_conv
monai:trilateral_filter monai:grid_pull
torchcde:linear_interpolation
aphrodite:hadacore_transform
unsloth:fast_dequantize_lora
torchao:smooth_quant_dyn
apex:fused_weight_gradient_accum apex:scaled_masked_softmax
"""


def main() -> None:
    ops: dict[str, list[str]] = {}
    for pair in PAIRS.split():
        project, op = pair.split(":")
        ops.setdefault(project, []).append(op)
    lot = random.Random(47)
    for project in lot.sample(sorted(ops), 15):
        print(project, lot.choice(ops[project]))
    print(len(PAIRS.split()), "pairs of", len(ops), "projects")


if __name__ == "__main__":
    main()
