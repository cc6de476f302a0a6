// A fake libcuda.so.1 that launches nothing. Its devices have compute capability FALSE_GPU_ARCH.
#include "false_gpu.h"

static uintptr_t current = 0x51;

int cuInit(unsigned flags) { return (int)flags; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int arch = atoi(getenv("FALSE_GPU_ARCH"));
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
  keep_image(image);
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
  write_launch(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters, extra);
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
