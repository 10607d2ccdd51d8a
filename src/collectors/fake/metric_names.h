// The names of the fake chip's metrics, written as patterns: "a{b,c}" stands for "ab" and "ac". Used by metrics.cc
// only.
#pragma once

#include <string_view>

namespace ridge::collectors::fake {

struct Pattern {
  std::string_view text;
  bool sampled = false;  ///< the sampler counts it too
};

inline constexpr Pattern kCounterPatterns[] = {
    {"gpu__{time_duration,time_active,cycles_elapsed,cycles_active}", true},
    {"{gpc,sys,sm,smsp,l1tex,lts,dram}__cycles_{elapsed,active}", true},
    {"dram__{bytes,sectors}{,_read,_write}", true},
    {"lts__t_{bytes,sectors}", true},
    {"lts__t_sectors_srcunit_tex", true},
    {"lts__t_sectors_op_{read,write}"},
    {"lts__t_sectors_aperture_{sysmem,peer}_op_{read,write}"},
    {"lts__t_{requests,tag_requests}"},
    {"lts__t_sectors_op_{atom,red}"},
    {"lts__t_requests_op_{read,write,atom,red}"},
    {"lts__t_sectors_srcunit_tex_op_{read,write,atom,red}{,_lookup_miss}"},
    {"lts__t_sectors_srcunit_tex_lookup_{hit,miss}"},
    {"lts__t_sectors_srcunit_tex_aperture_{device,sysmem,peer}{,_lookup_miss}"},
    {"lts__t_sectors_srcunit_tex_aperture_sysmem_op_{read,write,atom,red}"},
    {"lts__t_sectors_srcunit_tex_aperture_sysmem_op_read_lookup_miss"},
    {"lts__lts2xbar_cycles_active"},
    {"l1tex__t_{bytes,sectors,requests}"},
    {"l1tex__t_{bytes,sectors,requests}_pipe_lsu_mem_global_op_{ld,st,atom,red}"},
    {"l1tex__t_{bytes,sectors,requests}_pipe_lsu_mem_local_op_{ld,st}"},
    {"l1tex__t_{sectors,bytes}_pipe_lsu_mem_global_op_ld_lookup_{hit,miss}"},
    {"l1tex__t_bytes_pipe_lsu_mem_lg"},
    {"l1tex__m_xbar2l1tex_read_{bytes,sectors}"},
    {"l1tex__m_xbar2l1tex_read_{bytes,sectors}_mem_global_op_{tma_ld,ldgsts_cache_access}"},
    {"l1tex__m_xbar2l1tex_read_{bytes,sectors}_mem_dshared"},
    {"l1tex__m_l1tex2xbar_write_{bytes,sectors}"},
    {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_{tma_st,tma_red}"},
    {"l1tex__data_{pipe_lsu_wavefronts,bank_conflicts_pipe_lsu}"},
    {"l1tex__data_{pipe_lsu_wavefronts,bank_conflicts_pipe_lsu}_mem_shared{,_op_ld,_op_st,_op_atom}"},
    {"l1tex__lsu_writeback_active", true},
    {"l1tex__lsu_writeback_active_mem_lgds"},
    {"sm__{inst_executed,issue_active,warps_active,ctas_active}", true},
    {"sm__{ctas_launched,warps_launched}"},
    {"sm__inst_executed_pipe_{alu,fma,lsu,xu,uniform,tensor,tex,fmaheavy,fmalite}", true},
    {"sm__inst_executed_pipe_{fp64,tma}"},
    {"sm__inst_executed_pipe_tensor_op_{dmma,gmma,hmma,imma}"},
    {"sm__pipe_{alu,fma,fp64,fmaheavy,tensor}_cycles_active", true},
    {"sm__pipe_tensor_cycles_active_realtime", true},
    {"sm__pipe_tensor_op_{dmma,hmma,imma}_cycles_active"},
    {"sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active"},
    {"sm__ops_path_tensor_src_{bf16_dst_fp32,fp16,fp64,fp8,int1,int8,tf32_dst_fp32}"},
    {"sm__ops_path_tensor_src_fp8_sparsity_{off,on}"},
    {"sm__ops_path_tensor_op_{hgmma_src_bf16_dst_fp32,hgmma_src_fp16,hgmma_src_tf32_dst_fp32,"
     "hmma_src_bf16_dst_fp32,hmma_src_fp16_dst_fp16,hmma_src_fp16_dst_fp32,hmma_src_tf32_dst_fp32,igmma_src_int8,"
     "imma_src_int8}{,_sparsity_off,_sparsity_on}"},
    {"sm__ops_path_tensor_op_{hmma_src_fp16,bgmma_src_int1,bmma_src_int1}"},
    {"{sm,smsp}__sass_thread_inst_executed_op_{dadd,dmul,dfma,fadd,fmul,ffma,hadd,hmul,hfma,integer,fp16,fp32,fp64,"
     "conversion,memory,control,bit,misc,uniform}_pred_on"},
    {"smsp__sass_inst_executed_op_shared_{ld,st}"},
    {"smsp__{inst_executed,inst_issued,issue_active,warps_active,warps_eligible}", true},
    {"smsp__{thread_inst_executed,thread_inst_executed_pred_on,warps_launched}"},
    {"smsp__inst_executed_pipe_{alu,fma,fp64,lsu,xu,uniform,tensor,tex,tma}"},
    {"smsp__inst_executed_op_{branch,global_ld,global_st,shared_ld,shared_st,local_ld,local_st,ldgsts,tma_ld,tma_st}"},
    {"smsp__warps_issue_stalled_{barrier,branch_resolving,dispatch_stall,drain,gmma,imc_miss,lg_throttle,"
     "long_scoreboard,math_pipe_throttle,membar,mio_throttle,misc,no_instruction,not_selected,selected,"
     "short_scoreboard,sleeping,tex_throttle,wait}",
     true},
};

inline constexpr Pattern kRatioPatterns[] = {
    {"l1tex__t_sector_hit_rate", true},
    {"lts__t_{sector,request}_hit_rate"},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{ld,st}"},
    {"l1tex__t_sector_pipe_lsu_mem_global_op_{ld,st}_hit_rate"},
    {"smsp__average_warps_issue_stalled_{barrier,branch_resolving,dispatch_stall,drain,gmma,imc_miss,lg_throttle,"
     "long_scoreboard,math_pipe_throttle,membar,mio_throttle,misc,no_instruction,not_selected,selected,"
     "short_scoreboard,sleeping,tex_throttle,wait}_per_issue_active"},
    {"smsp__average_warp_latency_per_inst_issued"},
    {"smsp__average_warps_active_per_issue_active"},
    {"smsp__thread_inst_executed_{,pred_on_}per_inst_executed"},
};

inline constexpr Pattern kThroughputPatterns[] = {
    {"dram__throughput", true},
    {"{lts,l1tex,sm}__throughput"},
    {"gpu__{compute_memory,dram,compute_memory_access,compute_memory_request}_throughput"},
};

}  // namespace ridge::collectors::fake
