"""Kernels in Triton, for the tests of the PTX front end: triton_kernels.py FOLDER writes their PTX for sm_80 and sm_90."""

import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out_ptr, in_ptr, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(in_ptr + row * stride + c, mask=c < cols, other=-float("inf"))
    v = v - tl.max(v, 0)
    e = tl.exp(v)
    tl.store(out_ptr + row * stride + c, e / tl.sum(e, 0), mask=c < cols)

@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM); rn = pn * BN + tl.arange(0, BN); rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(b + (k + rk)[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty))

@triton.jit
def histogram(x, h, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(h + v, 1, mask=i < n)


KERNELS = {
    "softmax": (softmax, {"out_ptr": "*fp32", "in_ptr": "*fp32", "stride": "i32", "cols": "i32"}, {"BLOCK": 1024}),
    "matmul_fp16": (
        matmul,
        {"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"},
        {"BM": 64, "BN": 64, "BK": 32},
    ),
    "histogram": (histogram, {"x": "*i32", "h": "*i32", "n": "i32"}, {"BLOCK": 256}),
}

for name, (function, signature, constants) in KERNELS.items():
    for target in (80, 90):
        source = ASTSource(fn=function, signature={**signature, **dict.fromkeys(constants, "constexpr")}, constexprs=constants)
        compiled = triton.compile(source, target=GPUTarget("cuda", target, 32))
        with open(f"{sys.argv[1]}/triton_{name}_sm{target}.ptx", "w") as file:
            file.write(compiled.asm["ptx"])
