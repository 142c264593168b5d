"""Makes every call of the C library fail, one run at a time, and looks at what is left.

    python3 tests/faults/run.py BINARY SHIM [--percent N] [--share I/N] [--job NAME] [--fault FUNCTION:ERROR] [--seconds N] [--from N]

BINARY: the program. SHIM: shim.cpp, built as a shared library. For each small job below and each function and error, the
n-th call fails, for every n (or N percent of them, and always the first 5). Only the outcome counts: the same bytes and exit 0, or exit 1, 3
or 4 with a message, without a temporary file, each output whole or absent. Anything else is printed with the command that
repeats it, and the exit status is 1. `--share 2/4` does every fourth of these runs, from the second on; `--share day` takes as large a share
as BASESWEEP_TEST_PERCENT says (default: 100); BASESWEEP_TEST_SEED says which, or the date, so that each has its day. `--seconds` ends the runs after this time, and says how many there were and the number
that `--from` goes on from.
"""
import argparse
import collections
import gzip
import lzma
import multiprocessing
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
import part_file

FAULTS = [(function, error) for functions, errors in (
    (("read", "pread"), ("EIO", "EINTR", "EAGAIN", "short", "zero")),
    (("write",), ("EIO", "ENOSPC", "EINTR", "EAGAIN", "short")),
    (("pwrite",), ("EIO", "ENOSPC", "EINTR", "short")),
    (("lseek",), ("EIO",)),
    (("mmap",), ("ENOMEM",)),
    (("fsync", "rename", "close", "mkdtemp"), ("EIO", "ENOSPC")),
    (("open", "mkstemp"), ("EIO", "ENOSPC", "EINTR")),
    (("pthread_create",), ("EAGAIN",)),
    (("malloc",), ("ENOMEM",)),
) for function in functions for error in errors]
# Once a device or the memory fails, it may go on failing.
LASTING = [("read", "EIO"), ("pread", "EIO"), ("write", "EIO"), ("write", "ENOSPC"), ("pwrite", "ENOSPC"), ("pthread_create", "EAGAIN"),
           ("malloc", "ENOMEM")]
# HTSlib makes the index of a FASTA file, and takes a read of 0 bytes for its end, wherever that is.
UNSEEN = {("plan.index", "read", "zero")}
ALLOWED = (1, 3, 4)  # failure (memory, threads), bad data (a file that ends too early), cannot read or write
TIMEOUT = 20
# Faults of HTSlib 1.16 that no caller can prevent: function and error -> outcome. Nothing may be left even then.
# - refs_load_fai() closes the index of a CRAM reference twice when it cannot read it: SIGSEGV.
# - refs_load_fai() also closes that index twice when its close fails: SIGSEGV.
# - hts_idx_push() and hts_idx_finish(), which make the index of BAM, use memory that they did not get: SIGSEGV.
# - Its CRAM encoder uses memory that it did not get: SIGSEGV. So does fai_build3(), which makes the index of FASTA.
KNOWN = {("map.cram", "read", "EIO"): -11, ("map.cram", "read", "EAGAIN"): -11, ("map.cram", "malloc", "ENOMEM"): -11,
         ("map.cram", "close", "EIO"): -11, ("map.cram", "close", "ENOSPC"): -11,
         ("plan.index", "malloc", "ENOMEM"): -11, ("merge.bam", "malloc", "ENOMEM"): -11}


def make_files(folder, binary):
    """Writes the inputs of the jobs."""
    rng = random.Random(11)

    def letters(count):
        return "".join(rng.choices("ACGT", k=count))

    records = [("one", letters(30_000)), ("two", letters(3)), ("three", letters(12_000))]
    fasta = "".join(f">{name}\n" + "".join(f"{text[at:at + 60]}\n" for at in range(0, len(text), 60)) for name, text in records)
    reads = "".join(f"@r{i}\n{records[0][1][i * 50:i * 50 + 100]}\n+\n{'I' * 100}\n" for i in range(400))
    (folder / "g.fa").write_text(fasta)
    (folder / "indexed.fa").write_text(fasta)
    (folder / "new.fa").write_text(fasta)
    subprocess.run(["samtools", "faidx", "indexed.fa"], cwd=folder, check=True)
    with gzip.open(folder / "g.fa.gz", "wt") as file:
        file.write(fasta)
    (folder / "g.bgz.fa.gz").write_bytes(subprocess.run(["bgzip", "-c", "g.fa"], cwd=folder, check=True, capture_output=True).stdout)
    (folder / "r.fq").write_text(reads)
    with gzip.open(folder / "r.fq.gz", "wt") as file:
        file.write(reads)
    (folder / "p.fa").write_text(f">p\n{records[0][1][100:120]}\n>q\n{records[2][1][100:125]}\n>short\nGATT\n")
    (folder / "p.tsv").write_text(f"p\t{records[0][1][100:120]}\nq\t{records[2][1][100:125]}\n")
    (folder / "r.bed").write_text("one\t50\t20000\nthree\t0\t500\n")

    for i in range(8):  # files that helpers decompress ahead
        with gzip.open(folder / f"ahead{i}.fa.gz", "wt") as file:
            file.write(f">ahead{i}\n{letters(400)}\n")
    with lzma.open(folder / "g.fa.xz", "wt") as file:
        file.write(fasta)
    subprocess.run(["samtools", "import", "-0", "r.fq", "-o", "r.bam"], cwd=folder, check=True, capture_output=True)
    make_guides_and_primers(folder, records)
    make_tagged_reads(folder, rng)

    def call(*words):
        subprocess.run([binary, *map(str, words)], cwd=folder, check=True, capture_output=True)

    (folder / "many.tsv").write_text("".join(f"m{i}\t{records[0][1][i * 19:i * 19 + 20]}\n" for i in range(1500)))
    call("pack", "g.fa", "-o", "g.2bit")
    call("compile", "-f", "many.tsv", "-k", 2, "--max-indels", 0, "-o", "many.bsx")
    call("compile", "--pairs", "-f", "pairs.tsv", "-k", 2, "-o", "pairs.bsx")
    call("plan", "g.fa", "--chunks", 3, "-o", "plan.tsv")
    for i in (1, 2, 3):
        call("guides", "-f", "guides.tsv", "-m", 3, "g.fa", "--chunk", f"{i}/3", "-o", f"guides{i}.bsp", "--hits", "places.bed")
        call("pcr", "-f", "pairs.tsv", "-k", 2, "indexed.fa", "--chunk", f"{i}/3", "-o", f"products{i}.bsp")
        call("motif", "-p", "GATT", "g.fa", "--chunk", f"{i}/3", "-o", f"part{i}.bsp")
        call("match", "-f", "p.tsv", "-k", 2, "g.fa", "--chunk", f"{i}/3", "-o", f"match{i}.bsp")
        call("motif", "-p", "GATT", "g.fa", "--chunk", f"{i}/3", "--count", "-o", f"count{i}.bsp")
        call("motif", "-p", "GATT", "g.fa", "--circular", "--chunk", f"{i}/3", "-o", f"circle{i}.bsp")
        call("pcr", "-f", "pairs.tsv", "-k", 2, "g.fa", "--count", "--chunk", f"{i}/3", "-o", f"pairs{i}.bsp")
        call("pwm", "-m", "m.jaspar", "-p", "1e-3", "g.fa", "--chunk", f"{i}/3", "-o", f"sites{i}.bsp")
        call("pwm", "-m", "m.jaspar", "-p", "1e-3", "g.fa", "--table", "count", "--chunk", f"{i}/3", "-o", f"table{i}.bsp")
        call("map", "-r", "g.fa", "-k", 3, "r.fq", "--chunk", f"{i}/3", "-o", f"map{i}.bsp")
        call("trim", "-a", "AGATCGGAAGAGC", "-m", 20, "tagged.fq", "--chunk", f"{i}/3", "-o", f"trimmed{i}.bsp", "--too-short-output", "short.fq")
        call("count", "-l", "library.tsv", "tagged.fq", "--chunk", f"{i}/3", "-o", f"tags{i}.bsp")


def make_guides_and_primers(folder, records):
    """Writes guides and pairs of primers that have places in the records, matrices, and features of the records."""
    text = records[0][1]
    ends = [at for at in range(25, 3000) if text[at:at + 2] == "GG"][:12]  # of the PAM NGG
    (folder / "guides.tsv").write_text("name\tgene\tguide\n" + "".join(f"g{i}\tgene{i}\t{text[at - 21:at - 1]}\n" for i, at in enumerate(ends)))
    (folder / "g.gff3").write_text("##gff-version 3\n" + "".join(
        f"one\tx\t{('gene', 'exon')[i % 2]}\t{1 + 90 * i}\t{200 + 100 * i}\t.\t+\t.\tID=f{i}\n" for i in range(40)))
    reverse = str.maketrans("ACGT", "TGCA")
    (folder / "pairs.tsv").write_text("name\tforward\treverse\tmin_size\tmax_size\n" + "".join(
        f"pair{i}\t{text[at:at + 20]}\t{text[at + 280:at + 300].translate(reverse)[::-1]}\t50\t2000\n" for i, at in enumerate(range(100, 20_000, 900))))
    rows = "\n".join(f"{letter}  [ {numbers} ]" for letter, numbers in zip("ACGT", ("9 0 1 8 0 9", "0 9 1 1 0 0", "1 0 8 0 9 0", "0 1 0 1 1 1")))
    (folder / "m.jaspar").write_text(f">M1\tone\n{rows}\n>M2\ttwo\n{rows.replace('9', '5')}\n")


def make_tagged_reads(folder, rng):
    """Writes reads with a barcode, a guide and an adapter, their mates, a sheet and a library."""
    barcodes, guides = (["".join(rng.choices("ACGT", k=length)) for _ in range(4)] for length in (12, 20))
    (folder / "sheet.tsv").write_text("sample\tbarcode\n" + "".join(f"s{i}\t{barcode}\n" for i, barcode in enumerate(barcodes)))
    (folder / "library.tsv").write_text("name\tgene\tsequence\n" + "".join(f"g{i}\tgene{i}\t{guide}\n" for i, guide in enumerate(guides)))
    reads, mates = "", ""
    for i in range(300):
        insert = barcodes[i % 4] + rng.choice(guides) + "".join(rng.choices("ACGT", k=i % 50))
        read = (insert + "AGATCGGAAGAGCACACGTCTGAACTCCAGTCAC" * 2)[:90]
        mate = (insert.translate(str.maketrans("ACGT", "TGCA"))[::-1] + "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT" * 2)[:90]
        reads += f"@r{i}\n{read}\n+\n{'I' * 90}\n"
        mates += f"@r{i}\n{mate}\n+\n{'I' * 90}\n"
    (folder / "tagged.fq").write_text(reads)
    for name, text in (("tagged.fq.gz", reads), ("mates.fq.gz", mates)):
        with gzip.open(folder / name, "wt") as file:
            file.write(text)


JOBS = {
    "motif": "motif -f p.fa g.fa -t 2 -o out.bed",
    "motif.gz": "motif -f p.fa g.fa.gz -t 2 -o out.bed.gz --json out.json",
    "motif.bgzf": "motif -f p.fa g.bgz.fa.gz -t 2 -o out.tsv --format tsv",
    "motif.count": "motif -f p.fa r.fq.gz -t 1 --count -o out.tsv",
    "motif.stdin": "motif -p GATT -t 2 -o out.bed",
    "motif.regions": "motif -p GATT indexed.fa --regions-file r.bed -t 2 -o out.bed",
    "motif.split": "motif -f p.fa r.fq -t 2 --matching-reads yes.fq --other-reads no.fq.gz -o out.gff3",
    "motif.apart": "motif -f p.fa g.fa --chunk 2/3 --plan plan.tsv --non-overlapping --count -t 2 -o out.bsp",
    "motif.2bit": "motif -f p.fa g.2bit -t 2 -o out.fa",
    "motif.chunk": "motif -p GATT g.fa --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp",
    "motif.ahead": f"motif -p GATT {' '.join(f'ahead{i}.fa.gz' for i in range(8))} -t 3 -o out.bed",
    "motif.xz": "motif -f p.fa g.fa.xz -t 2 -o out.bed",
    "motif.unaligned": "motif -f p.fa r.bam -t 2 -o out.bed",
    "match.spool": "match -f p.tsv -k 3 g.fa -t 2 -o out.sam",
    "match.best": "match -f p.tsv -k 3 r.fq --report best -t 3 -o out.bed",
    "match.waiting": "match -f p.tsv -k 3 g.fa --report best-per-record -t 2 -o out.bam",
    "match.bam": "match -f p.tsv -k 3 indexed.fa -t 2 -o out.bam",
    "pwm": "pwm -m m.jaspar -p 1e-3 g.fa -t 2 -o out.bed --json out.json",
    "pwm.best": "pwm -m m.jaspar -p 1e-3 g.fa.gz --report best-per-record -t 2 -o out.tsv",
    "pwm.table": "pwm -m m.jaspar -p 1e-3 r.fq --table count -t 2 -o out.tsv",
    "pwm.table_chunk": "pwm -m m.jaspar -p 1e-3 g.fa --table count --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp",
    "pwm.chunk": "pwm -m m.jaspar -p 1e-3 g.fa --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp",
    "pcr": "pcr -f pairs.tsv -k 2 g.fa -t 2 -o out.tsv --json out.json",
    "pcr.spool": "pcr -f pairs.tsv -k 2 g.fa -t 2 -o out.bam",
    "pcr.table": "pcr -f pairs.tsv -k 2 g.fa.gz --table -t 2 -o out.tsv",
    "pcr.chunk": "pcr -f pairs.tsv -k 2 g.fa --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp",
    "pcr.count_chunk": "pcr -f pairs.tsv -k 2 g.fa --count --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp",
    "pcr.compiled": "pcr -f pairs.bsx g.fa -t 2 -o out.fa",
    "guides": "guides -f guides.tsv -m 3 --max-dna-bulges 1 g.fa -t 2 -o out.tsv --hits places.tsv.gz --json out.json",
    "guides.spool": "guides -f guides.tsv -m 3 g.fa -t 2 -o out.tsv --hits places.bam",
    "guides.annotated": "guides -f guides.tsv -m 3 --annotate g.gff3 indexed.fa --region one:1-20000 -t 2 -o out.tsv --hits places.sam",
    "guides.design": "guides --design --region one:1-600 -m 2 --top 3 indexed.fa -t 2 -o out.tsv",
    "guides.join": "guides --design -m 2 g.fa -t 2 -o out.tsv --json out.json",
    "guides.chunk": "guides -f guides.tsv -m 3 g.fa --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp --hits places.bed",
    "map": "map -r g.fa -k 3 r.fq -t 2 -o out.sam",
    "map.bam": "map -r g.fa.gz -k 3 r.fq.gz -t 2 -o out.bam",
    "map.chunk": "map -r g.fa -k 3 r.fq --chunk 2/3 -t 2 -o out.bsp",
    "map.cram": "map -r g.bgz.fa.gz -k 3 r.fq -t 2 -o out.cram",
    "demux": "demux -s sheet.tsv -k 2 tagged.fq -t 2 -o . --name out.{sample} --format fastq --table out.tsv --json out.json",
    "demux.gz": "demux -s sheet.tsv -k 2 tagged.fq.gz -t 2 -o . --name out.{sample}",
    "demux.bam": "demux -s sheet.tsv -k 2 r.bam -t 2 -o . --name out.{sample}",
    "trim": "trim -a AGATCGGAAGAGC -m 20 tagged.fq -t 2 -o out.fq --too-short-output short.fq.gz --table out.tsv --json out.json",
    "trim.pairs": "trim -m 20 -1 tagged.fq -2 mates.fq.gz -t 2 -o out_1.fq.gz -p out_2.fq",
    "trim.bam": "trim -a AGATCGGAAGAGC r.bam -t 2 -o out.bam",
    "count": "count -l library.tsv tagged.fq -t 2 -o out.tsv --summary samples.tsv --json out.json",
    "count.gz": "count -l library.tsv -k 1 tagged.fq.gz r.fq -t 2 -o out.txt.gz",
    "plan": "plan g.fa --chunks 4 -t 2 -o out.tsv",
    "plan.index": "plan new.fa --chunks 4 -t 2 --write-index -o out.tsv",
    "plan.reads": "plan r.fq.gz --chunks 4 -t 2 -o out.tsv",
    "demux.chunk": "demux -s sheet.tsv -k 2 tagged.fq --chunk 2/3 -t 2 -o out.bsp",
    "trim.chunk": "trim -a AGATCGGAAGAGC -m 20 tagged.fq --chunk 2/3 -t 2 -o out.bsp --too-short-output short.fq",
    "count.chunk": "count -l library.tsv tagged.fq.gz --chunk 2/3 -t 2 -o out.bsp",
    "compile": "compile -f many.tsv -k 2 --max-indels 0 -t 2 -o out.bsx",
    "match.chunk": "match -f p.tsv -k 3 g.fa --report best --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp --json out.json",
    "match.compiled": "match -f many.bsx g.fa -t 2 -o out.bed",
    "pack": "pack g.bgz.fa.gz -t 2 -o out.2bit",
    "merge": "merge part1.bsp part2.bsp part3.bsp -o out.bed.gz -t 2 --write-index --json out.json",
    "merge.count": "merge count1.bsp count2.bsp count3.bsp -o out.tsv",
    "merge.bam": "merge match1.bsp match2.bsp match3.bsp -t 2 -o out.bam --write-index",
    "merge.sam": "merge match1.bsp match2.bsp match3.bsp --non-overlapping -o out.sam",
    "merge.best": "merge match1.bsp match2.bsp match3.bsp --report best -t 2 -o out.csv",
    "merge.waiting": "merge match1.bsp match2.bsp match3.bsp --report best-per-record -o out.jsonl.gz",
    "merge.circular": "merge circle1.bsp circle2.bsp circle3.bsp -t 2 -o out.bed",
    "merge.sites": "merge sites1.bsp sites2.bsp sites3.bsp --report best-per-record -t 2 -o out.tsv",
    "merge.pairs": "merge pairs1.bsp pairs2.bsp pairs3.bsp -o out.csv --json out.json",
    "merge.table": "merge table1.bsp table2.bsp table3.bsp -o out.csv",
    "merge.guides": "merge guides1.bsp guides2.bsp guides3.bsp -t 2 -o out.tsv --hits places.tsv.gz",
    "merge.products": "merge products1.bsp products2.bsp products3.bsp -t 2 -o out.bam",
    "merge.best_products": "merge products1.bsp products2.bsp products3.bsp --report best-per-record -t 2 -o out.bed",
    "merge.map": "merge map1.bsp map2.bsp map3.bsp -t 2 -o out.bam",
    "merge.trim": "merge trimmed1.bsp trimmed2.bsp trimmed3.bsp -t 2 -o out.fq.gz --too-short-output short.fq --json out.json",
    "merge.tags": "merge tags1.bsp tags2.bsp tags3.bsp -o out.csv --summary out.tsv",
}


def without_lines(data, *words):
    """The lines of a report that have none of these words."""
    return b"\n".join(line for line in data.split(b"\n") if not any(word in line for word in words))


def without_algorithm(shown):
    """These files, but reports do not tell the algorithm and device: they may be others where the size of the input cannot be found out."""
    return {name: without_lines(data, b'"matcher"', b'"algorithm: ', b'"neighbors: ', b'"device: ') if name.endswith(".json") else data
            for name, data in shown.items()}


class Bench:
    """A folder with the inputs, in which jobs run one after the other."""

    def __init__(self, binary, shim, files, folder):
        self.binary, self.shim, self.folder = binary, shim, folder
        (folder / "tmp").mkdir(parents=True)
        for source in files.iterdir():
            os.link(source, folder / source.name)
        self.inputs = set(os.listdir(folder))
        self.expected = {}

    def run(self, job, fault=None, counts=None):
        """Returns exit status (None: it hung), stderr, and the files that the run left: name -> bytes."""
        environment = {**os.environ, "LD_PRELOAD": self.shim, "TMPDIR": str(self.folder / "tmp")}
        if fault:
            environment["FAULT"] = fault
        if counts:
            environment["FAULT_COUNTS"] = counts
        standard_input = (self.folder / "r.fq").open("rb") if job.endswith("stdin") else subprocess.DEVNULL
        try:
            done = subprocess.run([self.binary, *JOBS[job].split()], cwd=self.folder, env=environment, stdin=standard_input,
                                  capture_output=True, timeout=TIMEOUT, check=False)
            status, said = done.returncode, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            status, said = None, ""
        if standard_input != subprocess.DEVNULL:
            standard_input.close()
        return status, said, self.take_left()

    def take_left(self):
        """Returns the files that a run left, and removes them."""
        left = {}
        for name in (set(os.listdir(self.folder)) - self.inputs) | {f"tmp/{name}" for name in os.listdir(self.folder / "tmp")}:
            path = self.folder / name
            left[name] = path.read_bytes() if path.is_file() else b"a folder"
            path.unlink() if path.is_file() else shutil.rmtree(path)
        return left

    def content(self, left, job):
        """The files without what differs between runs of the same command: times in reports, also those of parts, CRAM's compression."""
        shown = {}
        for name, data in left.items():
            if name.endswith(".json"):
                data = without_lines(data, b'"seconds"', b'"started"', b'"threads"')
            if name.endswith(".bsp"):
                data = before_report(data, blocks=not job.startswith("map"))
            if name.endswith(".cram"):
                data = b"CRAM" if data.endswith(bytes.fromhex("0f000000ffffffff0fe0454f4600000000010005bdd94f0001000606010001000100ee63014b")) else data
            shown[name] = data
        return shown

    def fault_of(self, job, fault):
        """What is wrong with the outcome of a run with this fault; empty: nothing."""
        status, said, left = self.run(job, fault)
        if status == 0:
            found, expected = self.content(left, job), self.expected[job]
            if fault.startswith("lseek:"):
                found, expected = without_algorithm(found), without_algorithm(expected)
            return "" if found == expected else f"exit 0, but other files: {sorted(left)}"
        if status is None:
            return f"hung for {TIMEOUT} s"
        known = KNOWN.get((job, fault.split(":")[0], fault.split(":")[2]))
        if status == known and not left:
            return ""
        if status not in ALLOWED:
            return f"exit {status}: {said[-300:]}"
        # A folder's sync may fail when the output is in place, and the output when the report is not.
        if any(data != self.expected[job].get(name) for name, data in self.content(left, job).items()):
            return f"exit {status}, and it left {sorted(left)}: {said[-300:]}"
        return "" if said.strip() else f"exit {status} without a message"


# HTSlib 1.16 does not look whether bgzf_thread_pool() could start its own thread, and oneTBB waits for workers that it could
# not start. The program therefore tries first whether it may have all threads of a run; only these calls are made to fail.
def tried_threads(job):
    words = JOBS[job].split()
    workers = int(words[words.index("-t") + 1]) if "-t" in words else 2
    return 1 if workers == 1 else 4 * workers + 3


def numbers(first, calls, percent):
    """The calls to let fail, from `first` (1: all) to `calls`."""
    if percent >= 100 or calls <= 20:
        return range(first, calls + 1)
    rng = random.Random(calls)
    return sorted({*range(first, min(calls, first + 4) + 1), *(n for n in range(first, calls + 1) if rng.random() * 100 < percent)})


def count_calls(bench, counted):
    """Runs each job without a fault, and returns its calls of each function and how many bytes its calls of malloc asked for."""
    calls, sizes = {}, {}
    for job in JOBS:
        counted.unlink(missing_ok=True)
        status, said, left = bench.run(job, counts=str(counted))
        if status != 0:
            sys.exit(f"{JOBS[job]}: exit {status} without a fault: {said}")
        bench.expected[job] = bench.content(left, job)
        lines = dict(line.partition(" ")[::2] for line in counted.read_text().splitlines())
        sizes[job] = lines.pop("sizes").split()
        calls[job] = {function: int(count) for function, count in lines.items()}
        calls[job]["pthread_create"] = min(calls[job]["pthread_create"], tried_threads(job))
    return calls, sizes


def runs_to_do(calls, sizes, options):
    """Returns job and fault of each run, in an order that mixes the jobs."""
    same = len(os.path.commonprefix(list(sizes.values())))
    print(f"{same} calls of malloc are the same in all jobs", flush=True)
    todo = []
    for i, job in enumerate(JOBS):
        if options.job not in (None, job):
            continue
        for plus, faults in (("", FAULTS), ("+", LASTING)):
            for function, error in faults:
                if (job, function, error) in UNSEEN:
                    continue
                starts = [1] if i == 0 or function != "malloc" or options.fault and options.fault.count(":") == 2 else []
                starts += [same + 1] if function == "malloc" else []
                some = sorted({n for first in starts for n in numbers(first, calls[job][function], options.percent)})
                todo += [(job, f"{function}:{n}{plus}:{error}") for n in some]
    if options.fault:
        wanted = options.fault.split(":")
        todo = [(job, fault) for job, fault in todo
                if fault == options.fault or [fault.split(":")[0], fault.split(":")[2]] == wanted]
    random.Random(len(todo)).shuffle(todo)
    number, shares = options.share
    if shares > 1:
        print(f"share {number}/{shares} of {len(todo)} runs; repeat with --share {number}/{shares}", flush=True)
    return todo[number - 1::shares][options.start:]


def share(word):
    """Returns the number of a share, from 1 on, and of how many."""
    if word == "day":
        shares = max(1, round(100 / int(os.environ.get("BASESWEEP_TEST_PERCENT") or 100)))
        return int(os.environ.get("BASESWEEP_TEST_SEED") or time.strftime("%Y%m%d", time.gmtime())) % shares + 1, shares
    number, shares = map(int, word.split("/"))
    if not 1 <= number <= shares:
        raise argparse.ArgumentTypeError(f"{word}: expected a number from 1 to {shares}")
    return number, shares


def before_report(part, blocks):
    """Returns the part up to its report, which has times, and the sections after that without their checksums.

    Without `blocks`, of rows only their number: how the reads of map are cut into blocks depends on the number of threads,
    which some faults lower.
    """
    found = part_file.sections(part)
    at = [section.name for section in found].index("summary")
    if blocks:
        return part[:found[at].begin] + str([(section.name, section.rows) for section in found[at:]]).encode()
    rows = [section for section in found if section.name == "rows"]
    return part[:rows[0].begin] + str(sum(section.rows for section in rows)).encode()


class Worker:
    """What a process that runs jobs keeps from one to the next."""
    bench = None
    deadline = None

    @classmethod
    def start(cls, binary, shim, files, expected, deadline):
        cls.bench, cls.deadline = Bench(binary, shim, files, files.parent / f"run{os.getpid()}"), deadline
        cls.bench.expected = expected

    @classmethod
    def fault_of(cls, run):
        """What is wrong with the outcome of a run; empty: nothing; None: there was no time for it."""
        return None if time.monotonic() > cls.deadline else cls.bench.fault_of(*run)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("shim", type=os.path.abspath)
    parser.add_argument("--percent", type=float, default=100)
    parser.add_argument("--share", type=share, default=(1, 1), metavar="I/N", help="such as 2/4, or day")
    parser.add_argument("--job", choices=JOBS)
    parser.add_argument("--fault", help="such as read:EIO, or read:5:EIO for one run")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after this time")
    parser.add_argument("--from", dest="start", metavar="N", type=int, default=0, help="leave out the first N runs")
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as name:
        files = pathlib.Path(name) / "files"
        files.mkdir()
        make_files(files, options.binary)
        inputs = {path.name: path.read_bytes() for path in files.iterdir()}
        bench = Bench(options.binary, options.shim, files, pathlib.Path(name) / "counted")
        todo = runs_to_do(*count_calls(bench, pathlib.Path(name) / "counts"), options)
        ran, wrong, left_out = collections.Counter(), collections.Counter(), []
        workers = multiprocessing.Pool(os.cpu_count(), Worker.start,
                                       (options.binary, options.shim, files, bench.expected, deadline))
        with workers:
            for i, ((job, fault), what) in enumerate(zip(todo, workers.imap(Worker.fault_of, todo, chunksize=4))):
                if what is None:
                    left_out.append(i)
                    continue
                ran[job] += 1
                wrong[job] += what != ""
                if what and wrong[job] <= 20:
                    print(f"WRONG  FAULT={fault} {JOBS[job]}\n       {what}", flush=True)
        for job, count in ran.items():
            print(f"{job}: {count} runs, {wrong[job]} wrong")
        if left_out:
            print(f"the time is up: {len(left_out)} runs were left out; go on with --from {options.start + left_out[0]}")
        changed = [path.name for path in files.iterdir() if path.read_bytes() != inputs[path.name]]
        if changed:
            print(f"WRONG  some run changed the inputs {changed}")
    print(f"{sum(ran.values()) - sum(wrong.values())} passed, {sum(wrong.values())} failed")
    sys.exit(1 if sum(wrong.values()) or changed or not ran else 0)


if __name__ == "__main__":
    main()
