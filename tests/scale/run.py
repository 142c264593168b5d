"""Runs the program on much input, and compares every byte of its output with what was planted.

    python3 tests/scale/run.py BINARY [--size F] [--only JOB] [--device cpu|gpu] [--folder FOLDER]

BINARY: the program. With --size 1 (a smaller F: that share of it):
- record:  a record of 2^31 + 10 bases with hits on both sides of 2^31 and across it
- records: 1,000,000 records
- hits:    100,000,000 hits, as BED and as BAM
- files:   10,000 input files, of which few can be open at a time
- fastq, fasta: 16 GB through a pipe
Prints time and peak memory of each run, and WRONG for each output that differs; the exit status is then 1. The folder needs 10 GB for
all of it.
"""
import argparse
import contextlib
import multiprocessing
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

# The text has no T but in planted hits, so none of these occurs elsewhere, on either strand, even with an edit.
LONG = "TTAGATACCATTGATACATTAGACTTATACAT"
SHORT = "TTACATAGTA"
TINY = "TTATAT"
LINE = 64


def reverse_complement(letters):
    return letters[::-1].translate(str.maketrans("ACGT", "TGCA"))


def text_without_t(size):
    return random.Random(7).getrandbits(8 * size).to_bytes(size, "little").translate(bytes(b"ACG"[i % 3] for i in range(256)))


def planted(text, hits):
    """`text` (a bytearray) with hits (start, pattern, strand) written into it."""
    for start, pattern, strand in hits:
        text[start:start + len(pattern)] = (pattern if strand == "+" else reverse_complement(pattern)).encode()
    return text


def bed_line(record, start, pattern, name, strand, score=1000):
    return f"{record}\t{start}\t{start + len(pattern)}\t{name}\t{score}\t{strand}\n"


NAMES = {LONG: "long", SHORT: "short", TINY: "tiny"}


class Bench:
    def __init__(self, binary, folder, device):
        self.binary, self.folder, self.device = binary, folder, device
        self.wrong = 0

    def run(self, words, feed=None, files=None, status=0):
        """Runs the program in the folder; `feed` writes to its standard input; `files`: how many it may have open."""
        def limit():
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

        start = time.monotonic()
        search = words[0] in ("motif", "match")
        process = subprocess.Popen([self.binary, *words, *(["--device", self.device] if search else [])], cwd=self.folder,
                                   stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, preexec_fn=limit)
        peak = [0]
        watch = threading.Thread(target=watch_memory, args=(process, peak))
        watch.start()
        if feed:
            with contextlib.suppress(BrokenPipeError):
                feed(process.stdin.fileno())
            process.stdin.close()
        said = process.stderr.read().decode(errors="replace").strip()
        process.wait()
        seconds = time.monotonic() - start
        watch.join()
        shown = " ".join(words[:9]) + (" ..." if len(words) > 9 else "")
        print(f"{seconds:8.2f} s  {peak[0] / 1024:8.0f} MB  {shown}", flush=True)
        if process.returncode != status:
            self.fail(f"exit {process.returncode}, not {status}: {said[-300:]}")

    def fail(self, what):
        self.wrong += 1
        print(f"WRONG  {what}", flush=True)

    def compare(self, name, expected):
        path = self.folder / name
        found = path.read_text() if path.exists() else ""
        if found != expected:
            found, expected = found.split("\n"), expected.split("\n")
            at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
            self.fail(f"{name}: {len(found)} lines, not {len(expected)}; line {at + 1} is {found[at:at + 1]}, not {expected[at:at + 1]}")
        path.unlink(missing_ok=True)

    def write_patterns(self, name, *patterns):
        (self.folder / name).write_text("".join(f">{NAMES[pattern]}\n{pattern}\n" for pattern in patterns))

    def run_in_chunks(self, words, text, name):
        """The same search in three chunks; `name`: what merge makes of them."""
        for i in (1, 2, 3):
            self.run([*words, text, "--chunk", f"{i}/3", "-o", f"part{i}.bsp"])
        self.run(["merge", "part1.bsp", "part2.bsp", "part3.bsp", "-o", name])


def watch_memory(process, peak):
    """Notes the largest memory of a process, in KiB, while it runs."""
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as file:
                lines = dict(line.split(":", 1) for line in file if ":" in line)
            for field in ("VmHWM", "VmRSS"):
                peak[0] = max(peak[0], int(lines.get(field, "0").split()[0]))
        except (OSError, ValueError):
            pass
        time.sleep(0.02)


def record(bench, size):
    border = int(2**31 * size) // LINE * LINE
    hits = [(0, LONG, "+"), (12345, SHORT, "-"), (border // 2 - 16, LONG, "-"), (border - 150, LONG, "+"), (border - 100, SHORT, "-"),
            (border - 60, LONG, "-"), (border - 7, SHORT, "+"), (border + 4, TINY, "+")]
    length = border + 10
    lines = 1 << (18 if size == 1 else 10)
    block = text_without_t(lines * LINE)
    block = b"".join(block[at:at + LINE] + b"\n" for at in range(0, len(block), LINE))
    header = b">big of 2^31 + 10 bases\n"
    with open(bench.folder / "big.fa", "w+b") as file:
        file.write(header)
        left = border // LINE * (LINE + 1)
        while left > 0:
            left -= file.write(block[:left])
        file.write(b"C" * (length - border) + b"\n")
        for start, pattern, strand in hits:
            for i, letter in enumerate(planted(bytearray(len(pattern)), [(0, pattern, strand)])):
                at = start + i
                file.seek(len(header) + at + at // LINE)
                file.write(bytes([letter]))
        at = border - 150 + 10  # one base of that hit is another
        file.seek(len(header) + at + at // LINE)
        file.write(b"C")
    bench.write_patterns("p.fa", LONG, SHORT, TINY)
    bench.write_patterns("two.fa", LONG, SHORT)
    exact = "".join(bed_line("big", start, pattern, NAMES[pattern], strand) for start, pattern, strand in hits if start != border - 150)
    near = "".join(bed_line("big", start, pattern, NAMES[pattern], strand, 969 if start == border - 150 else 1000)
                   for start, pattern, strand in hits if pattern != TINY)
    bench.run(["motif", "-f", "p.fa", "big.fa", "-o", "out.bed"])
    bench.compare("out.bed", exact)
    bench.run_in_chunks(["motif", "-f", "p.fa"], "big.fa", "out.bed")
    bench.compare("out.bed", exact)
    bench.run(["match", "-f", "two.fa", "-k", "1", "big.fa", "-o", "out.bed"])
    bench.compare("out.bed", near)
    if size == 1:
        bench.run(["match", "-f", "two.fa", "-k", "1", "big.fa", "-o", "out.sam"], status=3)  # longer than SAM allows
        if (bench.folder / "out.sam").exists():
            bench.fail("SAM of a record that is too long")
    (bench.folder / "big.fa").unlink()


def records(bench, size):
    count = max(1000, int(1e6 * size))
    rng = random.Random(3)
    block = text_without_t(1 << 20)
    bed, placed = [], []
    with open(bench.folder / "many.fa", "wb") as file:
        for i in range(count):
            at, length = rng.randrange(len(block) - 1100), rng.randrange(50, 1000)
            text = bytearray(block[at:at + length])
            if i % 3 == 0:
                start, strand = i * 37 % (length - len(LONG) + 1), "+-"[i % 2]
                planted(text, [(start, LONG, strand)])
                bed.append(bed_line(f"r{i}", start, LONG, "long", strand))
                placed.append((i, start, 16 if strand == "-" else 0))
            file.write(b">r%d\n%b\n" % (i, text))
    bench.write_patterns("p.fa", LONG)
    bed = "".join(bed)
    bench.run(["motif", "-f", "p.fa", "many.fa", "-o", "out.bed"])
    bench.compare("out.bed", bed)
    bench.run_in_chunks(["motif", "-f", "p.fa"], "many.fa", "out.bed")
    bench.compare("out.bed", bed)
    bench.run(["match", "-f", "p.fa", "-k", "1", "many.fa", "-o", "out.bam"])
    file = BamFile(bench.folder / "out.bam")
    if (file.references, [(i, start, flag & 16) for i, start, flag in file.hits()]) != (count, placed):
        bench.fail("out.bam: other hits")
    for name in ("many.fa", "out.bam"):
        (bench.folder / name).unlink()


class BamFile:
    """BGZF blocks, and the header of BAM."""

    def __init__(self, path):
        self.path = path
        self.blocks = []  # where each begins, its bytes, where its text begins, the bytes of that
        at = text = 0
        with open(path, "rb") as file:
            end = os.fstat(file.fileno()).st_size
            while at < end:
                packed = struct.unpack("<H", os.pread(file.fileno(), 2, at + 16))[0] + 1
                size = struct.unpack("<I", os.pread(file.fileno(), 4, at + packed - 4))[0]
                self.blocks.append((at, packed, text, size))
                at, text = at + packed, text + size
        self.size = text
        head, some = b"", 0
        while some < len(self.blocks):
            head += self.text(some, some + 16)
            some += 16
            begin = self.begin_of_records(head)
            if begin:
                break
        self.begin = begin

    def begin_of_records(self, head):
        """Where the records begin; 0 if `head` has not all that comes before them."""
        if len(head) < 12 or head[:4] != b"BAM\1":
            return 0
        at = 8 + struct.unpack_from("<i", head, 4)[0]
        if len(head) < at + 4:
            return 0
        self.references = struct.unpack_from("<i", head, at)[0]
        at += 4
        for _ in range(self.references):
            if len(head) < at + 4:
                return 0
            at += 8 + struct.unpack_from("<i", head, at)[0]
        return at if at <= len(head) else 0

    def text(self, first, last):
        with open(self.path, "rb") as file:
            return b"".join(zlib.decompress(os.pread(file.fileno(), packed - 26, at + 18), -15)
                            for at, packed, _, _ in self.blocks[first:last])

    def hits(self):
        """Reference, start and flag of each record."""
        text, at = self.text(0, len(self.blocks)), self.begin
        while at < len(text):
            size, reference, start, flag = struct.unpack_from("<iii6xH", text, at)
            yield reference, start, flag
            at += 4 + size


def digits_below(n):
    """How many digits the numbers from 0 to n - 1 have together."""
    total, width, first = 0, 1, 0
    while first < n:
        last = min(n, 10**width)
        total, first, width = total + width * (last - first), last, width + 1
    return total


HIT = "A" * 20


def wrong_bed(task):
    path, first, last = task
    expected = "".join(f"r\t{i}\t{i + 20}\tp\t1000\t+\n" for i in range(first, last)).encode()
    at = first * len("r\t\t\tp\t1000\t+\n") + digits_below(first) + digits_below(first + 20) - digits_below(20)
    with open(path, "rb") as file:
        return os.pread(file.fileno(), len(expected), at) != expected


def bin_of(first, last):
    last -= 1
    for shift, offset in ((14, 4681), (17, 585), (20, 73), (23, 9), (26, 1)):
        if first >> shift == last >> shift:
            return offset + (first >> shift)
    return 0


def wrong_bam(task):
    file, first, last, one = task
    begin = file.blocks[first][2]
    text = file.text(first, last)
    from_record = max(0, (begin - file.begin) // len(one))
    to_record = (begin + len(text) - file.begin + len(one) - 1) // len(one)
    expected = b"".join(b"".join((one[:8], struct.pack("<i", i), one[12:14], struct.pack("<H", bin_of(i, i + 20)), one[16:18],
                                  b"\0\1" if i else b"\0\0", one[20:])) for i in range(from_record, to_record))
    at = file.begin + from_record * len(one)  # where `expected` begins
    skip = max(0, at - begin)
    return text[skip:] != expected[max(0, begin - at):][:len(text) - skip]


def hits(bench, size):
    count = max(10_000, int(1e8 * size))
    with open(bench.folder / "a.fa", "wb") as file:
        file.write(b">r\n" + b"A" * (count + len(HIT) - 1) + b"\n")
    with multiprocessing.Pool() as pool:
        bench.run(["motif", "-p", f"p={HIT}", "a.fa", "-o", "out.bed"])
        path = bench.folder / "out.bed"
        size_of_bed = count * len("r\t\t\tp\t1000\t+\n") + digits_below(count) + digits_below(count + 20) - digits_below(20)
        if path.stat().st_size != size_of_bed:
            bench.fail(f"out.bed: {path.stat().st_size} bytes, not {size_of_bed}")
        step = 100_000
        wrong = sum(pool.imap_unordered(wrong_bed, ((path, at, min(at + step, count)) for at in range(0, count, step))))
        if wrong:
            bench.fail(f"out.bed: {wrong} parts of {step} lines differ")
        path.unlink()
        bench.run(["match", "-p", f"p={HIT}", "-k", "0", "a.fa", "-o", "out.bam"])
        file = BamFile(bench.folder / "out.bam")
        one = file.text(0, 1)[file.begin:]
        one = one[:4 + struct.unpack_from("<i", one)[0]]
        # reference 0, a name of 1 letter, MAPQ 255, one CIGAR operation, 20 bases: 20M, all of them A (1)
        if one[4:8] != bytes(4) or one[12:14] != b"\2\xff" or one[16:18] != b"\1\0" or one[36:38] != b"p\0" or \
                one[38:42] != struct.pack("<I", 20 << 4) or one[42:52] != b"\x11" * 10:
            bench.fail(f"out.bam: the first record is {one}")
        if file.size != file.begin + count * len(one):
            bench.fail(f"out.bam: {file.size} bytes in blocks, not {file.begin + count * len(one)}")
        step = 64
        wrong = sum(pool.imap_unordered(wrong_bam, ((file, at, min(at + step, len(file.blocks)), one)
                                                    for at in range(0, len(file.blocks), step)), chunksize=4))
        if wrong:
            bench.fail(f"out.bam: {wrong} parts of {step} blocks differ")
    for name in ("a.fa", "out.bam"):
        (bench.folder / name).unlink()


def files(bench, size):
    count = max(100, int(10_000 * size))
    block = text_without_t(1 << 16)
    names, bed = [], []
    (bench.folder / "in").mkdir()
    for i in range(count):
        text = []
        for j in range(3):
            start, strand = (i * 7 + j) % 100, "+-"[(i + j) % 2]
            text.append(f">f{i}_{j}\n{planted(bytearray(block[i:i + 200]), [(start, LONG, strand)]).decode()}\n")
            bed.append(bed_line(f"f{i}_{j}", start, LONG, "long", strand))
        names.append(f"in/{i}.fa")
        (bench.folder / names[-1]).write_text("".join(text))
    bench.write_patterns("p.fa", LONG)
    bench.run(["motif", "-f", "p.fa", "-o", "out.bed", *names], files=64)
    bench.compare("out.bed", "".join(bed))
    bench.run(["motif", "-f", "p.fa", "--count", "--per-file", "-o", "out.tsv", *names], files=64)
    rows = [line.split("\t") for line in (bench.folder / "out.tsv").read_text().splitlines()[1:]]
    if len(rows) != 2 * count or sum(int(row[3]) for row in rows) != 3 * count:
        bench.fail("out.tsv: other counts")


def feed_copies(parts):
    """What writes the parts, bytes each, to a descriptor."""
    def feed(descriptor):
        for part in parts():
            rest = memoryview(part)
            while rest:
                rest = rest[os.write(descriptor, rest[:1 << 20]):]
    return feed


def fastq(bench, size):
    total = int(16e9 * size)
    block = text_without_t(1 << 20)
    text, bed = [], []
    for i in range(max(1000, min(200_000, total // 3200))):
        letters = bytearray(block[i * 5:i * 5 + 150])
        if i % 100 == 7:
            start, strand = i // 100 % 119, "+-"[i // 100 % 2]
            planted(letters, [(start, LONG, strand)])
            bed.append(bed_line(f"read{i}", start, LONG, "long", strand))
        text.append(b"@read%d\n%b\n+\n%b\n" % (i, letters, b"I" * 150))
    text = b"".join(text)
    copies = max(2, -(-total // len(text)))
    bench.write_patterns("p.fa", LONG)
    print(f"           {copies * len(text) / 1e9:.2f} GB of FASTQ, {copies * len(bed)} hits", flush=True)
    bench.run(["motif", "-f", "p.fa", "-", "-o", "out.bed"], feed=feed_copies(lambda: (text for _ in range(copies))))
    bench.compare("out.bed", "".join(bed) * copies)


def fasta(bench, size):
    total = int(16e9 * size)
    lines = 1 << (18 if size == 1 else 10)
    places = [(at, "+-"[at % 2]) for at in range(1001, lines * LINE - 100, lines * LINE // 50)]
    block = planted(bytearray(text_without_t(lines * LINE)), [(at, LONG, strand) for at, strand in places])
    text = b"".join(block[at:at + LINE] + b"\n" for at in range(0, len(block), LINE))
    in_record, copies = 50, max(2, -(-total // len(text)))
    bed = "".join(bed_line(f"c{i // in_record}", i % in_record * len(block) + at, LONG, "long", strand)
                  for i in range(copies) for at, strand in places)

    def parts():
        for i in range(copies):
            if i % in_record == 0:
                yield f">c{i // in_record}\n".encode()
            yield text

    bench.write_patterns("p.fa", LONG)
    print(f"           {copies * len(text) / 1e9:.2f} GB of FASTA, {copies * len(places)} hits", flush=True)
    bench.run(["motif", "-f", "p.fa", "-", "-o", "out.bed"], feed=feed_copies(parts))
    bench.compare("out.bed", bed)


JOBS = {job.__name__: job for job in (record, records, hits, files, fastq, fasta)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("--size", type=float, default=1)
    parser.add_argument("--only", choices=JOBS, action="append")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--folder", help="where the inputs and outputs are made (default: a temporary folder)")
    options = parser.parse_args()
    wrong = 0
    for name in options.only or JOBS:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            bench = Bench(options.binary, pathlib.Path(folder), options.device)
            start = time.monotonic()
            print(f"== {name}, {options.device}", flush=True)
            JOBS[name](bench, options.size)
            print(f"   {time.monotonic() - start:.1f} s with making and comparing", flush=True)
            wrong += bench.wrong
    print("all bytes are right" if wrong == 0 else f"{wrong} runs are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
