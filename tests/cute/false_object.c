// An object with the ABI of those that CuTe DSL exports, which writes what it is called with:
// PREFIX and FUNCTION are the names in its header, TENSOR the bytes of a tensor's struct.
#include "../triton/false_gpu.h"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)

// As the runtime library has them: it is linked with.
int _cudaLibraryLoadData(void** library, const void* code);

void JOIN(_mlir_, PREFIX, _cuda_init)(void** given) {
  void*** library = given[0];
  int* result = given[1];
  *result = _cudaLibraryLoadData(*library, "code");
}
void JOIN(_mlir_, PREFIX, _cuda_load_to_device)(void** given) {
  void*** library = given[0];
  int *device = given[1], *result = given[2];
  write_line("device %d %p", *device, **library);
  *result = 0;
}

static void write_bytes(const char* name, const unsigned char* bytes, int count) {
  char text[256] = "", *end = text;
  for (int n = 0; n < count; ++n) end += sprintf(end, "%02x", bytes[n]);
  write_line("%s %s", name, text);
}

void FUNCTION(void** given, int count) {
  write_line("call %d", count);
  write_bytes("x", given[0], TENSOR);
  write_bytes("y", given[1], TENSOR);
  write_bytes("by", given[2], sizeof(float));
  write_bytes("stream", given[3], sizeof(void*));
  *(int*)given[4] = atoi(getenv("FALSE_GPU_RESULT"));
}
