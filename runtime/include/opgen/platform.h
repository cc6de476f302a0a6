// The platforms for which a kernel library can have kernels.
#pragma once

namespace opgen {

/// The platform that a kernel runs on.
enum class Platform { cpu, cuda, hip };

}  // namespace opgen
