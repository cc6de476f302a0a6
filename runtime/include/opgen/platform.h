// The platforms that kernels in the library are for.
#pragma once

namespace opgen {

/// Where a kernel runs.
enum class Platform { cpu, cuda, hip };

}  // namespace opgen
