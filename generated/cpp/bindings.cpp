// The module `bindings`: descriptors, element types and FFI handlers, for people. Rendered by opgen.
#include "opgen/bindings.h"

#include "relu.h"
#include "rms_norm.h"
#include "tensor_add.h"
#include "tensor_negate.h"

#ifdef OPGEN_JAX
extern "C" void* generated_relu_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_relu_cuda_ffi(void*);
#endif
extern "C" void* generated_relu_bwd_cpu_ffi(void*);
#ifdef USE_CUDA
extern "C" void* generated_relu_bwd_cuda_ffi(void*);
#endif
extern "C" void* generated_rms_norm_cpu_ffi(void*);
extern "C" void* generated_rms_norm_bwd_cpu_ffi(void*);
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

  opgen::bindings::add_registrations(m, {
#ifdef OPGEN_JAX
      {"cpu", "generated.relu", reinterpret_cast<void*>(&generated_relu_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.relu", reinterpret_cast<void*>(&generated_relu_cuda_ffi)},
#endif
      {"cpu", "generated.relu_bwd", reinterpret_cast<void*>(&generated_relu_bwd_cpu_ffi)},
#ifdef USE_CUDA
      {"cuda", "generated.relu_bwd", reinterpret_cast<void*>(&generated_relu_bwd_cuda_ffi)},
#endif
      {"cpu", "generated.rms_norm", reinterpret_cast<void*>(&generated_rms_norm_cpu_ffi)},
      {"cpu", "generated.rms_norm_bwd", reinterpret_cast<void*>(&generated_rms_norm_bwd_cpu_ffi)},
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
