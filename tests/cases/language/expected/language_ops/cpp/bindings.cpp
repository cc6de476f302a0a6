// The module `bindings`: descriptors, element types and FFI handlers, for people.
// Rendered by opgen.
#include "opgen/bindings.h"

#include "bins.h"
#include "columns.h"
#include "in_place.h"
#include "layouts.h"
#include "optimizers.h"
#include "options.h"
#include "rows.h"
#include "samples.h"
#include "windows.h"

#ifdef OPGEN_JAX
extern "C" void* language_ops_bin_sums_cpu_ffi(void*);
extern "C" void* language_ops_average__cpu_ffi(void*);
extern "C" void* language_ops_momentum__cpu_ffi(void*);
extern "C" void* language_ops_polynomial_cpu_ffi(void*);
extern "C" void* language_ops_unit_rows_cpu_ffi(void*);
extern "C" void* language_ops_unit_rows_dx_cpu_ffi(void*);
extern "C" void* language_ops_unit_rows_dw_cpu_ffi(void*);
extern "C" void* language_ops_swap_bytes_cpu_ffi(void*);
extern "C" void* language_ops_window_sums_cpu_ffi(void*);
#endif

PYBIND11_MODULE(bindings, m) {
  opgen::bindings::add_element_types(m);

  m.def(
      "create_bin_sums_descriptor",
      [](opgen::bindings::Integer m, opgen::bindings::Integer n, opgen::bindings::Integer bins,
         opgen::bindings::Integer T, opgen::bindings::Integer Acc) {
        const opgen::bindings::Fill fill{{"bin_sums"}};
        auto desc = opgen::zeroed<language_ops::BinSumsDescriptor>();
        fill(desc.m, "m", m);
        fill(desc.n, "n", n);
        fill(desc.bins, "bins", bins);
        fill(desc.T, "T", T);
        fill(desc.Acc, "Acc", Acc);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("bins"), pybind11::arg("T"),
      pybind11::arg("Acc"), "The packed descriptor of bin_sums.");

  m.def(
      "create_column_sums_descriptor",
      [](opgen::bindings::Integer n, opgen::bindings::Integer d, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"column_sums"}};
        auto desc = opgen::zeroed<language_ops::ColumnSumsDescriptor>();
        fill(desc.n, "n", n);
        fill(desc.d, "d", d);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of column_sums.");

  m.def(
      "create_average__descriptor",
      [](double rate, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"average_"}};
        auto desc = opgen::zeroed<language_ops::Average_Descriptor>();
        fill(desc.rate, "rate", rate);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rate"), pybind11::arg("T"), "The packed descriptor of average_.");

  m.def(
      "create_heads_first_descriptor",
      [](opgen::bindings::Integer t, opgen::bindings::Integer h, opgen::bindings::Integer d,
         opgen::bindings::Integer order, opgen::bindings::Integer wide,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"heads_first"}};
        auto desc = opgen::zeroed<language_ops::HeadsFirstDescriptor>();
        fill(desc.t, "t", t);
        fill(desc.h, "h", h);
        fill(desc.d, "d", d);
        fill(desc.order, "order", order);
        fill(desc.wide, "wide", wide);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("h"), pybind11::arg("d"), pybind11::arg("order"),
      pybind11::arg("wide"), pybind11::arg("T"), "The packed descriptor of heads_first.");

  m.def(
      "create_momentum__descriptor",
      [](double momentum, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"momentum_"}};
        auto desc = opgen::zeroed<language_ops::Momentum_Descriptor>();
        fill(desc.momentum, "momentum", momentum);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("momentum"), pybind11::arg("T"), "The packed descriptor of momentum_.");

  m.def(
      "create_squash_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer by, double scale,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"squash"}};
        auto desc = opgen::zeroed<language_ops::SquashDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.by, "by", by);
        fill(desc.scale, "scale", scale);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("by"),
      pybind11::arg("scale"), pybind11::arg("T"), "The packed descriptor of squash.");

  m.def(
      "create_polynomial_descriptor",
      [](opgen::bindings::Integer s, opgen::bindings::Integer s_rank,
         const std::vector<double>& coefficients, opgen::bindings::Integer coefficients_rank,
         opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"polynomial"}};
        auto desc = opgen::zeroed<language_ops::PolynomialDescriptor>();
        fill(desc.s, "s", s);
        fill(desc.s_rank, "s_rank", s_rank);
        fill(desc.coefficients, "coefficients", coefficients);
        fill(desc.coefficients_rank, "coefficients_rank", coefficients_rank);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("coefficients"),
      pybind11::arg("coefficients_rank"), pybind11::arg("T"),
      "The packed descriptor of polynomial.");

  m.def(
      "create_unit_rows_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"unit_rows"}};
        auto desc = opgen::zeroed<language_ops::UnitRowsDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of unit_rows.");

  m.def(
      "create_unit_rows_dx_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"unit_rows_dx"}};
        auto desc = opgen::zeroed<language_ops::UnitRowsDxDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of unit_rows_dx.");

  m.def(
      "create_unit_rows_dw_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer d, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"unit_rows_dw"}};
        auto desc = opgen::zeroed<language_ops::UnitRowsDwDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.d, "d", d);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of unit_rows_dw.");

  m.def(
      "create_swap_bytes_descriptor",
      [](opgen::bindings::Integer count) {
        const opgen::bindings::Fill fill{{"swap_bytes"}};
        auto desc = opgen::zeroed<language_ops::SwapBytesDescriptor>();
        fill(desc.count, "count", count);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("count"), "The packed descriptor of swap_bytes.");

  m.def(
      "create_window_sums_descriptor",
      [](opgen::bindings::Integer batch, opgen::bindings::Integer batch_rank,
         opgen::bindings::Integer n, opgen::bindings::Integer m, opgen::bindings::Integer width,
         opgen::bindings::Integer step, opgen::bindings::Integer T) {
        const opgen::bindings::Fill fill{{"window_sums"}};
        auto desc = opgen::zeroed<language_ops::WindowSumsDescriptor>();
        fill(desc.batch, "batch", batch);
        fill(desc.batch_rank, "batch_rank", batch_rank);
        fill(desc.n, "n", n);
        fill(desc.m, "m", m);
        fill(desc.width, "width", width);
        fill(desc.step, "step", step);
        fill(desc.T, "T", T);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("n"), pybind11::arg("m"),
      pybind11::arg("width"), pybind11::arg("step"), pybind11::arg("T"),
      "The packed descriptor of window_sums.");

  opgen::bindings::add_registrations(m, {
#ifdef OPGEN_JAX
      {"cpu", "language_ops.bin_sums", reinterpret_cast<void*>(&language_ops_bin_sums_cpu_ffi)},
      {"cpu", "language_ops.average_", reinterpret_cast<void*>(&language_ops_average__cpu_ffi)},
      {"cpu", "language_ops.momentum_", reinterpret_cast<void*>(&language_ops_momentum__cpu_ffi)},
      {"cpu", "language_ops.polynomial", reinterpret_cast<void*>(&language_ops_polynomial_cpu_ffi)},
      {"cpu", "language_ops.unit_rows", reinterpret_cast<void*>(&language_ops_unit_rows_cpu_ffi)},
      {"cpu", "language_ops.unit_rows_dx",
       reinterpret_cast<void*>(&language_ops_unit_rows_dx_cpu_ffi)},
      {"cpu", "language_ops.unit_rows_dw",
       reinterpret_cast<void*>(&language_ops_unit_rows_dw_cpu_ffi)},
      {"cpu", "language_ops.swap_bytes", reinterpret_cast<void*>(&language_ops_swap_bytes_cpu_ffi)},
      {"cpu", "language_ops.window_sums",
       reinterpret_cast<void*>(&language_ops_window_sums_cpu_ffi)},
#endif
  });
}
