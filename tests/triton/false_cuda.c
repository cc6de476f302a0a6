// A libcuda.so.1 that launches nothing: it writes what it is asked for to FALSE_CUDA_LOG, for a device
// of compute capability FALSE_CUDA_ARCH. FALSE_CUDA_PARAMETERS are the bytes of a kernel's parameters.
#include <elf.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_line(const char *format, ...) {
  FILE *log = fopen(getenv("FALSE_CUDA_LOG"), "a");
  va_list arguments;
  va_start(arguments, format);
  vfprintf(log, format, arguments);
  va_end(arguments);
  fputc('\n', log);
  fclose(log);
}

static uintptr_t current = 0x51;

int cuInit(unsigned flags) { return (int)flags; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int arch = atoi(getenv("FALSE_CUDA_ARCH"));
  *value = attribute == 75 ? arch / 10 : attribute == 76 ? arch % 10 : 132;
  return device < 0;
}
int cuDeviceGetName(char *name, int size, int device) {
  return snprintf(name, size, "False GPU %d", device), 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  return *context = (void *)(uintptr_t)(0x100 + device), 0;
}
int cuCtxGetCurrent(void **context) { return *context = (void *)current, 0; }
int cuCtxGetDevice(int *device) { return *device = 0; }
int cuCtxPushCurrent_v2(void *context) {
  write_line("push %p", context);
  return current = (uintptr_t)context, 0;
}
int cuCtxPopCurrent_v2(void **context) {
  write_line("pop");
  return *context = (void *)current, current = 0x51, 0;
}

int cuModuleLoadData(void **module, const char *image) {
  size_t bytes = strlen(image);
  if (memcmp(image, ELFMAG, SELFMAG) == 0) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
    bytes = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + head->e_shoff);
    for (int n = 0; n < head->e_shnum; ++n) {
      size_t end = sections[n].sh_offset + sections[n].sh_size;
      if (sections[n].sh_type != SHT_NOBITS && end > bytes) bytes = end;
    }
    size_t programs = head->e_phoff + (size_t)head->e_phnum * head->e_phentsize;
    if (programs > bytes) bytes = programs;
  }
  char name[4096];
  static int count = 0;
  snprintf(name, sizeof name, "%s.image%d", getenv("FALSE_CUDA_LOG"), count++);
  FILE *file = fopen(name, "wb");
  fwrite(image, 1, bytes, file);
  fclose(file);
  write_line("load %s %d", name, (int)((uintptr_t)image % 64));
  return *module = (void *)0x200, 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  write_line("function %s", name);
  return *function = (void *)0x300, module == NULL;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  write_line("attribute %d %d", attribute, value);
  return function == NULL;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra) {
  char text[4096] = "", *end = text;
  char sizes[256];
  strcpy(sizes, getenv("FALSE_CUDA_PARAMETERS"));
  for (char *size = strtok(sizes, ","); size != NULL; size = strtok(NULL, ",")) {
    const unsigned char *bytes = *parameters++;
    *end++ = ' ';
    for (int n = 0; n < atoi(size); ++n) end += sprintf(end, "%02x", bytes[n]);
  }
  write_line("launch %u,%u,%u %u,%u,%u %u %p %d%s", grid_x, grid_y, grid_z, block_x, block_y,
             block_z, shared, stream, extra == NULL, text);
  return function == NULL;
}

int cuMemsetD8Async(uint64_t at, unsigned char value, size_t count, void *stream) {
  write_line("fill 8 %lx %x %zu %p", (long)at, value, count, stream);
  return 0;
}
int cuMemsetD16Async(uint64_t at, unsigned short value, size_t count, void *stream) {
  write_line("fill 16 %lx %x %zu %p", (long)at, value, count, stream);
  return 0;
}
int cuMemsetD2D32Async(uint64_t at, size_t pitch, unsigned value, size_t width, size_t height,
                       void *stream) {
  write_line("fill 32 %lx %zu %x %zu %zu %p", (long)at, pitch, value, width, height, stream);
  return 0;
}
