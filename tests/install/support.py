"""What the tests of installing share: the build folder, commands, a small search whose answer is known."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BASESWEEP_BUILD") or ROOT / "build/dev").resolve()
SECONDS = 300  # no call takes longer

FASTA = ">one first\nACGAATTCGGNNgaattc\n>two\nTTTT\n"
SEARCH = ("motif", "-p", "GAATTC", "-p", "TTTG")
BED = "one\t2\t8\tGAATTC\t1000\t+\none\t12\t18\tGAATTC\t1000\t+\n"

# What people find beside the program, wherever it is installed
COMMANDS = ("motif", "match", "map", "plan", "merge", "doctor", "bench", "bench-paper", "help", "man", "completion", "cite")
DOCUMENTS = ("share/doc/basesweep/README.md", "share/doc/basesweep/CITATION.cff", "share/doc/basesweep/docs/formats.md")
PAGES = tuple(f"share/man/man1/basesweep{suffix}.1.gz" for suffix in ("", *(f"-{command}" for command in COMMANDS)))
COMPLETIONS = ("share/bash-completion/completions/basesweep", "share/fish/vendor_completions.d/basesweep.fish")


def run(*command, **options):
    """Runs a command of this machine, from the checkout; nothing is said about its exit code."""
    options = {"cwd": ROOT, "stdin": subprocess.DEVNULL, "timeout": SECONDS, **options}
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          universal_newlines=True, **options)


def cached(name):
    """A variable of the build folder's CMakeCache.txt."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found.group(1) if found else ""


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def need(*programs):
    """Skips a test or a class where a program is missing."""
    absent = [program for program in programs if not shutil.which(program)]
    if absent:
        raise unittest.SkipTest(f"no {', '.join(absent)}")


class Case(unittest.TestCase):
    """Each test has an empty folder of its own."""
    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-install."))
        self.addCleanup(shutil.rmtree, self.folder)

    def succeeds(self, done):
        """What a command that must succeed printed."""
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, done.args))}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout
