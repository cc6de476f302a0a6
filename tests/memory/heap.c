// Counts the memory that a process allocates. Preloaded, it replaces functions of the C library.
//
// It counts every call of malloc: by frameworks' allocators, `new`, or a std::vector in a kernel.
// It also counts anonymous mappings, except those that the C library itself makes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

static atomic_long live, peak;

static void grow(long bytes) {
  long now = atomic_fetch_add(&live, bytes) + bytes;
  long most = atomic_load(&peak);
  while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
  }
}

static void* counted(void* memory) {
  if (memory != NULL) grow((long)malloc_usable_size(memory));
  return memory;
}

/// Starts counting.
void heap_begin(void) {
  atomic_store(&live, 0);
  atomic_store(&peak, 0);
}

/// Returns the peak of allocated minus freed bytes since `heap_begin`.
long heap_peak(void) { return atomic_load(&peak); }

void* malloc(size_t bytes) { return counted(__libc_malloc(bytes)); }

void* calloc(size_t count, size_t bytes) { return counted(__libc_calloc(count, bytes)); }

void* realloc(void* memory, size_t bytes) {
  long before = memory == NULL ? 0 : (long)malloc_usable_size(memory);
  void* found = __libc_realloc(memory, bytes);
  if (found != NULL || bytes == 0) {
    atomic_fetch_sub(&live, before);
    counted(found);
  }
  return found;
}

void* memalign(size_t alignment, size_t bytes) {
  return counted(__libc_memalign(alignment, bytes));
}

void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == NULL ? ENOMEM : 0;
}

void free(void* memory) {
  if (memory != NULL) atomic_fetch_sub(&live, (long)malloc_usable_size(memory));
  __libc_free(memory);
}

void* mmap(void* where, size_t bytes, int protection, int flags, int file, off_t offset) {
  static void* (*next)(void*, size_t, int, int, int, off_t);
  if (next == NULL) next = (void* (*)(void*, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
  void* memory = next(where, bytes, protection, flags, file, offset);
  if (memory != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 && protection != PROT_NONE) {
    grow((long)bytes);
  }
  return memory;
}
