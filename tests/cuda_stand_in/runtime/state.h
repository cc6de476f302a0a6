// The devices of a stand-in for CUDA: memory of this process, and streams that a thread of the host
// runs.
//
// Settings, from the environment:
// STAND_IN_ORDER    eager: work runs when it is given. late: when somebody waits for it. A number:
//                   the seed of a random order among the streams.
// STAND_IN_EXACT    1: memory ends where its last byte is the last of a page. It is aligned to its
//                   size alone, as a view may be; otherwise to 256 bytes, as cudaMalloc does.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))
#define LOCK const std::lock_guard<std::recursive_mutex> lock(stand_in::mutex())

namespace stand_in {

constexpr int devices = 2;
constexpr size_t capacity = size_t{16} << 30;

/// One lock for everything: the stand-in is for order, not for speed.
std::recursive_mutex& mutex();
std::string setting(const char* name);

/// The current device of this thread.
extern thread_local int current;

// Records.

/// Adds a line to the record: the kind of event, its device, its stream, and what it is.
void record(const char* kind, int device, int stream, const std::string& what);
/// Adds a mistake of the program under test.
void violation(const std::string& what);
/// The readable name of a function of this process, from its library's table of symbols.
std::string name_of(const void* function);

// Errors.

/// Keeps `error` for cudaGetLastError, and returns it.
cudaError_t failed(cudaError_t error);
/// The error that a test demanded of this call of `function`, or one that is sticky.
cudaError_t demanded(const char* function);
#define CALL(function)                                                 \
  if (const cudaError_t demanded_error = stand_in::demanded(function)) \
    return stand_in::failed(demanded_error);                           \
  LOCK

// Order.

/// For each stream, how much of its work has happened before.
using Clock = std::map<int, uint64_t>;
void merge(Clock& into, const Clock& from);
/// What the host has waited for.
extern Clock host;

// Memory.

/// The last use by a stream, by its place there.
struct Use {
  uint64_t read = 0, written = 0;
  std::string what;
};

struct Stream;

/// A piece of a device's memory, alone on its pages. They are closed, but for work that has it.
struct Allocation {
  int device;
  char* at;    // what the device's pointers point to
  char* open;  // the same bytes, always open
  size_t bytes;
  size_t before, after;    // bytes of its pages that are nobody's
  const Stream* owner;     // in whose order it is freed; null: when all streams are done
  std::map<int, Use> ran;  // by stream: what has run
  Clock given;             // by stream: what was given, and may not have run
  Clock recorded;          // streams that the owner waits for before it is used again
  ~Allocation();
  bool intact() const;
};
using Shared = std::shared_ptr<Allocation>;

/// Null: out of memory.
Shared allocate(int device, size_t bytes, const Stream* owner);
/// False: there is no allocation that begins there.
bool release(void* at);
/// The live allocation that holds `pointer`; null: none does.
Shared find(const void* pointer);
/// The device whose memory `pointer` points to, live or not; -1: the host.
int device_of(const void* pointer);
size_t used(int device);

/// The kernel that runs now; null: none.
extern const char* running_kernel;

// Work.

enum class Access { read, write, unknown };

struct Touched {
  Shared memory;
  Access access;
};

struct Work {
  std::string what;
  std::function<void()> run;
  std::vector<Touched> memory;
  bool opens = false;  // the pages of its memory, as long as it runs
  Stream* awaited = nullptr;
  uint64_t until = 0;
  Clock clock;
  int stream = 0;
  uint64_t at = 0;
};

struct Graph {
  Stream* origin;
  unsigned long long id;
  std::vector<Work> work;
  bool invalid = false;
};

struct Stream {
  int id;
  int device;
  int priority = 0;
  uint64_t given = 0, finished = 0;
  std::deque<Work> queue;
  Clock clock;
  std::shared_ptr<Graph> graph;  // that it is captured into
};

struct Event {
  int device;
  Stream* stream = nullptr;
  uint64_t at = 0;
  Clock clock;
  std::shared_ptr<Graph> graph;
  std::chrono::steady_clock::time_point when{};
};

/// The stream of a handle; null: there is none.
Stream* stream_of(cudaStream_t handle);
Stream* create_stream(int device, int priority);
void destroy(Stream* stream);
void give(Stream* stream, Work work);
void run_until(Stream* stream, uint64_t until);
/// Runs all work of a stream, or of a device, for a host that waits for it.
void wait_for(Stream* stream);
void wait_for_device(int device);
/// Runs the rest of a graph's work on `stream`.
void replay(const std::shared_ptr<Graph>& graph, Stream* stream);
/// True if a stream is captured, which this call may not happen during; the capture is spoilt.
bool spoils_capture(const Stream* stream = nullptr);

/// Starts a kernel: `arguments` are bytes in which pointers to memory are looked for.
cudaError_t launch(cudaStream_t stream, const std::string& name, const void* arguments,
                   size_t bytes, std::function<void()> body);

}  // namespace stand_in
