// Streams and events. A stream runs its work in order. Events order the work of several streams.
// Two work items on different streams must be ordered by events if they use the same memory and one
// of them writes it. Otherwise this is a violation, even if they happen to run in the right order.
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <set>

#include "state.h"

namespace stand_in {
namespace {

enum class Order { eager, late, random };

Order order() {
  static const Order it = [] {
    const std::string given = setting("STAND_IN_ORDER");
    return given.empty() || given == "eager" ? Order::eager
           : given == "late"                 ? Order::late
                                             : Order::random;
  }();
  return it;
}

unsigned drawn() {
  static std::mt19937 numbers(static_cast<unsigned>(std::atoi(setting("STAND_IN_ORDER").c_str())));
  return static_cast<unsigned>(numbers());
}

std::vector<Stream*>& streams() {
  static auto& all = *new std::vector<Stream*>;
  return all;
}

/// Destroyed streams are never freed, since events point to them.
std::set<const Stream*>& destroyed() {
  static auto& all = *new std::set<const Stream*>;
  return all;
}

uint64_t seen(const Clock& clock, int stream) {
  const auto found = clock.find(stream);
  return found == clock.end() ? 0 : found->second;
}

std::string told(const Work& work) {
  return work.what + " on stream " + std::to_string(work.stream);
}

/// Adds a use of memory by running work. Adds a violation if a conflicting earlier use on another
/// stream is not ordered before it by an event.
void use(Allocation& memory, const Work& work, bool writes) {
  for (const auto& [stream, other] : memory.ran) {
    const uint64_t conflict = writes ? std::max(other.read, other.written) : other.written;
    if (stream == work.stream || conflict <= seen(work.clock, stream)) continue;
    violation("no event orders " + told(work) + " after " + other.what + ": both use " +
              std::to_string(memory.bytes) + " bytes on device " + std::to_string(memory.device) +
              ", and one writes them");
  }
  Use& own = memory.ran[work.stream];
  (writes ? own.written : own.read) = work.at;
  own.what = told(work);
}

/// Returns a hash of the bytes of an allocation.
uint64_t hash(const Allocation& memory) {
  uint64_t sum = 14695981039346656037u;
  size_t i = 0;
  for (; i + 8 <= memory.bytes; i += 8) {
    uint64_t word;
    std::memcpy(&word, memory.open + i, 8);
    sum = (sum ^ word) * 1099511628211u;
    sum ^= sum >> 29;
  }
  for (; i < memory.bytes; ++i) {
    sum = (sum ^ static_cast<unsigned char>(memory.open[i])) * 1099511628211u;
  }
  return sum;
}

void protect(const Allocation& memory, int protection) {
  mprotect(memory.at - memory.before, memory.before + memory.bytes + memory.after, protection);
}

void run(const Work& work) {
  std::vector<uint64_t> hashes;
  for (const Touched& touched : work.memory) {
    hashes.push_back(touched.access == Access::unknown ? hash(*touched.memory) : 0);
    if (work.opens) protect(*touched.memory, PROT_READ | PROT_WRITE);
  }
  if (work.opens) running_kernel = work.what.c_str();
  if (work.run) work.run();
  running_kernel = nullptr;
  for (size_t i = 0; i < work.memory.size(); ++i) {
    Allocation& memory = *work.memory[i].memory;
    if (work.opens) protect(memory, PROT_NONE);
    const Access access = work.memory[i].access;
    const bool changed = access == Access::unknown && hash(memory) != hashes[i];
    use(memory, work, changed || access == Access::write);
    if (!memory.intact()) {
      violation(told(work) + " writes next to an allocation of " + std::to_string(memory.bytes));
      std::memset(memory.open - memory.before, 0xA5, memory.before);
      std::memset(memory.open + memory.bytes, 0xA5, memory.after);
    }
  }
}

/// Runs up to `most` work items of random streams, if STAND_IN_ORDER is a random order.
void run_some(unsigned most) {
  for (unsigned left = order() == Order::random ? most : 0; left > 0; --left) {
    std::vector<Stream*> waiting;
    for (Stream* stream : streams()) {
      if (!stream->queue.empty()) waiting.push_back(stream);
    }
    if (waiting.empty()) return;
    Stream* stream = waiting[drawn() % waiting.size()];
    run_until(stream, stream->finished + 1);
  }
}

}  // namespace

thread_local int current = 0;
Clock host;

void merge(Clock& into, const Clock& from) {
  for (const auto& [stream, at] : from) into[stream] = std::max(into[stream], at);
}

Stream* create_stream(int device, int priority) {
  LOCK;
  auto* stream = new Stream;
  stream->id = static_cast<int>(streams().size());
  stream->device = device;
  stream->priority = priority;
  streams().push_back(stream);
  return stream;
}

Stream* stream_of(cudaStream_t handle) {
  LOCK;
  static Stream* defaults[devices];
  if (reinterpret_cast<uintptr_t>(handle) <= 2) {  // null, cudaStreamLegacy, cudaStreamPerThread
    Stream*& own = defaults[current];
    if (own == nullptr) own = create_stream(current, 0);
    return own;
  }
  for (Stream* stream : streams()) {
    if (reinterpret_cast<cudaStream_t>(stream) == handle) {
      return destroyed().count(stream) ? nullptr : stream;
    }
  }
  return nullptr;
}

void destroy(Stream* stream) {
  run_until(stream, stream->given);
  destroyed().insert(stream);
}

void run_until(Stream* stream, uint64_t until) {
  while (stream->finished < until && !stream->queue.empty()) {
    const Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (work.awaited != nullptr) run_until(work.awaited, work.until);
    run(work);
    ++stream->finished;
  }
}

void give(Stream* stream, Work work) {
  merge(stream->clock, host);
  work.stream = stream->id;
  work.at = ++stream->given;
  stream->clock[stream->id] = work.at;
  work.clock = stream->clock;
  if (stream->graph != nullptr) {
    stream->finished = stream->given;
    stream->graph->work.push_back(std::move(work));
    return;
  }
  for (const Touched& touched : work.memory) touched.memory->given[work.stream] = work.at;
  stream->queue.push_back(std::move(work));
  if (order() == Order::eager) run_until(stream, stream->given);
  run_some(drawn() % 3);
}

void wait_for(Stream* stream) {
  run_some(drawn() % 3);
  run_until(stream, stream->given);
  merge(host, stream->clock);
}

void wait_for_device(int device) {
  run_some(~0u);
  for (size_t i = streams().size(); i-- > 0;) {
    if (streams()[i]->device == device) wait_for(streams()[i]);
  }
}

void replay(const std::shared_ptr<Graph>& graph, Stream* stream) {
  for (const Work& work : graph->work) {
    Work again = work;
    again.awaited = nullptr;
    give(stream, std::move(again));
  }
}

bool spoils_capture(const Stream* waited) {
  LOCK;
  bool spoilt = false;
  for (Stream* stream : streams()) {
    if (stream->graph == nullptr || (waited != nullptr && waited != stream)) continue;
    spoilt = stream->graph->invalid = true;
  }
  return spoilt;
}

cudaError_t launch(cudaStream_t handle, const std::string& name, const void* arguments,
                   size_t bytes, std::function<void()> body) {
  CALL("cudaLaunchKernel");
  Stream* stream = stream_of(handle);
  if (stream == nullptr) return failed(cudaErrorInvalidResourceHandle);
  record("launch", current, stream->id, name);
  if (stream->device != current) {
    violation(name + " is launched on a stream of device " + std::to_string(stream->device) +
              " while " + std::to_string(current) + " is current");
    return failed(cudaErrorInvalidResourceHandle);
  }
  Work work{name, std::move(body), {}, true, nullptr, 0, {}, 0, 0};
  std::set<Allocation*> known;
  for (size_t i = 0; i + sizeof(void*) <= bytes; i += sizeof(void*)) {
    const void* word;
    std::memcpy(&word, static_cast<const char*>(arguments) + i, sizeof word);
    const Shared memory = find(word);
    if (memory == nullptr || !known.insert(memory.get()).second) continue;
    if (memory->device != stream->device) {
      violation(name + " on device " + std::to_string(current) + " is given memory of device " +
                std::to_string(memory->device));
      continue;
    }
    work.memory.push_back({memory, Access::unknown});
  }
  give(stream, std::move(work));
  return cudaSuccess;
}

}  // namespace stand_in

using namespace stand_in;

// Streams.

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  CALL("cudaStreamCreate");
  *stream = reinterpret_cast<cudaStream_t>(create_stream(current, priority));
  return cudaSuccess;
}
API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

#define STREAM(function)                    \
  CALL(function);                           \
  Stream* const stream = stream_of(handle); \
  if (stream == nullptr) return failed(cudaErrorInvalidResourceHandle)

API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  STREAM("cudaStreamDestroy");
  return destroy(stream), cudaSuccess;
}
API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  STREAM("cudaStreamSynchronize");
  if (spoils_capture(stream)) return failed(cudaErrorStreamCaptureUnsupported);
  record("wait", stream->device, stream->id, "of the host for a stream");
  return wait_for(stream), cudaSuccess;
}
API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  STREAM("cudaStreamQuery");
  if (spoils_capture(stream)) return failed(cudaErrorStreamCaptureUnsupported);
  if (stream->queue.empty()) return merge(host, stream->clock), cudaSuccess;
  run_until(stream, stream->finished + 1);  // so that a loop of queries ends
  return failed(cudaErrorNotReady);
}
API cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  STREAM("cudaStreamGetPriority");
  return *priority = stream->priority, cudaSuccess;
}
API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t call, void* with,
                                      unsigned) {
  STREAM("cudaStreamAddCallback");
  Work work;
  work.what = "a callback", work.run = [=] { call(handle, cudaSuccess, with); };
  return give(stream, std::move(work)), cudaSuccess;
}
API cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* with) {
  STREAM("cudaLaunchHostFunc");
  Work work;
  work.what = "a function of the host", work.run = [=] { function(with); };
  return give(stream, std::move(work)), cudaSuccess;
}
API cudaError_t cudaDeviceSynchronize() {
  CALL("cudaDeviceSynchronize");
  if (spoils_capture()) return failed(cudaErrorStreamCaptureUnsupported);
  record("wait", current, -1, "of the host for a device");
  return wait_for_device(current), cudaSuccess;
}

// Events.

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  CALL("cudaEventCreate");
  auto* made = new Event;
  made->device = current;
  return *event = reinterpret_cast<cudaEvent_t>(made), cudaSuccess;
}
API cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  LOCK;
  return delete reinterpret_cast<Event*>(event), cudaSuccess;
}
API cudaError_t cudaEventRecord(cudaEvent_t on, cudaStream_t handle) {
  STREAM("cudaEventRecord");
  auto* event = reinterpret_cast<Event*>(on);
  record("event", stream->device, stream->id, "");
  if (stream->device != event->device) {
    violation("an event of device " + std::to_string(event->device) +
              " is recorded on a stream of device " + std::to_string(stream->device));
    return failed(cudaErrorInvalidResourceHandle);
  }
  merge(stream->clock, host);
  event->stream = stream, event->at = stream->given, event->clock = stream->clock;
  event->graph = stream->graph;
  event->when = std::chrono::steady_clock::now();
  return cudaSuccess;
}
API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}
API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t waited, unsigned) {
  STREAM("cudaStreamWaitEvent");
  const auto* event = reinterpret_cast<Event*>(waited);
  if (event->stream == nullptr) return cudaSuccess;
  record("wait", stream->device, stream->id, "for stream " + std::to_string(event->stream->id));
  merge(stream->clock, event->clock);
  if (event->graph != nullptr) {
    stream->graph = event->graph;
    return cudaSuccess;
  }
  Work work;
  work.what = "a wait", work.awaited = event->stream, work.until = event->at;
  return give(stream, std::move(work)), cudaSuccess;
}
API cudaError_t cudaEventSynchronize(cudaEvent_t waited) {
  CALL("cudaEventSynchronize");
  const auto* event = reinterpret_cast<Event*>(waited);
  if (event->stream == nullptr) return cudaSuccess;
  if (event->graph != nullptr) return failed(cudaErrorStreamCaptureUnsupported);
  run_some(drawn() % 3);
  run_until(event->stream, event->at);
  return merge(host, event->clock), cudaSuccess;
}
API cudaError_t cudaEventQuery(cudaEvent_t asked) {
  CALL("cudaEventQuery");
  const auto* event = reinterpret_cast<Event*>(asked);
  if (event->stream == nullptr) return cudaSuccess;
  // Unlike cudaStreamQuery this runs no work: allocators poll events to reuse memory.
  if (event->stream->finished < event->at) return failed(cudaErrorNotReady);
  return merge(host, event->clock), cudaSuccess;
}
API cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  const auto took = reinterpret_cast<Event*>(to)->when - reinterpret_cast<Event*>(from)->when;
  return *ms = std::chrono::duration<float, std::milli>(took).count(), cudaSuccess;
}

// Capture into graphs.

namespace {
template <class Handle>
std::shared_ptr<Graph>& graph_of(Handle handle) {
  return *reinterpret_cast<std::shared_ptr<Graph>*>(handle);
}
cudaStreamCaptureStatus status_of(const Stream* stream) {
  return stream->graph == nullptr ? cudaStreamCaptureStatusNone
         : stream->graph->invalid ? cudaStreamCaptureStatusInvalidated
                                  : cudaStreamCaptureStatusActive;
}
}  // namespace

API cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  STREAM("cudaStreamBeginCapture");
  static unsigned long long id = 0;
  if (reinterpret_cast<uintptr_t>(handle) == 0 || stream->graph != nullptr) {
    return failed(cudaErrorStreamCaptureUnsupported);
  }
  run_until(stream, stream->given);
  stream->graph = std::make_shared<Graph>(Graph{stream, ++id, {}, false});
  return cudaSuccess;
}
API cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* made) {
  STREAM("cudaStreamEndCapture");
  const std::shared_ptr<Graph> graph = stream->graph;
  *made = nullptr;
  if (graph == nullptr || graph->origin != stream) return failed(cudaErrorStreamCaptureUnmatched);
  bool joined = true;
  for (Stream* other : streams()) {
    if (other->graph != graph) continue;
    other->graph = nullptr;
    joined &= other == stream || seen(stream->clock, other->id) >= seen(other->clock, other->id);
  }
  if (graph->invalid) return failed(cudaErrorStreamCaptureInvalidated);
  if (!joined) return failed(cudaErrorStreamCaptureUnjoined);
  return *made = reinterpret_cast<cudaGraph_t>(new std::shared_ptr<Graph>(graph)), cudaSuccess;
}
API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  STREAM("cudaStreamIsCapturing");
  return *status = status_of(stream), cudaSuccess;
}
API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                         unsigned long long* id, cudaGraph_t* graph,
                                         const cudaGraphNode_t** nodes,
                                         const cudaGraphEdgeData** edges, size_t* count) {
  STREAM("cudaStreamGetCaptureInfo");
  *status = status_of(stream);
  if (id != nullptr) *id = stream->graph == nullptr ? 0 : stream->graph->id;
  if (graph != nullptr) *graph = nullptr;
  if (nodes != nullptr) *nodes = nullptr;
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = 0;
  return cudaSuccess;
}
API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                              unsigned long long) {
  CALL("cudaGraphInstantiate");
  const auto copy = new std::shared_ptr<Graph>(graph_of(graph));
  return *made = reinterpret_cast<cudaGraphExec_t>(copy), cudaSuccess;
}
API cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t handle) {
  STREAM("cudaGraphLaunch");
  record("graph", stream->device, stream->id, "");
  return replay(graph_of(graph), stream), cudaSuccess;
}
API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, size_t* count) {
  return *count = graph_of(graph)->work.size(), cudaSuccess;
}
API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  LOCK;
  return delete &graph_of(graph), cudaSuccess;
}
API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  LOCK;
  return delete &graph_of(graph), cudaSuccess;
}
