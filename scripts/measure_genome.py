#!/usr/bin/env python3
"""Measures how long each command takes on a text of the size of a human genome, for the first table of docs/benchmarks.md.

    measure_genome.py BINARY OUT.json [--threads 1,2,16] [--seconds N] [--job TEXT] [--folder FOLDER] [--commit ID] [--bases N] [--busy]

Needs nothing but Python 3.9 and the program. Makes the text, patterns and reads in a new folder (8 GB, in memory if /dev/shm has room) and
removes them at the end. Every job runs with each number of threads on the CPU alone (--device cpu), and, where a GPU is usable, with each number above 1 as users
run it (--device auto). Numbers of threads above those of the machine are left out. The greatest number comes first; a smaller one is left out where a
job would then take longer than --seconds (default 60). With an H100 and 16 threads all of it takes 6 to 8 minutes. Jobs of less than 1 s
run three times, and the median counts. The outputs of a job must have the same bytes; if they do not, the exit code is 1.
OUT.json is written after every job. It becomes docs/measurements/genome.json; scripts/plots.py then makes the table.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

RECORDS = 24
LINE = 60
SHORT = 1  # seconds
NEEDED = 10e9  # bytes in /dev/shm
NOT_USABLE = 75  # exit code of --device gpu without a GPU
COMPLEMENT = bytes.maketrans(b"ACGT", b"TGCA")
# What it is, the words of the command with {} for the folder, the name of the output, and the least threads that it runs with.
JOBS = [
    ("one motif of 12, FASTA", "motif -p {motif} {}/genome.fa", "out.bed", 1),
    ("the same, FASTA of `bgzip`", "motif -p {motif} {}/genome.bgzf.fa.gz", "out.bed", 1),
    ("the same, FASTA of `gzip`", "motif -p {motif} {}/genome.fa.gz", "out.bed", 1),
    ("the same, .2bit", "motif -p {motif} {}/genome.2bit", "out.bed", 1),
    ("1,000 motifs of 12", "motif -f {}/motifs.tsv {}/genome.fa", "out.bed", 1),
    ("one primer of 20, 3 edits", "match -p {primer} -k 3 {}/genome.fa", "out.bed", 1),
    ("100 primers of 23, 3 edits", "match -f {}/primers.tsv -k 3 {}/genome.fa", "out.bed", 1),
    ("10,000 sequences of 20, 3 mismatches", "match -f {}/guides10000.tsv -k 3 --max-indels 0 {}/genome.fa", "out.bed", 1),
    ("one pair of primers, 2 edits", "pcr --forward {primer} --reverse {motif}{motif} -k 2 {}/genome.fa", "out.tsv", 1),
    ("1,000 pairs of primers, 2 edits", "pcr -f {}/pairs.tsv -k 2 {}/genome.fa", "out.tsv", 1),
    ("1,000 guides NGG, 4 mismatches", "guides -f {}/guides1000.tsv -m 4 {}/genome.fa", "out.tsv", 1),
    ("100,000 guides NGG, 4 mismatches", "guides -f {}/guides100000.tsv -m 4 {}/genome.fa", "out.tsv", 1),
    ("one weight matrix, p = 1e-6", "pwm -m {}/matrix.jaspar -p 1e-6 {}/genome.fa", "out.bed", 1),
    ("1,000 weight matrices, p = 1e-6", "pwm -m {}/matrices.jaspar -p 1e-6 {}/genome.fa", "out.bed", 1),
    ("100,000 reads of 150, 8 edits", "map -r {}/genome.fa -k 8 {}/reads.fa", "out.bam", 8),
]
MOTIF, PRIMER = "GATTACAGGCTC", "GGGCGGCGACCTCGCGGGTT"


def lines_of(number, lines):
    """Returns random bases in lines of LINE; the same for the same number."""
    text = bytearray(random.Random(number).randbytes(lines * (LINE + 1)).translate(b"ACGT" * 64))
    text[LINE::LINE + 1] = b"\n" * lines
    return text


def write_record(path, number, lines):
    title = b">chr%02d\n" % number
    with open(path, "r+b") as file:
        file.seek((number - 1) * (len(title) + lines * (LINE + 1)))
        file.write(title)
        file.write(lines_of(number, lines))


def deflated(text, before=b""):
    """Returns text as deflate blocks that end at a byte; `before` is the text in front of it that they may refer to."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, zdict=before[-32768:]) if before else zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)


def block_of_bgzf(text):
    data = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = data.compress(text) + data.flush()
    return (b"\x1f\x8b\x08\x04" + bytes(5) + b"\xff\x06\x00BC\x02\x00" + (len(body) + 25).to_bytes(2, "little") + body
            + zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little"))


def piece_of_bgzf(text):
    return b"".join(block_of_bgzf(text[at:at + 65280]) for at in range(0, len(text), 65280))


def write_compressed(pool, folder, lines):
    """Writes the genome as one stream of gzip and as BGZF; all records have the bases of the first, which is compressed once."""
    text = bytes(lines_of(1, lines))
    cuts = [text[at:at + 2**22] for at in range(0, len(text), 2**22)]
    titles = [b">chr%02d\n" % number for number in range(1, RECORDS + 1)]
    stream = b"".join(pool.map(deflated, cuts, [b"", *cuts[:-1]]))
    checksum = 0
    with open(folder / "genome.fa.gz", "wb") as file:
        file.write(b"\x1f\x8b\x08" + bytes(6) + b"\xff")
        for title in titles:
            file.write(deflated(title) + stream)
            checksum = zlib.crc32(text, zlib.crc32(title, checksum))
        size = RECORDS * (len(titles[0]) + len(text))
        file.write(b"\x03\x00" + checksum.to_bytes(4, "little") + (size % 2**32).to_bytes(4, "little"))
    stream = b"".join(pool.map(piece_of_bgzf, cuts))
    with open(folder / "genome.bgzf.fa.gz", "wb") as file:
        for title in titles:
            file.write(block_of_bgzf(title) + stream)
        file.write(block_of_bgzf(b""))


def write_patterns(folder):
    rng = random.Random(5)

    def table(name, header, count, lengths):
        rows = ("\t".join([f"n{i}"] + ["".join(rng.choices("ACGT", k=length)) for length in lengths]) for i in range(count))
        (folder / name).write_text(header + "\n" + "\n".join(rows) + "\n")

    table("motifs.tsv", "name\tsequence", 1_000, [12])
    table("primers.tsv", "name\tsequence", 100, [23])
    table("pairs.tsv", "name\tforward\treverse", 1_000, [20, 20])
    for count in (1_000, 10_000, 100_000):
        table(f"guides{count}.tsv", "name\tsequence", count, [20])
    matrices = []
    for number in range(1_000):
        columns = [[rng.choice((1, 3, 10, 60)) for _ in "ACGT"] for _ in range(rng.randrange(8, 19))]
        matrices.append(f">M{number}\n" + "".join(f"{base} [ {' '.join(str(column[i]) for column in columns)} ]\n"
                                                  for i, base in enumerate("ACGT")))
    (folder / "matrix.jaspar").write_text(matrices[0])
    (folder / "matrices.jaspar").write_text("".join(matrices))


def write_reads(folder, lines):
    """Writes reads of 150 from both strands of the first record; each base is changed with a probability of 1 %."""
    rng = random.Random(7)
    text = bytes(lines_of(1, lines)).replace(b"\n", b"")
    with open(folder / "reads.fa", "wb") as file:
        for number in range(100_000):
            start = rng.randrange(len(text) - 150)
            read = bytearray(text[start:start + 150])
            for at in range(150):
                if rng.random() < 0.01:
                    read[at] = rng.choice(b"ACGT")
            file.write(b">read%d\n%s\n" % (number, read if number % 2 else read.translate(COMPLEMENT)[::-1]))


def make_files(options, folder):
    lines = options.bases // RECORDS // LINE
    (folder / "genome.fa").touch()
    write_patterns(folder)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        list(pool.map(write_record, [folder / "genome.fa"] * RECORDS, range(1, RECORDS + 1), [lines] * RECORDS))
        write_compressed(pool, folder, lines)
    write_reads(folder, lines)
    subprocess.run([options.binary, "pack", "-q", folder / "genome.fa", "-o", folder / "genome.2bit"], check=True)


def digest(path):
    with open(path, "rb") as file:
        found = hashlib.md5()
        for piece in iter(lambda: file.read(2**20), b""):
            found.update(piece)
        return found.hexdigest()


def run(words):
    """Returns the seconds, the processor seconds and the most memory (MB) of one process."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, words)
    return {"seconds": time.monotonic() - begin, "cpu_seconds": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024}


def measure(options, folder, job, threads, device):
    """Returns the medians of a job's runs, and the digest of its output, which must be the same each time."""
    what, command, name, _ = job
    out = folder / name
    words = command.replace("{}", str(folder)).format(motif=MOTIF, primer=PRIMER).split()
    runs, digests = [], set()
    while not runs or (len(runs) < 3 and runs[0]["seconds"] < SHORT):
        # --no-PG: the header of BAM would tell the runs apart
        runs.append(run([options.binary, *words, *(["--no-PG"] if name == "out.bam" else []), "-q", "-t", threads, "--device", device, "-o", out]))
        digests.add(digest(out))
        out.unlink()
    row = {"job": what, "command": " ".join(["basesweep", *words]).replace(f"{folder}/", ""), "threads": threads, "device": device}
    for key in runs[0]:
        row[key] = round(statistics.median(one[key] for one in runs), 3)
    print(f"{what}: {threads} threads, {device}: {row['seconds']:.2f} s, {row['cpu_seconds']:.2f} processor seconds, {row['megabytes']:.0f} MB",
          flush=True)
    return row, digests


def has_gpu(options, folder):
    (folder / "tiny.fa").write_text(">r\nACGT\n")
    done = subprocess.run([options.binary, "motif", "-q", "-p", "ACGT", "--device", "gpu", folder / "tiny.fa"], capture_output=True, check=False)
    if done.returncode not in (0, NOT_USABLE):
        sys.exit(f"measure_genome: --device gpu: exit code {done.returncode}: {done.stderr.decode()}")
    return done.returncode == 0


def machine(with_gpu):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown CPU")
    names = [f"{model}, {len(os.sched_getaffinity(0))} CPU threads"]
    if with_gpu and shutil.which("nvidia-smi"):
        told = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=False, capture_output=True, text=True)
        names += told.stdout.splitlines()[:1]
    return ", ".join(names)


def measure_all(options, folder):
    """Runs all jobs and keeps OUT.json up to date; returns whether each job's outputs had the same bytes."""
    with_gpu = has_gpu(options, folder)
    numbers = sorted((n for n in options.threads if n <= len(os.sched_getaffinity(0))), reverse=True)
    kept = {"table": "genome", "date": datetime.date.today().isoformat(), "chip": machine(with_gpu), "commit": options.commit,
            "conditions": f"{options.bases / 1e9:.3g} Gb of random bases in {RECORDS} records, in memory, both strands; whole processes"
                          + (" on a machine with other work: processor seconds of all threads." if options.busy else "."),
            "shown": "cpu_seconds" if options.busy else "seconds", "bases": options.bases, "runs": []}
    same = True
    for job in JOBS:
        if options.job not in job[0]:
            continue
        digests = set()
        for device in ("cpu", "auto") if with_gpu else ("cpu",):
            work = 0  # processor seconds
            for threads in numbers:
                if threads < job[3] or (device == "auto" and threads == 1) or work / threads > options.seconds:
                    continue
                row, found = measure(options, folder, job, threads, device)
                work = row["cpu_seconds"]
                digests |= found
                kept["runs"].append(row)
        if len(digests) > 1:
            print(f"{job[0]}: BYTES DIFFER", flush=True)
            same = False
        options.out.write_text(json.dumps(kept, indent=2) + "\n")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2, 16])
    parser.add_argument("--seconds", type=float, default=60, help="leave out runs that would take longer")
    parser.add_argument("--job", default="", help="only the jobs that contain this text")
    parser.add_argument("--folder", help="where the files are made")
    parser.add_argument("--commit", default="", help="of the program")
    parser.add_argument("--bases", type=int, default=3_100_000_000)
    parser.add_argument("--busy", action="store_true", help="the machine has other work: show processor seconds")
    options = parser.parse_args()
    above = options.folder or ("/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > NEEDED else None)
    with tempfile.TemporaryDirectory(prefix="basesweep-genome.", dir=above) as folder:
        begin = time.monotonic()
        # In a process of its own: the memory of this one would count as that of the processes that it starts.
        maker = multiprocessing.Process(target=make_files, args=(options, pathlib.Path(folder)))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            sys.exit("measure_genome: the files could not be made")
        print(f"files made in {time.monotonic() - begin:.0f} s", flush=True)
        same = measure_all(options, pathlib.Path(folder))
        print(f"all: {time.monotonic() - begin:.0f} s", flush=True)
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
