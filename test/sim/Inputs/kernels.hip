// Kernels as HIP programs have them, without HIP's headers and libraries.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

__device__ static int lane() { return __builtin_amdgcn_workitem_id_x(); }
__device__ static int group() { return __builtin_amdgcn_workgroup_id_x(); }
// Hidden arguments, or the dispatch packet.
__device__ static int size() { return __builtin_amdgcn_workgroup_size_x(); }
__device__ static int total() { return __builtin_amdgcn_grid_size_x(); }

__device__ static void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// A loop whose stride is the size of the grid.
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
  for (int i = group() * size() + lane(); i < n; i += total())
    y[i] = a * x[i] + y[i];
}

// A tree in LDS, and an atomic across workgroups.
extern "C" __global__ void sum(const int *x, int *out) {
  __shared__ int part[64];
  int t = lane();
  part[t] = x[group() * 64 + t];
  barrier();
  for (int step = 32; step; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    barrier();
  }
  if (t == 0)
    __atomic_fetch_add(out, part[0], __ATOMIC_RELAXED);
}

// LDS whose size the launch gives, read back in the other order.
extern "C" __global__ void reverse(double *x) {
  extern __shared__ double tile[];
  int t = lane(), n = size();
  tile[t] = x[group() * n + t] * 2.5;
  barrier();
  x[group() * n + t] = tile[n - 1 - t];
}

// Calls: recursion, a pointer that differs between lanes, a struct.
struct Pair {
  int first;
  long second;
};
__device__ __attribute__((noinline)) int ackermann(int m, int n) {
  if (!m)
    return n + 1;
  return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}
__device__ __attribute__((noinline)) Pair twice(Pair p) {
  return {2 * p.first, p.second * p.second};
}
__device__ __attribute__((noinline)) Pair thrice(Pair p) {
  return {3 * p.first, p.second + p.first};
}
extern "C" __global__ void calls(Pair p, long *out) {
  int t = lane();
  p.first += t;
  Pair (*f)(Pair) = t % 3 ? twice : thrice;
  Pair r = f(p);
  out[t] = r.first + 1000 * r.second + ackermann(2, t % 4);
}

// An array in scratch, indexed by what is in memory; values of all sizes.
extern "C" __global__ void histogram(const unsigned char *text,
                                     unsigned short *counts) {
  unsigned short mine[16];
  for (int i = 0; i < 16; ++i)
    mine[i] = 0;
  for (int i = 0; i < 8; ++i)
    ++mine[text[8 * lane() + i] & 15];
  for (int i = 0; i < 16; ++i)
    counts[16 * lane() + i] = mine[i];
}
