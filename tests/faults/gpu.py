"""Lets a GPU fail while the program uses it, and looks at what is left.

    python3 tests/faults/gpu.py BINARY LOST_GPU GPU_HOG [--percent N] [--only calls|memory|kill] [--job NAME]

BINARY: the program. LOST_GPU: the program whose calls of CUDA can fail (lost_gpu.cu). GPU_HOG: gpu_hog.cu.
- Calls: the n-th call of CUDA returns an error, once or from then on, for every n (or N percent of them, and always the first 5).
- Memory: another process takes all of the GPU's memory but a little, before the run or during it.
  With `--device auto` every run must end with the same bytes.
- Kill: a signal ends the program while kernels run.
A job that makes no call of CUDA is wrong, and so is one with `--device auto` that gives the GPU no batch: it would prove nothing.
Otherwise only the outcome counts: the same bytes and exit 0, or exit 1 or 75 with a message, without output and temporary file. A process that
SIGKILL ends can remove nothing; what counts then is that the output is absent, and that the GPU works for the next run. Exits with 77
without a GPU.
"""
import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

TIMEOUT = 120
ALLOWED = (1, 75)
# out of memory; illegal address; unspecified launch failure; uncorrectable ECC error; unknown, as when a device has gone
ONCE = (2, 700)
LASTING = (2, 214, 719, 999)
SMALL = "--device gpu -t 2 --batch-bases 9000"
JOBS = {
    "motif": f"motif -f p.fa g.fa {SMALL} -o out.bed",
    "motif.count": f"motif -f p.fa g.fa {SMALL} --count -o out.tsv",
    "motif.wu-manber": f"motif -f p.fa g.fa {SMALL} --algorithm wu-manber -o out.bed",
    "motif.ac-nfa": f"motif -f p.fa g.fa {SMALL} --algorithm ac-nfa -o out.bed",
    "motif.qgrams": f"motif -f p.fa g.fa {SMALL} --algorithm qgrams -o out.bed.gz",
    "match": f"match -f p.fa -k 3 g.fa {SMALL} -o out.sam",
    "match.best": f"match -f p.fa -k 2 g.fa {SMALL} --report best -o out.bam",
    "match.pigeonhole": f"match -f p.fa -k 1 g.fa {SMALL} --algorithm pigeonhole -o out.bed",
    "match.neighbors": f"match -f p.fa -k 1 g.fa {SMALL} --algorithm neighbors -o out.bed",
    "guides": f"guides -f guides.tsv -m 6 g.fa {SMALL} -o out.tsv",
    "guides.hits": f"guides -f guides.tsv -m 6 --max-dna-bulges 1 g.fa {SMALL} -o out.tsv --hits out.bed",
    "guides.design": f"guides --design g.fa -m 4 {SMALL} -o out.tsv",
    "map": "map -r g.fa -k 3 r.fq --device gpu -t 2 -o out.sam",
    # As auto would match, this takes two threads of a CPU more than half a second, so the GPU is started at once; myers takes them about 3 s, so it has time to join.
    "match.auto": "match -f many.fa -k 10 mid.fa --device auto --algorithm myers -t 2 --batch-bases 100k -v -o out.bed",
}
UNHARMED = ("match.auto",)  # the CPU does what a GPU does not: the bytes are the same, always
GPU_BATCHES = re.compile(r"\b[1-9][0-9,]* on gpu")  # among the batches that -v prints
# Runs long enough for signals and other processes to come in between.
LONG = {
    "motif": "motif -f p.fa long.fa --device gpu -t 2 -o out.bed",
    "match": "match -f p.fa -k 3 long.fa --device gpu -t 2 -o out.bam",
}


def make_files(folder):
    rng = random.Random(11)

    def letters(count):
        return "".join(rng.choices("ACGT", k=count))

    def fasta(records):
        return "".join(f">{name}\n" + "".join(f"{text[at:at + 60]}\n" for at in range(0, len(text), 60)) for name, text in records)

    text = letters(40_000)
    (folder / "g.fa").write_text(fasta([("one", text), ("two", letters(3)), ("three", letters(12_000))]))
    (folder / "long.fa").write_text(fasta([(f"r{i}", letters(500_000) * 40) for i in range(40)]))
    (folder / "p.fa").write_text("".join(f">p{i}\n{text[i * 700:i * 700 + 20 + i % 5]}\n" for i in range(40)))
    (folder / "guides.tsv").write_text("".join(f"u{i}\t{text[i * 900:i * 900 + 20]}\n" for i in range(40)))
    (folder / "many.fa").write_text("".join(f">m{i}\n{letters(40)}\n" for i in range(500)))
    (folder / "mid.fa").write_text(fasta([("one", letters(1_000_000) * 8)]))
    (folder / "r.fq").write_text("".join(f"@r{i}\n{text[i * 50:i * 50 + 100]}\n+\n{'I' * 100}\n" for i in range(700)))


class Bench:
    def __init__(self, files):
        self.files = files
        self.expected = {}

    def start(self, folder, binary, words, **environment):
        (folder / "tmp").mkdir()
        for source in self.files.iterdir():
            os.link(source, folder / source.name)
        return subprocess.Popen([binary, *words.split()], cwd=folder, env={**os.environ, "TMPDIR": str(folder / "tmp"), **environment},
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def left(self, folder):
        inputs = {path.name for path in self.files.iterdir()}
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
                if path.is_file() and path.name not in inputs}

    def run(self, binary, words, during=None, **environment):
        """Returns exit status (None: it hung), stderr, and the files that the run left. `during`: called with the process."""
        with tempfile.TemporaryDirectory(dir=self.files.parent) as name:
            folder = pathlib.Path(name)
            process = self.start(folder, binary, words, **environment)
            try:
                if during:
                    during(process)
                said = process.communicate(timeout=TIMEOUT)[1].decode(errors="replace")
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return None, "", {}
            return process.returncode, said, self.left(folder)

    def sound(self, key, binary, words, **environment):
        """Runs without a fault; what is left is what other runs must leave. Returns stderr."""
        status, said, self.expected[key] = self.run(binary, words, **environment)
        if status != 0:
            sys.exit(f"{words}: exit {status} without a fault: {said}")
        return said

    def fault_of(self, key, outcome, allowed=ALLOWED, may_leave=False):
        """What is wrong with the outcome of a run; empty: nothing."""
        status, said, left = outcome
        if status is None:
            return f"hung for {TIMEOUT} s"
        if status == 0:
            return "" if left == self.expected[key] else f"exit 0, but other files: {sorted(left)}"
        if status not in allowed:
            return f"exit {status}: {said[-300:]}"
        if may_leave:
            left = {name: data for name, data in left.items() if name in self.expected[key]}
        if left:
            return f"exit {status}, and it left {sorted(left)}"
        return "" if said.strip() or status < 0 else f"exit {status} without a message"


class Hog:
    """Holds the memory of the GPU but for `leave` megabytes."""

    def __init__(self, binary, leave):
        self.process = subprocess.Popen([binary, str(leave)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def wait(self):
        self.process.stdout.readline()
        return self

    def __enter__(self):
        return self.wait()

    def __exit__(self, *_):
        self.process.communicate(b"")


def numbers(calls, percent):
    rng = random.Random(calls)
    return sorted({*range(1, min(calls, 5) + 1), *(n for n in range(1, calls + 1) if rng.random() * 100 < percent)})


def allowed_of(job):
    return () if job in UNHARMED else ALLOWED


def lose_calls(bench, lost_gpu, percent, jobs, pool, report):
    for job in jobs:
        words = JOBS[job]
        counted = bench.files.parent / f"{job}.count"
        said = bench.sound(job, lost_gpu, words, GPU_FAULT_COUNT=str(counted))
        calls = int(counted.read_text())
        if calls == 0 or (job in UNHARMED and not GPU_BATCHES.search(said)):
            report(f"{job}, {calls} calls", [(words, f"the GPU did nothing, so no fault can be tried: {said}")])
            continue
        todo = [f"{n}{plus}:{code}" for plus, codes in (("", ONCE), ("+", LASTING)) for code in codes for n in numbers(calls, percent)]
        found = pool.map(
            lambda fault, job=job, words=words: bench.fault_of(job, bench.run(lost_gpu, words, GPU_FAULT=fault), allowed_of(job)), todo)
        report(f"{job}, {calls} calls", [(f"GPU_FAULT={fault} {words}", what) for fault, what in zip(todo, found)])


def take_memory(bench, binary, hog, jobs, pool, report):
    for job in jobs:
        bench.sound(job, binary, JOBS[job])
    for leave in (2000, 1000, 600, 300, 100, 0):
        with Hog(hog, leave):
            found = pool.map(lambda job: bench.fault_of(job, bench.run(binary, JOBS[job]), allowed_of(job)), jobs)
            report(f"{leave} MB left", [(f"{leave} MB left: {JOBS[job]}", what) for job, what in zip(jobs, found)])
    for leave in (600, 0):
        outcomes = []
        for wait in (0.3, 0.6, 1.0):
            for job, words in LONG.items():
                hogs = []

                def take(_, wait=wait, leave=leave, hogs=hogs):
                    time.sleep(wait)
                    hogs.append(Hog(hog, leave).wait())

                outcome = bench.run(binary, words, during=take)
                for one in hogs:
                    one.__exit__()
                outcomes.append((f"{leave} MB left after {wait} s: {words}", bench.fault_of("long " + job, outcome)))
        report(f"{leave} MB left later", outcomes)


def kill(bench, binary, report):
    rng = random.Random(5)
    outcomes = []
    for job, words in LONG.items():
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL) * 6:
            wait = rng.uniform(0.1, bench.seconds[job])

            def send(process, wait=wait, number=number):
                time.sleep(wait)
                process.send_signal(number)

            outcome = bench.run(binary, words, during=send)
            what = bench.fault_of("long " + job, outcome, allowed=(-number, 128 + number), may_leave=number == signal.SIGKILL)
            outcomes.append((f"{number.name} after {wait:.2f} s: {words}", what))
        outcomes.append((f"after the signals: {words}", bench.fault_of("long " + job, bench.run(binary, words), allowed=())))
    report("killed", outcomes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("lost_gpu", type=os.path.abspath)
    parser.add_argument("gpu_hog", type=os.path.abspath)
    parser.add_argument("--percent", type=float, default=100)
    parser.add_argument("--only", choices=("calls", "memory", "kill"))
    parser.add_argument("--job", choices=JOBS, action="append", help="for calls and memory; may be repeated (default: all)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        files = pathlib.Path(name) / "files"
        files.mkdir()
        make_files(files)
        bench = Bench(files)
        status, said, _ = bench.run(options.binary, JOBS["motif"])
        if status == 75:
            print(f"skipped: {said.strip()}")
            sys.exit(77)
        bench.seconds = {}
        for job, words in LONG.items():
            start = time.monotonic()
            bench.sound("long " + job, options.binary, words)
            bench.seconds[job] = time.monotonic() - start
            print(f"{job}: {bench.seconds[job]:.2f} s without a fault", flush=True)
        passed, failed, begun = 0, 0, time.monotonic()

        def report(title, outcomes):
            nonlocal passed, failed
            wrong = [(run, what) for run, what in outcomes if what]
            for run, what in wrong[:20]:
                print(f"WRONG  {run}\n       {what}", flush=True)
            print(f"{title}: {len(outcomes)} runs, {len(wrong)} wrong, {time.monotonic() - begun:.0f} s", flush=True)
            passed, failed = passed + len(outcomes) - len(wrong), failed + len(wrong)

        jobs = options.job or list(JOBS)
        with ThreadPoolExecutor(min(8, os.cpu_count())) as pool:
            if options.only in (None, "memory"):
                take_memory(bench, options.binary, options.gpu_hog, jobs, pool, report)
            if options.only in (None, "kill"):
                kill(bench, options.binary, report)
            if options.only in (None, "calls"):
                lose_calls(bench, options.lost_gpu, options.percent, jobs, pool, report)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
