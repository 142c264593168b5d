"""The .2bit format, written and read as UCSC defines it (https://genome.ucsc.edu/FAQ/FAQformat.html#format7)."""
import itertools
import struct

CODES = {"T": 0, "C": 1, "A": 2, "G": 3}


def runs(letters, is_in):
    """Returns begins and sizes of the runs of letters that are in."""
    begins, sizes, at = [], [], 0
    for inside, run in itertools.groupby(letters, is_in):
        size = len(list(run))
        if inside:
            begins.append(at)
            sizes.append(size)
        at += size
    return begins, sizes


def packed(letters):
    codes = [CODES.get(letter, 0) for letter in letters.upper().replace("U", "T")] + [0] * 3
    return bytes(codes[i] << 6 | codes[i + 1] << 4 | codes[i + 2] << 2 | codes[i + 3] for i in range(0, len(letters), 4))


def write(records, order="<", version=0, gap=b""):
    """Returns the bytes of a file. records: pairs of name and letters. gap: stands before each record."""
    width = "I" if version == 0 else "Q"
    at = 16 + sum(1 + len(name.encode()) + struct.calcsize("=" + width) for name, _ in records)
    index, data = struct.pack(order + "4I", 0x1A412743, version, len(records), 0), b""
    for name, letters in records:
        unknown = runs(letters, lambda c: c.upper() not in "ACGTU")
        masked = runs(letters, str.islower)
        data += gap
        index += bytes([len(name.encode())]) + name.encode() + struct.pack(order + width, at + len(data))
        data += struct.pack(order + "I", len(letters))
        for begins, sizes in (unknown, masked):
            data += struct.pack(f"{order}{1 + 2 * len(begins)}I", len(begins), *begins, *sizes)
        data += struct.pack(order + "I", 0) + packed(letters)
    return index + data


def read(data):
    """Returns the records of a file and its version."""
    order = "<" if data[:4] == b"\x43\x27\x41\x1a" else ">"
    signature, version, count, _ = struct.unpack(order + "4I", data[:16])
    assert signature == 0x1A412743
    width, at, records = ("I" if version == 0 else "Q"), 16, []

    def numbers(place, how_many):
        return struct.unpack(f"{order}{how_many}I", data[place:place + 4 * how_many])

    for _ in range(count):
        name = data[at + 1:at + 1 + data[at]].decode(errors="surrogateescape")
        at += 1 + data[at]
        (place,) = struct.unpack(order + width, data[at:at + struct.calcsize("=" + width)])
        at += struct.calcsize("=" + width)
        (length,) = numbers(place, 1)
        place += 4
        blocks = []
        for _ in range(2):
            (size,) = numbers(place, 1)
            blocks.append(list(zip(numbers(place + 4, size), numbers(place + 4 + 4 * size, size))))
            place += 4 + 8 * size
        place += 4
        letters = ["TCAG"[data[place + i // 4] >> (6 - 2 * (i % 4)) & 3] for i in range(length)]
        for begin, size in blocks[0]:
            letters[begin:begin + size] = "N" * size
        for begin, size in blocks[1]:
            letters[begin:begin + size] = [letter.lower() for letter in letters[begin:begin + size]]
        records.append((name, "".join(letters)))
    return records, version
