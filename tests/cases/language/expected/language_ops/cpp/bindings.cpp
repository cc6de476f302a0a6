// The descriptors of all ops, for the module `bindings`. Rendered by opgen.
#include "opgen/bindings.h"

namespace opgen::bindings {

const char* const library = "language_ops";

const std::initializer_list<Descriptor> descriptors = {
    {"bin_sums", 40,
     {{"m", i64, 0}, {"n", i64, 8}, {"bins", i64, 16}, {"T", i64, 24}, {"Acc", i64, 32}}},
    {"row_sums", 24, {{"m", i64, 0}, {"n", i64, 8}, {"T", i64, 16}}},
    {"column_sums", 24, {{"n", i64, 0}, {"d", i64, 8}, {"T", i64, 16}}},
    {"segment_sums", 24, {{"n", i64, 0}, {"k", i64, 8}, {"T", i64, 16}}},
    {"average_", 16, {{"rate", f64, 0}, {"T", i64, 8}}},
    {"heads_first", 48, {{"t", i64, 0}, {"h", i64, 8}, {"d", i64, 16}, {"order", i64, 24},
                         {"wide", i64, 32}, {"T", i64, 40}}},
    {"last_token", 32, {{"t", i64, 0}, {"d", i64, 8}, {"b", i64, 16}, {"T", i64, 24}}},
    {"momentum_", 16, {{"momentum", f64, 0}, {"T", i64, 8}}},
    {"squash", 48, {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"d", i64, 16}, {"by", i64, 24},
                    {"scale", f64, 32}, {"T", i64, 40}}},
    {"polynomial", 96, {{"s", i64, 0}, {"s_rank", i64, 8}, {"coefficients", f64, 16, 8},
                        {"coefficients_rank", i64, 80}, {"T", i64, 88}}},
    {"moved", 24, {{"s", i64, 0}, {"s_rank", i64, 8}, {"T", i64, 16}}},
    {"column_totals", 32, {{"m", i64, 0}, {"n", i64, 8}, {"parts", i64, 16}, {"T", i64, 24}}},
    {"moments", 32, {{"m", i64, 0}, {"n", i64, 8}, {"spread", i64, 16}, {"T", i64, 24}}},
    {"split_rows", 16, {{"n", i64, 0}, {"T", i64, 8}}},
    {"accumulate", 32, {{"s", i64, 0}, {"s_rank", i64, 8}, {"in_place", i64, 16}, {"T", i64, 24}}},
    {"unit_rows", 32, {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"d", i64, 16}, {"T", i64, 24}}},
    {"unit_rows_dx", 32,
     {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"d", i64, 16}, {"T", i64, 24}}},
    {"unit_rows_dw", 32,
     {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"d", i64, 16}, {"T", i64, 24}}},
    {"swap_bytes", 8, {{"count", i64, 0}}},
    {"masked", 32, {{"s", i64, 0}, {"s_rank", i64, 8}, {"p", f64, 16}, {"T", i64, 24}}},
    {"scaled", 48, {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"n", i64, 16}, {"mode", i64, 24},
                    {"T", i64, 32}, {"Q", i64, 40}}},
    {"storable", 32, {{"n", i64, 0}, {"mode", i64, 8}, {"T", i64, 16}, {"Q", i64, 24}}},
    {"square", 24, {{"s", i64, 0}, {"s_rank", i64, 8}, {"T", i64, 16}}},
    {"head_norms", 56, {{"t", i64, 0}, {"h", i64, 8}, {"d", i64, 16}, {"x_stride_t", i64, 24},
                        {"x_stride_h", i64, 32}, {"x_stride_d", i64, 40}, {"T", i64, 48}}},
    {"scale_all", 8, {{"T", i64, 0}}},
    {"linear", 40,
     {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"k", i64, 16}, {"n", i64, 24}, {"T", i64, 32}}},
    {"linear_bwd", 40,
     {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"n", i64, 16}, {"k", i64, 24}, {"T", i64, 32}}},
    {"transposed_quantize", 24, {{"m", i64, 0}, {"k", i64, 8}, {"T", i64, 16}}},
    {"window_sums", 56, {{"batch", i64, 0}, {"batch_rank", i64, 8}, {"n", i64, 16}, {"m", i64, 24},
                         {"width", i64, 32}, {"step", i64, 40}, {"T", i64, 48}}},
};

}  // namespace opgen::bindings
