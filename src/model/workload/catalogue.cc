// The workloads as data. Formulas use the parameters, the definitions, and e = bytes of one element.
// Conventions: a fused multiply-add is 2 FLOP; a comparison is none, except where a note says otherwise.
#include "model/workload/workload.h"

namespace ridge {
namespace {

using Parameter = WorkloadParameter;

Parameter number(std::string_view name, std::string_view initial = "", double min = 1, double max = 1e15) {
  return {name, initial, {}, min, max, true};
}
Parameter real(std::string_view name, std::string_view initial, double min, double max) {
  return {name, initial, {}, min, max, false};
}
Parameter yes_or_no(std::string_view name, std::string_view initial) {
  return {name, initial, {"no", "yes"}, 0, 1, true};
}

void add_vector_workloads(std::vector<WorkloadInfo>& list) {
  list.push_back({.id = "vector_add",
                  .aliases = {"vectoradd", "vecadd"},
                  .parameters = {number("n")},
                  .flops = "n",
                  .instructions = "n",
                  .working_set = "3*n*e",
                  .variants = {{"", "2*n*e", "n*e", {}, ""}}});
  list.push_back({.id = "saxpy",
                  .aliases = {"axpy"},
                  .parameters = {number("n")},
                  .flops = "2*n",
                  .instructions = "n",
                  .working_set = "2*n*e",
                  .variants = {{"", "2*n*e", "n*e", {}, ""}}});
  list.push_back({.id = "dot",
                  .parameters = {number("n")},
                  .flops = "2*n",
                  .instructions = "n",
                  .working_set = "2*n*e + e",
                  .variants = {{"", "2*n*e", "e", {}, ""}},
                  .notes = {"explain.note.partial_sums"}});
  list.push_back({.id = "reduction",
                  .aliases = {"reduce", "sum"},
                  .parameters = {number("n", "", 2)},
                  .flops = "n - 1",
                  .instructions = "n - 1",
                  .working_set = "n*e + e",
                  .variants = {{"", "n*e", "e", {}, ""}},
                  .notes = {"explain.note.partial_sums"}});
  list.push_back({.id = "elementwise",
                  .aliases = {"map"},
                  .parameters = {number("n"),
                                 {"f", "", {}, 0, 0, true},
                                 {"count", "operations", {"operations", "instructions"}, 0, 1, true},
                                 real("flops", "", 0, 1e9),
                                 number("inputs", "1", 0, 64),
                                 number("outputs", "1", 1, 64)},
                  .flops = "flops*n",
                  .working_set = "(inputs + outputs)*n*e",
                  .variants = {{"", "inputs*n*e", "outputs*n*e", {}, ""}}});
}

void add_gemm(std::vector<WorkloadInfo>& list) {
  list.push_back({.id = "gemm",
                  .aliases = {"matmul", "sgemm"},
                  .matrix = true,
                  .parameters = {{"variant", "ideal", {"ideal", "tiled", "naive"}, 0, 0, true},
                                 number("n"),
                                 number("m", "n"),
                                 number("k", "n"),
                                 number("batch", "1"),
                                 number("T", "32", 1, 4096),
                                 yes_or_no("count_c", "yes"),
                                 yes_or_no("beta", "no"),
                                 real("out_bytes", "e", 0.125, 16)},
                  .flops = "2*m*n*k*batch + beta*2*m*n*batch",
                  .instructions = "m*n*k*batch + beta*m*n*batch",
                  .working_set = "(m*k + k*n)*batch*e + count_c*m*n*batch*out_bytes",
                  .variants = {{"ideal",
                                "(m*k + k*n)*batch*e + beta*count_c*m*n*batch*out_bytes",
                                "count_c*m*n*batch*out_bytes",
                                {},
                                "explain.note.gemm_ideal"},
                               {"tiled",
                                "(m*k*ceil(n/T) + k*n*ceil(m/T))*batch*e + beta*count_c*m*n*batch*out_bytes",
                                "count_c*m*n*batch*out_bytes",
                                {{"count_c", "no"}},
                                "explain.note.gemm_tiled"},
                               {"naive",
                                "2*m*n*k*batch*e + beta*count_c*m*n*batch*out_bytes",
                                "count_c*m*n*batch*out_bytes",
                                {{"count_c", "no"}},
                                "explain.note.gemm_naive"}},
                  .notes = {"explain.note.gemm_scaling"}});
}

void add_matrix_workloads(std::vector<WorkloadInfo>& list) {
  add_gemm(list);
  list.push_back({.id = "gemv",
                  .aliases = {"matvec"},
                  .parameters = {number("n"), number("m", "n")},
                  .flops = "2*m*n",
                  .instructions = "m*n",
                  .working_set = "m*n*e + n*e + m*e",
                  .variants = {{"", "m*n*e + n*e", "m*e", {}, ""}},
                  .notes = {"explain.note.gemv_vector"}});
  list.push_back({.id = "transpose",
                  .parameters = {{"variant", "coalesced", {"coalesced", "strided"}, 0, 0, true},
                                 number("n"),
                                 number("m", "n"),
                                 number("sector", "32", 1, 256)},
                  .flops = "0",
                  .working_set = "2*m*n*e",
                  .variants = {{"coalesced", "m*n*e", "m*n*e", {}, ""},
                               {"strided", "m*n*e", "m*n*max(sector, e)", {}, "explain.note.transpose_strided"}},
                  .notes = {"explain.note.no_arithmetic"}});
}

void add_network_workloads(std::vector<WorkloadInfo>& list) {
  list.push_back(
      {.id = "conv2d",
       .aliases = {"conv", "convolution"},
       .matrix = true,
       .parameters = {{"variant", "implicit", {"implicit", "im2col"}, 0, 0, true},
                      number("n", "1"),
                      number("c"),
                      number("h"),
                      number("w", "h"),
                      number("k"),
                      number("r", "3"),
                      number("s", "r"),
                      number("stride", "1"),
                      number("pad", "0", 0),
                      number("groups", "1")},
       .definitions = {{"p", "floor((h + 2*pad - r)/stride) + 1"}, {"q", "floor((w + 2*pad - s)/stride) + 1"}},
       .requirements = {{"floor(c/groups) - c/groups", "groups does not divide the input channels c",
                         "choose groups that divides c and k"},
                        {"floor(k/groups) - k/groups", "groups does not divide the output channels k",
                         "choose groups that divides c and k"}},
       .flops = "2*n*k*p*q*c*r*s/groups",
       .instructions = "n*k*p*q*c*r*s/groups",
       .working_set = "n*c*h*w*e + k*c*r*s/groups*e + n*k*p*q*e",
       .variants = {{"implicit", "n*c*h*w*e + k*c*r*s/groups*e", "n*k*p*q*e", {}, "explain.note.conv_implicit"},
                    {"im2col",
                     "n*c*h*w*e + k*c*r*s/groups*e + n*p*q*c*r*s*e",
                     "n*k*p*q*e + n*p*q*c*r*s*e",
                     {},
                     "explain.note.conv_im2col",
                     "n*c*h*w*e + k*c*r*s/groups*e + n*k*p*q*e + n*p*q*c*r*s*e"}}});
  list.push_back({.id = "attention",
                  .aliases = {"flash_attention", "sdpa"},
                  .matrix = true,
                  .parameters = {{"variant", "fused", {"fused", "unfused"}, 0, 0, true},
                                 number("batch", "1"),
                                 number("heads"),
                                 number("seq"),
                                 number("kv_seq", "seq"),
                                 number("kv_heads", "heads"),
                                 number("d"),
                                 yes_or_no("causal", "no")},
                  .requirements = {{"floor(heads/kv_heads) - heads/kv_heads", "kv_heads does not divide heads",
                                    "choose kv_heads that divides heads"}},
                  .flops = "4*batch*heads*seq*kv_seq*d*(1 - causal/2)",
                  .instructions = "2*batch*heads*seq*kv_seq*d*(1 - causal/2)",
                  .working_set = "2*batch*heads*seq*d*e + 2*batch*kv_heads*kv_seq*d*e",
                  .variants = {{"fused",
                                "batch*heads*seq*d*e + 2*batch*kv_heads*kv_seq*d*e",
                                "batch*heads*seq*d*e",
                                {},
                                "explain.note.attention_fused"},
                               {"unfused",
                                "batch*heads*seq*d*e + 2*batch*kv_heads*kv_seq*d*e + 2*batch*heads*seq*kv_seq*e",
                                "batch*heads*seq*d*e + 2*batch*heads*seq*kv_seq*e",
                                {},
                                "explain.note.attention_unfused",
                                "2*batch*heads*seq*d*e + 2*batch*kv_heads*kv_seq*d*e + 2*batch*heads*seq*kv_seq*e"}},
                  .notes = {"explain.note.attention_softmax"}});
}

void add_row_workloads(std::vector<WorkloadInfo>& list) {
  list.push_back(
      {.id = "softmax",
       .parameters = {{"variant", "fused", {"fused", "three_pass"}, 0, 0, true}, number("rows"), number("cols", "", 2)},
       .flops = "5*rows*cols",
       .instructions = "5*rows*cols",
       .working_set = "2*rows*cols*e",
       .variants = {{"fused", "rows*cols*e", "rows*cols*e", {}, "explain.note.rows_fused"},
                    {"three_pass", "3*rows*cols*e", "rows*cols*e", {}, "explain.note.rows_three_pass"}},
       .notes = {"explain.note.softmax_flops"}});
  list.push_back(
      {.id = "layernorm",
       .aliases = {"layer_norm"},
       .parameters = {{"variant", "fused", {"fused", "three_pass"}, 0, 0, true}, number("rows"), number("cols", "", 2)},
       .flops = "8*rows*cols",
       .instructions = "6*rows*cols",
       .working_set = "2*rows*cols*e + 2*cols*e",
       .variants = {{"fused", "rows*cols*e + 2*cols*e", "rows*cols*e", {}, "explain.note.rows_fused"},
                    {"three_pass", "3*rows*cols*e + 2*cols*e", "rows*cols*e", {}, "explain.note.rows_three_pass"}},
       .notes = {"explain.note.layernorm_flops"}});
}

void add_irregular_workloads(std::vector<WorkloadInfo>& list) {
  list.push_back({.id = "stencil",
                  .parameters = {{"variant", "ideal", {"ideal", "no_reuse"}, 0, 0, true},
                                 number("n", "", 3),
                                 number("dims", "3", 1, 3),
                                 number("points", "2*dims + 1", 2, 1000)},
                  .flops = "(2*points - 1)*n^dims",
                  .instructions = "points*n^dims",
                  .working_set = "2*n^dims*e",
                  .variants = {{"ideal", "n^dims*e", "n^dims*e", {}, "explain.note.stencil_ideal"},
                               {"no_reuse", "points*n^dims*e", "n^dims*e", {}, "explain.note.stencil_no_reuse"}},
                  .notes = {"explain.note.stencil_flops"}});
  list.push_back(
      {.id = "spmv",
       .aliases = {"csr_spmv"},
       .parameters = {{"variant", "ideal", {"ideal", "no_reuse"}, 0, 0, true},
                      number("rows"),
                      number("nnz"),
                      number("cols", "rows"),
                      number("index_bytes", "4", 1, 8)},
       .requirements = {{"rows*cols - nnz", "nnz is larger than rows x cols", "give the number of stored elements"}},
       .flops = "2*nnz",
       .instructions = "nnz",
       .working_set = "nnz*(e + index_bytes) + (rows + 1)*index_bytes + cols*e + rows*e",
       .variants = {{"ideal",
                     "nnz*(e + index_bytes) + (rows + 1)*index_bytes + cols*e",
                     "rows*e",
                     {},
                     "explain.note.spmv_ideal"},
                    {"no_reuse",
                     "nnz*(e + index_bytes) + (rows + 1)*index_bytes + nnz*e",
                     "rows*e",
                     {},
                     "explain.note.spmv_no_reuse"}}});
  list.push_back({.id = "fft",
                  .parameters = {number("n", "", 2), number("batch", "1"), number("passes", "1", 1, 64)},
                  .flops = "5*n*log2(n)*batch",
                  .working_set = "2*e*n*batch",
                  .variants = {{"", "2*e*n*batch*passes", "2*e*n*batch*passes", {}, "explain.note.fft_passes"}},
                  .notes = {"explain.note.fft_flops"}});
}

}  // namespace

const std::vector<WorkloadInfo>& workloads() {
  static const std::vector<WorkloadInfo> list = [] {
    std::vector<WorkloadInfo> made;
    add_vector_workloads(made);
    add_matrix_workloads(made);
    add_network_workloads(made);
    add_row_workloads(made);
    add_irregular_workloads(made);
    return made;
  }();
  return list;
}

}  // namespace ridge
