// The module `bindings`: descriptors, element types and FFI handlers, for people.
// Rendered by opgen.
#include "opgen/bindings.h"

#include "adamw.h"
#include "conv2d.h"
#include "cross_entropy.h"
#include "dropout.h"
#include "embedding.h"
#include "embedding_bag.h"
#include "fused_add_rms_norm.h"
#include "gelu_and_mul.h"
#include "grouped_gemm.h"
#include "layer_norm.h"
#include "linear_cross_entropy.h"
#include "moe.h"
#include "nms.h"
#include "paged_cache_write.h"
#include "quantize_fp8.h"
#include "quantized_linear.h"
#include "relu.h"
#include "rms_layer_norm.h"
#include "rms_norm.h"
#include "rotary.h"
#include "silu_and_mul.h"
#include "tensor_add.h"
#include "tensor_negate.h"
#include "topk_softmax.h"
#include "varlen_attention.h"
#include "weighted_cross_entropy.h"

#ifdef OPGEN_JAX
extern "C" void* generated_adamw__cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_adamw__cuda_ffi(void*);
#endif
extern "C" void* generated_conv2d_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_conv2d_cuda_ffi(void*);
#endif
extern "C" void* generated_conv2d_dgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_conv2d_dgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_conv2d_wgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_conv2d_wgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_cross_entropy_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_cross_entropy_cuda_ffi(void*);
#endif
extern "C" void* generated_cross_entropy_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_cross_entropy_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_cross_entropy_top_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_cross_entropy_top_cuda_ffi(void*);
#endif
extern "C" void* generated_cross_entropy_terms_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_cross_entropy_terms_cuda_ffi(void*);
#endif
extern "C" void* generated_cross_entropy_loss_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_cross_entropy_loss_cuda_ffi(void*);
#endif
extern "C" void* generated_cross_entropy_bwd_part_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_cross_entropy_bwd_part_cuda_ffi(void*);
#endif
extern "C" void* generated_dropout_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_dropout_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_bwd_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_bwd_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_rows_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_rows_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_bwd_rows_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_bwd_rows_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_bag_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_bag_cuda_ffi(void*);
#endif
extern "C" void* generated_embedding_bag_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_embedding_bag_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_fused_add_rms_norm_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_fused_add_rms_norm_cuda_ffi(void*);
#endif
extern "C" void* generated_fused_add_rms_norm_quant_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_fused_add_rms_norm_quant_cuda_ffi(void*);
#endif
extern "C" void* generated_gelu_and_mul_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_gelu_and_mul_cuda_ffi(void*);
#endif
extern "C" void* generated_gelu_and_mul_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_gelu_and_mul_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_geglu_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_geglu_cuda_ffi(void*);
#endif
extern "C" void* generated_geglu_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_geglu_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_grouped_gemm_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_grouped_gemm_cuda_ffi(void*);
#endif
extern "C" void* generated_grouped_gemm_wgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_grouped_gemm_wgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_mean_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_mean_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_variance_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_variance_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_scale_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_scale_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_bwd_means_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_bwd_means_cuda_ffi(void*);
#endif
extern "C" void* generated_layer_norm_bwd_apply_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_layer_norm_bwd_apply_cuda_ffi(void*);
#endif
extern "C" void* generated_linear_cross_entropy_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_linear_cross_entropy_cuda_ffi(void*);
#endif
extern "C" void* generated_linear_cross_entropy_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_linear_cross_entropy_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_moe_permute_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_moe_permute_cuda_ffi(void*);
#endif
extern "C" void* generated_moe_unpermute_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_moe_unpermute_cuda_ffi(void*);
#endif
extern "C" void* generated_moe_unpermute_dgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_moe_unpermute_dgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_moe_unpermute_wgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_moe_unpermute_wgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_nms_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_nms_cuda_ffi(void*);
#endif
extern "C" void* generated_paged_cache_write_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_paged_cache_write_cuda_ffi(void*);
#endif
extern "C" void* generated_quantize_fp8_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_quantize_fp8_cuda_ffi(void*);
#endif
extern "C" void* generated_int8_linear_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_int8_linear_cuda_ffi(void*);
#endif
extern "C" void* generated_int8_linear_dgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_int8_linear_dgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_int4_linear_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_int4_linear_cuda_ffi(void*);
#endif
extern "C" void* generated_int4_linear_dgrad_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_int4_linear_dgrad_cuda_ffi(void*);
#endif
extern "C" void* generated_relu_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_relu_cuda_ffi(void*);
#endif
extern "C" void* generated_relu_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_relu_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_layer_norm_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_layer_norm_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_layer_norm_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_layer_norm_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_norm_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_norm_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_squares_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_norm_squares_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_scale_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_norm_scale_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_bwd_products_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_norm_bwd_products_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_bwd_apply_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rms_norm_bwd_apply_cuda_ffi(void*);
#endif
extern "C" void* generated_rotary_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rotary_cuda_ffi(void*);
#endif
extern "C" void* generated_rotary__cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_rotary__cuda_ffi(void*);
#endif
extern "C" void* generated_apply_rotary_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_apply_rotary_cuda_ffi(void*);
#endif
extern "C" void* generated_silu_and_mul_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_silu_and_mul_cuda_ffi(void*);
#endif
extern "C" void* generated_silu_and_mul_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_silu_and_mul_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_swiglu_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_swiglu_cuda_ffi(void*);
#endif
extern "C" void* generated_swiglu_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_swiglu_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_tensor_add_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_tensor_add_cuda_ffi(void*);
#endif
extern "C" void* generated_tensor_negate_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_tensor_negate_cuda_ffi(void*);
#endif
extern "C" void* generated_topk_softmax_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_topk_softmax_cuda_ffi(void*);
#endif
extern "C" void* generated_topk_softmax_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_topk_softmax_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_varlen_attention_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_varlen_attention_cuda_ffi(void*);
#endif
extern "C" void* generated_varlen_attention_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_varlen_attention_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_weighted_cross_entropy_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_weighted_cross_entropy_cuda_ffi(void*);
#endif
extern "C" void* generated_weighted_cross_entropy_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_weighted_cross_entropy_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_soft_cross_entropy_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_soft_cross_entropy_cuda_ffi(void*);
#endif
extern "C" void* generated_soft_cross_entropy_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_soft_cross_entropy_bwd_cuda_ffi(void*);
#endif
#endif

PYBIND11_MODULE(bindings, m) {
  opgen::bindings::add_element_types(m);

  m.def(
      "create_adamw__descriptor",
      [](double beta1_, double beta2_, double eps_, double weight_decay_,
         opgen::bindings::Integer amsgrad_, opgen::bindings::Integer maximize_,
         opgen::bindings::Integer T_, opgen::bindings::Integer G_, opgen::bindings::Integer M_,
         opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"adamw_"}};
        auto desc = opgen::zeroed<generated::Adamw_Descriptor>();
        fill(desc.beta1, "beta1", beta1_);
        fill(desc.beta2, "beta2", beta2_);
        fill(desc.eps, "eps", eps_);
        fill(desc.weight_decay, "weight_decay", weight_decay_);
        fill(desc.amsgrad, "amsgrad", amsgrad_);
        fill(desc.maximize, "maximize", maximize_);
        fill(desc.T, "T", T_);
        fill(desc.G, "G", G_);
        fill(desc.M, "M", M_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("beta1"), pybind11::arg("beta2"), pybind11::arg("eps"),
      pybind11::arg("weight_decay"), pybind11::arg("amsgrad"), pybind11::arg("maximize"),
      pybind11::arg("T"), pybind11::arg("G"), pybind11::arg("M"), pybind11::arg("Acc"),
      "The packed descriptor of adamw_.");

  m.def(
      "create_conv2d_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer cg_, opgen::bindings::Integer h_,
         opgen::bindings::Integer w_, opgen::bindings::Integer k_, opgen::bindings::Integer r_,
         opgen::bindings::Integer s_, opgen::bindings::Integer p_, opgen::bindings::Integer q_,
         const std::vector<opgen::bindings::Integer>& stride_,
         opgen::bindings::Integer stride_rank_,
         const std::vector<opgen::bindings::Integer>& padding_,
         opgen::bindings::Integer padding_rank_,
         const std::vector<opgen::bindings::Integer>& dilation_,
         opgen::bindings::Integer dilation_rank_, opgen::bindings::Integer groups_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"conv2d"}};
        auto desc = opgen::zeroed<generated::Conv2dDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.cg, "cg", cg_);
        fill(desc.h, "h", h_);
        fill(desc.w, "w", w_);
        fill(desc.k, "k", k_);
        fill(desc.r, "r", r_);
        fill(desc.s, "s", s_);
        fill(desc.p, "p", p_);
        fill(desc.q, "q", q_);
        fill(desc.stride, "stride", stride_);
        fill(desc.stride_rank, "stride_rank", stride_rank_);
        fill(desc.padding, "padding", padding_);
        fill(desc.padding_rank, "padding_rank", padding_rank_);
        fill(desc.dilation, "dilation", dilation_);
        fill(desc.dilation_rank, "dilation_rank", dilation_rank_);
        fill(desc.groups, "groups", groups_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("cg"), pybind11::arg("h"), pybind11::arg("w"),
      pybind11::arg("k"), pybind11::arg("r"), pybind11::arg("s"), pybind11::arg("p"),
      pybind11::arg("q"), pybind11::arg("stride"), pybind11::arg("stride_rank"),
      pybind11::arg("padding"), pybind11::arg("padding_rank"), pybind11::arg("dilation"),
      pybind11::arg("dilation_rank"), pybind11::arg("groups"), pybind11::arg("T"),
      "The packed descriptor of conv2d.");

  m.def(
      "create_conv2d_dgrad_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer k_, opgen::bindings::Integer p_,
         opgen::bindings::Integer q_, opgen::bindings::Integer cg_, opgen::bindings::Integer r_,
         opgen::bindings::Integer s_, const std::vector<opgen::bindings::Integer>& stride_,
         opgen::bindings::Integer stride_rank_,
         const std::vector<opgen::bindings::Integer>& padding_,
         opgen::bindings::Integer padding_rank_,
         const std::vector<opgen::bindings::Integer>& dilation_,
         opgen::bindings::Integer dilation_rank_, opgen::bindings::Integer groups_,
         opgen::bindings::Integer h_, opgen::bindings::Integer w_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"conv2d_dgrad"}};
        auto desc = opgen::zeroed<generated::Conv2dDgradDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.k, "k", k_);
        fill(desc.p, "p", p_);
        fill(desc.q, "q", q_);
        fill(desc.cg, "cg", cg_);
        fill(desc.r, "r", r_);
        fill(desc.s, "s", s_);
        fill(desc.stride, "stride", stride_);
        fill(desc.stride_rank, "stride_rank", stride_rank_);
        fill(desc.padding, "padding", padding_);
        fill(desc.padding_rank, "padding_rank", padding_rank_);
        fill(desc.dilation, "dilation", dilation_);
        fill(desc.dilation_rank, "dilation_rank", dilation_rank_);
        fill(desc.groups, "groups", groups_);
        fill(desc.h, "h", h_);
        fill(desc.w, "w", w_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("k"), pybind11::arg("p"), pybind11::arg("q"),
      pybind11::arg("cg"), pybind11::arg("r"), pybind11::arg("s"), pybind11::arg("stride"),
      pybind11::arg("stride_rank"), pybind11::arg("padding"), pybind11::arg("padding_rank"),
      pybind11::arg("dilation"), pybind11::arg("dilation_rank"), pybind11::arg("groups"),
      pybind11::arg("h"), pybind11::arg("w"), pybind11::arg("T"),
      "The packed descriptor of conv2d_dgrad.");

  m.def(
      "create_conv2d_wgrad_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer k_, opgen::bindings::Integer p_,
         opgen::bindings::Integer q_, opgen::bindings::Integer cg_, opgen::bindings::Integer h_,
         opgen::bindings::Integer w_, const std::vector<opgen::bindings::Integer>& stride_,
         opgen::bindings::Integer stride_rank_,
         const std::vector<opgen::bindings::Integer>& padding_,
         opgen::bindings::Integer padding_rank_,
         const std::vector<opgen::bindings::Integer>& dilation_,
         opgen::bindings::Integer dilation_rank_, opgen::bindings::Integer groups_,
         opgen::bindings::Integer r_, opgen::bindings::Integer s_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"conv2d_wgrad"}};
        auto desc = opgen::zeroed<generated::Conv2dWgradDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.k, "k", k_);
        fill(desc.p, "p", p_);
        fill(desc.q, "q", q_);
        fill(desc.cg, "cg", cg_);
        fill(desc.h, "h", h_);
        fill(desc.w, "w", w_);
        fill(desc.stride, "stride", stride_);
        fill(desc.stride_rank, "stride_rank", stride_rank_);
        fill(desc.padding, "padding", padding_);
        fill(desc.padding_rank, "padding_rank", padding_rank_);
        fill(desc.dilation, "dilation", dilation_);
        fill(desc.dilation_rank, "dilation_rank", dilation_rank_);
        fill(desc.groups, "groups", groups_);
        fill(desc.r, "r", r_);
        fill(desc.s, "s", s_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("k"), pybind11::arg("p"), pybind11::arg("q"),
      pybind11::arg("cg"), pybind11::arg("h"), pybind11::arg("w"), pybind11::arg("stride"),
      pybind11::arg("stride_rank"), pybind11::arg("padding"), pybind11::arg("padding_rank"),
      pybind11::arg("dilation"), pybind11::arg("dilation_rank"), pybind11::arg("groups"),
      pybind11::arg("r"), pybind11::arg("s"), pybind11::arg("T"),
      "The packed descriptor of conv2d_wgrad.");

  m.def(
      "create_cross_entropy_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer c_, opgen::bindings::Integer ignore_index_,
         double label_smoothing_, opgen::bindings::Integer reduction_, opgen::bindings::Integer T_,
         opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"cross_entropy"}};
        auto desc = opgen::zeroed<generated::CrossEntropyDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.c, "c", c_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
        fill(desc.reduction, "reduction", reduction_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy.");

  m.def(
      "create_cross_entropy_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer c_, opgen::bindings::Integer ignore_index_,
         double label_smoothing_, opgen::bindings::Integer reduction_, opgen::bindings::Integer T_,
         opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"cross_entropy_bwd"}};
        auto desc = opgen::zeroed<generated::CrossEntropyBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.c, "c", c_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
        fill(desc.reduction, "reduction", reduction_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy_bwd.");

  m.def(
      "create_cross_entropy_top_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer v_, opgen::bindings::Integer T_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"cross_entropy_top"}};
        auto desc = opgen::zeroed<generated::CrossEntropyTopDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.v, "v", v_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"), pybind11::arg("T"),
      pybind11::arg("Acc"), "The packed descriptor of cross_entropy_top.");

  m.def(
      "create_cross_entropy_terms_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer v_, opgen::bindings::Integer c_,
         opgen::bindings::Integer ignore_index_, double label_smoothing_,
         opgen::bindings::Integer T_, opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"cross_entropy_terms"}};
        auto desc = opgen::zeroed<generated::CrossEntropyTermsDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.v, "v", v_);
        fill(desc.c, "c", c_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("T"),
      pybind11::arg("I"), pybind11::arg("Acc"), "The packed descriptor of cross_entropy_terms.");

  m.def(
      "create_cross_entropy_loss_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer v_, opgen::bindings::Integer ignore_index_,
         double label_smoothing_, opgen::bindings::Integer reduction_, opgen::bindings::Integer T_,
         opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"cross_entropy_loss"}};
        auto desc = opgen::zeroed<generated::CrossEntropyLossDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.v, "v", v_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
        fill(desc.reduction, "reduction", reduction_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy_loss.");

  m.def(
      "create_cross_entropy_bwd_part_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer v_, opgen::bindings::Integer c_,
         opgen::bindings::Integer ignore_index_, double label_smoothing_,
         opgen::bindings::Integer reduction_, opgen::bindings::Integer T_,
         opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"cross_entropy_bwd_part"}};
        auto desc = opgen::zeroed<generated::CrossEntropyBwdPartDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.v, "v", v_);
        fill(desc.c, "c", c_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing_);
        fill(desc.reduction, "reduction", reduction_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy_bwd_part.");

  m.def(
      "create_dropout_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_, double p_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"dropout"}};
        auto desc = opgen::zeroed<generated::DropoutDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.p, "p", p_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("p"), pybind11::arg("T"),
      "The packed descriptor of dropout.");

  m.def(
      "create_embedding_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer rows_, opgen::bindings::Integer d_,
         opgen::bindings::Integer padding_) {
        const opgen::bindings::Fill fill{{"embedding"}};
        auto desc = opgen::zeroed<generated::EmbeddingDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.rows, "rows", rows_);
        fill(desc.d, "d", d_);
        fill(desc.padding, "padding", padding_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      "The packed descriptor of embedding.");

  m.def(
      "create_embedding_bwd_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer rows_, opgen::bindings::Integer d_,
         opgen::bindings::Integer padding_) {
        const opgen::bindings::Fill fill{{"embedding_bwd"}};
        auto desc = opgen::zeroed<generated::EmbeddingBwdDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.rows, "rows", rows_);
        fill(desc.d, "d", d_);
        fill(desc.padding, "padding", padding_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      "The packed descriptor of embedding_bwd.");

  m.def(
      "create_embedding_bwd_bwd_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer rows_, opgen::bindings::Integer d_,
         opgen::bindings::Integer padding_) {
        const opgen::bindings::Fill fill{{"embedding_bwd_bwd"}};
        auto desc = opgen::zeroed<generated::EmbeddingBwdBwdDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.rows, "rows", rows_);
        fill(desc.d, "d", d_);
        fill(desc.padding, "padding", padding_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      "The packed descriptor of embedding_bwd_bwd.");

  m.def(
      "create_embedding_rows_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer d_, opgen::bindings::Integer s_,
         opgen::bindings::Integer s_rank_, opgen::bindings::Integer rows_,
         opgen::bindings::Integer T_, opgen::bindings::Integer I_) {
        const opgen::bindings::Fill fill{{"embedding_rows"}};
        auto desc = opgen::zeroed<generated::EmbeddingRowsDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.d, "d", d_);
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.rows, "rows", rows_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("d"), pybind11::arg("s"), pybind11::arg("s_rank"),
      pybind11::arg("rows"), pybind11::arg("T"), pybind11::arg("I"),
      "The packed descriptor of embedding_rows.");

  m.def(
      "create_embedding_bwd_rows_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer rows_, opgen::bindings::Integer d_,
         opgen::bindings::Integer padding_, opgen::bindings::Integer n_) {
        const opgen::bindings::Fill fill{{"embedding_bwd_rows"}};
        auto desc = opgen::zeroed<generated::EmbeddingBwdRowsDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.rows, "rows", rows_);
        fill(desc.d, "d", d_);
        fill(desc.padding, "padding", padding_);
        fill(desc.n, "n", n_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      pybind11::arg("n"), "The packed descriptor of embedding_bwd_rows.");

  m.def(
      "create_embedding_bag_descriptor",
      [](opgen::bindings::Integer rows_, opgen::bindings::Integer d_, opgen::bindings::Integer n_,
         opgen::bindings::Integer b_, opgen::bindings::Integer mode_, opgen::bindings::Integer T_,
         opgen::bindings::Integer I_) {
        const opgen::bindings::Fill fill{{"embedding_bag"}};
        auto desc = opgen::zeroed<generated::EmbeddingBagDescriptor>();
        fill(desc.rows, "rows", rows_);
        fill(desc.d, "d", d_);
        fill(desc.n, "n", n_);
        fill(desc.b, "b", b_);
        fill(desc.mode, "mode", mode_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("n"), pybind11::arg("b"),
      pybind11::arg("mode"), pybind11::arg("T"), pybind11::arg("I"),
      "The packed descriptor of embedding_bag.");

  m.def(
      "create_embedding_bag_bwd_descriptor",
      [](opgen::bindings::Integer b_, opgen::bindings::Integer d_, opgen::bindings::Integer n_,
         opgen::bindings::Integer rows_, opgen::bindings::Integer mode_,
         opgen::bindings::Integer T_, opgen::bindings::Integer I_) {
        const opgen::bindings::Fill fill{{"embedding_bag_bwd"}};
        auto desc = opgen::zeroed<generated::EmbeddingBagBwdDescriptor>();
        fill(desc.b, "b", b_);
        fill(desc.d, "d", d_);
        fill(desc.n, "n", n_);
        fill(desc.rows, "rows", rows_);
        fill(desc.mode, "mode", mode_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("b"), pybind11::arg("d"), pybind11::arg("n"), pybind11::arg("rows"),
      pybind11::arg("mode"), pybind11::arg("T"), pybind11::arg("I"),
      "The packed descriptor of embedding_bag_bwd.");

  m.def(
      "create_fused_add_rms_norm_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer x_stride_d_, double eps_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"fused_add_rms_norm"}};
        auto desc = opgen::zeroed<generated::FusedAddRmsNormDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.x_stride_d, "x_stride_d", x_stride_d_);
        fill(desc.eps, "eps", eps_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"),
      pybind11::arg("x_stride_d"), pybind11::arg("eps"), pybind11::arg("T"),
      "The packed descriptor of fused_add_rms_norm.");

  m.def(
      "create_fused_add_rms_norm_quant_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer x_stride_d_, double eps_,
         opgen::bindings::Integer dynamic_, opgen::bindings::Integer out_dtype_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"fused_add_rms_norm_quant"}};
        auto desc = opgen::zeroed<generated::FusedAddRmsNormQuantDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.x_stride_d, "x_stride_d", x_stride_d_);
        fill(desc.eps, "eps", eps_);
        fill(desc.dynamic, "dynamic", dynamic_);
        fill(desc.out_dtype, "out_dtype", out_dtype_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"),
      pybind11::arg("x_stride_d"), pybind11::arg("eps"), pybind11::arg("dynamic"),
      pybind11::arg("out_dtype"), pybind11::arg("T"),
      "The packed descriptor of fused_add_rms_norm_quant.");

  m.def(
      "create_gelu_and_mul_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer approximate_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"gelu_and_mul"}};
        auto desc = opgen::zeroed<generated::GeluAndMulDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.approximate, "approximate", approximate_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"),
      pybind11::arg("approximate"), pybind11::arg("T"), "The packed descriptor of gelu_and_mul.");

  m.def(
      "create_gelu_and_mul_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer approximate_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"gelu_and_mul_bwd"}};
        auto desc = opgen::zeroed<generated::GeluAndMulBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.approximate, "approximate", approximate_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"),
      pybind11::arg("approximate"), pybind11::arg("T"),
      "The packed descriptor of gelu_and_mul_bwd.");

  m.def(
      "create_geglu_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer approximate_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"geglu"}};
        auto desc = opgen::zeroed<generated::GegluDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.approximate, "approximate", approximate_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("approximate"), pybind11::arg("T"),
      "The packed descriptor of geglu.");

  m.def(
      "create_geglu_bwd_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer approximate_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"geglu_bwd"}};
        auto desc = opgen::zeroed<generated::GegluBwdDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.approximate, "approximate", approximate_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("approximate"), pybind11::arg("T"),
      "The packed descriptor of geglu_bwd.");

  m.def(
      "create_grouped_gemm_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer k_, opgen::bindings::Integer g_,
         opgen::bindings::Integer n_, opgen::bindings::Integer trans_b_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"grouped_gemm"}};
        auto desc = opgen::zeroed<generated::GroupedGemmDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.k, "k", k_);
        fill(desc.g, "g", g_);
        fill(desc.n, "n", n_);
        fill(desc.trans_b, "trans_b", trans_b_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("k"), pybind11::arg("g"), pybind11::arg("n"),
      pybind11::arg("trans_b"), pybind11::arg("T"), "The packed descriptor of grouped_gemm.");

  m.def(
      "create_grouped_gemm_wgrad_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer k_, opgen::bindings::Integer n_,
         opgen::bindings::Integer g_, opgen::bindings::Integer trans_b_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"grouped_gemm_wgrad"}};
        auto desc = opgen::zeroed<generated::GroupedGemmWgradDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.k, "k", k_);
        fill(desc.n, "n", n_);
        fill(desc.g, "g", g_);
        fill(desc.trans_b, "trans_b", trans_b_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("k"), pybind11::arg("n"), pybind11::arg("g"),
      pybind11::arg("trans_b"), pybind11::arg("T"), "The packed descriptor of grouped_gemm_wgrad.");

  m.def(
      "create_layer_norm_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         const std::vector<opgen::bindings::Integer>& normalized_shape_,
         opgen::bindings::Integer normalized_shape_rank_, double eps_, opgen::bindings::Integer T_,
         opgen::bindings::Integer W_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm"}};
        auto desc = opgen::zeroed<generated::LayerNormDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank_);
        fill(desc.eps, "eps", eps_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("eps"), pybind11::arg("T"),
      pybind11::arg("W"), pybind11::arg("Acc"), "The packed descriptor of layer_norm.");

  m.def(
      "create_layer_norm_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer norm_, opgen::bindings::Integer norm_rank_, double eps_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm_bwd"}};
        auto desc = opgen::zeroed<generated::LayerNormBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.norm, "norm", norm_);
        fill(desc.norm_rank, "norm_rank", norm_rank_);
        fill(desc.eps, "eps", eps_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("eps"), pybind11::arg("T"), pybind11::arg("W"),
      pybind11::arg("Acc"), "The packed descriptor of layer_norm_bwd.");

  m.def(
      "create_layer_norm_mean_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         const std::vector<opgen::bindings::Integer>& normalized_shape_,
         opgen::bindings::Integer normalized_shape_rank_, opgen::bindings::Integer T_,
         opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm_mean"}};
        auto desc = opgen::zeroed<generated::LayerNormMeanDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("T"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_mean.");

  m.def(
      "create_layer_norm_variance_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         const std::vector<opgen::bindings::Integer>& normalized_shape_,
         opgen::bindings::Integer normalized_shape_rank_, opgen::bindings::Integer T_,
         opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm_variance"}};
        auto desc = opgen::zeroed<generated::LayerNormVarianceDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("T"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_variance.");

  m.def(
      "create_layer_norm_scale_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         const std::vector<opgen::bindings::Integer>& normalized_shape_,
         opgen::bindings::Integer normalized_shape_rank_, double eps_, opgen::bindings::Integer T_,
         opgen::bindings::Integer W_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm_scale"}};
        auto desc = opgen::zeroed<generated::LayerNormScaleDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape_);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank_);
        fill(desc.eps, "eps", eps_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("eps"), pybind11::arg("T"),
      pybind11::arg("W"), pybind11::arg("Acc"), "The packed descriptor of layer_norm_scale.");

  m.def(
      "create_layer_norm_bwd_means_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer norm_, opgen::bindings::Integer norm_rank_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm_bwd_means"}};
        auto desc = opgen::zeroed<generated::LayerNormBwdMeansDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.norm, "norm", norm_);
        fill(desc.norm_rank, "norm_rank", norm_rank_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_bwd_means.");

  m.def(
      "create_layer_norm_bwd_apply_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer norm_, opgen::bindings::Integer norm_rank_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"layer_norm_bwd_apply"}};
        auto desc = opgen::zeroed<generated::LayerNormBwdApplyDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.norm, "norm", norm_);
        fill(desc.norm_rank, "norm_rank", norm_rank_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_bwd_apply.");

  m.def(
      "create_linear_cross_entropy_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer c_,
         opgen::bindings::Integer ignore_index_, opgen::bindings::Integer reduction_,
         opgen::bindings::Integer T_, opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"linear_cross_entropy"}};
        auto desc = opgen::zeroed<generated::LinearCrossEntropyDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.c, "c", c_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.reduction, "reduction", reduction_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("reduction"), pybind11::arg("T"),
      pybind11::arg("I"), pybind11::arg("Acc"), "The packed descriptor of linear_cross_entropy.");

  m.def(
      "create_linear_cross_entropy_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer c_,
         opgen::bindings::Integer ignore_index_, opgen::bindings::Integer reduction_,
         opgen::bindings::Integer T_, opgen::bindings::Integer I_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"linear_cross_entropy_bwd"}};
        auto desc = opgen::zeroed<generated::LinearCrossEntropyBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.c, "c", c_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        fill(desc.reduction, "reduction", reduction_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("reduction"), pybind11::arg("T"),
      pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of linear_cross_entropy_bwd.");

  m.def(
      "create_moe_permute_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer d_, opgen::bindings::Integer k_,
         opgen::bindings::Integer e_, opgen::bindings::Integer T_, opgen::bindings::Integer I_) {
        const opgen::bindings::Fill fill{{"moe_permute"}};
        auto desc = opgen::zeroed<generated::MoePermuteDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.d, "d", d_);
        fill(desc.k, "k", k_);
        fill(desc.e, "e", e_);
        fill(desc.T, "T", T_);
        fill(desc.I, "I", I_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("d"), pybind11::arg("k"), pybind11::arg("e"),
      pybind11::arg("T"), pybind11::arg("I"), "The packed descriptor of moe_permute.");

  m.def(
      "create_moe_unpermute_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer k_, opgen::bindings::Integer d_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_) {
        const opgen::bindings::Fill fill{{"moe_unpermute"}};
        auto desc = opgen::zeroed<generated::MoeUnpermuteDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.k, "k", k_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("k"), pybind11::arg("d"), pybind11::arg("T"),
      pybind11::arg("W"), "The packed descriptor of moe_unpermute.");

  m.def(
      "create_moe_unpermute_dgrad_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer d_, opgen::bindings::Integer k_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_) {
        const opgen::bindings::Fill fill{{"moe_unpermute_dgrad"}};
        auto desc = opgen::zeroed<generated::MoeUnpermuteDgradDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.d, "d", d_);
        fill(desc.k, "k", k_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("d"), pybind11::arg("k"), pybind11::arg("T"),
      pybind11::arg("W"), "The packed descriptor of moe_unpermute_dgrad.");

  m.def(
      "create_moe_unpermute_wgrad_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer d_, opgen::bindings::Integer k_,
         opgen::bindings::Integer T_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"moe_unpermute_wgrad"}};
        auto desc = opgen::zeroed<generated::MoeUnpermuteWgradDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.d, "d", d_);
        fill(desc.k, "k", k_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("d"), pybind11::arg("k"), pybind11::arg("T"),
      pybind11::arg("Acc"), "The packed descriptor of moe_unpermute_wgrad.");

  m.def(
      "create_nms_descriptor",
      [](opgen::bindings::Integer n_, double iou_) {
        const opgen::bindings::Fill fill{{"nms"}};
        auto desc = opgen::zeroed<generated::NmsDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.iou, "iou", iou_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("iou"), "The packed descriptor of nms.");

  m.def(
      "create_paged_cache_write_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer h_, opgen::bindings::Integer d_,
         opgen::bindings::Integer nb_, opgen::bindings::Integer bs_,
         opgen::bindings::Integer k_stride_t_, opgen::bindings::Integer k_stride_h_,
         opgen::bindings::Integer k_stride_d_, opgen::bindings::Integer v_stride_t_,
         opgen::bindings::Integer v_stride_h_, opgen::bindings::Integer v_stride_d_,
         opgen::bindings::Integer order_, opgen::bindings::Integer T_,
         opgen::bindings::Integer C_) {
        const opgen::bindings::Fill fill{{"paged_cache_write"}};
        auto desc = opgen::zeroed<generated::PagedCacheWriteDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.h, "h", h_);
        fill(desc.d, "d", d_);
        fill(desc.nb, "nb", nb_);
        fill(desc.bs, "bs", bs_);
        fill(desc.k_stride_t, "k_stride_t", k_stride_t_);
        fill(desc.k_stride_h, "k_stride_h", k_stride_h_);
        fill(desc.k_stride_d, "k_stride_d", k_stride_d_);
        fill(desc.v_stride_t, "v_stride_t", v_stride_t_);
        fill(desc.v_stride_h, "v_stride_h", v_stride_h_);
        fill(desc.v_stride_d, "v_stride_d", v_stride_d_);
        fill(desc.order, "order", order_);
        fill(desc.T, "T", T_);
        fill(desc.C, "C", C_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("h"), pybind11::arg("d"), pybind11::arg("nb"),
      pybind11::arg("bs"), pybind11::arg("k_stride_t"), pybind11::arg("k_stride_h"),
      pybind11::arg("k_stride_d"), pybind11::arg("v_stride_t"), pybind11::arg("v_stride_h"),
      pybind11::arg("v_stride_d"), pybind11::arg("order"), pybind11::arg("T"), pybind11::arg("C"),
      "The packed descriptor of paged_cache_write.");

  m.def(
      "create_quantize_fp8_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer kb_, opgen::bindings::Integer block_,
         opgen::bindings::Integer out_dtype_, opgen::bindings::Integer column_major_, double floor_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"quantize_fp8"}};
        auto desc = opgen::zeroed<generated::QuantizeFp8Descriptor>();
        fill(desc.m, "m", m_);
        fill(desc.kb, "kb", kb_);
        fill(desc.block, "block", block_);
        fill(desc.out_dtype, "out_dtype", out_dtype_);
        fill(desc.column_major, "column_major", column_major_);
        fill(desc.floor, "floor", floor_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("kb"), pybind11::arg("block"), pybind11::arg("out_dtype"),
      pybind11::arg("column_major"), pybind11::arg("floor"), pybind11::arg("T"),
      "The packed descriptor of quantize_fp8.");

  m.def(
      "create_int8_linear_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer k_, opgen::bindings::Integer n_, opgen::bindings::Integer T_,
         opgen::bindings::Integer S_) {
        const opgen::bindings::Fill fill{{"int8_linear"}};
        auto desc = opgen::zeroed<generated::Int8LinearDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.k, "k", k_);
        fill(desc.n, "n", n_);
        fill(desc.T, "T", T_);
        fill(desc.S, "S", S_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("k"), pybind11::arg("n"),
      pybind11::arg("T"), pybind11::arg("S"), "The packed descriptor of int8_linear.");

  m.def(
      "create_int8_linear_dgrad_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer n_, opgen::bindings::Integer k_, opgen::bindings::Integer T_,
         opgen::bindings::Integer S_) {
        const opgen::bindings::Fill fill{{"int8_linear_dgrad"}};
        auto desc = opgen::zeroed<generated::Int8LinearDgradDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.n, "n", n_);
        fill(desc.k, "k", k_);
        fill(desc.T, "T", T_);
        fill(desc.S, "S", S_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("n"), pybind11::arg("k"),
      pybind11::arg("T"), pybind11::arg("S"), "The packed descriptor of int8_linear_dgrad.");

  m.def(
      "create_int4_linear_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer g_, opgen::bindings::Integer h_, opgen::bindings::Integer n_,
         opgen::bindings::Integer T_, opgen::bindings::Integer S_) {
        const opgen::bindings::Fill fill{{"int4_linear"}};
        auto desc = opgen::zeroed<generated::Int4LinearDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.g, "g", g_);
        fill(desc.h, "h", h_);
        fill(desc.n, "n", n_);
        fill(desc.T, "T", T_);
        fill(desc.S, "S", S_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("g"), pybind11::arg("h"),
      pybind11::arg("n"), pybind11::arg("T"), pybind11::arg("S"),
      "The packed descriptor of int4_linear.");

  m.def(
      "create_int4_linear_dgrad_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer n_, opgen::bindings::Integer g_, opgen::bindings::Integer h_,
         opgen::bindings::Integer T_, opgen::bindings::Integer S_) {
        const opgen::bindings::Fill fill{{"int4_linear_dgrad"}};
        auto desc = opgen::zeroed<generated::Int4LinearDgradDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.n, "n", n_);
        fill(desc.g, "g", g_);
        fill(desc.h, "h", h_);
        fill(desc.T, "T", T_);
        fill(desc.S, "S", S_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("n"), pybind11::arg("g"),
      pybind11::arg("h"), pybind11::arg("T"), pybind11::arg("S"),
      "The packed descriptor of int4_linear_dgrad.");

  m.def(
      "create_relu_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"relu"}};
        auto desc = opgen::zeroed<generated::ReluDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of relu.");

  m.def(
      "create_relu_bwd_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer F_) {
        const opgen::bindings::Fill fill{{"relu_bwd"}};
        auto desc = opgen::zeroed<generated::ReluBwdDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.F, "F", F_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("F"),
      "The packed descriptor of relu_bwd.");

  m.def(
      "create_rms_layer_norm_descriptor",
      [](opgen::bindings::Integer rows_, opgen::bindings::Integer columns_, double offset_,
         opgen::bindings::Integer cast_first_, double eps_) {
        const opgen::bindings::Fill fill{{"rms_layer_norm"}};
        auto desc = opgen::zeroed<generated::RmsLayerNormDescriptor>();
        fill(desc.rows, "rows", rows_);
        fill(desc.columns, "columns", columns_);
        fill(desc.offset, "offset", offset_);
        fill(desc.cast_first, "cast_first", cast_first_);
        fill(desc.eps, "eps", eps_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rows"), pybind11::arg("columns"), pybind11::arg("offset"),
      pybind11::arg("cast_first"), pybind11::arg("eps"),
      "The packed descriptor of rms_layer_norm.");

  m.def(
      "create_rms_layer_norm_bwd_descriptor",
      [](opgen::bindings::Integer rows_, opgen::bindings::Integer columns_, double offset_,
         opgen::bindings::Integer cast_first_) {
        const opgen::bindings::Fill fill{{"rms_layer_norm_bwd"}};
        auto desc = opgen::zeroed<generated::RmsLayerNormBwdDescriptor>();
        fill(desc.rows, "rows", rows_);
        fill(desc.columns, "columns", columns_);
        fill(desc.offset, "offset", offset_);
        fill(desc.cast_first, "cast_first", cast_first_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rows"), pybind11::arg("columns"), pybind11::arg("offset"),
      pybind11::arg("cast_first"), "The packed descriptor of rms_layer_norm_bwd.");

  m.def(
      "create_rms_norm_descriptor",
      [](opgen::bindings::Integer n1_, opgen::bindings::Integer n2_, double eps_,
         opgen::ElementType x_type_, opgen::ElementType w_type_,
         opgen::bindings::Integer part_grad_size_) {
        const opgen::bindings::Fill fill{{"rms_norm"}};
        auto desc = opgen::zeroed<generated::RmsNormDescriptor>();
        fill(desc.n1, "n1", n1_);
        fill(desc.n2, "n2", n2_);
        fill(desc.eps, "eps", eps_);
        fill(desc.x_type, "x_type", x_type_);
        fill(desc.w_type, "w_type", w_type_);
        fill(desc.part_grad_size, "part_grad_size", part_grad_size_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n1"), pybind11::arg("n2"), pybind11::arg("eps"), pybind11::arg("x_type"),
      pybind11::arg("w_type"), pybind11::arg("part_grad_size"),
      "The packed descriptor of rms_norm.");

  m.def(
      "create_rms_norm_bwd_descriptor",
      [](opgen::bindings::Integer n1_, opgen::bindings::Integer n2_, double eps_,
         opgen::ElementType x_type_, opgen::ElementType w_type_,
         opgen::bindings::Integer part_grad_size_) {
        const opgen::bindings::Fill fill{{"rms_norm_bwd"}};
        auto desc = opgen::zeroed<generated::RmsNormBwdDescriptor>();
        fill(desc.n1, "n1", n1_);
        fill(desc.n2, "n2", n2_);
        fill(desc.eps, "eps", eps_);
        fill(desc.x_type, "x_type", x_type_);
        fill(desc.w_type, "w_type", w_type_);
        fill(desc.part_grad_size, "part_grad_size", part_grad_size_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n1"), pybind11::arg("n2"), pybind11::arg("eps"), pybind11::arg("x_type"),
      pybind11::arg("w_type"), pybind11::arg("part_grad_size"),
      "The packed descriptor of rms_norm_bwd.");

  m.def(
      "create_rms_norm_squares_descriptor",
      [](opgen::bindings::Integer rows_, opgen::bindings::Integer columns_) {
        const opgen::bindings::Fill fill{{"rms_norm_squares"}};
        auto desc = opgen::zeroed<generated::RmsNormSquaresDescriptor>();
        fill(desc.rows, "rows", rows_);
        fill(desc.columns, "columns", columns_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rows"), pybind11::arg("columns"),
      "The packed descriptor of rms_norm_squares.");

  m.def(
      "create_rms_norm_scale_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer norm_, opgen::bindings::Integer norm_rank_, double eps_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"rms_norm_scale"}};
        auto desc = opgen::zeroed<generated::RmsNormScaleDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.norm, "norm", norm_);
        fill(desc.norm_rank, "norm_rank", norm_rank_);
        fill(desc.eps, "eps", eps_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("eps"), pybind11::arg("T"), pybind11::arg("W"),
      pybind11::arg("Acc"), "The packed descriptor of rms_norm_scale.");

  m.def(
      "create_rms_norm_bwd_products_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer norm_, opgen::bindings::Integer norm_rank_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_, opgen::bindings::Integer Acc_,
         opgen::bindings::Integer Sum_) {
        const opgen::bindings::Fill fill{{"rms_norm_bwd_products"}};
        auto desc = opgen::zeroed<generated::RmsNormBwdProductsDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.norm, "norm", norm_);
        fill(desc.norm_rank, "norm_rank", norm_rank_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        fill(desc.Sum, "Sum", Sum_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      pybind11::arg("Sum"), "The packed descriptor of rms_norm_bwd_products.");

  m.def(
      "create_rms_norm_bwd_apply_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer norm_, opgen::bindings::Integer norm_rank_,
         opgen::bindings::Integer T_, opgen::bindings::Integer W_, opgen::bindings::Integer Acc_,
         opgen::bindings::Integer Sum_) {
        const opgen::bindings::Fill fill{{"rms_norm_bwd_apply"}};
        auto desc = opgen::zeroed<generated::RmsNormBwdApplyDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.norm, "norm", norm_);
        fill(desc.norm_rank, "norm_rank", norm_rank_);
        fill(desc.T, "T", T_);
        fill(desc.W, "W", W_);
        fill(desc.Acc, "Acc", Acc_);
        fill(desc.Sum, "Sum", Sum_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      pybind11::arg("Sum"), "The packed descriptor of rms_norm_bwd_apply.");

  m.def(
      "create_rotary_descriptor",
      [](opgen::bindings::Integer lead_, opgen::bindings::Integer lead_rank_,
         opgen::bindings::Integer t_, opgen::bindings::Integer hk_, opgen::bindings::Integer g_,
         opgen::bindings::Integer d_, opgen::bindings::Integer h_, opgen::bindings::Integer p_,
         opgen::bindings::Integer r_, opgen::bindings::Integer style_,
         opgen::bindings::Integer inverse_, opgen::bindings::Integer T_,
         opgen::bindings::Integer C_, opgen::bindings::Integer I_) {
        const opgen::bindings::Fill fill{{"rotary"}};
        auto desc = opgen::zeroed<generated::RotaryDescriptor>();
        fill(desc.lead, "lead", lead_);
        fill(desc.lead_rank, "lead_rank", lead_rank_);
        fill(desc.t, "t", t_);
        fill(desc.hk, "hk", hk_);
        fill(desc.g, "g", g_);
        fill(desc.d, "d", d_);
        fill(desc.h, "h", h_);
        fill(desc.p, "p", p_);
        fill(desc.r, "r", r_);
        fill(desc.style, "style", style_);
        fill(desc.inverse, "inverse", inverse_);
        fill(desc.T, "T", T_);
        fill(desc.C, "C", C_);
        fill(desc.I, "I", I_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("lead"), pybind11::arg("lead_rank"), pybind11::arg("t"), pybind11::arg("hk"),
      pybind11::arg("g"), pybind11::arg("d"), pybind11::arg("h"), pybind11::arg("p"),
      pybind11::arg("r"), pybind11::arg("style"), pybind11::arg("inverse"), pybind11::arg("T"),
      pybind11::arg("C"), pybind11::arg("I"), "The packed descriptor of rotary.");

  m.def(
      "create_rotary__descriptor",
      [](opgen::bindings::Integer lead_, opgen::bindings::Integer lead_rank_,
         opgen::bindings::Integer t_, opgen::bindings::Integer hk_, opgen::bindings::Integer g_,
         opgen::bindings::Integer d_, opgen::bindings::Integer h_, opgen::bindings::Integer p_,
         opgen::bindings::Integer r_, opgen::bindings::Integer style_,
         opgen::bindings::Integer inverse_, opgen::bindings::Integer T_,
         opgen::bindings::Integer C_, opgen::bindings::Integer I_) {
        const opgen::bindings::Fill fill{{"rotary_"}};
        auto desc = opgen::zeroed<generated::Rotary_Descriptor>();
        fill(desc.lead, "lead", lead_);
        fill(desc.lead_rank, "lead_rank", lead_rank_);
        fill(desc.t, "t", t_);
        fill(desc.hk, "hk", hk_);
        fill(desc.g, "g", g_);
        fill(desc.d, "d", d_);
        fill(desc.h, "h", h_);
        fill(desc.p, "p", p_);
        fill(desc.r, "r", r_);
        fill(desc.style, "style", style_);
        fill(desc.inverse, "inverse", inverse_);
        fill(desc.T, "T", T_);
        fill(desc.C, "C", C_);
        fill(desc.I, "I", I_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("lead"), pybind11::arg("lead_rank"), pybind11::arg("t"), pybind11::arg("hk"),
      pybind11::arg("g"), pybind11::arg("d"), pybind11::arg("h"), pybind11::arg("p"),
      pybind11::arg("r"), pybind11::arg("style"), pybind11::arg("inverse"), pybind11::arg("T"),
      pybind11::arg("C"), pybind11::arg("I"), "The packed descriptor of rotary_.");

  m.def(
      "create_apply_rotary_descriptor",
      [](opgen::bindings::Integer lead_, opgen::bindings::Integer t_, opgen::bindings::Integer d_,
         opgen::bindings::Integer r_, opgen::bindings::Integer heads_first_,
         opgen::bindings::Integer interleaved_, opgen::bindings::Integer inverse_) {
        const opgen::bindings::Fill fill{{"apply_rotary"}};
        auto desc = opgen::zeroed<generated::ApplyRotaryDescriptor>();
        fill(desc.lead, "lead", lead_);
        fill(desc.t, "t", t_);
        fill(desc.d, "d", d_);
        fill(desc.r, "r", r_);
        fill(desc.heads_first, "heads_first", heads_first_);
        fill(desc.interleaved, "interleaved", interleaved_);
        fill(desc.inverse, "inverse", inverse_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("lead"), pybind11::arg("t"), pybind11::arg("d"), pybind11::arg("r"),
      pybind11::arg("heads_first"), pybind11::arg("interleaved"), pybind11::arg("inverse"),
      "The packed descriptor of apply_rotary.");

  m.def(
      "create_silu_and_mul_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"silu_and_mul"}};
        auto desc = opgen::zeroed<generated::SiluAndMulDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of silu_and_mul.");

  m.def(
      "create_silu_and_mul_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"silu_and_mul_bwd"}};
        auto desc = opgen::zeroed<generated::SiluAndMulBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of silu_and_mul_bwd.");

  m.def(
      "create_swiglu_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"swiglu"}};
        auto desc = opgen::zeroed<generated::SwigluDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of swiglu.");

  m.def(
      "create_swiglu_bwd_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"swiglu_bwd"}};
        auto desc = opgen::zeroed<generated::SwigluBwdDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of swiglu_bwd.");

  m.def(
      "create_tensor_add_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer n_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"tensor_add"}};
        auto desc = opgen::zeroed<generated::TensorAddDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.n, "n", n_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("T"),
      "The packed descriptor of tensor_add.");

  m.def(
      "create_tensor_negate_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"tensor_negate"}};
        auto desc = opgen::zeroed<generated::TensorNegateDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of tensor_negate.");

  m.def(
      "create_topk_softmax_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer e_, opgen::bindings::Integer k_,
         opgen::bindings::Integer renormalize_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"topk_softmax"}};
        auto desc = opgen::zeroed<generated::TopkSoftmaxDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.e, "e", e_);
        fill(desc.k, "k", k_);
        fill(desc.renormalize, "renormalize", renormalize_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("e"), pybind11::arg("k"),
      pybind11::arg("renormalize"), pybind11::arg("T"), "The packed descriptor of topk_softmax.");

  m.def(
      "create_topk_softmax_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer e_, opgen::bindings::Integer k_,
         opgen::bindings::Integer renormalize_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"topk_softmax_bwd"}};
        auto desc = opgen::zeroed<generated::TopkSoftmaxBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.e, "e", e_);
        fill(desc.k, "k", k_);
        fill(desc.renormalize, "renormalize", renormalize_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("e"), pybind11::arg("k"),
      pybind11::arg("renormalize"), pybind11::arg("T"),
      "The packed descriptor of topk_softmax_bwd.");

  m.def(
      "create_varlen_attention_descriptor",
      [](opgen::bindings::Integer tq_, opgen::bindings::Integer hk_, opgen::bindings::Integer g_,
         opgen::bindings::Integer d_, opgen::bindings::Integer nb_, opgen::bindings::Integer bs_,
         opgen::bindings::Integer tk_, opgen::bindings::Integer e_, opgen::bindings::Integer b_,
         opgen::bindings::Integer mb_, opgen::bindings::Integer max_q_,
         opgen::bindings::Integer max_k_, double scale_, opgen::bindings::Integer causal_,
         const std::vector<opgen::bindings::Integer>& window_,
         opgen::bindings::Integer window_rank_, double dropout_, opgen::bindings::Integer T_,
         opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"varlen_attention"}};
        auto desc = opgen::zeroed<generated::VarlenAttentionDescriptor>();
        fill(desc.tq, "tq", tq_);
        fill(desc.hk, "hk", hk_);
        fill(desc.g, "g", g_);
        fill(desc.d, "d", d_);
        fill(desc.nb, "nb", nb_);
        fill(desc.bs, "bs", bs_);
        fill(desc.tk, "tk", tk_);
        fill(desc.e, "e", e_);
        fill(desc.b, "b", b_);
        fill(desc.mb, "mb", mb_);
        fill(desc.max_q, "max_q", max_q_);
        fill(desc.max_k, "max_k", max_k_);
        fill(desc.scale, "scale", scale_);
        fill(desc.causal, "causal", causal_);
        fill(desc.window, "window", window_);
        fill(desc.window_rank, "window_rank", window_rank_);
        fill(desc.dropout, "dropout", dropout_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("tq"), pybind11::arg("hk"), pybind11::arg("g"), pybind11::arg("d"),
      pybind11::arg("nb"), pybind11::arg("bs"), pybind11::arg("tk"), pybind11::arg("e"),
      pybind11::arg("b"), pybind11::arg("mb"), pybind11::arg("max_q"), pybind11::arg("max_k"),
      pybind11::arg("scale"), pybind11::arg("causal"), pybind11::arg("window"),
      pybind11::arg("window_rank"), pybind11::arg("dropout"), pybind11::arg("T"),
      pybind11::arg("Acc"), "The packed descriptor of varlen_attention.");

  m.def(
      "create_varlen_attention_bwd_descriptor",
      [](opgen::bindings::Integer tq_, opgen::bindings::Integer hk_, opgen::bindings::Integer g_,
         opgen::bindings::Integer e_, opgen::bindings::Integer d_, opgen::bindings::Integer tk_,
         opgen::bindings::Integer b_, opgen::bindings::Integer max_q_,
         opgen::bindings::Integer max_k_, double scale_, opgen::bindings::Integer causal_,
         const std::vector<opgen::bindings::Integer>& window_,
         opgen::bindings::Integer window_rank_, double dropout_, opgen::bindings::Integer T_,
         opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"varlen_attention_bwd"}};
        auto desc = opgen::zeroed<generated::VarlenAttentionBwdDescriptor>();
        fill(desc.tq, "tq", tq_);
        fill(desc.hk, "hk", hk_);
        fill(desc.g, "g", g_);
        fill(desc.e, "e", e_);
        fill(desc.d, "d", d_);
        fill(desc.tk, "tk", tk_);
        fill(desc.b, "b", b_);
        fill(desc.max_q, "max_q", max_q_);
        fill(desc.max_k, "max_k", max_k_);
        fill(desc.scale, "scale", scale_);
        fill(desc.causal, "causal", causal_);
        fill(desc.window, "window", window_);
        fill(desc.window_rank, "window_rank", window_rank_);
        fill(desc.dropout, "dropout", dropout_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("tq"), pybind11::arg("hk"), pybind11::arg("g"), pybind11::arg("e"),
      pybind11::arg("d"), pybind11::arg("tk"), pybind11::arg("b"), pybind11::arg("max_q"),
      pybind11::arg("max_k"), pybind11::arg("scale"), pybind11::arg("causal"),
      pybind11::arg("window"), pybind11::arg("window_rank"), pybind11::arg("dropout"),
      pybind11::arg("T"), pybind11::arg("Acc"), "The packed descriptor of varlen_attention_bwd.");

  m.def(
      "create_weighted_cross_entropy_descriptor",
      [](opgen::bindings::Integer outer_, opgen::bindings::Integer c_,
         opgen::bindings::Integer inner_, double smoothing_,
         opgen::bindings::Integer ignore_index_) {
        const opgen::bindings::Fill fill{{"weighted_cross_entropy"}};
        auto desc = opgen::zeroed<generated::WeightedCrossEntropyDescriptor>();
        fill(desc.outer, "outer", outer_);
        fill(desc.c, "c", c_);
        fill(desc.inner, "inner", inner_);
        fill(desc.smoothing, "smoothing", smoothing_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("outer"), pybind11::arg("c"), pybind11::arg("inner"),
      pybind11::arg("smoothing"), pybind11::arg("ignore_index"),
      "The packed descriptor of weighted_cross_entropy.");

  m.def(
      "create_weighted_cross_entropy_bwd_descriptor",
      [](opgen::bindings::Integer outer_, opgen::bindings::Integer c_,
         opgen::bindings::Integer inner_, double smoothing_,
         opgen::bindings::Integer ignore_index_) {
        const opgen::bindings::Fill fill{{"weighted_cross_entropy_bwd"}};
        auto desc = opgen::zeroed<generated::WeightedCrossEntropyBwdDescriptor>();
        fill(desc.outer, "outer", outer_);
        fill(desc.c, "c", c_);
        fill(desc.inner, "inner", inner_);
        fill(desc.smoothing, "smoothing", smoothing_);
        fill(desc.ignore_index, "ignore_index", ignore_index_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("outer"), pybind11::arg("c"), pybind11::arg("inner"),
      pybind11::arg("smoothing"), pybind11::arg("ignore_index"),
      "The packed descriptor of weighted_cross_entropy_bwd.");

  m.def(
      "create_soft_cross_entropy_descriptor",
      [](opgen::bindings::Integer outer_, opgen::bindings::Integer c_,
         opgen::bindings::Integer inner_, double smoothing_, opgen::bindings::Integer divisor_) {
        const opgen::bindings::Fill fill{{"soft_cross_entropy"}};
        auto desc = opgen::zeroed<generated::SoftCrossEntropyDescriptor>();
        fill(desc.outer, "outer", outer_);
        fill(desc.c, "c", c_);
        fill(desc.inner, "inner", inner_);
        fill(desc.smoothing, "smoothing", smoothing_);
        fill(desc.divisor, "divisor", divisor_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("outer"), pybind11::arg("c"), pybind11::arg("inner"),
      pybind11::arg("smoothing"), pybind11::arg("divisor"),
      "The packed descriptor of soft_cross_entropy.");

  m.def(
      "create_soft_cross_entropy_bwd_descriptor",
      [](opgen::bindings::Integer outer_, opgen::bindings::Integer c_,
         opgen::bindings::Integer inner_, double smoothing_, opgen::bindings::Integer divisor_) {
        const opgen::bindings::Fill fill{{"soft_cross_entropy_bwd"}};
        auto desc = opgen::zeroed<generated::SoftCrossEntropyBwdDescriptor>();
        fill(desc.outer, "outer", outer_);
        fill(desc.c, "c", c_);
        fill(desc.inner, "inner", inner_);
        fill(desc.smoothing, "smoothing", smoothing_);
        fill(desc.divisor, "divisor", divisor_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("outer"), pybind11::arg("c"), pybind11::arg("inner"),
      pybind11::arg("smoothing"), pybind11::arg("divisor"),
      "The packed descriptor of soft_cross_entropy_bwd.");

  opgen::bindings::add_registrations(m, {
#ifdef OPGEN_JAX
      {"cpu", "generated.adamw_", reinterpret_cast<void*>(&generated_adamw__cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.adamw_", reinterpret_cast<void*>(&generated_adamw__cuda_ffi)},
#endif
      {"cpu", "generated.conv2d", reinterpret_cast<void*>(&generated_conv2d_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.conv2d", reinterpret_cast<void*>(&generated_conv2d_cuda_ffi)},
#endif
      {"cpu", "generated.conv2d_dgrad", reinterpret_cast<void*>(&generated_conv2d_dgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.conv2d_dgrad", reinterpret_cast<void*>(&generated_conv2d_dgrad_cuda_ffi)},
#endif
      {"cpu", "generated.conv2d_wgrad", reinterpret_cast<void*>(&generated_conv2d_wgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.conv2d_wgrad", reinterpret_cast<void*>(&generated_conv2d_wgrad_cuda_ffi)},
#endif
      {"cpu", "generated.cross_entropy", reinterpret_cast<void*>(&generated_cross_entropy_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.cross_entropy",
       reinterpret_cast<void*>(&generated_cross_entropy_cuda_ffi)},
#endif
      {"cpu", "generated.cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_cross_entropy_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_cross_entropy_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.cross_entropy_top",
       reinterpret_cast<void*>(&generated_cross_entropy_top_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.cross_entropy_top",
       reinterpret_cast<void*>(&generated_cross_entropy_top_cuda_ffi)},
#endif
      {"cpu", "generated.cross_entropy_terms",
       reinterpret_cast<void*>(&generated_cross_entropy_terms_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.cross_entropy_terms",
       reinterpret_cast<void*>(&generated_cross_entropy_terms_cuda_ffi)},
#endif
      {"cpu", "generated.cross_entropy_loss",
       reinterpret_cast<void*>(&generated_cross_entropy_loss_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.cross_entropy_loss",
       reinterpret_cast<void*>(&generated_cross_entropy_loss_cuda_ffi)},
#endif
      {"cpu", "generated.cross_entropy_bwd_part",
       reinterpret_cast<void*>(&generated_cross_entropy_bwd_part_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.cross_entropy_bwd_part",
       reinterpret_cast<void*>(&generated_cross_entropy_bwd_part_cuda_ffi)},
#endif
      {"cpu", "generated.dropout", reinterpret_cast<void*>(&generated_dropout_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.dropout", reinterpret_cast<void*>(&generated_dropout_cuda_ffi)},
#endif
      {"cpu", "generated.embedding", reinterpret_cast<void*>(&generated_embedding_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding", reinterpret_cast<void*>(&generated_embedding_cuda_ffi)},
#endif
      {"cpu", "generated.embedding_bwd", reinterpret_cast<void*>(&generated_embedding_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding_bwd",
       reinterpret_cast<void*>(&generated_embedding_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.embedding_bwd_bwd",
       reinterpret_cast<void*>(&generated_embedding_bwd_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding_bwd_bwd",
       reinterpret_cast<void*>(&generated_embedding_bwd_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.embedding_rows",
       reinterpret_cast<void*>(&generated_embedding_rows_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding_rows",
       reinterpret_cast<void*>(&generated_embedding_rows_cuda_ffi)},
#endif
      {"cpu", "generated.embedding_bwd_rows",
       reinterpret_cast<void*>(&generated_embedding_bwd_rows_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding_bwd_rows",
       reinterpret_cast<void*>(&generated_embedding_bwd_rows_cuda_ffi)},
#endif
      {"cpu", "generated.embedding_bag", reinterpret_cast<void*>(&generated_embedding_bag_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding_bag",
       reinterpret_cast<void*>(&generated_embedding_bag_cuda_ffi)},
#endif
      {"cpu", "generated.embedding_bag_bwd",
       reinterpret_cast<void*>(&generated_embedding_bag_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.embedding_bag_bwd",
       reinterpret_cast<void*>(&generated_embedding_bag_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.fused_add_rms_norm",
       reinterpret_cast<void*>(&generated_fused_add_rms_norm_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.fused_add_rms_norm",
       reinterpret_cast<void*>(&generated_fused_add_rms_norm_cuda_ffi)},
#endif
      {"cpu", "generated.fused_add_rms_norm_quant",
       reinterpret_cast<void*>(&generated_fused_add_rms_norm_quant_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.fused_add_rms_norm_quant",
       reinterpret_cast<void*>(&generated_fused_add_rms_norm_quant_cuda_ffi)},
#endif
      {"cpu", "generated.gelu_and_mul", reinterpret_cast<void*>(&generated_gelu_and_mul_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.gelu_and_mul", reinterpret_cast<void*>(&generated_gelu_and_mul_cuda_ffi)},
#endif
      {"cpu", "generated.gelu_and_mul_bwd",
       reinterpret_cast<void*>(&generated_gelu_and_mul_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.gelu_and_mul_bwd",
       reinterpret_cast<void*>(&generated_gelu_and_mul_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.geglu", reinterpret_cast<void*>(&generated_geglu_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.geglu", reinterpret_cast<void*>(&generated_geglu_cuda_ffi)},
#endif
      {"cpu", "generated.geglu_bwd", reinterpret_cast<void*>(&generated_geglu_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.geglu_bwd", reinterpret_cast<void*>(&generated_geglu_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.grouped_gemm", reinterpret_cast<void*>(&generated_grouped_gemm_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.grouped_gemm", reinterpret_cast<void*>(&generated_grouped_gemm_cuda_ffi)},
#endif
      {"cpu", "generated.grouped_gemm_wgrad",
       reinterpret_cast<void*>(&generated_grouped_gemm_wgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.grouped_gemm_wgrad",
       reinterpret_cast<void*>(&generated_grouped_gemm_wgrad_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm", reinterpret_cast<void*>(&generated_layer_norm_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm", reinterpret_cast<void*>(&generated_layer_norm_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm_bwd",
       reinterpret_cast<void*>(&generated_layer_norm_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm_bwd",
       reinterpret_cast<void*>(&generated_layer_norm_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm_mean",
       reinterpret_cast<void*>(&generated_layer_norm_mean_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm_mean",
       reinterpret_cast<void*>(&generated_layer_norm_mean_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm_variance",
       reinterpret_cast<void*>(&generated_layer_norm_variance_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm_variance",
       reinterpret_cast<void*>(&generated_layer_norm_variance_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm_scale",
       reinterpret_cast<void*>(&generated_layer_norm_scale_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm_scale",
       reinterpret_cast<void*>(&generated_layer_norm_scale_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm_bwd_means",
       reinterpret_cast<void*>(&generated_layer_norm_bwd_means_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm_bwd_means",
       reinterpret_cast<void*>(&generated_layer_norm_bwd_means_cuda_ffi)},
#endif
      {"cpu", "generated.layer_norm_bwd_apply",
       reinterpret_cast<void*>(&generated_layer_norm_bwd_apply_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.layer_norm_bwd_apply",
       reinterpret_cast<void*>(&generated_layer_norm_bwd_apply_cuda_ffi)},
#endif
      {"cpu", "generated.linear_cross_entropy",
       reinterpret_cast<void*>(&generated_linear_cross_entropy_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.linear_cross_entropy",
       reinterpret_cast<void*>(&generated_linear_cross_entropy_cuda_ffi)},
#endif
      {"cpu", "generated.linear_cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_linear_cross_entropy_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.linear_cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_linear_cross_entropy_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.moe_permute", reinterpret_cast<void*>(&generated_moe_permute_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.moe_permute", reinterpret_cast<void*>(&generated_moe_permute_cuda_ffi)},
#endif
      {"cpu", "generated.moe_unpermute", reinterpret_cast<void*>(&generated_moe_unpermute_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.moe_unpermute",
       reinterpret_cast<void*>(&generated_moe_unpermute_cuda_ffi)},
#endif
      {"cpu", "generated.moe_unpermute_dgrad",
       reinterpret_cast<void*>(&generated_moe_unpermute_dgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.moe_unpermute_dgrad",
       reinterpret_cast<void*>(&generated_moe_unpermute_dgrad_cuda_ffi)},
#endif
      {"cpu", "generated.moe_unpermute_wgrad",
       reinterpret_cast<void*>(&generated_moe_unpermute_wgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.moe_unpermute_wgrad",
       reinterpret_cast<void*>(&generated_moe_unpermute_wgrad_cuda_ffi)},
#endif
      {"cpu", "generated.nms", reinterpret_cast<void*>(&generated_nms_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.nms", reinterpret_cast<void*>(&generated_nms_cuda_ffi)},
#endif
      {"cpu", "generated.paged_cache_write",
       reinterpret_cast<void*>(&generated_paged_cache_write_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.paged_cache_write",
       reinterpret_cast<void*>(&generated_paged_cache_write_cuda_ffi)},
#endif
      {"cpu", "generated.quantize_fp8", reinterpret_cast<void*>(&generated_quantize_fp8_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.quantize_fp8", reinterpret_cast<void*>(&generated_quantize_fp8_cuda_ffi)},
#endif
      {"cpu", "generated.int8_linear", reinterpret_cast<void*>(&generated_int8_linear_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.int8_linear", reinterpret_cast<void*>(&generated_int8_linear_cuda_ffi)},
#endif
      {"cpu", "generated.int8_linear_dgrad",
       reinterpret_cast<void*>(&generated_int8_linear_dgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.int8_linear_dgrad",
       reinterpret_cast<void*>(&generated_int8_linear_dgrad_cuda_ffi)},
#endif
      {"cpu", "generated.int4_linear", reinterpret_cast<void*>(&generated_int4_linear_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.int4_linear", reinterpret_cast<void*>(&generated_int4_linear_cuda_ffi)},
#endif
      {"cpu", "generated.int4_linear_dgrad",
       reinterpret_cast<void*>(&generated_int4_linear_dgrad_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.int4_linear_dgrad",
       reinterpret_cast<void*>(&generated_int4_linear_dgrad_cuda_ffi)},
#endif
      {"cpu", "generated.relu", reinterpret_cast<void*>(&generated_relu_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.relu", reinterpret_cast<void*>(&generated_relu_cuda_ffi)},
#endif
      {"cpu", "generated.relu_bwd", reinterpret_cast<void*>(&generated_relu_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.relu_bwd", reinterpret_cast<void*>(&generated_relu_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.rms_layer_norm",
       reinterpret_cast<void*>(&generated_rms_layer_norm_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_layer_norm",
       reinterpret_cast<void*>(&generated_rms_layer_norm_cuda_ffi)},
#endif
      {"cpu", "generated.rms_layer_norm_bwd",
       reinterpret_cast<void*>(&generated_rms_layer_norm_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_layer_norm_bwd",
       reinterpret_cast<void*>(&generated_rms_layer_norm_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm", reinterpret_cast<void*>(&generated_rms_norm_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_norm", reinterpret_cast<void*>(&generated_rms_norm_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm_bwd", reinterpret_cast<void*>(&generated_rms_norm_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_norm_bwd", reinterpret_cast<void*>(&generated_rms_norm_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm_squares",
       reinterpret_cast<void*>(&generated_rms_norm_squares_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_norm_squares",
       reinterpret_cast<void*>(&generated_rms_norm_squares_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm_scale",
       reinterpret_cast<void*>(&generated_rms_norm_scale_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_norm_scale",
       reinterpret_cast<void*>(&generated_rms_norm_scale_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm_bwd_products",
       reinterpret_cast<void*>(&generated_rms_norm_bwd_products_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_norm_bwd_products",
       reinterpret_cast<void*>(&generated_rms_norm_bwd_products_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm_bwd_apply",
       reinterpret_cast<void*>(&generated_rms_norm_bwd_apply_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rms_norm_bwd_apply",
       reinterpret_cast<void*>(&generated_rms_norm_bwd_apply_cuda_ffi)},
#endif
      {"cpu", "generated.rotary", reinterpret_cast<void*>(&generated_rotary_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rotary", reinterpret_cast<void*>(&generated_rotary_cuda_ffi)},
#endif
      {"cpu", "generated.rotary_", reinterpret_cast<void*>(&generated_rotary__cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.rotary_", reinterpret_cast<void*>(&generated_rotary__cuda_ffi)},
#endif
      {"cpu", "generated.apply_rotary", reinterpret_cast<void*>(&generated_apply_rotary_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.apply_rotary", reinterpret_cast<void*>(&generated_apply_rotary_cuda_ffi)},
#endif
      {"cpu", "generated.silu_and_mul", reinterpret_cast<void*>(&generated_silu_and_mul_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.silu_and_mul", reinterpret_cast<void*>(&generated_silu_and_mul_cuda_ffi)},
#endif
      {"cpu", "generated.silu_and_mul_bwd",
       reinterpret_cast<void*>(&generated_silu_and_mul_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.silu_and_mul_bwd",
       reinterpret_cast<void*>(&generated_silu_and_mul_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.swiglu", reinterpret_cast<void*>(&generated_swiglu_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.swiglu", reinterpret_cast<void*>(&generated_swiglu_cuda_ffi)},
#endif
      {"cpu", "generated.swiglu_bwd", reinterpret_cast<void*>(&generated_swiglu_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.swiglu_bwd", reinterpret_cast<void*>(&generated_swiglu_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.tensor_add", reinterpret_cast<void*>(&generated_tensor_add_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.tensor_add", reinterpret_cast<void*>(&generated_tensor_add_cuda_ffi)},
#endif
      {"cpu", "generated.tensor_negate", reinterpret_cast<void*>(&generated_tensor_negate_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.tensor_negate",
       reinterpret_cast<void*>(&generated_tensor_negate_cuda_ffi)},
#endif
      {"cpu", "generated.topk_softmax", reinterpret_cast<void*>(&generated_topk_softmax_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.topk_softmax", reinterpret_cast<void*>(&generated_topk_softmax_cuda_ffi)},
#endif
      {"cpu", "generated.topk_softmax_bwd",
       reinterpret_cast<void*>(&generated_topk_softmax_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.topk_softmax_bwd",
       reinterpret_cast<void*>(&generated_topk_softmax_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.varlen_attention",
       reinterpret_cast<void*>(&generated_varlen_attention_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.varlen_attention",
       reinterpret_cast<void*>(&generated_varlen_attention_cuda_ffi)},
#endif
      {"cpu", "generated.varlen_attention_bwd",
       reinterpret_cast<void*>(&generated_varlen_attention_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.varlen_attention_bwd",
       reinterpret_cast<void*>(&generated_varlen_attention_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.weighted_cross_entropy",
       reinterpret_cast<void*>(&generated_weighted_cross_entropy_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.weighted_cross_entropy",
       reinterpret_cast<void*>(&generated_weighted_cross_entropy_cuda_ffi)},
#endif
      {"cpu", "generated.weighted_cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_weighted_cross_entropy_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.weighted_cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_weighted_cross_entropy_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.soft_cross_entropy",
       reinterpret_cast<void*>(&generated_soft_cross_entropy_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.soft_cross_entropy",
       reinterpret_cast<void*>(&generated_soft_cross_entropy_cuda_ffi)},
#endif
      {"cpu", "generated.soft_cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_soft_cross_entropy_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.soft_cross_entropy_bwd",
       reinterpret_cast<void*>(&generated_soft_cross_entropy_bwd_cuda_ffi)},
#endif
#endif
  });
}
