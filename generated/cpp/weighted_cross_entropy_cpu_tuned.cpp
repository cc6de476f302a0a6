// The choices of `opgen tune` for the cpu kernels of the weighted_cross_entropy family, by device.
// Rendered by opgen from weighted_cross_entropy.toml, tuned/amd-epyc-family-25-model-17.json.
#include "weighted_cross_entropy.h"

namespace generated {

namespace generated_weighted_cross_entropy_cpu_tuned_of {

using Values = opgen::Tuned<WeightedCrossEntropyCpuTune, 3>;

// amd-epyc-family-25-model-17.json: sizes and values, by threads and dtypes.
constexpr Values::Row rows_0_0[] = {
    {{1, 4096, 4096}, {1024}},
    {{2, 1000, 3136}, {1024}},
};
constexpr Values::Row rows_0_1[] = {
    {{1, 4096, 4096}, {1024}},
    {{2, 1000, 3136}, {1024}},
};
constexpr Values::Rows parts_0[] = {
    {1, opgen::row(opgen::ElementType::BF16), rows_0_0, 2},
    {1, opgen::row(opgen::ElementType::F32), rows_0_1, 2},
};

constexpr Values::Table tables[] = {
    {"AMD EPYC, family 25 model 17", parts_0, 2},
};

}  // namespace generated_weighted_cross_entropy_cpu_tuned_of

opgen::Tuned<WeightedCrossEntropyCpuTune, 3> generated_weighted_cross_entropy_cpu_tuned(
    opgen::cpu_name, {128}, generated_weighted_cross_entropy_cpu_tuned_of::tables, 1);

extern "C" void generated_weighted_cross_entropy_cpu_tuned_force(
    const WeightedCrossEntropyCpuTune* values) noexcept {
  generated_weighted_cross_entropy_cpu_tuned.force(values);
}

extern "C" void generated_weighted_cross_entropy_cpu_tuned_for(
    const int64_t* sizes, uint64_t dtypes, int32_t threads, int32_t device,
    WeightedCrossEntropyCpuTune* values) noexcept {
  *values = generated_weighted_cross_entropy_cpu_tuned.at(device, threads, dtypes,
                                                          {sizes[0], sizes[1], sizes[2]});
}

extern "C" opgen::DeviceName generated_weighted_cross_entropy_cpu_tuned_device(
    int32_t device) noexcept {
  return generated_weighted_cross_entropy_cpu_tuned.name(device);
}

}  // namespace generated
