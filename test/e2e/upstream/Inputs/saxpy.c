/* Calls the functions of saxpy.mlir through the header that aircc wrote. */

#include "saxpy.h"

#include <stdio.h>
#include <stdlib.h>

static aircc_memref_1d_f32 view(float *data, int64_t n, int64_t stride) {
  aircc_memref_1d_f32 m = {data, data, 0, {n}, {stride}};
  return m;
}

int main(void) {
  enum { N = 1000 };
  float x[2 * N], y[N];
  for (int i = 0; i < N; ++i) {
    x[2 * i] = (float)(i % 17);
    x[2 * i + 1] = -1000.0f;
    y[i] = (float)(i % 5);
  }
  /* Every second element of x. */
  aircc_memref_1d_f32 xs = view(x, N, 2), ys = view(y, N, 1);
  for (int round = 0; round < 3; ++round)
    _mlir_ciface_saxpy(2.0f, &xs, &ys);
  for (int i = 0; i < N; ++i) {
    float expected = (float)(i % 5) + 3 * 2.0f * (float)(i % 17);
    if (y[i] != expected) {
      printf("saxpy: FAIL at %d: %g, expected %g\n", i, y[i], expected);
      return 1;
    }
  }
  if (_mlir_ciface_twice(21) != 42) {
    printf("twice: FAIL\n");
    return 1;
  }
  printf("saxpy: PASS\n");
  return 0;
}
