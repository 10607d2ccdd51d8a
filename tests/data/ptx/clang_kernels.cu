// What another compiler makes of C++: for the tests of the PTX front end.
// clang++ -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -O2 -S clang_kernels.cu -o
// clang_kernels.ptx
#define GLOBAL extern "C" __attribute__((global))

GLOBAL void saxpy(float a, const float* x, float* y, int n) {
  const int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  if (i < n) y[i] = a * x[i] + y[i];
}

__attribute__((shared)) int tile[256];

GLOBAL void reverse(int* x) {
  const int i = __nvvm_read_ptx_sreg_tid_x();
  tile[i] = x[i];
  __syncthreads();
  x[i] = tile[255 - i];
}

struct Record {
  double values[4];
  short kind;
};

GLOBAL void structures(Record* to, Record from) {
  switch (from.kind) {
    case 0:
      to->values[0] = from.values[1] / from.values[2];
      break;
    case 1:
      to->kind = 3;
      break;
    case 2:
      to->values[1] = -from.values[0];
      break;
    case 3:
      to->kind = static_cast<short>(from.values[3]);
      break;
    default:
      *to = from;
  }
}
