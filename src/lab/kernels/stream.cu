// Streaming kernels: a handful of FLOP per element, so DRAM decides. What differs is how the bytes are asked for.
//
// One thread an element (grid ceil(n/256), block 256) unless stated. Pointers are 16-byte aligned.

extern "C" __global__ void __launch_bounds__(256) vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void __launch_bounds__(256) saxpy(float s, const float* x, float* y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = s * x[i] + y[i];
}

/// sinf of the full range: the slow reduction of large arguments is in the code, though small inputs never take it.
extern "C" __global__ void __launch_bounds__(256) sin_map(const float* x, float* y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]);
}

extern "C" __global__ void __launch_bounds__(256) cos_map(const float* x, float* y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = cosf(x[i]);
}

/// sin and cos of one reading of x: 12 bytes an element where two kernels move 16.
extern "C" __global__ void __launch_bounds__(256) sin_cos_fused(const float* x, float* s, float* c, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float sine, cosine;
  sincosf(x[i], &sine, &cosine);
  s[i] = sine;
  c[i] = cosine;
}

/// Every stride-th element: from stride 8 on each 32-byte sector carries one useful word.
extern "C" __global__ void __launch_bounds__(256) strided_read(const float* in, float* out, int n, int stride) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[static_cast<size_t>(i) * stride];
}

/// Elements named by an index array.
extern "C" __global__ void __launch_bounds__(256) gathered_read(const float* in, const int* index, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}
