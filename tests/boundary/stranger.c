/* An existing C library with its own conventions: 32-bit sizes, results in the middle of the
 * arguments, an int as status, and the stream as the last argument. */
#include <stddef.h>

static int calls = 0;

int st_calls(void) { return calls; }

/* out = alpha * x + (z ? z : 0), where x has `rows` rows of `columns` elements. In each row, the
   first margins[0] and the last margins[1] elements become 0. */
int st_axpz(int columns, const float* x, double alpha, float* out, const float* z,
            const int* margins, int rows, _Bool negate, void* stream) {
  ++calls;
  for (int i = 0; i < rows * columns; ++i) {
    const int at = i % columns;
    const int cut = at < margins[0] || at >= columns - margins[1];
    const double value = alpha * x[i] + (z != NULL ? z[i] : 0.0f);
    out[i] = cut ? 0.0f : (float)(negate ? -value : value);
  }
  return stream != NULL;
}

/* out = the sum of x. `kind` is the element type: 2 is float, 3 is double. */
void st_sum(const void* x, void* out, long long count, int kind) {
  double total = 0;
  for (long long i = 0; i < count; ++i) {
    total += kind == 3 ? ((const double*)x)[i] : ((const float*)x)[i];
  }
  if (kind == 3) *(double*)out = total;
  else *(float*)out = (float)total;
}
