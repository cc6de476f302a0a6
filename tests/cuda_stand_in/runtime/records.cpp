// Records of launches, copies, fills and events, and of violations.
#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "state.h"

namespace stand_in {
namespace {

constexpr size_t most = 1 << 20;  // lines

std::vector<std::string>& records() {
  static auto& all = *new std::vector<std::string>;
  return all;
}

std::vector<std::string>& violations() {
  static auto& all = *new std::vector<std::string>;
  return all;
}

/// Returns the names of a library's functions by their offset in the library.
const std::map<uintptr_t, std::string>& functions(const char* library) {
  static auto& known = *new std::map<std::string, std::map<uintptr_t, std::string>>;
  auto [found, added] = known.try_emplace(library);
  if (!added) return found->second;
  const std::string command = std::string("nm --defined-only -C '") + library + "' 2>/dev/null";
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return found->second;
  char line[8192];
  while (std::fgets(line, sizeof line, output) != nullptr) {
    unsigned long place;
    int read = 0;
    if (std::sscanf(line, "%lx %*c %n", &place, &read) != 1 || read == 0) continue;
    std::string name = line + read;
    found->second[place] = name.substr(0, name.find('\n'));
  }
  pclose(output);
  return found->second;
}

const char* taken(std::vector<std::string>& lines) {
  static thread_local std::string text;
  LOCK;
  text.clear();
  for (const std::string& line : lines) text += line + "\n";
  lines.clear();
  return text.c_str();
}

struct Demand {
  int error, calls;
  bool sticky;
};

std::map<std::string, Demand>& demands() {
  static auto& all = *new std::map<std::string, Demand>;
  return all;
}

thread_local cudaError_t last_error = cudaSuccess;
cudaError_t sticky_error = cudaSuccess;

}  // namespace

std::recursive_mutex& mutex() {
  static auto& one = *new std::recursive_mutex;
  return one;
}

std::string setting(const char* name) {
  const char* given = std::getenv(name);
  return given == nullptr ? "" : given;
}

void record(const char* kind, int device, int stream, const std::string& what) {
  LOCK;
  if (records().size() >= most) return;
  std::ostringstream line;
  line << kind << '\t' << device << '\t' << stream << '\t' << what;
  records().push_back(line.str());
}

void violation(const std::string& what) {
  LOCK;
  violations().push_back(what);
}

std::string name_of(const void* function) {
  Dl_info where;
  if (dladdr(function, &where) == 0 || where.dli_fname == nullptr) return "a kernel";
  LOCK;
  const auto& all = functions(where.dli_fname);
  const auto place = static_cast<const char*>(function) - static_cast<char*>(where.dli_fbase);
  const auto found = all.find(static_cast<uintptr_t>(place));
  return found == all.end() ? "a kernel" : found->second;
}

cudaError_t failed(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t demanded(const char* function) {
  LOCK;
  if (sticky_error != cudaSuccess) return sticky_error;
  const auto found = demands().find(function);
  if (found == demands().end() || found->second.calls == 0) return cudaSuccess;
  const auto error = static_cast<cudaError_t>(found->second.error);
  if (found->second.sticky) sticky_error = error;
  --found->second.calls;
  return error;
}

}  // namespace stand_in

using namespace stand_in;

/// Returns the records since the last call, one per line: kind, device, stream and name, separated
/// by tabs.
API const char* standInRecords() { return taken(records()); }
API const char* standInViolations() { return taken(violations()); }
/// Makes the next `calls` calls of `function` fail (-1: all). If `sticky`, all later calls of any
/// function fail too.
API void standInFail(const char* function, int error, int calls, int sticky) {
  LOCK;
  demands()[function] = {error, calls, sticky != 0};
}
/// Undoes all calls of `standInFail`.
API void standInForgive() {
  LOCK;
  demands().clear();
  sticky_error = last_error = cudaSuccess;
}

API cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = sticky_error;
  return error;
}
API cudaError_t cudaPeekAtLastError() { return last_error; }
