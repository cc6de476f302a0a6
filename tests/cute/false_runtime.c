// A libcute_dsl_runtime.so that launches nothing: it writes what objects ask it for.
#include "../triton/false_gpu.h"

struct config {
  unsigned grid[3], block[3];
  size_t shared;
  void* stream;
};

int _cudaLibraryLoadData(void** library, const void* code) {
  write_line("library %d", code != NULL);
  return *library = (void*)0x200, 0;
}
int _cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
  write_line("kernel %p %s", library, name);
  return *kernel = (void*)0x300, 0;
}
int _cudaGetDevice(int* device) { return *device = 2, 0; }
int _cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return *value = 1 << 17, attribute < 0 || device < 0;
}
int _cuKernelGetAttribute(int* value, int attribute, void* kernel, int device) {
  return *value = 0, attribute < 0 || kernel == NULL || device < 0;
}
int _cudaFuncSetAttribute(void* kernel, int attribute, int value) {
  return kernel == NULL || attribute < 0 || value < 0;
}
int _cudaKernelSetAttributeForDevice(void* kernel, int attribute, int value, int device) {
  return kernel == NULL || attribute < 0 || value < 0 || device < 0;
}
int _cudaLaunchKernelEx(const struct config* config, void* kernel, void** arguments) {
  write_line("launch %u,%u,%u %u,%u,%u %p %p %d", config->grid[0], config->grid[1], config->grid[2],
             config->block[0], config->block[1], config->block[2], config->stream, kernel,
             arguments != NULL);
  return 0;
}
