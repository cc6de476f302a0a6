// The module `bindings`: descriptors, element types and FFI handlers, for people.
// Rendered by opgen.
#include "opgen/bindings.h"

#include "bins.h"
#include "choices.h"
#include "columns.h"
#include "host.h"
#include "in_place.h"
#include "layouts.h"
#include "optimizers.h"
#include "options.h"
#include "parts.h"
#include "results.h"
#include "rows.h"
#include "samples.h"
#include "seeds.h"
#include "stored.h"
#include "strides.h"
#include "weights.h"
#include "windows.h"

#ifdef OPGEN_JAX
extern "C" void* language_ops_bin_sums_cpu_ffi(void*);
extern "C" void* language_ops_row_sums_cpu_ffi(void*);
extern "C" void* language_ops_row_sums_cpu_ffi(void*);
extern "C" void* language_ops_segment_sums_cpu_ffi(void*);
extern "C" void* language_ops_average__cpu_ffi(void*);
extern "C" void* language_ops_momentum__cpu_ffi(void*);
extern "C" void* language_ops_polynomial_cpu_ffi(void*);
extern "C" void* language_ops_column_totals_cpu_ffi(void*);
extern "C" void* language_ops_moments_cpu_ffi(void*);
extern "C" void* language_ops_split_rows_cpu_ffi(void*);
extern "C" void* language_ops_accumulate_cpu_ffi(void*);
extern "C" void* language_ops_unit_rows_cpu_ffi(void*);
extern "C" void* language_ops_unit_rows_dx_cpu_ffi(void*);
extern "C" void* language_ops_unit_rows_dw_cpu_ffi(void*);
extern "C" void* language_ops_swap_bytes_cpu_ffi(void*);
extern "C" void* language_ops_masked_cpu_ffi(void*);
extern "C" void* language_ops_square_cpu_ffi(void*);
extern "C" void* language_ops_head_norms_cpu_ffi(void*);
extern "C" void* language_ops_pad_rows_cpu_ffi(void*);
extern "C" void* language_ops_scale_all_cpu_ffi(void*);
extern "C" void* language_ops_window_sums_cpu_ffi(void*);
#endif

PYBIND11_MODULE(bindings, m) {
  opgen::bindings::add_element_types(m);

  m.def(
      "create_bin_sums_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer n_, opgen::bindings::Integer bins_,
         opgen::bindings::Integer T_, opgen::bindings::Integer Acc_) {
        const opgen::bindings::Fill fill{{"bin_sums"}};
        auto desc = opgen::zeroed<language_ops::BinSumsDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.n, "n", n_);
        fill(desc.bins, "bins", bins_);
        fill(desc.T, "T", T_);
        fill(desc.Acc, "Acc", Acc_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("bins"), pybind11::arg("T"),
      pybind11::arg("Acc"), "The packed descriptor of bin_sums.");

  m.def(
      "create_row_sums_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer n_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"row_sums"}};
        auto desc = opgen::zeroed<language_ops::RowSumsDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.n, "n", n_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("T"),
      "The packed descriptor of row_sums.");

  m.def(
      "create_column_sums_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"column_sums"}};
        auto desc = opgen::zeroed<language_ops::ColumnSumsDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of column_sums.");

  m.def(
      "create_segment_sums_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer k_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"segment_sums"}};
        auto desc = opgen::zeroed<language_ops::SegmentSumsDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.k, "k", k_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("k"), pybind11::arg("T"),
      "The packed descriptor of segment_sums.");

  m.def(
      "create_average__descriptor",
      [](double rate_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"average_"}};
        auto desc = opgen::zeroed<language_ops::Average_Descriptor>();
        fill(desc.rate, "rate", rate_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("rate"), pybind11::arg("T"), "The packed descriptor of average_.");

  m.def(
      "create_heads_first_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer h_, opgen::bindings::Integer d_,
         opgen::bindings::Integer order_, opgen::bindings::Integer wide_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"heads_first"}};
        auto desc = opgen::zeroed<language_ops::HeadsFirstDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.h, "h", h_);
        fill(desc.d, "d", d_);
        fill(desc.order, "order", order_);
        fill(desc.wide, "wide", wide_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("h"), pybind11::arg("d"), pybind11::arg("order"),
      pybind11::arg("wide"), pybind11::arg("T"), "The packed descriptor of heads_first.");

  m.def(
      "create_last_token_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer d_, opgen::bindings::Integer b_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"last_token"}};
        auto desc = opgen::zeroed<language_ops::LastTokenDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.d, "d", d_);
        fill(desc.b, "b", b_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("d"), pybind11::arg("b"), pybind11::arg("T"),
      "The packed descriptor of last_token.");

  m.def(
      "create_momentum__descriptor",
      [](double momentum_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"momentum_"}};
        auto desc = opgen::zeroed<language_ops::Momentum_Descriptor>();
        fill(desc.momentum, "momentum", momentum_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("momentum"), pybind11::arg("T"), "The packed descriptor of momentum_.");

  m.def(
      "create_squash_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer by_, double scale_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"squash"}};
        auto desc = opgen::zeroed<language_ops::SquashDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.by, "by", by_);
        fill(desc.scale, "scale", scale_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("by"),
      pybind11::arg("scale"), pybind11::arg("T"), "The packed descriptor of squash.");

  m.def(
      "create_polynomial_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         const std::vector<double>& coefficients_, opgen::bindings::Integer coefficients_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"polynomial"}};
        auto desc = opgen::zeroed<language_ops::PolynomialDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.coefficients, "coefficients", coefficients_);
        fill(desc.coefficients_rank, "coefficients_rank", coefficients_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("coefficients"),
      pybind11::arg("coefficients_rank"), pybind11::arg("T"),
      "The packed descriptor of polynomial.");

  m.def(
      "create_moved_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"moved"}};
        auto desc = opgen::zeroed<language_ops::MovedDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of moved.");

  m.def(
      "create_column_totals_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer n_, opgen::bindings::Integer parts_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"column_totals"}};
        auto desc = opgen::zeroed<language_ops::ColumnTotalsDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.n, "n", n_);
        fill(desc.parts, "parts", parts_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("parts"), pybind11::arg("T"),
      "The packed descriptor of column_totals.");

  m.def(
      "create_moments_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer n_, opgen::bindings::Integer spread_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"moments"}};
        auto desc = opgen::zeroed<language_ops::MomentsDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.n, "n", n_);
        fill(desc.spread, "spread", spread_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("n"), pybind11::arg("spread"), pybind11::arg("T"),
      "The packed descriptor of moments.");

  m.def(
      "create_split_rows_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"split_rows"}};
        auto desc = opgen::zeroed<language_ops::SplitRowsDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("T"), "The packed descriptor of split_rows.");

  m.def(
      "create_accumulate_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer in_place_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"accumulate"}};
        auto desc = opgen::zeroed<language_ops::AccumulateDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.in_place, "in_place", in_place_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("in_place"), pybind11::arg("T"),
      "The packed descriptor of accumulate.");

  m.def(
      "create_unit_rows_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"unit_rows"}};
        auto desc = opgen::zeroed<language_ops::UnitRowsDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of unit_rows.");

  m.def(
      "create_unit_rows_dx_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"unit_rows_dx"}};
        auto desc = opgen::zeroed<language_ops::UnitRowsDxDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of unit_rows_dx.");

  m.def(
      "create_unit_rows_dw_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"unit_rows_dw"}};
        auto desc = opgen::zeroed<language_ops::UnitRowsDwDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.d, "d", d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("d"), pybind11::arg("T"),
      "The packed descriptor of unit_rows_dw.");

  m.def(
      "create_swap_bytes_descriptor",
      [](opgen::bindings::Integer count_) {
        const opgen::bindings::Fill fill{{"swap_bytes"}};
        auto desc = opgen::zeroed<language_ops::SwapBytesDescriptor>();
        fill(desc.count, "count", count_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("count"), "The packed descriptor of swap_bytes.");

  m.def(
      "create_masked_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_, double p_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"masked"}};
        auto desc = opgen::zeroed<language_ops::MaskedDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.p, "p", p_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("p"), pybind11::arg("T"),
      "The packed descriptor of masked.");

  m.def(
      "create_scaled_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer n_, opgen::bindings::Integer mode_, opgen::bindings::Integer T_,
         opgen::bindings::Integer Q_) {
        const opgen::bindings::Fill fill{{"scaled"}};
        auto desc = opgen::zeroed<language_ops::ScaledDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.n, "n", n_);
        fill(desc.mode, "mode", mode_);
        fill(desc.T, "T", T_);
        fill(desc.Q, "Q", Q_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("n"),
      pybind11::arg("mode"), pybind11::arg("T"), pybind11::arg("Q"),
      "The packed descriptor of scaled.");

  m.def(
      "create_storable_descriptor",
      [](opgen::bindings::Integer n_, opgen::bindings::Integer mode_, opgen::bindings::Integer T_,
         opgen::bindings::Integer Q_) {
        const opgen::bindings::Fill fill{{"storable"}};
        auto desc = opgen::zeroed<language_ops::StorableDescriptor>();
        fill(desc.n, "n", n_);
        fill(desc.mode, "mode", mode_);
        fill(desc.T, "T", T_);
        fill(desc.Q, "Q", Q_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("n"), pybind11::arg("mode"), pybind11::arg("T"), pybind11::arg("Q"),
      "The packed descriptor of storable.");

  m.def(
      "create_square_descriptor",
      [](opgen::bindings::Integer s_, opgen::bindings::Integer s_rank_,
         opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"square"}};
        auto desc = opgen::zeroed<language_ops::SquareDescriptor>();
        fill(desc.s, "s", s_);
        fill(desc.s_rank, "s_rank", s_rank_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("s"), pybind11::arg("s_rank"), pybind11::arg("T"),
      "The packed descriptor of square.");

  m.def(
      "create_head_norms_descriptor",
      [](opgen::bindings::Integer t_, opgen::bindings::Integer h_, opgen::bindings::Integer d_,
         opgen::bindings::Integer x_stride_t_, opgen::bindings::Integer x_stride_h_,
         opgen::bindings::Integer x_stride_d_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"head_norms"}};
        auto desc = opgen::zeroed<language_ops::HeadNormsDescriptor>();
        fill(desc.t, "t", t_);
        fill(desc.h, "h", h_);
        fill(desc.d, "d", d_);
        fill(desc.x_stride_t, "x_stride_t", x_stride_t_);
        fill(desc.x_stride_h, "x_stride_h", x_stride_h_);
        fill(desc.x_stride_d, "x_stride_d", x_stride_d_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("t"), pybind11::arg("h"), pybind11::arg("d"), pybind11::arg("x_stride_t"),
      pybind11::arg("x_stride_h"), pybind11::arg("x_stride_d"), pybind11::arg("T"),
      "The packed descriptor of head_norms.");

  m.def(
      "create_pad_rows_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer d_,
         opgen::bindings::Integer y_pitch_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"pad_rows"}};
        auto desc = opgen::zeroed<language_ops::PadRowsDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.d, "d", d_);
        fill(desc.y_pitch, "y_pitch", y_pitch_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("d"), pybind11::arg("y_pitch"), pybind11::arg("T"),
      "The packed descriptor of pad_rows.");

  m.def(
      "create_scale_all_descriptor",
      [](opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"scale_all"}};
        auto desc = opgen::zeroed<language_ops::ScaleAllDescriptor>();
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("T"), "The packed descriptor of scale_all.");

  m.def(
      "create_linear_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer k_, opgen::bindings::Integer n_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"linear"}};
        auto desc = opgen::zeroed<language_ops::LinearDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.k, "k", k_);
        fill(desc.n, "n", n_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("k"), pybind11::arg("n"),
      pybind11::arg("T"), "The packed descriptor of linear.");

  m.def(
      "create_linear_bwd_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer n_, opgen::bindings::Integer k_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"linear_bwd"}};
        auto desc = opgen::zeroed<language_ops::LinearBwdDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.n, "n", n_);
        fill(desc.k, "k", k_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("n"), pybind11::arg("k"),
      pybind11::arg("T"), "The packed descriptor of linear_bwd.");

  m.def(
      "create_transposed_quantize_descriptor",
      [](opgen::bindings::Integer m_, opgen::bindings::Integer k_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"transposed_quantize"}};
        auto desc = opgen::zeroed<language_ops::TransposedQuantizeDescriptor>();
        fill(desc.m, "m", m_);
        fill(desc.k, "k", k_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("m"), pybind11::arg("k"), pybind11::arg("T"),
      "The packed descriptor of transposed_quantize.");

  m.def(
      "create_window_sums_descriptor",
      [](opgen::bindings::Integer batch_, opgen::bindings::Integer batch_rank_,
         opgen::bindings::Integer n_, opgen::bindings::Integer m_, opgen::bindings::Integer width_,
         opgen::bindings::Integer step_, opgen::bindings::Integer T_) {
        const opgen::bindings::Fill fill{{"window_sums"}};
        auto desc = opgen::zeroed<language_ops::WindowSumsDescriptor>();
        fill(desc.batch, "batch", batch_);
        fill(desc.batch_rank, "batch_rank", batch_rank_);
        fill(desc.n, "n", n_);
        fill(desc.m, "m", m_);
        fill(desc.width, "width", width_);
        fill(desc.step, "step", step_);
        fill(desc.T, "T", T_);
        return opgen::bindings::bytes_of(desc);
      },
      pybind11::arg("batch"), pybind11::arg("batch_rank"), pybind11::arg("n"), pybind11::arg("m"),
      pybind11::arg("width"), pybind11::arg("step"), pybind11::arg("T"),
      "The packed descriptor of window_sums.");

  opgen::bindings::add_registrations(m, {
#ifdef OPGEN_JAX
      {"cpu", "language_ops.bin_sums", reinterpret_cast<void*>(&language_ops_bin_sums_cpu_ffi)},
      {"cpu", "language_ops.row_sums", reinterpret_cast<void*>(&language_ops_row_sums_cpu_ffi)},
      {"cpu", "language_ops.row_sums", reinterpret_cast<void*>(&language_ops_row_sums_cpu_ffi)},
      {"cpu", "language_ops.segment_sums",
       reinterpret_cast<void*>(&language_ops_segment_sums_cpu_ffi)},
      {"cpu", "language_ops.average_", reinterpret_cast<void*>(&language_ops_average__cpu_ffi)},
      {"cpu", "language_ops.momentum_", reinterpret_cast<void*>(&language_ops_momentum__cpu_ffi)},
      {"cpu", "language_ops.polynomial", reinterpret_cast<void*>(&language_ops_polynomial_cpu_ffi)},
      {"cpu", "language_ops.column_totals",
       reinterpret_cast<void*>(&language_ops_column_totals_cpu_ffi)},
      {"cpu", "language_ops.moments", reinterpret_cast<void*>(&language_ops_moments_cpu_ffi)},
      {"cpu", "language_ops.split_rows", reinterpret_cast<void*>(&language_ops_split_rows_cpu_ffi)},
      {"cpu", "language_ops.accumulate", reinterpret_cast<void*>(&language_ops_accumulate_cpu_ffi)},
      {"cpu", "language_ops.unit_rows", reinterpret_cast<void*>(&language_ops_unit_rows_cpu_ffi)},
      {"cpu", "language_ops.unit_rows_dx",
       reinterpret_cast<void*>(&language_ops_unit_rows_dx_cpu_ffi)},
      {"cpu", "language_ops.unit_rows_dw",
       reinterpret_cast<void*>(&language_ops_unit_rows_dw_cpu_ffi)},
      {"cpu", "language_ops.swap_bytes", reinterpret_cast<void*>(&language_ops_swap_bytes_cpu_ffi)},
      {"cpu", "language_ops.masked", reinterpret_cast<void*>(&language_ops_masked_cpu_ffi)},
      {"cpu", "language_ops.square", reinterpret_cast<void*>(&language_ops_square_cpu_ffi)},
      {"cpu", "language_ops.head_norms", reinterpret_cast<void*>(&language_ops_head_norms_cpu_ffi)},
      {"cpu", "language_ops.pad_rows", reinterpret_cast<void*>(&language_ops_pad_rows_cpu_ffi)},
      {"cpu", "language_ops.scale_all", reinterpret_cast<void*>(&language_ops_scale_all_cpu_ffi)},
      {"cpu", "language_ops.window_sums",
       reinterpret_cast<void*>(&language_ops_window_sums_cpu_ffi)},
#endif
  });
}
