#!/usr/bin/env python3
"""Kernels of a real framework, for the device suite: GEMMs in bf16, tf32, fp8, int8, fp64 and fp32, softmax, layernorm,
attention, convolution, sort. Each runs a few times after a warm-up of its own, so that the library has chosen its kernel.
Prints one line, "seconds=...": of the measured part. Needs PyTorch."""

import sys
import time

import torch

REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 5


def work():
    """name -> a function that launches it."""
    torch.manual_seed(1)  # conversions do more for some values than for others
    gpu = torch.device("cuda")
    half = torch.randn(4096, 4096, device=gpu, dtype=torch.bfloat16)
    single = torch.randn(2048, 2048, device=gpu)
    double = torch.randn(2048, 2048, device=gpu, dtype=torch.float64)
    whole = torch.randint(-8, 8, (2048, 2048), device=gpu, dtype=torch.int8)
    image = torch.randn(32, 64, 56, 56, device=gpu, dtype=torch.bfloat16)
    filters = torch.randn(64, 64, 3, 3, device=gpu, dtype=torch.bfloat16)
    heads = torch.randn(4, 16, 1024, 64, device=gpu, dtype=torch.bfloat16)
    numbers = torch.rand(1 << 22, device=gpu)
    one = torch.ones((), device=gpu)

    def tf32():
        torch.backends.cuda.matmul.allow_tf32 = True
        result = single @ single
        torch.backends.cuda.matmul.allow_tf32 = False
        return result

    jobs = {
        "bf16": lambda: half @ half,
        "tf32": tf32,
        "fp32": lambda: single @ single,
        "fp64": lambda: double @ double,
        "int8": lambda: torch._int_mm(whole, whole),
        "softmax": lambda: torch.softmax(half, dim=-1),
        "layernorm": lambda: torch.nn.functional.layer_norm(half, (4096,)),
        "attention": lambda: torch.nn.functional.scaled_dot_product_attention(heads, heads, heads),
        "convolution": lambda: torch.nn.functional.conv2d(image, filters, padding=1),
        "sort": lambda: torch.sort(numbers),
    }
    if torch.cuda.get_device_capability() >= (8, 9):
        eighth = half.to(torch.float8_e4m3fn)
        jobs["fp8"] = lambda: torch._scaled_mm(eighth, eighth.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    return jobs


def main():
    jobs = work()
    for job in jobs.values():
        job()
    torch.cuda.synchronize()
    begin = time.monotonic()
    for name, job in jobs.items():
        with torch.cuda.nvtx.range(name):
            for _ in range(REPEATS):
                job()
    torch.cuda.synchronize()
    print(f"seconds={time.monotonic() - begin:.6f}")


main()
