"""Shared by the golden tests: the program, the test data, a scratch folder for each test."""
import functools
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

import naive

HERE = pathlib.Path(__file__).resolve().parent
BINARY = os.path.abspath(os.environ.get("BASESWEEP_BINARY") or HERE.parents[1] / "build/dev/basesweep")
FILES = pathlib.Path(os.environ.get("BASESWEEP_TEST_FILES") or HERE.parents[1] / "test-data").resolve()
CORNER, BAD = FILES / "corner", FILES / "corner/bad"
LAMBDA, MOTIFS_FA, MOTIFS_TSV = FILES / "lambda.fa.gz", FILES / "motifs.fa", FILES / "motifs.tsv"
# A program with sanitizers, or in an emulator, is several times as slow. It reserves terabytes of addresses and may start a thread, so it
# runs under no limit of either.
SANITIZER = os.environ.get("BASESWEEP_TEST_SANITIZER", "")
SANITIZED = bool(SANITIZER)
EMULATED = SANITIZER == "emulator"  # qemu-user, see scripts/arm64.sh
SECONDS = {"": 120, "thread": 3000, "emulator": 3000}.get(SANITIZER, 600)  # limit of one call

# Keys of a report that say where it comes from. All others are the same for any threads, device and batches, and in the merged
# report of chunks.
ORIGIN = {"command_line", "outputs", "parts", "machine", "timings"}

ANSI = re.compile(rb"\x1b")


def environment(**changes):
    env = {name: value for name, value in os.environ.items() if not name.startswith("BASESWEEP_")}
    env.update(changes)
    return env


def without_origin(report):
    return {key: value for key, value in report.items() if key not in ORIGIN}


def run(*arguments, command="motif", stdin=b"", env=None, **options):
    """Runs `basesweep COMMAND ARGUMENTS`. stdin: bytes or an open file."""
    source = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    return subprocess.run([BINARY, command, *map(str, arguments)], capture_output=True, env=env or environment(),
                          timeout=SECONDS, check=False, **source, **options)


@functools.lru_cache(None)
def commands(searching=False):
    """Returns the commands of the program, or only those that search, which have chunks."""
    told = json.loads(run("--json", command="help").stdout)["commands"]
    words = {tuple(command["name"].split()[1:]): {name for option in command["options"] for name in option["names"]} for command in told}
    return tuple(name[0] for name, options in words.items() if len(name) == 1 and (not searching or "--chunk" in options))


@functools.lru_cache(None)
def devices():
    """Returns the devices to test on: those that BASESWEEP_TEST_DEVICES names (cpu, gpu or cpu,gpu), which must be usable;
    by default the CPU, and the GPU unless the program says that none is usable. Exit code 75 is not enough to know: a
    kernel that fails gives it too."""
    named = os.environ.get("BASESWEEP_TEST_DEVICES", "")
    if named not in ("", "cpu", "gpu", "cpu,gpu"):
        raise AssertionError(f"BASESWEEP_TEST_DEVICES={named}: expected cpu, gpu or cpu,gpu")
    if named == "cpu":
        return ["cpu"]
    done = run("--device", "gpu", "-p", "A", CORNER / "one_base.fa")
    if done.returncode == 75 and b"GPU 0 is not usable: " in done.stderr:
        if named:
            raise AssertionError(f"BASESWEEP_TEST_DEVICES={named}: {done.stderr.decode()}")
        return ["cpu"]
    return named.split(",") if named else ["cpu", "gpu"]


@functools.lru_cache(None)
def isas():
    sets = []
    for isa in ("sse42", "avx2", "avx512", "neon"):
        done = run("-p", "A", CORNER / "one_base.fa", env=environment(BASESWEEP_ISA=isa))
        if done.returncode == 0:
            sets.append(isa)
        elif b"this processor does not have it" not in done.stderr:
            raise AssertionError(f"BASESWEEP_ISA={isa}: {done.stderr!r}")
    return sets


@functools.lru_cache(None)
def lambda_records():
    return naive.read_fasta(gzip.decompress(LAMBDA.read_bytes()).decode())


@functools.lru_cache(None)
def motifs():
    return [tuple(line.split("\t")) for line in MOTIFS_TSV.read_text().splitlines()]


@functools.lru_cache(None)
def lambda_hits(**options):
    return naive.search(lambda_records(), motifs(), **options)


@functools.lru_cache(None)
def algorithm_words(command):
    """Returns the values of --algorithm, from the message about a wrong one."""
    required = ("-r", "reference.fa", "reads.fq") if command == "map" else ()
    return re.search(rb"is not one of (.+)", run("--algorithm", "?", *required, command=command).stderr).group(1).decode().split(", ")


def without_summary(stderr):
    """Returns the messages without the line that says that nothing was found, which comes last."""
    return re.sub(rb"(\A|(?<=\n))basesweep: ([0-9,]+ inputs?, .* bases?|[0-9,]+ parts?): (no hits|no alignments|no reads|none of .* mapped .*), [0-9.]+ s\n\Z", b"", stderr)


def bgzf(data, block=65280):
    """Compresses to BGZF as the SAM specification defines it: gzip members with their size in an extra field BC."""
    blocks = [data[i:i + block] for i in range(0, len(data), block)] + [b""]
    text = b""
    for piece in blocks:
        squeeze = zlib.compressobj(1, zlib.DEFLATED, -15)
        deflated = squeeze.compress(piece) + squeeze.flush()
        size = 12 + 6 + len(deflated) + 8
        text += struct.pack("<4BI2BH2B2H", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, size - 1) + deflated
        text += struct.pack("<2I", zlib.crc32(piece), len(piece))
    return text


def zstd(data, block=100000):
    """Compresses to a frame of zstd as RFC 8878 defines it, in blocks that hold the text as it is, without a checksum."""
    blocks = [data[i:i + block] for i in range(0, len(data), block)] or [b""]
    frame = b"\x28\xb5\x2f\xfd\x00\x50"  # a window of 1 MiB
    for number, piece in enumerate(blocks, 1):
        frame += struct.pack("<I", (number == len(blocks)) | len(piece) << 3)[:3] + piece
    return frame


class Case(unittest.TestCase):
    """Each test runs in an empty folder of its own."""
    maxDiff = 2000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-golden."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_here(self, *arguments, **options):
        return run(*arguments, cwd=self.folder, **options)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def listing(self):
        return sorted(os.listdir(self.folder))

    def output(self, *arguments, **options):
        """Returns the stdout of a run that must succeed."""
        done = self.run_here(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr.decode()}")
        return done.stdout.decode()

    def joined(self, *arguments, command="motif", chunks=2, plan=None):
        """Returns what merge prints for the parts of so many chunks of this run."""
        parts = [f"part.{i}.bsp" for i in range(1, chunks + 1)]
        for i, part in enumerate(parts, 1):
            self.output("-q", *arguments, *(["--plan", plan] if plan else []), "--chunk", f"{i}/{chunks}", "-o", part, command=command)
        return self.output("-q", *parts[::-1], command="merge")

    def assert_same_text(self, found, expected, about=""):
        if found == expected:
            return
        found, expected = found.splitlines(), expected.splitlines()
        for number, (a, b) in enumerate(zip(found + ["<end>"], expected + ["<end>"]), 1):
            if a != b:
                self.fail(f"{about} line {number}: found {a!r}, expected {b!r} ({len(found)} and {len(expected)} lines)")
        self.fail(f"{about}: {len(found)} lines, expected {len(expected)}")

    def refused(self, code, *arguments, says=(), files=None, **options):
        """Checks that a run exits with `code` and one message on stderr that holds all of `says`, and leaves no new file."""
        if files is None:
            files = ("-o", "out.tsv" if "--count" in arguments else "out.bed", "--json", "out.json")
        before = self.listing()
        done = self.run_here(*files, *arguments, **options)
        message = done.stderr.decode(errors="replace")
        about = f"{arguments}: exit {done.returncode}, {message!r}"
        self.assertEqual(done.returncode, code, about)
        self.assertEqual(done.stdout, b"", about)
        self.assertTrue(message.startswith("basesweep: "), about)
        self.assertEqual(len([line for line in message.splitlines() if not line.startswith("Try ")]), 1, about)
        self.assertIsNone(ANSI.search(done.stderr), about)
        for part in says:
            self.assertIn(str(part), message, about)
        self.assertEqual(self.listing(), before, about)
        return message


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


class ProcessCase(Case):
    """Starts the program and does something while it runs."""
    command = "motif"

    def start(self, *arguments, env=None, **options):
        process = subprocess.Popen([BINARY, self.command, *map(str, arguments)], cwd=self.folder, env=env or environment(),
                                   stderr=subprocess.PIPE, **{"preexec_fn": default_signals, **options})
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for(self, condition, what):
        for _ in range(100 * SECONDS):
            result = condition()
            if result is not None:
                return result
            time.sleep(0.01)
        return self.fail(f"waited for {what} for {SECONDS} s")

    def open_for_writing(self, fifo):
        """Waits until the program reads the fifo; returns a descriptor to write to it."""
        def attempt():
            try:
                return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                return None
        return self.wait_for(attempt, "the program to open its input")
