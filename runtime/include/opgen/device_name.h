// Names of devices, as in the tables of `opgen tune`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace opgen {

/// The name of a device. It is empty if the name is not available.
struct DeviceName {
  char text[160] = {};
};

/// The name of the processor: its model, and on x86-64 also its family, because virtual machines
/// shorten the model.
inline DeviceName cpu_name(int32_t = 0) noexcept {
  DeviceName name;
  std::FILE* const file = std::fopen("/proc/cpuinfo", "r");
  if (file == nullptr) return name;
  char line[512], model[100] = {}, family[8] = {}, number[8] = {}, implementer[16] = {},
                  part[16] = {};
  const auto value = [&](const char* key, char* to, size_t size) {
    const size_t length = std::strlen(key);
    if (to[0] != '\0' || std::strncmp(line, key, length) != 0) return;
    const char* at = line + length + std::strspn(line + length, " \t");
    if (*at == ':') std::snprintf(to, size, "%.*s", int(std::strcspn(at + 2, "\n")), at + 2);
  };
  while (std::fgets(line, sizeof line, file) != nullptr && line[0] != '\n') {
    value("model name", model, sizeof model);
    value("cpu family", family, sizeof family);
    value("model", number, sizeof number);
    value("CPU implementer", implementer, sizeof implementer);
    value("CPU part", part, sizeof part);
  }
  std::fclose(file);
  if (model[0] != '\0' && family[0] != '\0') {
    std::snprintf(name.text, sizeof name.text, "%s, family %s model %s", model, family, number);
  } else if (part[0] != '\0') {
    std::snprintf(name.text, sizeof name.text, "CPU implementer %s part %s", implementer, part);
  }
  return name;
}

}  // namespace opgen
