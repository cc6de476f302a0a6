// A fake libamdhip64.so that launches nothing. Its devices are named FALSE_GPU_ARCH ("gfx942").
#include "false_gpu.h"

static int current = 1;

int hipGetDevice(int *device) { return *device = current, 0; }
int hipSetDevice(int device) {
  write_line("device %d", device);
  return current = device, 0;
}
// The layout of HIP 6 and 7: 1472 bytes.
int hipGetDevicePropertiesR0600(char *properties, int device) {
  memset(properties, 0, 1472);
  snprintf(properties, 256, "False GPU %d", device);
  snprintf(properties + 1160, 256, "%s:sramecc+:xnack-", getenv("FALSE_GPU_ARCH"));
  return 0;
}
int hipDeviceGetAttribute(int *value, int attribute, int device) {
  return *value = attribute == 63 ? 304 : 0, device < 0;
}
int hipModuleLoadData(void **module, const void *image) {
  keep_image(image);
  return *module = (void *)0x200, 0;
}
int hipModuleGetFunction(void **function, void *module, const char *name) {
  write_line("function %s", name);
  return *function = (void *)0x300, module == NULL;
}
int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          void *stream, void **parameters, void **extra) {
  write_launch(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters, extra);
  return function == NULL;
}
int hipMemsetAsync(void *at, int value, size_t count, void *stream) {
  write_line("fill 8 %p %x %zu %p", at, value, count, stream);
  return 0;
}
int hipMemsetD16Async(void *at, unsigned short value, size_t count, void *stream) {
  write_line("fill 16 %p %x %zu %p", at, value, count, stream);
  return 0;
}
int hipMemsetD32Async(void *at, int value, size_t count, void *stream) {
  write_line("fill 32 %p %x %zu %p", at, value, count, stream);
  return 0;
}
int hipMemset2DAsync(void *at, size_t pitch, int value, size_t width, size_t height, void *stream) {
  write_line("fill rows %p %zu %x %zu %zu %p", at, pitch, value, width, height, stream);
  return 0;
}
