// A program with known launches, for measuring what profiling costs and whether it counts right.
//
//   launches mix        2,400 launches of twelve kernels that take 3 to 350 us each on a large GPU
//   launches tiny       10,000 launches of the shortest kernel
//   launches distinct   twelve kernels once each
//   launches same       300 launches of one kernel
//   launches long       60 launches of three kernels of 0.3 to 1 ms, of different intensity, one after the other
//   launches graph      a graph of three kernels captured once and replayed 20 times
//   launches streams    two streams at once, then a copy each way
//   launches child      runs `launches distinct` as a child process, then `long` itself
//
// Prints one line, "seconds=...": from the first launch to the end of the last synchronisation. Ends with 1 if a result
// is wrong: replaying launches must not change what the program computes.
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "launches: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Every kernel adds `step` to each element it touches, after `rounds` of arithmetic that does not change the value: the
// expected content of memory is then a count of launches.
template <int kind>
__global__ void work(float* data, long n, int rounds, float step) {
  const long stride = long(gridDim.x) * blockDim.x;
  for (long i = long(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    float value = data[i];
    float spin = value + kind;
    for (int r = 0; r < rounds; ++r) spin = fmaf(spin, 0.999f, 0.001f);
    if (spin == -1.0f) value = 0;  // never: spin stays above 0
    data[i] = value + step;
  }
}

using Kernel = void (*)(float*, long, int, float);
struct Job {
  Kernel kernel;
  long n;
  int rounds;
};

// From a megabyte in L2 to half a gigabyte, from no arithmetic to much.
const std::vector<Job>& jobs() {
  static const std::vector<Job> list = {
      {work<0>, 1 << 18, 0}, {work<1>, 1 << 18, 64},  {work<2>, 1 << 20, 0},  {work<3>, 1 << 20, 128},
      {work<4>, 1 << 22, 0}, {work<5>, 1 << 22, 256}, {work<6>, 1 << 24, 0},  {work<7>, 1 << 24, 64},
      {work<8>, 1 << 25, 0}, {work<9>, 1 << 25, 128}, {work<10>, 1 << 26, 0}, {work<11>, 100'000'000, 0},
  };
  return list;
}
constexpr long kLargest = 100'000'000;

void launch(const Job& job, float* data, cudaStream_t stream = nullptr) {
  const long blocks = std::min((job.n + 255) / 256, 132L * 16);
  job.kernel<<<unsigned(blocks), 256, 0, stream>>>(data, job.n, job.rounds, 1.0f);
}

float* buffer(long n) {
  float* data = nullptr;
  check(cudaMalloc(&data, size_t(n) * sizeof(float)), "cudaMalloc");
  check(cudaMemset(data, 0, size_t(n) * sizeof(float)), "cudaMemset");
  check(cudaDeviceSynchronize(), "cudaMemset");
  return data;
}

int verify(const float* data, long at, float expected) {
  float value = -1;
  check(cudaMemcpy(&value, data + at, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (value == expected) return 0;
  std::fprintf(stderr, "launches: element %ld is %g, expected %g\n", at, value, expected);
  return 1;
}

template <class F>
int timed(float* data, long at, float expected, F run) {
  const double begin = now();
  run();
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "synchronise");
  std::printf("seconds=%.6f\n", now() - begin);
  return verify(data, at, expected);
}

// As frameworks do it, kernels run once before the capture; the last one does not, and runs in the graph alone.
int graph() {
  float* data = buffer(1 << 24);
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "stream");
  for (int job : {2, 4}) launch(jobs()[size_t(job)], data, stream);
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  for (int job : {2, 4, 6}) launch(jobs()[size_t(job)], data, stream);
  cudaGraph_t captured;
  check(cudaStreamEndCapture(stream, &captured), "capture");
  cudaGraphExec_t ready;
  check(cudaGraphInstantiate(&ready, captured, 0), "instantiate");
  return timed(data, 0, 62, [&] {
    for (int i = 0; i < 20; ++i) check(cudaGraphLaunch(ready, stream), "graph");
  });
}

int streams() {
  float* one = buffer(1 << 22);
  float* two = buffer(1 << 22);
  std::vector<float> host(1 << 22);
  cudaStream_t first, second;
  check(cudaStreamCreate(&first), "stream");
  check(cudaStreamCreate(&second), "stream");
  const int wrong = timed(one, 0, 50, [&] {
    for (int i = 0; i < 50; ++i) {
      launch(jobs()[4], one, first);
      launch(jobs()[5], two, second);
    }
    check(cudaDeviceSynchronize(), "synchronise");
    check(cudaMemcpy(host.data(), one, host.size() * sizeof(float), cudaMemcpyDeviceToHost), "copy");
    check(cudaMemcpy(two, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice), "copy");
  });
  return wrong | verify(two, 5, 50);
}

int longer() {
  float* data = buffer(kLargest * 3);
  const Job heavy{work<12>, kLargest, 400}, wide{work<13>, kLargest * 3, 0}, both{work<14>, kLargest * 2, 40};
  return timed(data, 0, 60, [&] {
    for (int i = 0; i < 20; ++i) {
      launch(heavy, data);
      launch(wide, data);
      launch(both, data);
    }
  });
}

int run(const std::string& mode, const char* self) {
  if (mode == "graph") return graph();
  if (mode == "streams") return streams();
  if (mode == "long") return longer();
  if (mode == "child") {
    const pid_t child = fork();
    if (child == 0) {
      execl(self, self, "distinct", static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
    return longer();
  }
  float* data = buffer(kLargest);
  if (mode == "mix") {
    return timed(data, 0, 2400, [&] {
      for (int i = 0; i < 2400; ++i) launch(jobs()[size_t(i) % jobs().size()], data);
    });
  }
  if (mode == "tiny") {
    return timed(data, 0, 10000, [&] {
      for (int i = 0; i < 10000; ++i) launch(jobs()[2], data);
    });
  }
  if (mode == "distinct") {
    return timed(data, 0, 12, [&] {
      for (const Job& job : jobs()) launch(job, data);
    });
  }
  if (mode == "same") {
    return timed(data, 0, 300, [&] {
      for (int i = 0; i < 300; ++i) launch(jobs()[6], data);
    });
  }
  std::fprintf(stderr, "launches: mix, tiny, distinct, same, long, graph, streams or child\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc > 1 ? argv[1] : "", "/proc/self/exe");
}
