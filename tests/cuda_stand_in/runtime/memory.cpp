// Memory of the devices. No two allocations share a page. Each page is mapped twice: without access
// rights at the device's addresses, and readable and writable at addresses of the stand-in.
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "state.h"

namespace stand_in {
namespace {

constexpr size_t page = 4096;
// Addresses are never reused, so a pointer to freed memory never becomes valid again.
constexpr size_t addresses = size_t{512} << 30;
constexpr unsigned char nobodys = 0xA5;
constexpr size_t most_filled = size_t{64} << 20;

struct Memory {
  char *at, *open;
  int file;
  size_t next = page;
  size_t used = 0;
  std::map<char*, Shared> live;  // by the address of the first byte
};

void explain(int, siginfo_t*, void*);
struct sigaction before;

Memory* mapped() {
  auto* all = new Memory[devices];
  for (int d = 0; d < devices; ++d) {
    Memory& m = all[d];
    m.file = memfd_create("stand-in device", MFD_CLOEXEC);
    if (m.file < 0 || ftruncate(m.file, addresses) != 0) std::abort();
    const auto map = [&](int protection) {
      void* found = mmap(nullptr, addresses, protection, MAP_SHARED | MAP_NORESERVE, m.file, 0);
      if (found == MAP_FAILED) std::abort();
      return static_cast<char*>(found);
    };
    m.at = map(PROT_NONE);
    m.open = map(PROT_READ | PROT_WRITE);
  }
  struct sigaction ours{};
  ours.sa_sigaction = explain;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, &before);
  return all;
}

Memory& memory(int device) {
  static Memory* const all = mapped();
  return all[device];
}

/// Explains a segmentation fault at a device's address, with a backtrace. Then the fault occurs
/// again and ends the program.
void explain(int, siginfo_t* fault, void*) {
  const auto* at = static_cast<const char*>(fault->si_addr);
  const int d = device_of(at);
  if (d >= 0) {
    const Memory& m = memory(d);
    auto next = m.live.upper_bound(const_cast<char*>(at));
    const Allocation* last = next == m.live.begin() ? nullptr : std::prev(next)->second.get();
    const char* who = running_kernel == nullptr ? "the host" : running_kernel;
    std::fprintf(stderr, "stand-in: %s touches memory of device %d that it was not given", who, d);
    if (last != nullptr && at < last->at + last->bytes + page) {
      std::fprintf(stderr, ": byte %td of %zu", at - last->at, last->bytes);
    }
    std::fprintf(stderr, "\n");
    void* frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  }
  sigaction(SIGSEGV, &before, nullptr);
}

size_t up(size_t bytes, size_t multiple) { return (bytes + multiple - 1) / multiple * multiple; }

/// Returns the alignment of an allocation of `bytes` bytes, at most 256.
size_t alignment(size_t bytes) {
  static const bool exact = setting("STAND_IN_EXACT") == "1";
  return exact ? std::min(bytes & -bytes, size_t{256}) : 256;
}

}  // namespace

const char* running_kernel = nullptr;

Allocation::~Allocation() {
  Memory& m = memory(device);
  if (!intact())
    violation("bytes next to an allocation of " + std::to_string(bytes) + " were written");
  const off_t first = open - before - m.open;
  const auto size = static_cast<off_t>(before + bytes + after);
  fallocate(m.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, first, size);
}

bool Allocation::intact() const {
  const auto all = [](const char* from, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (static_cast<unsigned char>(from[i]) != nobodys) return false;
    }
    return true;
  };
  return all(open - before, before) && all(open + bytes, after);
}

Shared allocate(int device, size_t bytes, const Stream* owner) {
  Memory& m = memory(device);
  const size_t whole = up(bytes, page);
  if (bytes > capacity - m.used) return nullptr;
  if (m.next + whole + page > addresses) {
    std::fprintf(stderr, "stand-in: no addresses are left for memory of device %d\n", device);
    std::abort();
  }
  const size_t after = up(bytes, alignment(bytes)) - bytes, begin = whole - bytes - after;
  const size_t offset = m.next + begin;
  m.next += whole + page;
  m.used += bytes;
  auto* made = new Allocation{
      device, m.at + offset, m.open + offset, bytes, begin, after, owner, {}, {}, {}};
  std::memset(made->open - begin, nobodys, begin);
  std::memset(made->open + bytes, nobodys, after);
  // These bytes are a NaN in every float dtype.
  if (bytes <= most_filled) std::memset(made->open, 0xff, bytes);
  return m.live[made->at] = Shared(made);
}

bool release(void* at) {
  const int d = device_of(at);
  if (d < 0) return false;
  Memory& m = memory(d);
  const auto found = m.live.find(static_cast<char*>(at));
  if (found == m.live.end()) return false;
  m.used -= found->second->bytes;
  m.live.erase(found);
  return true;
}

Shared find(const void* pointer) {
  const int d = device_of(pointer);
  if (d < 0) return nullptr;
  const auto* at = static_cast<const char*>(pointer);
  auto& live = memory(d).live;
  auto next = live.upper_bound(const_cast<char*>(at));
  if (next == live.begin()) return nullptr;
  const Shared& last = std::prev(next)->second;
  return at < last->at + last->bytes ? last : nullptr;
}

int device_of(const void* pointer) {
  for (int d = 0; d < devices; ++d) {
    const auto* at = static_cast<const char*>(pointer);
    if (at >= memory(d).at && at < memory(d).at + addresses) return d;
  }
  return -1;
}

size_t used(int device) { return memory(device).used; }

}  // namespace stand_in
