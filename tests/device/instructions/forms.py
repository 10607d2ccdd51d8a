"""The instructions that are compared: spellings of the opcode table (src/emulator/ptx/opcode_table.cc), each as the text of
a kernel's middle with the registers it reads and writes, and what the table's notation does not reach by itself."""

import itertools
import pathlib
import re

from operands import mix

TABLE = pathlib.Path(__file__).resolve().parents[3] / "src" / "emulator" / "ptx" / "opcode_table.cc"
FAMILIES = {"kInteger", "kFloat", "kHalf", "kCompare", "kLogic", "kMove", "kVideo"}
LEFT_OUT = {"mov", "cvta", "isspacep", "mapa", "getctarank", "createpolicy", "ld", "st", "addc", "subc", "madc"}
# Spellings of one row of the table that are kept, where it has more. Where a row mixes types, roundings and modifiers,
# this is a sample.
MOST = {"kVideo": 10, "kCompare": 18}
MOST_ELSEWHERE = 32
# What sm_90a has not, or ptxas refuses though its parts are legal.
REFUSED = [("add|sub|fma", r"\.f32\.b?f16$"), ("cvt", r"\.rs\b|e2m|e3m|ue8m0|\.r[nz]\..*satfinite.*tf32"),
           ("setp?", r"\.ftz\..*(f64|bf16)|\.f16\.bf16$"), ("v.*[24]", r"\.sat\.add"), ("vset.*", r"\.(hi|hs|lo|ls)\b")]
APPROXIMATE = re.compile(r"\.approx|\.full")


class Entry:
    """`reads`: (register, class) in order; `writes`: registers. A register's letter is its width: p (predicate), h (16), r, d."""

    def __init__(self, rows, reads, writes, body):
        self.rows, self.reads, self.writes, self.body = rows, reads, writes, body

    def line(self):
        reads = ",".join(f"{register}:{kind}" for register, kind in self.reads)
        return "\t".join([str(self.rows), reads, ",".join(self.writes), self.body])


def table_text():
    return TABLE.read_text()


def rows_of_table(text):
    for match in re.finditer(r'\{"(\w+)",\s*((?:"[^"]*"\s*)+),\s*"([^"]*)",\s*F::(\w+)\}', text):
        yield match[1], "".join(re.findall(r'"([^"]*)"', match[2])), match[3], match[4]


def sets_of_table(text):
    named = dict(re.findall(r'\{"(\w+)", (k\w+)\}', text))
    lists = {}
    for match in re.finditer(r"(k\w+) =\s*std::to_array<Names>\(\s*\{(.*?)\}\)", text, re.S):
        lists[match[1]] = ["." + name for name in re.findall(r'"([^"]*)"', match[2])]
    return {name: lists[variable] for name, variable in named.items() if variable in lists}


def spellings(notation, sets):
    """Every sequence of modifiers that a row's notation allows."""
    parts = []
    for token in re.findall(r"\{[^}]*\}|\([^)]*\)|\$\w+|\.[\w:]+", notation):
        if token[0] == "{":
            inner = token[1:-1]
            parts.append([""] + (sets[inner[1:]] if inner[0] == "$" else inner.split("|")))
        elif token[0] == "(":
            parts.append(token[1:-1].split("|"))
        elif token[0] == "$":
            parts.append(sets[token[1:]])
        else:
            parts.append([token])
    return ["".join(choice) for choice in itertools.product(*parts)]


def sample(items, most):
    """A spread over all items, always the same."""
    if len(items) <= most:
        return items
    order = sorted(range(len(items)), key=lambda i: mix(items[i].body))
    return [items[i] for i in sorted(order[:most])]


TYPE = re.compile(r"\.([usb](?:8|16|32|64)|f16x2|bf16x2|f16|bf16|f32|f64|tf32|e[45]m[32]x[24]|[us]16x2|[us][24])(?![\w:])")


def register(kind):
    width = {"16": "h", "32": "r", "64": "d", "8": "r"}
    if kind in ("f16x2", "bf16x2", "u16x2", "s16x2", "tf32", "e4m3x4", "e5m2x4"):
        return "r"
    if kind in ("e4m3x2", "e5m2x2"):
        return "h"
    return width[re.search(r"(\d+)$", kind)[1]] if kind[-1].isdigit() else "r"


def numbers(kind):
    """The class of operands of a type."""
    if kind in ("e4m3x2", "e5m2x2"):
        return "bytes"
    if kind in ("u16x2", "s16x2"):
        return "i16x2"
    if kind[0] in "usb" and kind[1].isdigit():
        return "i" + {"8": "32"}.get(kind[1:], kind[1:])
    return kind


def types_of(opcode, modifiers, count):
    """The types of the result and of each operand."""
    types = TYPE.findall(modifiers)
    if not types:
        types = ["b32"]
    first, last = types[0], types[-1]
    result, operands = first, [last] * count
    if opcode in ("mul", "mad") and ".wide" in modifiers:
        result = first[0] + str(2 * int(first[1:]))
        operands = [first, first, result][:count]
    elif opcode in ("popc", "clz", "bfind"):
        result = "u32"
    elif opcode == "slct":
        operands = [first, first, last]
    elif opcode == "cvt" and ".pack" in modifiers:
        result, operands = "b32", ["s32", "s32", "b32"][:count]
    elif opcode == "cvt" and ".rs" in modifiers:
        operands = ["f32"] * (count - 1) + ["b32"]
    elif opcode in ("fma", "add", "sub") and len(types) == 2:
        operands = [last] * (count - 1) + ["f32"]
    elif opcode in ("dp4a", "dp2a") or opcode[0] == "v":
        result, operands = "b32", ["b32"] * count
    return result, operands


ROLES = {"shl": {2: "shift"}, "shr": {2: "shift"}, "shf": {3: "shift"}, "bfe": {2: "shift", 3: "shift"},
         "bfi": {3: "shift", 4: "shift"}, "szext": {2: "shift"}, "bmsk": {1: "shift", 2: "shift"},
         "fns": {2: "lane", 3: "few"}, "vshl": {2: "shift"}, "vshr": {2: "shift"}}


def rows_for(opcode, modifiers, family):
    if APPROXIMATE.search(modifiers):
        return 512
    if opcode in ("fma", "div", "sqrt", "rcp") and ".f32" in modifiers:
        return 256
    return 64 if family == "kVideo" else 128


def entry(opcode, modifiers, notation, family):
    """An entry of one spelling; nothing if its operands are of a kind that is left out."""
    if any(re.fullmatch(opcodes, opcode) and re.search(pattern, modifiers) for opcodes, pattern in REFUSED):
        return None
    notation = notation.replace("{,a}", ",a" if re.search(r"\.(add|min|max)\b", modifiers) else "").replace("*", "a")
    parts = notation.split(",")
    sources = [part for part in parts[1:] if part in ("a",)]
    if any(part not in ("a", "q", "i", "v") for part in parts[1:]) or parts[0] not in ("d", "p", "d|p"):
        return None
    count = len(sources) + (4 if "v" in parts else 0)
    result, operands = types_of(opcode, modifiers, count)
    reads, texts, place = [], [], 0

    def operand():
        nonlocal place
        place += 1
        kind = operands[place - 1]
        late = place >= 3 and opcode in ("bfe",) or place >= 3 and opcode == "bfi"
        letter = "r" if late or (opcode in ("shl", "shr") and place == 2) else register(kind)
        if opcode == "slct" and place == 3:
            letter = "r"
        if opcode == "bfe" and place == 2:
            letter = "r"
        reads.append((f"{letter}{place}", ROLES.get(opcode, {}).get(place) or numbers(kind)))
        return f"%{letter}{place}"

    for part in parts[1:]:
        if part == "a":
            texts.append(operand())
        elif part == "v":
            texts.append("{" + ", ".join(operand() for _ in range(4)) + "}")
        elif part == "i":
            texts.append(hex(mix(opcode, modifiers) & 0xFF))
        else:
            predicate = f"p{7 - sum(text.startswith('%p') for text in texts)}"
            reads.append((predicate, "i32"))
            texts.append("%" + predicate)
    if parts[0] == "p" or ".pred" in modifiers or opcode == "setp" and re.search(r"f16$", modifiers):
        writes = ["p0"]
    elif parts[0] == "d|p" and opcode == "setp":
        # The second result of a pair's comparison is its upper half's.
        writes = ["p0", "p1"]
    elif parts[0] == "d|p":
        writes = [register(result) + "0", "p1"]
    else:
        writes = [register(result) + "0"]
    text = f"{opcode}{modifiers} " + "|".join("%" + each for each in writes) + ", " + ", ".join(texts) + ";"
    return Entry(rows_for(opcode, modifiers, family), reads, writes, text)


def lut_entries():
    # Every function of three bits in steps, and the usual ones.
    for lut in sorted({0x00, 0x96, 0xE8, 0xCA, 0xF8, 0x80, 0xFE, 0x1B, 0x27, 0x6A, 0xFF} | set(range(3, 256, 23))):
        yield Entry(64, [("r1", "i32"), ("r2", "i32"), ("r3", "i32")], ["r0"], f"lop3.b32 %r0, %r1, %r2, %r3, {hex(lut)};")


def from_table():
    text = table_text()
    sets = sets_of_table(text)
    for opcode, modifiers, operands, family in rows_of_table(text):
        if family not in FAMILIES or opcode in LEFT_OUT or "f32x2" in modifiers or opcode == "lop3" and "(" not in modifiers:
            continue
        most = MOST.get(family, MOST_ELSEWHERE)
        if opcode in ("min", "max") and operands == "d,a,a,a":
            continue  # sm_100
        wide = 64 if opcode == "cvt" and modifiers.startswith("$convert_int") else most
        made = [entry(opcode, each, operands, family) for each in spellings(modifiers, sets) if ".cc" not in each]
        yield from sample([each for each in made if each], wide)


def carries():
    for letter, kind, bits in (("r", "i32", 32), ("d", "i64", 64)):
        reads = [(f"{letter}{i}", kind) for i in (1, 2, 3, 4)]
        for sign in "us":
            t = f"{sign}{bits}"
            one, two, three, four = (f"%{letter}{i}" for i in (1, 2, 3, 4))
            low, high = f"%{letter}0", f"%{letter}5"
            writes = [f"{letter}0", f"{letter}5"]
            for lower, upper in (("add.cc", "addc"), ("add.cc", "addc.cc"), ("sub.cc", "subc"), ("sub.cc", "subc.cc")):
                yield Entry(128, reads, writes, f"{lower}.{t} {low}, {one}, {two}; {upper}.{t} {high}, {three}, {four};")
            yield Entry(128, reads, writes + [f"{letter}6"],
                        f"add.cc.{t} {low}, {one}, {two}; addc.cc.{t} {high}, {three}, {four}; addc.{t} %{letter}6, {one}, {four};")
            yield Entry(128, reads, writes + [f"{letter}6"],
                        f"sub.cc.{t} {low}, {one}, {two}; subc.cc.{t} {high}, {three}, {four}; subc.{t} %{letter}6, {one}, {four};")
            for half in ("lo", "hi"):
                yield Entry(128, reads, writes,
                            f"mad.{half}.cc.{t} {low}, {one}, {two}, {three}; madc.{half}.{t} {high}, {one}, {four}, {two};")
                yield Entry(128, reads, writes + [f"{letter}6"],
                            f"mad.{half}.cc.{t} {low}, {one}, {two}, {three}; madc.{half}.cc.{t} {high}, {one}, {four}, {two}; "
                            f"addc.{t} %{letter}6, 0, 0;")


def selected_video():
    reads = [("r1", "i32"), ("r2", "i32"), ("r3", "i32")]
    yield from (Entry(64, reads, ["r0"], text) for text in (
        "vadd.s32.s32.u32 %r0, %r1.b0, %r2.b3;", "vsub.u32.u32.u32.sat %r0, %r1.h1, %r2.h0;",
        "vabsdiff.s32.s32.s32.sat.add %r0, %r1.b2, %r2.b1, %r3;", "vmin.s32.u32.s32 %r0.b1, %r1.h0, %r2.h1, %r3;",
        "vmax.u32.s32.u32.sat %r0.h1, %r1, %r2.b0, %r3;", "vadd.s32.s32.s32.sat %r0.h0, %r1, %r2, %r3;",
        "vmad.s32.s32.s32.shr7 %r0, %r1.h0, %r2.h1, %r3;", "vmad.s32.s32.s32.sat.shr15 %r0, %r1, -%r2, %r3;",
        "vmad.s32.s32.s32 %r0, %r1.b0, %r2.b1, -%r3;", "vset.s32.u32.lt %r0, %r1.b1, %r2.b2;",
        "vshl.u32.u32.u32.clamp %r0, %r1.h0, %r2.b0;", "vshr.s32.s32.u32.sat.wrap %r0, %r1, %r2.b1;",
        "vadd4.s32.s32.s32.sat %r0.b21, %r1.b0246, %r2.b7531, %r3;", "vsub2.s32.s32.s32 %r0.h1, %r1.h02, %r2.h31, %r3;",
        "vadd2.u32.u32.u32.add %r0, %r1.h01, %r2.h32, %r3;"))


def moves():
    yield Entry(128, [("r1", "i32"), ("r2", "i32")], ["d0"], "mov.b64 %d0, {%r1, %r2};")
    yield Entry(128, [("d1", "i64")], ["r0", "r5"], "mov.b64 {%r0, %r5}, %d1;")
    yield Entry(128, [("h1", "i16"), ("h2", "i16")], ["r0"], "mov.b32 %r0, {%h1, %h2};")
    yield Entry(128, [("d1", "i64")], ["h0", "h5", "h6", "h7"], "mov.b64 {%h0, %h5, %h6, %h7}, %d1;")
    # Results in registers wider than their type.
    for t in ("u8", "s8", "u16", "s16"):
        for source in ("u32", "s32"):
            yield Entry(128, [("r1", "i32")], ["d0"], f"cvt.{t}.{source} %d0, %r1;")
    for t in ("u8", "s8", "u16", "s16", "u32", "s32"):
        yield Entry(128, [("d1", "f64")], ["d0"], f"cvt.rni.{t}.f64 %d0, %d1;")
        yield Entry(128, [("r1", "f32")], ["d0"], f"cvt.rzi.{t}.f32 %d0, %r1;")


def warps():
    one, two = [("r1", "i32"), ("r2", "lane")], [("r1", "i32"), ("r2", "lane"), ("r3", "i32")]
    for mode in ("up", "down", "bfly", "idx"):
        for bound in ("0", "31", "0x181f", "0x1807", "0x1c1f", "0x1e00", "0x1018", "%r3"):
            yield Entry(128, two if bound == "%r3" else one, ["r0", "p0"],
                        f"shfl.sync.{mode}.b32 %r0|%p0, %r1, %r2, {bound}, -1;")
        yield Entry(128, [("r1", "i32"), ("r2", "shift")], ["r0", "p0"], f"shfl.sync.{mode}.b32 %r0|%p0, %r1, %r2, 31, -1;")
    for mode in ("all", "any", "uni"):
        yield Entry(128, [("p7", "i32")], ["p0"], f"vote.sync.{mode}.pred %p0, %p7, -1;")
        yield Entry(128, [("p7", "i32")], ["p0"], f"vote.sync.{mode}.pred %p0, !%p7, -1;")
        yield Entry(128, [("p7", "few")], ["p0"], f"setp.ne.s32 %p6, 0, 0; vote.sync.{mode}.pred %p0, %p6, -1;")
    yield Entry(128, [("p7", "i32")], ["r0"], "vote.sync.ballot.b32 %r0, %p7, -1;")
    yield Entry(128, [("r1", "same")], ["r0"], "match.any.sync.b32 %r0, %r1, -1;")
    yield Entry(128, [("r1", "lane")], ["r0"], "match.any.sync.b32 %r0, %r1, -1;")
    yield Entry(128, [("r1", "same"), ("r2", "same")], ["r0"], "mov.b64 %d1, {%r1, %r2}; match.any.sync.b64 %r0, %d1, -1;")
    yield Entry(128, [("r1", "same")], ["r0", "p0"], "match.all.sync.b32 %r0|%p0, %r1, -1;")
    yield Entry(128, [("r1", "same")], ["r0", "p0"], "and.b32 %r1, %r1, 0; match.all.sync.b64 %r0|%p0, 5, -1;")
    yield Entry(128, [("r1", "same")], ["r0"], "activemask.b32 %r0;")
    yield Entry(128, [("r1", "same")], ["r0", "p0"], "elect.sync %r0|%p0, -1;")
    for t in ("u32", "s32"):
        for mode in ("add", "min", "max"):
            yield Entry(128, [("r1", "i32")], ["r0"], f"redux.sync.{mode}.{t} %r0, %r1, -1;")
    for mode in ("and", "or", "xor"):
        yield Entry(128, [("r1", "i32")], ["r0"], f"redux.sync.{mode}.b32 %r0, %r1, -1;")


def multiplication(shape, types, fragments, extra=""):
    """`fragments`: for a, b, c the class of operands and how many registers."""
    reads, texts, number = [], [], 1
    for kind, count in fragments:
        letter = "d" if kind == "m_f64" else "r"
        names = [f"{letter}{number + i}" for i in range(count)]
        number += count
        reads += [(name, kind) for name in names]
        texts.append("{" + ", ".join("%" + name for name in names) + "}")
    letter = "d" if fragments[2][0] == "m_f64" else "r"
    writes = [f"{letter}{number + i}" for i in range(fragments[2][1])]
    text = f"mma.sync.aligned.{shape}.row.col{extra}.{types} " + "{" + ", ".join("%" + each for each in writes) + "}, "
    return Entry(128, reads, writes, text + ", ".join(texts) + ";")


def matrices():
    for shape, a, b in (("m16n8k8", 2, 1), ("m16n8k16", 4, 2)):
        yield multiplication(shape, "f32.f16.f16.f32", [("m_f16", a), ("m_f16", b), ("m_f32", 4)])
        yield multiplication(shape, "f16.f16.f16.f16", [("m_f16", a), ("m_f16", b), ("m_f16", 2)])
        yield multiplication(shape, "f32.bf16.bf16.f32", [("m_bf16", a), ("m_bf16", b), ("m_f32", 4)])
    for shape, a, b in (("m16n8k4", 2, 1), ("m16n8k8", 4, 2)):
        yield multiplication(shape, "f32.tf32.tf32.f32", [("m_tf32", a), ("m_tf32", b), ("m_f32", 4)])
    for shape, a, b, c in (("m8n8k4", 1, 1, 2), ("m16n8k4", 2, 1, 4), ("m16n8k8", 4, 2, 4), ("m16n8k16", 8, 4, 4)):
        for rounding in ("", ".rz", ".rm", ".rp"):
            yield multiplication(shape, "f64.f64.f64.f64", [("m_f64", a), ("m_f64", b), ("m_f64", c)], rounding)
    for shape, a, b, c in (("m8n8k16", 1, 1, 2), ("m16n8k16", 2, 1, 4), ("m16n8k32", 4, 2, 4)):
        for types, extra in (("s32.s8.s8.s32", ""), ("s32.u8.s8.s32", ".satfinite"), ("s32.u8.u8.s32", "")):
            yield multiplication(shape, types, [("m_bits", a), ("m_bits", b), ("m_i32", c)], extra)
    for shape, a, b, c in (("m8n8k32", 1, 1, 2), ("m16n8k32", 2, 1, 4), ("m16n8k64", 4, 2, 4)):
        yield multiplication(shape, "s32.s4.u4.s32", [("m_bits", a), ("m_bits", b), ("m_i32", c)])
    for shape, a, b, c in (("m8n8k128", 1, 1, 2), ("m16n8k128", 2, 1, 4), ("m16n8k256", 4, 2, 4)):
        for how in ("xor", "and"):
            yield multiplication(shape, f"s32.b1.b1.s32.{how}.popc", [("m_bits", a), ("m_bits", b), ("m_i32", c)])
    for shape, a, b in (("m16n8k16", 2, 1), ("m16n8k32", 4, 2)):
        for one, two in (("e4m3", "e4m3"), ("e5m2", "e5m2"), ("e4m3", "e5m2")):
            yield multiplication(shape, f"f32.{one}.{two}.f32", [("m_" + one, a), ("m_" + two, b), ("m_f32", 4)])
            yield multiplication(shape, f"f16.{one}.{two}.f16", [("m_" + one, a), ("m_" + two, b), ("m_f16", 2)])
    for types, kind, c in (("f32.f16.f16.f32", "m_f32", 8), ("f16.f16.f16.f16", "m_f16", 4)):
        yield multiplication("m8n8k4", types, [("m_f16", 2), ("m_f16", 2), (kind, c)])


def entries():
    found, seen = [], set()
    for each in itertools.chain(from_table(), lut_entries(), carries(), selected_video(), moves(), warps(), matrices()):
        if each.body not in seen:
            seen.add(each.body)
            found.append(each)
    return found
