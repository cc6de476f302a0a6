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
#include "grouped_gemm.h"
#include "layer_norm.h"
#include "nms.h"
#include "paged_cache_write.h"
#include "quantize_fp8.h"
#include "relu.h"
#include "rms_norm.h"
#include "rotary.h"
#include "silu_and_mul.h"
#include "tensor_add.h"
#include "tensor_negate.h"
#include "topk_softmax.h"
#include "varlen_attention.h"

#ifdef OPGEN_JAX
extern "C" void* generated_adamw__cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_adamw__cuda_ffi(void*);
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
extern "C" void* generated_relu_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_relu_cuda_ffi(void*);
#endif
extern "C" void* generated_relu_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_relu_bwd_cuda_ffi(void*);
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
extern "C" void* generated_silu_and_mul_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_silu_and_mul_cuda_ffi(void*);
#endif
extern "C" void* generated_silu_and_mul_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_silu_and_mul_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_tensor_add_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_tensor_add_cuda_ffi(void*);
#endif
extern "C" void* generated_tensor_negate_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_tensor_negate_cuda_ffi(void*);
#endif
#endif

PYBIND11_MODULE(bindings, m) {
  opgen::bindings::add_element_types(m);

  m.def(
      "create_adamw__descriptor",
      [](double beta1, double beta2, double eps, double weight_decay,
         opgen::bindings::Integer amsgrad, opgen::bindings::Integer maximize,
         opgen::bindings::Integer T, opgen::bindings::Integer G, opgen::bindings::Integer M,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"adamw_"}};
        auto desc = opgen::zeroed<generated::Adamw_Descriptor>();
        fill(desc.beta1, "beta1", beta1);
        fill(desc.beta2, "beta2", beta2);
        fill(desc.eps, "eps", eps);
        fill(desc.weight_decay, "weight_decay", weight_decay);
        fill(desc.amsgrad, "amsgrad", amsgrad);
        fill(desc.maximize, "maximize", maximize);
        fill(desc.T, "T", T);
        fill(desc.G, "G", G);
        fill(desc.M, "M", M);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("beta1"), pybind11::arg("beta2"), pybind11::arg("eps"),
      pybind11::arg("weight_decay"), pybind11::arg("amsgrad"), pybind11::arg("maximize"),
      pybind11::arg("T"), pybind11::arg("G"), pybind11::arg("M"), pybind11::arg("Acc"),
      "The packed descriptor of adamw_.");

  m.def(
      "create_conv2d_descriptor",
      [](opgen::bindings::Integer n, opgen::bindings::Integer cg, opgen::bindings::Integer h,
         opgen::bindings::Integer w, opgen::bindings::Integer k, opgen::bindings::Integer r,
         opgen::bindings::Integer s, opgen::bindings::Integer p, opgen::bindings::Integer q,
         const std::vector<opgen::bindings::Integer>& stride, opgen::bindings::Integer stride_rank,
         const std::vector<opgen::bindings::Integer>& padding,
         opgen::bindings::Integer padding_rank,
         const std::vector<opgen::bindings::Integer>& dilation,
         opgen::bindings::Integer dilation_rank, opgen::bindings::Integer groups,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"conv2d"}};
        auto desc = opgen::zeroed<generated::Conv2dDescriptor>();
        fill(desc.n, "n", n);
        fill(desc.cg, "cg", cg);
        fill(desc.h, "h", h);
        fill(desc.w, "w", w);
        fill(desc.k, "k", k);
        fill(desc.r, "r", r);
        fill(desc.s, "s", s);
        fill(desc.p, "p", p);
        fill(desc.q, "q", q);
        fill(desc.stride, "stride", stride);
        fill(desc.stride_rank, "stride_rank", stride_rank);
        fill(desc.padding, "padding", padding);
        fill(desc.padding_rank, "padding_rank", padding_rank);
        fill(desc.dilation, "dilation", dilation);
        fill(desc.dilation_rank, "dilation_rank", dilation_rank);
        fill(desc.groups, "groups", groups);
        fill(desc.T, "T", T);
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
      [](opgen::bindings::Integer n, opgen::bindings::Integer k, opgen::bindings::Integer p,
         opgen::bindings::Integer q, opgen::bindings::Integer cg, opgen::bindings::Integer r,
         opgen::bindings::Integer s, const std::vector<opgen::bindings::Integer>& stride,
         opgen::bindings::Integer stride_rank, const std::vector<opgen::bindings::Integer>& padding,
         opgen::bindings::Integer padding_rank,
         const std::vector<opgen::bindings::Integer>& dilation,
         opgen::bindings::Integer dilation_rank, opgen::bindings::Integer groups,
         opgen::bindings::Integer h, opgen::bindings::Integer w, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"conv2d_dgrad"}};
        auto desc = opgen::zeroed<generated::Conv2dDgradDescriptor>();
        fill(desc.n, "n", n);
        fill(desc.k, "k", k);
        fill(desc.p, "p", p);
        fill(desc.q, "q", q);
        fill(desc.cg, "cg", cg);
        fill(desc.r, "r", r);
        fill(desc.s, "s", s);
        fill(desc.stride, "stride", stride);
        fill(desc.stride_rank, "stride_rank", stride_rank);
        fill(desc.padding, "padding", padding);
        fill(desc.padding_rank, "padding_rank", padding_rank);
        fill(desc.dilation, "dilation", dilation);
        fill(desc.dilation_rank, "dilation_rank", dilation_rank);
        fill(desc.groups, "groups", groups);
        fill(desc.h, "h", h);
        fill(desc.w, "w", w);
        fill(desc.T, "T", T);
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
      [](opgen::bindings::Integer n, opgen::bindings::Integer k, opgen::bindings::Integer p,
         opgen::bindings::Integer q, opgen::bindings::Integer cg, opgen::bindings::Integer h,
         opgen::bindings::Integer w, const std::vector<opgen::bindings::Integer>& stride,
         opgen::bindings::Integer stride_rank, const std::vector<opgen::bindings::Integer>& padding,
         opgen::bindings::Integer padding_rank,
         const std::vector<opgen::bindings::Integer>& dilation,
         opgen::bindings::Integer dilation_rank, opgen::bindings::Integer groups,
         opgen::bindings::Integer r, opgen::bindings::Integer s, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"conv2d_wgrad"}};
        auto desc = opgen::zeroed<generated::Conv2dWgradDescriptor>();
        fill(desc.n, "n", n);
        fill(desc.k, "k", k);
        fill(desc.p, "p", p);
        fill(desc.q, "q", q);
        fill(desc.cg, "cg", cg);
        fill(desc.h, "h", h);
        fill(desc.w, "w", w);
        fill(desc.stride, "stride", stride);
        fill(desc.stride_rank, "stride_rank", stride_rank);
        fill(desc.padding, "padding", padding);
        fill(desc.padding_rank, "padding_rank", padding_rank);
        fill(desc.dilation, "dilation", dilation);
        fill(desc.dilation_rank, "dilation_rank", dilation_rank);
        fill(desc.groups, "groups", groups);
        fill(desc.r, "r", r);
        fill(desc.s, "s", s);
        fill(desc.T, "T", T);
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
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer c, opgen::bindings::Integer ignore_index, double label_smoothing,
         opgen::bindings::Integer reduction, opgen::bindings::Integer T, opgen::bindings::Integer I,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"cross_entropy"}};
        auto desc = opgen::zeroed<generated::CrossEntropyDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.c, "c", c);
        fill(desc.ignore_index, "ignore_index", ignore_index);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing);
        fill(desc.reduction, "reduction", reduction);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy.");

  m.def(
      "create_cross_entropy_bwd_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer c, opgen::bindings::Integer ignore_index, double label_smoothing,
         opgen::bindings::Integer reduction, opgen::bindings::Integer T, opgen::bindings::Integer I,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"cross_entropy_bwd"}};
        auto desc = opgen::zeroed<generated::CrossEntropyBwdDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.c, "c", c);
        fill(desc.ignore_index, "ignore_index", ignore_index);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing);
        fill(desc.reduction, "reduction", reduction);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy_bwd.");

  m.def(
      "create_cross_entropy_top_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer v, opgen::bindings::Integer T, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"cross_entropy_top"}};
        auto desc = opgen::zeroed<generated::CrossEntropyTopDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.v, "v", v);
        fill(desc.T, "T", T);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"), pybind11::arg("T"),
      pybind11::arg("Acc"), "The packed descriptor of cross_entropy_top.");

  m.def(
      "create_cross_entropy_terms_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer v, opgen::bindings::Integer c,
         opgen::bindings::Integer ignore_index, double label_smoothing, opgen::bindings::Integer T,
         opgen::bindings::Integer I, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"cross_entropy_terms"}};
        auto desc = opgen::zeroed<generated::CrossEntropyTermsDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.v, "v", v);
        fill(desc.c, "c", c);
        fill(desc.ignore_index, "ignore_index", ignore_index);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("T"),
      pybind11::arg("I"), pybind11::arg("Acc"), "The packed descriptor of cross_entropy_terms.");

  m.def(
      "create_cross_entropy_loss_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer v, opgen::bindings::Integer ignore_index, double label_smoothing,
         opgen::bindings::Integer reduction, opgen::bindings::Integer T, opgen::bindings::Integer I,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"cross_entropy_loss"}};
        auto desc = opgen::zeroed<generated::CrossEntropyLossDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.v, "v", v);
        fill(desc.ignore_index, "ignore_index", ignore_index);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing);
        fill(desc.reduction, "reduction", reduction);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy_loss.");

  m.def(
      "create_cross_entropy_bwd_part_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer v, opgen::bindings::Integer c,
         opgen::bindings::Integer ignore_index, double label_smoothing,
         opgen::bindings::Integer reduction, opgen::bindings::Integer T, opgen::bindings::Integer I,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"cross_entropy_bwd_part"}};
        auto desc = opgen::zeroed<generated::CrossEntropyBwdPartDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.v, "v", v);
        fill(desc.c, "c", c);
        fill(desc.ignore_index, "ignore_index", ignore_index);
        fill(desc.label_smoothing, "label_smoothing", label_smoothing);
        fill(desc.reduction, "reduction", reduction);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("v"), pybind11::arg("c"),
      pybind11::arg("ignore_index"), pybind11::arg("label_smoothing"), pybind11::arg("reduction"),
      pybind11::arg("T"), pybind11::arg("I"), pybind11::arg("Acc"),
      "The packed descriptor of cross_entropy_bwd_part.");

  m.def(
      "create_dropout_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer s_rank, double p,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"dropout"}};
        auto desc = opgen::zeroed<generated::DropoutDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.s_rank, "s_rank", s_rank);
        fill(desc.p, "p", p);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("p"), pybind11::arg("T"),
      "The packed descriptor of dropout.");

  m.def(
      "create_embedding_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer rows, opgen::bindings::Integer d,
         opgen::bindings::Integer padding) {
        const opgen::bindings::Fill fill{{"embedding"}};
        auto desc = opgen::zeroed<generated::EmbeddingDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.rows, "rows", rows);
        fill(desc.d, "d", d);
        fill(desc.padding, "padding", padding);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      "The packed descriptor of embedding.");

  m.def(
      "create_embedding_bwd_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer rows, opgen::bindings::Integer d,
         opgen::bindings::Integer padding) {
        const opgen::bindings::Fill fill{{"embedding_bwd"}};
        auto desc = opgen::zeroed<generated::EmbeddingBwdDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.rows, "rows", rows);
        fill(desc.d, "d", d);
        fill(desc.padding, "padding", padding);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      "The packed descriptor of embedding_bwd.");

  m.def(
      "create_embedding_bwd_bwd_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer rows, opgen::bindings::Integer d,
         opgen::bindings::Integer padding) {
        const opgen::bindings::Fill fill{{"embedding_bwd_bwd"}};
        auto desc = opgen::zeroed<generated::EmbeddingBwdBwdDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.rows, "rows", rows);
        fill(desc.d, "d", d);
        fill(desc.padding, "padding", padding);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      "The packed descriptor of embedding_bwd_bwd.");

  m.def(
      "create_embedding_rows_descriptor",
      [](opgen::bindings::Integer n, opgen::bindings::Integer d, opgen::bindings::Integer s,
         opgen::bindings::Integer s_rank, opgen::bindings::Integer rows, opgen::bindings::Integer T,
         opgen::bindings::Integer I) {
        const opgen::bindings::Fill fill{{"embedding_rows"}};
        auto desc = opgen::zeroed<generated::EmbeddingRowsDescriptor>();
        fill(desc.n, "n", n);
        fill(desc.d, "d", d);
        fill(desc.s, "s", s);
        fill(desc.s_rank, "s_rank", s_rank);
        fill(desc.rows, "rows", rows);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("d"), pybind11::arg("s"), pybind11::arg("s_rank"),
      pybind11::arg("rows"), pybind11::arg("T"), pybind11::arg("I"),
      "The packed descriptor of embedding_rows.");

  m.def(
      "create_embedding_bwd_rows_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer rows, opgen::bindings::Integer d,
         opgen::bindings::Integer padding, opgen::bindings::Integer n) {
        const opgen::bindings::Fill fill{{"embedding_bwd_rows"}};
        auto desc = opgen::zeroed<generated::EmbeddingBwdRowsDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.rows, "rows", rows);
        fill(desc.d, "d", d);
        fill(desc.padding, "padding", padding);
        fill(desc.n, "n", n);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("padding"),
      pybind11::arg("n"), "The packed descriptor of embedding_bwd_rows.");

  m.def(
      "create_embedding_bag_descriptor",
      [](opgen::bindings::Integer rows, opgen::bindings::Integer d, opgen::bindings::Integer n,
         opgen::bindings::Integer b, opgen::bindings::Integer mode, opgen::bindings::Integer T,
         opgen::bindings::Integer I) {
        const opgen::bindings::Fill fill{{"embedding_bag"}};
        auto desc = opgen::zeroed<generated::EmbeddingBagDescriptor>();
        fill(desc.rows, "rows", rows);
        fill(desc.d, "d", d);
        fill(desc.n, "n", n);
        fill(desc.b, "b", b);
        fill(desc.mode, "mode", mode);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rows"), pybind11::arg("d"), pybind11::arg("n"), pybind11::arg("b"),
      pybind11::arg("mode"), pybind11::arg("T"), pybind11::arg("I"),
      "The packed descriptor of embedding_bag.");

  m.def(
      "create_embedding_bag_bwd_descriptor",
      [](opgen::bindings::Integer b, opgen::bindings::Integer d, opgen::bindings::Integer n,
         opgen::bindings::Integer rows, opgen::bindings::Integer mode, opgen::bindings::Integer T,
         opgen::bindings::Integer I) {
        const opgen::bindings::Fill fill{{"embedding_bag_bwd"}};
        auto desc = opgen::zeroed<generated::EmbeddingBagBwdDescriptor>();
        fill(desc.b, "b", b);
        fill(desc.d, "d", d);
        fill(desc.n, "n", n);
        fill(desc.rows, "rows", rows);
        fill(desc.mode, "mode", mode);
        fill(desc.T, "T", T);
        fill(desc.I, "I", I);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("b"), pybind11::arg("d"), pybind11::arg("n"), pybind11::arg("rows"),
      pybind11::arg("mode"), pybind11::arg("T"), pybind11::arg("I"),
      "The packed descriptor of embedding_bag_bwd.");

  m.def(
      "create_fused_add_rms_norm_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer x_stride_d, double eps,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"fused_add_rms_norm"}};
        auto desc = opgen::zeroed<generated::FusedAddRmsNormDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.x_stride_d, "x_stride_d", x_stride_d);
        fill(desc.eps, "eps", eps);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"),
      pybind11::arg("x_stride_d"), pybind11::arg("eps"), pybind11::arg("T"),
      "The packed descriptor of fused_add_rms_norm.");

  m.def(
      "create_fused_add_rms_norm_quant_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer x_stride_d, double eps,
         opgen::bindings::Integer dynamic, opgen::bindings::Integer out_dtype,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"fused_add_rms_norm_quant"}};
        auto desc = opgen::zeroed<generated::FusedAddRmsNormQuantDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.x_stride_d, "x_stride_d", x_stride_d);
        fill(desc.eps, "eps", eps);
        fill(desc.dynamic, "dynamic", dynamic);
        fill(desc.out_dtype, "out_dtype", out_dtype);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"),
      pybind11::arg("x_stride_d"), pybind11::arg("eps"), pybind11::arg("dynamic"),
      pybind11::arg("out_dtype"), pybind11::arg("T"),
      "The packed descriptor of fused_add_rms_norm_quant.");

  m.def(
      "create_grouped_gemm_descriptor",
      [](opgen::bindings::Integer m, opgen::bindings::Integer k, opgen::bindings::Integer g,
         opgen::bindings::Integer n, opgen::bindings::Integer trans_b, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"grouped_gemm"}};
        auto desc = opgen::zeroed<generated::GroupedGemmDescriptor>();
        fill(desc.m, "m", m);
        fill(desc.k, "k", k);
        fill(desc.g, "g", g);
        fill(desc.n, "n", n);
        fill(desc.trans_b, "trans_b", trans_b);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("k"), pybind11::arg("g"), pybind11::arg("n"),
      pybind11::arg("trans_b"), pybind11::arg("T"), "The packed descriptor of grouped_gemm.");

  m.def(
      "create_grouped_gemm_wgrad_descriptor",
      [](opgen::bindings::Integer m, opgen::bindings::Integer k, opgen::bindings::Integer n,
         opgen::bindings::Integer g, opgen::bindings::Integer trans_b, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"grouped_gemm_wgrad"}};
        auto desc = opgen::zeroed<generated::GroupedGemmWgradDescriptor>();
        fill(desc.m, "m", m);
        fill(desc.k, "k", k);
        fill(desc.n, "n", n);
        fill(desc.g, "g", g);
        fill(desc.trans_b, "trans_b", trans_b);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("k"), pybind11::arg("n"), pybind11::arg("g"),
      pybind11::arg("trans_b"), pybind11::arg("T"), "The packed descriptor of grouped_gemm_wgrad.");

  m.def(
      "create_layer_norm_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         const std::vector<opgen::bindings::Integer>& normalized_shape,
         opgen::bindings::Integer normalized_shape_rank, double eps, opgen::bindings::Integer T,
         opgen::bindings::Integer W, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm"}};
        auto desc = opgen::zeroed<generated::LayerNormDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank);
        fill(desc.eps, "eps", eps);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("eps"), pybind11::arg("T"),
      pybind11::arg("W"), pybind11::arg("Acc"), "The packed descriptor of layer_norm.");

  m.def(
      "create_layer_norm_bwd_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer norm, opgen::bindings::Integer norm_rank, double eps,
         opgen::bindings::Integer T, opgen::bindings::Integer W, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm_bwd"}};
        auto desc = opgen::zeroed<generated::LayerNormBwdDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.norm, "norm", norm);
        fill(desc.norm_rank, "norm_rank", norm_rank);
        fill(desc.eps, "eps", eps);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("eps"), pybind11::arg("T"), pybind11::arg("W"),
      pybind11::arg("Acc"), "The packed descriptor of layer_norm_bwd.");

  m.def(
      "create_layer_norm_mean_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         const std::vector<opgen::bindings::Integer>& normalized_shape,
         opgen::bindings::Integer normalized_shape_rank, opgen::bindings::Integer T,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm_mean"}};
        auto desc = opgen::zeroed<generated::LayerNormMeanDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank);
        fill(desc.T, "T", T);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("T"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_mean.");

  m.def(
      "create_layer_norm_variance_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         const std::vector<opgen::bindings::Integer>& normalized_shape,
         opgen::bindings::Integer normalized_shape_rank, opgen::bindings::Integer T,
         opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm_variance"}};
        auto desc = opgen::zeroed<generated::LayerNormVarianceDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank);
        fill(desc.T, "T", T);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("T"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_variance.");

  m.def(
      "create_layer_norm_scale_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         const std::vector<opgen::bindings::Integer>& normalized_shape,
         opgen::bindings::Integer normalized_shape_rank, double eps, opgen::bindings::Integer T,
         opgen::bindings::Integer W, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm_scale"}};
        auto desc = opgen::zeroed<generated::LayerNormScaleDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.normalized_shape, "normalized_shape", normalized_shape);
        fill(desc.normalized_shape_rank, "normalized_shape_rank", normalized_shape_rank);
        fill(desc.eps, "eps", eps);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("normalized_shape"),
      pybind11::arg("normalized_shape_rank"), pybind11::arg("eps"), pybind11::arg("T"),
      pybind11::arg("W"), pybind11::arg("Acc"), "The packed descriptor of layer_norm_scale.");

  m.def(
      "create_layer_norm_bwd_means_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer norm, opgen::bindings::Integer norm_rank,
         opgen::bindings::Integer T, opgen::bindings::Integer W, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm_bwd_means"}};
        auto desc = opgen::zeroed<generated::LayerNormBwdMeansDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.norm, "norm", norm);
        fill(desc.norm_rank, "norm_rank", norm_rank);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_bwd_means.");

  m.def(
      "create_layer_norm_bwd_apply_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer norm, opgen::bindings::Integer norm_rank,
         opgen::bindings::Integer T, opgen::bindings::Integer W, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"layer_norm_bwd_apply"}};
        auto desc = opgen::zeroed<generated::LayerNormBwdApplyDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.norm, "norm", norm);
        fill(desc.norm_rank, "norm_rank", norm_rank);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      "The packed descriptor of layer_norm_bwd_apply.");

  m.def(
      "create_nms_descriptor",
      [](opgen::bindings::Integer n, double iou) {
        const opgen::bindings::Fill fill{{"nms"}};
        auto desc = opgen::zeroed<generated::NmsDescriptor>();
        fill(desc.n, "n", n);
        fill(desc.iou, "iou", iou);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("iou"), "The packed descriptor of nms.");

  m.def(
      "create_paged_cache_write_descriptor",
      [](opgen::bindings::Integer t, opgen::bindings::Integer h, opgen::bindings::Integer d,
         opgen::bindings::Integer nb, opgen::bindings::Integer bs,
         opgen::bindings::Integer k_stride_t, opgen::bindings::Integer k_stride_h,
         opgen::bindings::Integer k_stride_d, opgen::bindings::Integer v_stride_t,
         opgen::bindings::Integer v_stride_h, opgen::bindings::Integer v_stride_d,
         opgen::bindings::Integer order, opgen::bindings::Integer T, opgen::bindings::Integer C) {
        const opgen::bindings::Fill fill{{"paged_cache_write"}};
        auto desc = opgen::zeroed<generated::PagedCacheWriteDescriptor>();
        fill(desc.t, "t", t);
        fill(desc.h, "h", h);
        fill(desc.d, "d", d);
        fill(desc.nb, "nb", nb);
        fill(desc.bs, "bs", bs);
        fill(desc.k_stride_t, "k_stride_t", k_stride_t);
        fill(desc.k_stride_h, "k_stride_h", k_stride_h);
        fill(desc.k_stride_d, "k_stride_d", k_stride_d);
        fill(desc.v_stride_t, "v_stride_t", v_stride_t);
        fill(desc.v_stride_h, "v_stride_h", v_stride_h);
        fill(desc.v_stride_d, "v_stride_d", v_stride_d);
        fill(desc.order, "order", order);
        fill(desc.T, "T", T);
        fill(desc.C, "C", C);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("h"), pybind11::arg("d"), pybind11::arg("nb"),
      pybind11::arg("bs"), pybind11::arg("k_stride_t"), pybind11::arg("k_stride_h"),
      pybind11::arg("k_stride_d"), pybind11::arg("v_stride_t"), pybind11::arg("v_stride_h"),
      pybind11::arg("v_stride_d"), pybind11::arg("order"), pybind11::arg("T"), pybind11::arg("C"),
      "The packed descriptor of paged_cache_write.");

  m.def(
      "create_quantize_fp8_descriptor",
      [](opgen::bindings::Integer m, opgen::bindings::Integer kb, opgen::bindings::Integer block,
         opgen::bindings::Integer out_dtype, opgen::bindings::Integer column_major, double floor,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"quantize_fp8"}};
        auto desc = opgen::zeroed<generated::QuantizeFp8Descriptor>();
        fill(desc.m, "m", m);
        fill(desc.kb, "kb", kb);
        fill(desc.block, "block", block);
        fill(desc.out_dtype, "out_dtype", out_dtype);
        fill(desc.column_major, "column_major", column_major);
        fill(desc.floor, "floor", floor);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("kb"), pybind11::arg("block"), pybind11::arg("out_dtype"),
      pybind11::arg("column_major"), pybind11::arg("floor"), pybind11::arg("T"),
      "The packed descriptor of quantize_fp8.");

  m.def(
      "create_relu_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer s_rank, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"relu"}};
        auto desc = opgen::zeroed<generated::ReluDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.s_rank, "s_rank", s_rank);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of relu.");

  m.def(
      "create_relu_bwd_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer s_rank, opgen::bindings::Integer F) {
        const opgen::bindings::Fill fill{{"relu_bwd"}};
        auto desc = opgen::zeroed<generated::ReluBwdDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.s_rank, "s_rank", s_rank);
        fill(desc.F, "F", F);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("F"),
      "The packed descriptor of relu_bwd.");

  m.def(
      "create_rms_norm_descriptor",
      [](opgen::bindings::Integer n1, opgen::bindings::Integer n2, double eps,
         opgen::ElementType x_type, opgen::ElementType w_type,
         opgen::bindings::Integer part_grad_size) {
        const opgen::bindings::Fill fill{{"rms_norm"}};
        auto desc = opgen::zeroed<generated::RmsNormDescriptor>();
        fill(desc.n1, "n1", n1);
        fill(desc.n2, "n2", n2);
        fill(desc.eps, "eps", eps);
        fill(desc.x_type, "x_type", x_type);
        fill(desc.w_type, "w_type", w_type);
        fill(desc.part_grad_size, "part_grad_size", part_grad_size);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n1"), pybind11::arg("n2"), pybind11::arg("eps"), pybind11::arg("x_type"),
      pybind11::arg("w_type"), pybind11::arg("part_grad_size"),
      "The packed descriptor of rms_norm.");

  m.def(
      "create_rms_norm_bwd_descriptor",
      [](opgen::bindings::Integer n1, opgen::bindings::Integer n2, double eps,
         opgen::ElementType x_type, opgen::ElementType w_type,
         opgen::bindings::Integer part_grad_size) {
        const opgen::bindings::Fill fill{{"rms_norm_bwd"}};
        auto desc = opgen::zeroed<generated::RmsNormBwdDescriptor>();
        fill(desc.n1, "n1", n1);
        fill(desc.n2, "n2", n2);
        fill(desc.eps, "eps", eps);
        fill(desc.x_type, "x_type", x_type);
        fill(desc.w_type, "w_type", w_type);
        fill(desc.part_grad_size, "part_grad_size", part_grad_size);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n1"), pybind11::arg("n2"), pybind11::arg("eps"), pybind11::arg("x_type"),
      pybind11::arg("w_type"), pybind11::arg("part_grad_size"),
      "The packed descriptor of rms_norm_bwd.");

  m.def(
      "create_rms_norm_squares_descriptor",
      [](opgen::bindings::Integer rows, opgen::bindings::Integer columns) {
        const opgen::bindings::Fill fill{{"rms_norm_squares"}};
        auto desc = opgen::zeroed<generated::RmsNormSquaresDescriptor>();
        fill(desc.rows, "rows", rows);
        fill(desc.columns, "columns", columns);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rows"), pybind11::arg("columns"),
      "The packed descriptor of rms_norm_squares.");

  m.def(
      "create_rms_norm_scale_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer norm, opgen::bindings::Integer norm_rank, double eps,
         opgen::bindings::Integer T, opgen::bindings::Integer W, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"rms_norm_scale"}};
        auto desc = opgen::zeroed<generated::RmsNormScaleDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.norm, "norm", norm);
        fill(desc.norm_rank, "norm_rank", norm_rank);
        fill(desc.eps, "eps", eps);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("eps"), pybind11::arg("T"), pybind11::arg("W"),
      pybind11::arg("Acc"), "The packed descriptor of rms_norm_scale.");

  m.def(
      "create_rms_norm_bwd_products_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer norm, opgen::bindings::Integer norm_rank,
         opgen::bindings::Integer T, opgen::bindings::Integer W, opgen::bindings::Integer Acc,
         opgen::bindings::Integer Sum) {
        const opgen::bindings::Fill fill{{"rms_norm_bwd_products"}};
        auto desc = opgen::zeroed<generated::RmsNormBwdProductsDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.norm, "norm", norm);
        fill(desc.norm_rank, "norm_rank", norm_rank);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        fill(desc.Sum, "Sum", Sum);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      pybind11::arg("Sum"), "The packed descriptor of rms_norm_bwd_products.");

  m.def(
      "create_rms_norm_bwd_apply_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer norm, opgen::bindings::Integer norm_rank,
         opgen::bindings::Integer T, opgen::bindings::Integer W, opgen::bindings::Integer Acc,
         opgen::bindings::Integer Sum) {
        const opgen::bindings::Fill fill{{"rms_norm_bwd_apply"}};
        auto desc = opgen::zeroed<generated::RmsNormBwdApplyDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.norm, "norm", norm);
        fill(desc.norm_rank, "norm_rank", norm_rank);
        fill(desc.T, "T", T);
        fill(desc.W, "W", W);
        fill(desc.Acc, "Acc", Acc);
        fill(desc.Sum, "Sum", Sum);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("norm"),
      pybind11::arg("norm_rank"), pybind11::arg("T"), pybind11::arg("W"), pybind11::arg("Acc"),
      pybind11::arg("Sum"), "The packed descriptor of rms_norm_bwd_apply.");

  m.def(
      "create_rotary_descriptor",
      [](opgen::bindings::Integer lead, opgen::bindings::Integer lead_rank,
         opgen::bindings::Integer t, opgen::bindings::Integer hk, opgen::bindings::Integer g,
         opgen::bindings::Integer d, opgen::bindings::Integer h, opgen::bindings::Integer p,
         opgen::bindings::Integer r, opgen::bindings::Integer style,
         opgen::bindings::Integer inverse, opgen::bindings::Integer T, opgen::bindings::Integer C,
         opgen::bindings::Integer I) {
        const opgen::bindings::Fill fill{{"rotary"}};
        auto desc = opgen::zeroed<generated::RotaryDescriptor>();
        fill(desc.lead, "lead", lead);
        fill(desc.lead_rank, "lead_rank", lead_rank);
        fill(desc.t, "t", t);
        fill(desc.hk, "hk", hk);
        fill(desc.g, "g", g);
        fill(desc.d, "d", d);
        fill(desc.h, "h", h);
        fill(desc.p, "p", p);
        fill(desc.r, "r", r);
        fill(desc.style, "style", style);
        fill(desc.inverse, "inverse", inverse);
        fill(desc.T, "T", T);
        fill(desc.C, "C", C);
        fill(desc.I, "I", I);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("lead"), pybind11::arg("lead_rank"), pybind11::arg("t"), pybind11::arg("hk"),
      pybind11::arg("g"), pybind11::arg("d"), pybind11::arg("h"), pybind11::arg("p"),
      pybind11::arg("r"), pybind11::arg("style"), pybind11::arg("inverse"), pybind11::arg("T"),
      pybind11::arg("C"), pybind11::arg("I"), "The packed descriptor of rotary.");

  m.def(
      "create_rotary__descriptor",
      [](opgen::bindings::Integer lead, opgen::bindings::Integer lead_rank,
         opgen::bindings::Integer t, opgen::bindings::Integer hk, opgen::bindings::Integer g,
         opgen::bindings::Integer d, opgen::bindings::Integer h, opgen::bindings::Integer p,
         opgen::bindings::Integer r, opgen::bindings::Integer style,
         opgen::bindings::Integer inverse, opgen::bindings::Integer T, opgen::bindings::Integer C,
         opgen::bindings::Integer I) {
        const opgen::bindings::Fill fill{{"rotary_"}};
        auto desc = opgen::zeroed<generated::Rotary_Descriptor>();
        fill(desc.lead, "lead", lead);
        fill(desc.lead_rank, "lead_rank", lead_rank);
        fill(desc.t, "t", t);
        fill(desc.hk, "hk", hk);
        fill(desc.g, "g", g);
        fill(desc.d, "d", d);
        fill(desc.h, "h", h);
        fill(desc.p, "p", p);
        fill(desc.r, "r", r);
        fill(desc.style, "style", style);
        fill(desc.inverse, "inverse", inverse);
        fill(desc.T, "T", T);
        fill(desc.C, "C", C);
        fill(desc.I, "I", I);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("lead"), pybind11::arg("lead_rank"), pybind11::arg("t"), pybind11::arg("hk"),
      pybind11::arg("g"), pybind11::arg("d"), pybind11::arg("h"), pybind11::arg("p"),
      pybind11::arg("r"), pybind11::arg("style"), pybind11::arg("inverse"), pybind11::arg("T"),
      pybind11::arg("C"), pybind11::arg("I"), "The packed descriptor of rotary_.");

  m.def(
      "create_silu_and_mul_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"silu_and_mul"}};
        auto desc = opgen::zeroed<generated::SiluAndMulDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of silu_and_mul.");

  m.def(
      "create_silu_and_mul_bwd_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"silu_and_mul_bwd"}};
        auto desc = opgen::zeroed<generated::SiluAndMulBwdDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of silu_and_mul_bwd.");

  m.def(
      "create_tensor_add_descriptor",
      [](opgen::bindings::Integer m, opgen::bindings::Integer n, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"tensor_add"}};
        auto desc = opgen::zeroed<generated::TensorAddDescriptor>();
        fill(desc.m, "m", m);
        fill(desc.n, "n", n);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("T"),
      "The packed descriptor of tensor_add.");

  m.def(
      "create_tensor_negate_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer s_rank, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"tensor_negate"}};
        auto desc = opgen::zeroed<generated::TensorNegateDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.s_rank, "s_rank", s_rank);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of tensor_negate.");

  m.def(
      "create_topk_softmax_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer e, opgen::bindings::Integer k,
         opgen::bindings::Integer renormalize, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"topk_softmax"}};
        auto desc = opgen::zeroed<generated::TopkSoftmaxDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.e, "e", e);
        fill(desc.k, "k", k);
        fill(desc.renormalize, "renormalize", renormalize);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("e"), pybind11::arg("k"),
      pybind11::arg("renormalize"), pybind11::arg("T"), "The packed descriptor of topk_softmax.");

  m.def(
      "create_topk_softmax_bwd_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer e, opgen::bindings::Integer k,
         opgen::bindings::Integer renormalize, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"topk_softmax_bwd"}};
        auto desc = opgen::zeroed<generated::TopkSoftmaxBwdDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.e, "e", e);
        fill(desc.k, "k", k);
        fill(desc.renormalize, "renormalize", renormalize);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("e"), pybind11::arg("k"),
      pybind11::arg("renormalize"), pybind11::arg("T"),
      "The packed descriptor of topk_softmax_bwd.");

  m.def(
      "create_varlen_attention_descriptor",
      [](opgen::bindings::Integer tq, opgen::bindings::Integer hk, opgen::bindings::Integer g,
         opgen::bindings::Integer d, opgen::bindings::Integer nb, opgen::bindings::Integer bs,
         opgen::bindings::Integer tk, opgen::bindings::Integer e, opgen::bindings::Integer b,
         opgen::bindings::Integer mb, opgen::bindings::Integer max_q,
         opgen::bindings::Integer max_k, double scale, opgen::bindings::Integer causal,
         const std::vector<opgen::bindings::Integer>& window, opgen::bindings::Integer window_rank,
         double dropout, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"varlen_attention"}};
        auto desc = opgen::zeroed<generated::VarlenAttentionDescriptor>();
        fill(desc.tq, "tq", tq);
        fill(desc.hk, "hk", hk);
        fill(desc.g, "g", g);
        fill(desc.d, "d", d);
        fill(desc.nb, "nb", nb);
        fill(desc.bs, "bs", bs);
        fill(desc.tk, "tk", tk);
        fill(desc.e, "e", e);
        fill(desc.b, "b", b);
        fill(desc.mb, "mb", mb);
        fill(desc.max_q, "max_q", max_q);
        fill(desc.max_k, "max_k", max_k);
        fill(desc.scale, "scale", scale);
        fill(desc.causal, "causal", causal);
        fill(desc.window, "window", window);
        fill(desc.window_rank, "window_rank", window_rank);
        fill(desc.dropout, "dropout", dropout);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("tq"), pybind11::arg("hk"), pybind11::arg("g"), pybind11::arg("d"),
      pybind11::arg("nb"), pybind11::arg("bs"), pybind11::arg("tk"), pybind11::arg("e"),
      pybind11::arg("b"), pybind11::arg("mb"), pybind11::arg("max_q"), pybind11::arg("max_k"),
      pybind11::arg("scale"), pybind11::arg("causal"), pybind11::arg("window"),
      pybind11::arg("window_rank"), pybind11::arg("dropout"), pybind11::arg("T"),
      "The packed descriptor of varlen_attention.");

  m.def(
      "create_varlen_attention_bwd_descriptor",
      [](opgen::bindings::Integer tq, opgen::bindings::Integer hk, opgen::bindings::Integer g,
         opgen::bindings::Integer e, opgen::bindings::Integer d, opgen::bindings::Integer tk,
         opgen::bindings::Integer b, opgen::bindings::Integer max_q, opgen::bindings::Integer max_k,
         double scale, opgen::bindings::Integer causal,
         const std::vector<opgen::bindings::Integer>& window, opgen::bindings::Integer window_rank,
         double dropout, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"varlen_attention_bwd"}};
        auto desc = opgen::zeroed<generated::VarlenAttentionBwdDescriptor>();
        fill(desc.tq, "tq", tq);
        fill(desc.hk, "hk", hk);
        fill(desc.g, "g", g);
        fill(desc.e, "e", e);
        fill(desc.d, "d", d);
        fill(desc.tk, "tk", tk);
        fill(desc.b, "b", b);
        fill(desc.max_q, "max_q", max_q);
        fill(desc.max_k, "max_k", max_k);
        fill(desc.scale, "scale", scale);
        fill(desc.causal, "causal", causal);
        fill(desc.window, "window", window);
        fill(desc.window_rank, "window_rank", window_rank);
        fill(desc.dropout, "dropout", dropout);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("tq"), pybind11::arg("hk"), pybind11::arg("g"), pybind11::arg("e"),
      pybind11::arg("d"), pybind11::arg("tk"), pybind11::arg("b"), pybind11::arg("max_q"),
      pybind11::arg("max_k"), pybind11::arg("scale"), pybind11::arg("causal"),
      pybind11::arg("window"), pybind11::arg("window_rank"), pybind11::arg("dropout"),
      pybind11::arg("T"), "The packed descriptor of varlen_attention_bwd.");

  opgen::bindings::add_registrations(m, {
#ifdef OPGEN_JAX
      {"cpu", "generated.adamw_", reinterpret_cast<void*>(&generated_adamw__cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.adamw_", reinterpret_cast<void*>(&generated_adamw__cuda_ffi)},
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
      {"cpu", "generated.relu", reinterpret_cast<void*>(&generated_relu_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.relu", reinterpret_cast<void*>(&generated_relu_cuda_ffi)},
#endif
      {"cpu", "generated.relu_bwd", reinterpret_cast<void*>(&generated_relu_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.relu_bwd", reinterpret_cast<void*>(&generated_relu_bwd_cuda_ffi)},
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
      {"cpu", "generated.tensor_add", reinterpret_cast<void*>(&generated_tensor_add_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.tensor_add", reinterpret_cast<void*>(&generated_tensor_add_cuda_ffi)},
#endif
      {"cpu", "generated.tensor_negate", reinterpret_cast<void*>(&generated_tensor_negate_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.tensor_negate",
       reinterpret_cast<void*>(&generated_tensor_negate_cuda_ffi)},
#endif
#endif
  });
}
