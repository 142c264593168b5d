#!/usr/bin/env python3
"""Measures how fast basesweep reads a genome and reads in each form, beside the programs that inflate, in one call.

    measure_input.py FOLDER [--basesweep PROGRAM] [--rapidgzip PROGRAM | --wheels FOLDER] [--seconds N] [--scale F] [--json FILE]

FOLDER, best in /dev/shm, gets the inputs, 12 GB of them with --scale 1:
- genome.fa, .bgz, .2bit: 3.1 Gb in records of 100 Mb
- part.fa, .1.gz, .6.gz, .bgz, .zst: 600 Mb of it; zlib's level 1 and 6 as one member
- reads.fq and the same forms: 600 MB of reads of 150 bases
- many/: 1,000 paths of .fa.gz files of 5 Mb, of which 40 differ
All are made of 100 MB of random text, compressed once and repeated, so they take some seconds. Only Python is needed; .zst is made
where zstd is installed. Then all programs run in turn, round after round, until N seconds (180) since the start are over, and what
was measured comes as JSON: for each run, the medians of wall seconds, processor seconds and GB/s of text.
--wheels: wheels of rapidgzip for several versions of Python (pip download); the one that fits is unpacked and used.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys
import time
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent.parent
ADAPTERS = ["AGATCGGAAGAGC", "CTGTCTCTTATACACATCT", "TGGAATTCTCGGGTGCCAAGG", "GATCGGAAGAGCACACGTCT", "AATGATACGGCGACCACCGA",
            "CAAGCAGAAGACGGCATACGA", "ACACTCTTTCCCTACACGACG", "GTGACTGGAGTTCAGACGTGT", "TCGTCGGCAGCGTCAGATGTG", "GTCTCGTGGGCTCGGAGATGT"]
LINE = 60
BGZF_TEXT = 65280


def random_bytes(rng, letters, size):
    return rng.randbytes(size).translate(bytes(letters[i % len(letters)] for i in range(256)))


def genome_lines(bases):
    letters = random_bytes(random.Random(1), b"ACGT", bases)
    return b"\n".join(letters[at:at + LINE] for at in range(0, bases, LINE)) + b"\n"


def read_records(size):
    rng = random.Random(2)
    bases, qualities = random_bytes(rng, b"ACGT", 1 << 24), random_bytes(rng, b"FFFFFFF:,#", 1 << 24)
    records = []
    for number in range(size // 330):
        at = rng.randrange((1 << 24) - 150)
        records.append(b"@M01:1:%07d/1\n%s\n+\n%s\n" % (number, bases[at:at + 150], qualities[-at - 151:-at - 1]))
    return b"".join(records)


def bgzf_block(text):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    deflated = packer.compress(text) + packer.flush()
    head = struct.pack("<4BI2BH2B2H", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, len(deflated) + 25)
    return head + deflated + struct.pack("<II", zlib.crc32(text), len(text))


def bgzf_blocks(text):
    return b"".join(bgzf_block(text[at:at + BGZF_TEXT]) for at in range(0, len(text), BGZF_TEXT))


def deflated_open(text, level):
    """Deflate data of the text that anything may follow."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)


def gzip_bytes(text):
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(text) + packer.flush()


class Text:
    """Text made of parts that repeat, written in several forms."""

    def __init__(self, parts, order):
        self.parts, self.order = parts, order

    def plain(self, path):
        with path.open("wb") as out:
            for name in self.order:
                out.write(self.parts[name])

    def bgzf(self, pool, path):
        step = 32 * BGZF_TEXT
        packed = {}
        for name, text in self.parts.items():
            packed[name] = b"".join(pool.map(bgzf_blocks, [text[at:at + step] for at in range(0, len(text), step)]))
        with path.open("wb") as out:
            for name in self.order:
                out.write(packed[name])
            out.write(bgzf_block(b""))

    def gzip(self, pool, path, level):
        packed = dict(zip(self.parts, pool.map(deflated_open, self.parts.values(), [level] * len(self.parts))))
        crc = size = 0
        with path.open("wb") as out:
            out.write(struct.pack("<4BI2B", 31, 139, 8, 0, 0, 0, 3))
            for name in self.order:
                out.write(packed[name])
                crc = zlib.crc32(self.parts[name], crc)
                size += len(self.parts[name])
            out.write(b"\x03\x00" + struct.pack("<II", crc, size & 0xffffffff))


def make_inputs(folder, scale, basesweep):
    if (folder / "made").exists():
        return
    (folder / "many").mkdir(parents=True, exist_ok=True)
    bases = int(100_000_000 * scale) // LINE * LINE
    lines, reads = genome_lines(bases), read_records(int(100_000_000 * scale))
    titles = {f"title{i}": b">chr%d\n" % i for i in range(1, 32)}
    order = [name for i in range(1, 32) for name in (f"title{i}", "lines")]
    genome, part = Text({**titles, "lines": lines}, order), Text({**titles, "lines": lines}, order[:12])
    fastq = Text({"reads": reads}, ["reads"] * 6)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool, concurrent.futures.ThreadPoolExecutor(6) as threads:
        packing = [threads.submit(text.gzip, pool, folder / f"{name}.{level}.gz", level)
                   for text, name in ((part, "part.fa"), (fastq, "reads.fq")) for level in (6, 1)]
        small = len(lines) // 20 // (LINE + 1) * (LINE + 1)
        files = list(pool.map(gzip_bytes, [b">r%d\n" % i + lines[at:at + small] for i, at in enumerate(
            (LINE + 1) * random.Random(i).randrange((len(lines) - small) // (LINE + 1)) for i in range(40))]))
        for number in range(1000):
            path = folder / "many" / f"{number}.fa.gz"
            if number < len(files):
                path.write_bytes(files[number])
            else:
                path.symlink_to(f"{number % len(files)}.fa.gz")
        for text, name in ((genome, "genome.fa"), (part, "part.fa"), (fastq, "reads.fq")):
            text.plain(folder / name)
            text.bgzf(pool, folder / f"{name}.bgz")
        subprocess.run([basesweep, "pack", str(folder / "genome.fa"), "-o", str(folder / "genome.2bit")], check=True)
        if shutil.which("zstd"):
            for name in ("part.fa", "reads.fq"):
                subprocess.run(["zstd", "-q", "-f", "-T0", str(folder / name), "-o", str(folder / f"{name}.zst")], check=True)
        for one in packing:
            one.result()
    (folder / "made").touch()


def rapidgzip_of(wheels, folder):
    version = f"cp{sys.version_info.major}{sys.version_info.minor}-"
    for wheel in glob.glob(f"{wheels}/rapidgzip-*{version}*x86_64.whl"):
        place = folder / "rapidgzip"
        zipfile.ZipFile(wheel).extractall(place)
        return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(place)!r}); import rapidgzip; sys.exit(rapidgzip.cli())"]
    print(f"measure_input: no wheel for {version} in {wheels}", file=sys.stderr)
    return None


def run_list(folder, basesweep, rapidgzip):
    """Yields (input, name, bytes of text, command, environment)."""
    threads = [1, 2, 4, 8, 16]
    rng = random.Random(3)
    tens = [word for _ in range(10) for word in ("-p", "".join(rng.choices("ACGT", k=12)))]
    adapters = [word for adapter in ADAPTERS for word in ("-p", adapter)]

    def size(name):
        return (folder / name).stat().st_size

    def search(text, form, counts, patterns, environment=None, note=""):
        paths = [str(folder / form)] if isinstance(form, str) else form
        name = form if isinstance(form, str) else "many"
        for count in counts:
            yield name, f"-t {count}{note}", text, [basesweep, "motif", "--count", "-t", str(count), *patterns, *paths], environment

    one = ["-p", "GGATCCNNNGAT"]
    isal = {"BASESWEEP_GZIP_THREADS": "1"}
    for level in (6, 1):
        form = f"part.fa.{level}.gz"
        yield from search(size("part.fa"), form, threads, one)
        yield from search(size("part.fa"), form, [2, 4], one, isal, ", ISA-L")
        if rapidgzip:
            for count in threads:
                yield form, f"rapidgzip -P {count}", size("part.fa"), [*rapidgzip, "-d", "-c", "-P", str(count), str(folder / form)], None
        yield from search(size("reads.fq"), f"reads.fq.{level}.gz", [2, 4, 16], adapters)
    if rapidgzip:
        yield "-", "rapidgzip --version", 0, [*rapidgzip, "--version"], None
    for form in ("part.fa.bgz", "part.fa", "part.fa.zst"):
        if (folder / form).exists():
            yield from search(size("part.fa"), form, threads, one)
    yield from search(size("genome.fa"), "genome.fa.bgz", [2, 8, 16], one)
    yield from search(size("genome.fa"), "genome.fa", [16], one)
    yield "genome.fa", "cat", size("genome.fa"), ["cat", str(folder / "genome.fa")], None
    yield from search(size("genome.fa"), "genome.2bit", [1, 16], tens)
    yield from search(size("reads.fq"), "reads.fq.bgz", [1, 2, 4, 16], adapters)
    yield from search(size("reads.fq"), "reads.fq", [2, 16], adapters)
    many = [str(folder / "many" / f"{number}.fa.gz") for number in range(1000)]
    yield from search(50 * size("genome.fa") // 31, many, [16], one)


def run(command, environment):
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"measure_input: failed: {' '.join(command[:20])}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def main():
    start = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--basesweep", default=os.environ.get("BASESWEEP_BINARY", str(HERE / "build/release/basesweep")))
    parser.add_argument("--rapidgzip", default=shutil.which("rapidgzip"))
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    make_inputs(options.folder, options.scale, options.basesweep)
    made = time.monotonic() - start
    rapidgzip = rapidgzip_of(options.wheels, options.folder) if options.wheels else [options.rapidgzip] if options.rapidgzip else None
    runs = list(run_list(options.folder, options.basesweep, rapidgzip))
    measured = [[] for _ in runs]
    rounds, longest = 0, 0.0
    while rounds == 0 or time.monotonic() - start + longest < options.seconds:
        begin = time.monotonic()
        for (*_, command, environment), found in zip(runs, measured):
            found.append(run(command, environment))
        rounds, longest = rounds + 1, max(longest, time.monotonic() - begin)
    rows = []
    for (form, name, text, *_), found in zip(runs, measured):
        wall, processor, megabytes = (statistics.median(column) for column in zip(*found))
        rows.append([form, name, round(wall, 3), round(processor, 2), round(text / wall / 1e9, 2), int(megabytes)])
    conditions = {"cores": os.cpu_count(), "rounds": rounds, "seconds to make inputs": round(made, 1), "scale": options.scale}
    columns = ["input", "run", "seconds", "processor seconds", "GB/s of text", "MB"]
    text = json.dumps({"conditions": conditions, "columns": columns, "rows": rows}, separators=(",", ":")).replace("],[", "],\n[")
    print(text)
    if options.json:
        options.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
