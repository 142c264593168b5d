"""Shared by the tests of installing: the build folder, commands, a small search with a known answer."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BASESWEEP_BUILD") or ROOT / "build/dev").resolve()
RELEASED = os.environ.get("BASESWEEP_RELEASED") and pathlib.Path(os.environ["BASESWEEP_RELEASED"]).resolve()
SECONDS = 300  # limit of one call

FASTA = ">one first\nACGAATTCGGNNgaattc\n>two\nTTTT\n"
SEARCH = ("motif", "-p", "GAATTC", "-p", "TTTG")
# Data of the project, and the words of a search in them. It has ten motifs and a genome of 48,502 bases in .gz.
DATA = tuple(ROOT / "test-data" / name for name in ("motifs.fa", "lambda.fa.gz"))


def lambda_job(folder):
    return ("motif", "--device", "cpu", "-f", *(f"{folder}/{path.name}" for path in DATA))


def lambda_hits():
    """What the program of the build folder writes for the search."""
    done = run(BUILD / "basesweep", *lambda_job(ROOT / "test-data"))
    if done.returncode != 0 or done.stdout.count("\n") < 100:
        raise AssertionError(f"{done.stdout}{done.stderr}")
    return done.stdout


BED = "one\t2\t8\tGAATTC\t1000\t+\none\t12\t18\tGAATTC\t1000\t+\n"

# Files that are installed with the program
COMMANDS = ("motif", "match", "map", "demux", "trim", "count", "plan", "merge", "pack", "compile", "report", "pcr", "pwm", "guides", "doctor", "bench", "bench-paper", "help", "man", "completion", "cite")
DOCUMENTS = ("share/doc/basesweep/README.md", "share/doc/basesweep/CITATION.cff", "share/doc/basesweep/docs/formats.md")
PAGES = tuple(f"share/man/man1/basesweep{suffix}.1.gz" for suffix in ("", *(f"-{command}" for command in COMMANDS)))
COMPLETIONS = ("share/bash-completion/completions/basesweep", "share/fish/vendor_completions.d/basesweep.fish")


def run(*command, **options):
    """Runs a command of this machine in the checkout; does not check its exit code."""
    options = {"cwd": ROOT, "stdin": subprocess.DEVNULL, "timeout": SECONDS, **options}
    return subprocess.run([str(word) for word in command], capture_output=True, check=False,
                          text=True, **options)


def cached(name):
    """Returns a variable of the build folder's CMakeCache.txt."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found.group(1) if found else ""


def version(form="plain"):
    """Returns the version of the checkout in a form that scripts/version.py knows."""
    return subprocess.run([sys.executable, ROOT / "scripts/version.py", "--as", form], check=True, capture_output=True, text=True).stdout.strip()


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def need(*programs):
    """Skips the test or class if a program is missing."""
    absent = [program for program in programs if not shutil.which(program)]
    if absent:
        raise unittest.SkipTest(f"no {', '.join(absent)}")


class Case(unittest.TestCase):
    """Each test gets an empty folder of its own."""
    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-install."))
        self.addCleanup(shutil.rmtree, self.folder)

    def succeeds(self, done):
        """Returns the stdout of a command that must have succeeded."""
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, done.args))}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout
