// The devices of the stand-in for CUDA. Their memory belongs to this process, and the calling
// threads run the work of their streams.
//
// Environment variables:
// STAND_IN_ORDER    eager: work runs when it is given to a stream. late: it runs when something
//                   waits for it. A number: the seed of a random order among the streams.
// STAND_IN_EXACT    1: each allocation ends at the end of a page, and its alignment is the largest
//                   power of two that divides its size, at most 256. Otherwise the alignment is
//                   256 bytes, as in cudaMalloc.
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

/// One lock protects all state. The stand-in need not be fast.
std::recursive_mutex& mutex();
std::string setting(const char* name);

/// The current device of this thread.
extern thread_local int current;

// Records.

/// Adds a record: the kind of operation, its device, its stream, and a description.
void record(const char* kind, int device, int stream, const std::string& what);
/// Adds a violation: a description of a mistake of the program under test.
void violation(const std::string& what);
/// Returns the readable name of a function, from the symbol table of its library.
std::string name_of(const void* function);

// Errors.

/// Stores `error` for cudaGetLastError, and returns it.
cudaError_t failed(cudaError_t error);
/// Returns the error that a test requested for this call of `function`, or a sticky error.
cudaError_t demanded(const char* function);
#define CALL(function)                                                 \
  if (const cudaError_t demanded_error = stand_in::demanded(function)) \
    return stand_in::failed(demanded_error);                           \
  LOCK

// Order.

/// For each stream, the number of its work items that come before a point in time.
using Clock = std::map<int, uint64_t>;
void merge(Clock& into, const Clock& from);
/// The work for which the host has waited.
extern Clock host;

// Memory.

/// The last read and the last write by a stream, as positions of work items in the stream.
struct Use {
  uint64_t read = 0, written = 0;
  std::string what;
};

struct Stream;

/// A piece of a device's memory, with separate pages. The pages are accessible only while work runs
/// that was given this memory.
struct Allocation {
  int device;
  char* at;    // the address that device pointers have
  char* open;  // a second address of the same bytes, always accessible
  size_t bytes;
  size_t before, after;    // unused bytes of the pages
  const Stream* owner;     // it is freed in the order of this stream; null: after all streams
  std::map<int, Use> ran;  // by stream: the last uses that have run
  Clock given;             // by stream: the last work given, which may not have run
  Clock recorded;          // streams for which the owner waits before the memory is reused
  ~Allocation();
  bool intact() const;
};
using Shared = std::shared_ptr<Allocation>;

/// Returns null if there is not enough memory.
Shared allocate(int device, size_t bytes, const Stream* owner);
/// Returns false if no allocation starts at this address.
bool release(void* at);
/// Returns the live allocation that contains `pointer`, or null.
Shared find(const void* pointer);
/// Returns the device of an address, even of freed memory, or -1 for an address of the host.
int device_of(const void* pointer);
size_t used(int device);

/// The name of the running kernel, or null.
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
  bool opens = false;  // whether the pages of its memory are accessible while it runs
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
  std::shared_ptr<Graph> graph;  // the graph into which it is captured, or null
};

struct Event {
  int device;
  Stream* stream = nullptr;
  uint64_t at = 0;
  Clock clock;
  std::shared_ptr<Graph> graph;
  std::chrono::steady_clock::time_point when{};
};

/// Returns the stream of a handle, or null if it does not exist.
Stream* stream_of(cudaStream_t handle);
Stream* create_stream(int device, int priority);
void destroy(Stream* stream);
void give(Stream* stream, Work work);
void run_until(Stream* stream, uint64_t until);
/// Runs all work of a stream or a device, when the host waits for it.
void wait_for(Stream* stream);
void wait_for_device(int device);
/// Runs the work of a graph on `stream`.
void replay(const std::shared_ptr<Graph>& graph, Stream* stream);
/// For calls that are not allowed during capture: returns true, and makes the capture invalid, if a
/// stream is being captured.
bool spoils_capture(const Stream* stream = nullptr);

/// Launches a kernel. Each pointer to device memory in the bytes `arguments` counts as an argument.
cudaError_t launch(cudaStream_t stream, const std::string& name, const void* arguments,
                   size_t bytes, std::function<void()> body);

}  // namespace stand_in
