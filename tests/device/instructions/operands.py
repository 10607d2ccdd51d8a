"""Columns of operands: numbers at the edges of their type first, then those and random ones mixed.

A column belongs to a class of numbers and a place among the operands. It depends on nothing but its name: the same
rows come out on every machine.
"""

ROWS = 512
MASK = (1 << 64) - 1


def mix(*parts):
    """A number of 64 well mixed bits that depends on all of `parts`."""
    state = 0x9E3779B97F4A7C15
    for part in parts:
        if isinstance(part, str):
            part = int.from_bytes(part.encode(), "little")
        while True:
            state = (state ^ (part & MASK)) * 0xBF58476D1CE4E5B9 & MASK
            state ^= state >> 29
            state = state * 0x94D049BB133111EB & MASK
            state ^= state >> 32
            part >>= 64
            if part <= 0:
                break
    return state


class Float:
    """A binary format: how its edges and its ordinary numbers are made."""

    def __init__(self, exponent_bits, mantissa_bits, more):
        self.exponent_bits, self.mantissa_bits = exponent_bits, mantissa_bits
        self.bits = 1 + exponent_bits + mantissa_bits
        self.bias = (1 << exponent_bits - 1) - 1
        self.edges = self.common_edges() + more

    def make(self, negative, exponent, mantissa):
        return int(negative) << self.bits - 1 | exponent << self.mantissa_bits | mantissa

    def common_edges(self):
        ones, top = (1 << self.mantissa_bits) - 1, (1 << self.exponent_bits) - 1
        half = 1 << self.mantissa_bits - 1
        places = [(0, 0), (0, 1), (0, ones), (0, half), (1, 0), (1, 1), (self.bias, 0), (self.bias, 1), (self.bias - 1, ones),
                  (self.bias - 1, 0), (self.bias, half), (self.bias + 1, half >> 1), (self.bias + 1, half | half >> 1),
                  (self.bias + 1, 0), (top - 1, ones), (top, 0), (top, half), (top, 1), (top, half - 1), (top, ones),
                  (top, half | 5), (top - 1, 0), (top - 2, 0), (top - 3, ones)]
        places += [(self.bias + self.mantissa_bits, 1), (self.bias + self.mantissa_bits - 1, 1)]
        return [self.make(sign, *place) for place in places for sign in (0, 1) if place[0] < top or place[1] <= ones]

    def random(self, seed):
        """Near 1 with all bits or with few (where results tie), or anything."""
        kind, sign, rest, bits = seed & 7, seed >> 3 & 1, seed >> 8, mix(seed)
        if kind >= 6:
            return bits & (1 << self.bits) - 1
        reach = min(36 if kind == 5 else 8, self.bias // 2)
        exponent = self.bias - reach + (rest & 0xFF) % (2 * reach)
        mantissa = bits & (1 << self.mantissa_bits) - 1
        if kind >= 3:
            mantissa &= ~((1 << max(self.mantissa_bits - 3 - kind % 2 * 4, 1)) - 1)
        return self.make(sign, exponent, mantissa & (1 << self.mantissa_bits) - 1)


class Whole:
    def __init__(self, bits, edges):
        self.bits = bits
        self.edges = [edge & (1 << bits) - 1 for edge in edges]

    def random(self, seed):
        kind, rest = seed & 3, (seed >> 2) * 0x9E3779B97F4A7C15 & MASK
        width = self.bits if kind < 2 else 1 + (rest >> 58) % self.bits
        value = rest >> 64 - self.bits if self.bits < 64 else rest
        value >>= self.bits - width
        return value if kind != 3 else -value & (1 << self.bits) - 1


class Below:
    """Anything from `low` up to and without `high`, as 32 bits."""

    def __init__(self, low, high):
        self.bits, self.low, self.high = 32, low, high
        self.edges = [low & 0xFFFFFFFF, high - 1]

    def random(self, seed):
        return self.low + (seed >> 8) % (self.high - self.low) & 0xFFFFFFFF


def whole_edges(bits):
    top = 1 << bits - 1
    edges = [0, 1, -1, 2, -2, top, top - 1, top + 1, 3, 7, 10, -10, 0x7F, 0x80, 0xFF, 0x100, -0x80, -0x81, 0x7FFF]
    if bits > 16:
        edges += [0x8000, 0xFFFF, 0x10000, -0x8000, -0x8001, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000000, -0x800000,
                  0x55555555, 0xAAAAAAAA, 0x01020304, 0x80FF7F00, 0x7FFF8000, 0xFFFE0001]
    if bits > 32:
        edges += [0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, -0x80000000, -0x80000001, (1 << 53) + 1, (1 << 53) - 1,
                  (1 << 24) + 1, 0x7FFFFFFFFFFFFC00, 0x7FFFFFFFFFFFFBFF, 0xFFFFFFFFFFFFF400]
    return edges


F32 = Float(8, 23, [0x4B000001, 0x4EFFFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x5F000000, 0x5F800000,
                    0x437F0000, 0x437F8000, 0x43000000, 0xC3008000, 0x477FE000, 0x477FF000, 0x477FEFFF, 0x46FFFE00,
                    0x33800000, 0x33000000, 0x33000001, 0x33C00000, 0x38800000, 0x387FE000, 0x3F801000, 0x3F803000,
                    0x3F808000, 0x3F818000, 0x43E00000, 0x43E80000, 0x43E80001, 0x47600000, 0x47700000, 0x3C800000, 0x3B000000,
                    0x3A800000, 0x37800000, 0x37000000, 0x40490FDB, 0x3FC90FDB, 0x42FC0000, 0xC2FC0000, 0xC3150000,
                    0xC3160000, 0x43000001, 0x7E800001, 0xFE800001, 0x7F000001, 0x00200000, 0x003FFFFF, 0x41100000,
                    0x42C80000, 0x47C35000, 0x7F7F8000, 0x7F7F7FFF, 0x3F800800, 0x3F801800])
F64 = Float(11, 52, [0x41E0000000000000, 0x41DFFFFFFFC00000, 0x41EFFFFFFFE00000, 0xC1E0000000000000, 0xC1E0000000200000,
                     0x43E0000000000000, 0x43F0000000000000, 0xC3E0000000000000, 0x406FE00000000000, 0x40EFFFE000000000,
                     0x36A0000000000000, 0x3690000000000000, 0x3690000000000001, 0x3810000000000000, 0x380FFFFFE0000000,
                     0x47EFFFFFE0000000, 0x47EFFFFFF0000000, 0x47EFFFFFEFFFFFFF, 0x40EFFC0000000000, 0x40EFFE0000000000,
                     0x3FF0000010000000, 0x3FF0000030000000, 0x3E70000000000000, 0x3E60000000000000, 0x7FF0000000000001,
                     0x7FF00000FFFFFFFF, 0x7FE0000000000001, 0x0008000000000000, 0x3FF0020000000000])
F16 = Float(5, 10, [0x7BFF, 0x7800, 0x5BFF, 0x5C00, 0x4C00, 0x5F00, 0x5F40, 0x1400, 0x1000, 0x3C40, 0x3CC0, 0x3DFF])
BF16 = Float(8, 7, [0x4F00, 0xCF00, 0x4F80, 0x5F00, 0x477F, 0x3300, 0x3380, 0x437F, 0x43E0, 0x3880, 0x42FC, 0xC2FC, 0xC315])
SHIFT = Whole(32, [0, 1, 7, 8, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40, 63, 64, 65, 127, 128, 255, 256, 257, 0x80000000, -1, 0x10020])


class Narrow(Whole):
    """Shift amounts and lengths: mostly small."""

    def random(self, seed):
        return seed >> 8 & (0x3F if seed & 3 else 0xFF)


class Pair:
    def __init__(self, part):
        self.part, self.bits, self.edges = part, 2 * part.bits, []


class Matrix:
    """Fragments of a matrix multiplication. Each warp has its kind of numbers: ordinary, of wide range, small whole
    numbers (exact in any order), ordinary with a few edges among them."""

    def __init__(self, part, count, wide):
        self.part, self.count, self.wide, self.bits = part, count, wide, part.bits * count

    def one(self, row, seed):
        part, kind = self.part, row // 32 % 4
        if isinstance(part, Whole):
            return seed >> 8 & (1 << part.bits) - 1
        sign, rest = seed & 1, seed >> 8
        if kind == 3 and rest & 0x3F == 0:
            return part.edges[(rest >> 8) % len(part.edges)]
        mantissa = mix(seed) & (1 << part.mantissa_bits) - 1
        if kind == 2:
            value = (rest & 3) + 1
            exponent = value.bit_length() - 1
            return part.make(sign, part.bias + exponent, (value - (1 << exponent) << part.mantissa_bits >> exponent))
        reach = self.wide if kind == 1 else 2
        return part.make(sign, part.bias - reach + (rest >> 6 & 0xFF) % (2 * reach), mantissa)

    def value(self, name, place, row):
        whole = 0
        for i in range(self.count):
            whole |= self.one(row, mix(name, place, row, i)) << i * self.part.bits
        return whole


E4M3 = Float(4, 3, [])
E5M2 = Float(5, 2, [])
TF32 = Float(8, 23, [])
CLASSES = {
    "f32": F32, "f64": F64, "f16": F16, "bf16": BF16, "f16x2": Pair(F16), "bf16x2": Pair(BF16),
    "i16": Whole(16, whole_edges(16)), "i32": Whole(32, whole_edges(32)), "i64": Whole(64, whole_edges(64)),
    "i16x2": Pair(Whole(16, whole_edges(16))), "shift": Narrow(32, SHIFT.edges), "lane": Below(0, 32), "few": Below(-8, 9),
    "bytes": Whole(16, [0x7F80, 0xFF00, 0x7E7C, 0xFE7D, 0x7B7B, 0x0001, 0x8081, 0x0704, 0x0803]), "same": Below(0, 4),
    "m_f16": Matrix(F16, 2, 7), "m_bf16": Matrix(BF16, 2, 20), "m_tf32": Matrix(TF32, 1, 20), "m_f32": Matrix(F32, 1, 20),
    "m_f64": Matrix(F64, 1, 40), "m_e4m3": Matrix(E4M3, 4, 6), "m_e5m2": Matrix(E5M2, 4, 12),
    "m_bits": Matrix(Whole(32, [0]), 1, 0), "m_i32": Whole(32, whole_edges(32)),
}


def bytes_of(name):
    return CLASSES[name].bits // 8


def draw(kind, name, place, row):
    seed = mix(name, place, row)
    if isinstance(kind, Matrix):
        return kind.value(name, place, row)
    if isinstance(kind, Pair):
        return draw(kind.part, name + "^", place, row) << kind.part.bits | draw(kind.part, name + "_", place, row)
    # Each edge once in the first operand, beside whatever the others have.
    if place == 1 and row < len(kind.edges):
        return kind.edges[row]
    if seed & 7 < 3:
        return kind.edges[(seed >> 8) % len(kind.edges)]
    return kind.random(mix(seed))


def column(name, place, rows=ROWS):
    return [draw(CLASSES[name], name, place, row) for row in range(rows)]
