"""PTX of entries: each becomes a kernel e<number>(in, out). Thread i reads its operands from in[i][k] and leaves its results in
out[i][k], each in a slot of 64 bits."""

LETTERS = {"h": "b16", "r": "b32", "d": "b64"}


def kernel(number, entry):
    lines = [f".visible .entry e{number}(.param .u64 in, .param .u64 out) {{",
             "  .reg .b16 %h<16>;", "  .reg .b32 %r<32>, %i, %t;", "  .reg .b64 %d<24>, %in, %out;", "  .reg .pred %p<8>;",
             "  mov.u32 %i, %tid.x;", "  ld.param.u64 %in, [in];", "  ld.param.u64 %out, [out];",
             f"  mad.wide.u32 %in, %i, {8 * len(entry.reads)}, %in;", f"  mad.wide.u32 %out, %i, {8 * len(entry.writes)}, %out;"]
    for place, (register, _) in enumerate(entry.reads):
        if register[0] == "p":
            lines += [f"  ld.global.b32 %t, [%in+{8 * place}];", "  and.b32 %t, %t, 1;", f"  setp.ne.u32 %{register}, %t, 0;"]
        else:
            lines.append(f"  ld.global.{LETTERS[register[0]]} %{register}, [%in+{8 * place}];")
    lines.append("  " + entry.body)
    for place, register in enumerate(entry.writes):
        if register[0] == "p":
            lines += [f"  selp.b32 %t, 1, 0, %{register};", f"  st.global.b32 [%out+{8 * place}], %t;"]
        else:
            lines.append(f"  st.global.{LETTERS[register[0]]} [%out+{8 * place}], %{register};")
    return "\n".join(lines + ["  ret;", "}", ""])


def module(numbered, version="9.0"):
    return f".version {version}\n.target sm_90a\n.address_size 64\n" + "".join(kernel(*each) for each in numbered)
