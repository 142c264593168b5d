"""Shared by the tests of help, man pages and completions."""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINARY = pathlib.Path(os.environ.get("BASESWEEP_BINARY") or ROOT / "build/dev/basesweep").resolve()
SECONDS = 120  # limit of one call


def environment(**changes):
    """Returns an environment in which `basesweep` is the program under test."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("BASESWEEP_")}
    env.update(PATH=f"{BINARY.parent}:{env['PATH']}", LC_ALL="C.UTF-8", TERM="xterm", **changes)
    return env


def run(*command, **options):
    options.setdefault("env", environment())
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=SECONDS,
                          check=False, text=True, **options)


def output(*command, **options):
    """Returns the stdout of a call that must succeed without messages."""
    done = run(*command, **options)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{command}: exit {done.returncode}, {done.stderr}")
    return done.stdout


@functools.lru_cache(None)
def pages():
    """Returns {command: man page}; a command is a tuple such as ("bench", "paper"), or () for the program."""
    with tempfile.TemporaryDirectory(prefix="basesweep-help.") as folder:
        output(BINARY, "man", "--folder", folder)
        found = {}
        for path in pathlib.Path(folder).iterdir():
            words = path.stem.split("-")
            if words[0] != "basesweep" or path.suffix != ".1":
                raise AssertionError(path.name)
            found[tuple(words[1:])] = path.read_text(encoding="ascii")
        return found


def commands():
    return sorted(pages())


@functools.lru_cache(None)
def help_of(command):
    return output(BINARY, *command, "--help")


def section(text, title):
    """Returns the lines of a help text below a heading."""
    found = re.search(rf"^{re.escape(title)}:\n((?:  .*\n)+)", text, re.MULTILINE)
    return [line[2:] for line in found.group(1).splitlines()] if found else []


def headings(text):
    return re.findall(r"^(\S.*):$", text, re.MULTILINE)


def options(command):
    """Returns all options in a command's help."""
    return {name for line in help_of(command).splitlines() if re.match(r" +-", line)
            for name in re.findall(r"(?:^ +|, )(--?[\w-]+)", line.split("  ", 1)[0] or line[:40])}


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise unittest.SkipTest(f"{program} is not installed")


class Case(unittest.TestCase):
    """Each test runs in an empty folder of its own."""
    maxDiff = 2000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-help."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
