// The platforms that kernels in the library are for.
#pragma once

namespace opgen {

/// The platform that a kernel runs on.
enum class Platform { cpu, cuda, hip };

}  // namespace opgen
