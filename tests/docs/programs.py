"""Runs the Python and R blocks of a Markdown page.

The blocks of one language are one session: they share variables and run in order, after the page's `console` blocks and in the same folder.
A block of the language `text` that follows a block, with nothing but empty lines between, is what the block prints on stdout; `...` in it
stands for any text. A block without one prints nothing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import console
from support import run

MARK = "\x01"  # printed after each block
SECONDS = 300


class Shown:
    """A block of code, and what the page says that it prints."""

    def __init__(self, code, text):
        self.code = code
        self.text = text  # the block of what it prints, or None

    def lines(self):
        return self.text.lines if self.text else []


def shown_in(page, language):
    """Returns the blocks of a language on a page that are to be run."""
    lines = pathlib.Path(page).read_text(encoding="utf-8").splitlines()
    found = console.blocks(page)
    shown = []
    for block, after in zip(found, [*found[1:], None]):
        if block.language != language or block.reason:
            continue
        follows = after and after.language == "text" and not "".join(lines[block.last + 1:after.first - 1]).strip()
        shown.append(Shown(block, after if follows else None))
    return shown


class Language:
    def __init__(self, language, program, mark, packages, lister):
        self.language = language  # as a fence names it
        self.program = program  # runs a file
        self.mark = mark  # code that prints MARK
        self.packages = packages  # regular expression that finds the packages that code loads
        self.lister = lister  # code that prints which of {names} are not installed

    def missing(self, blocks):
        """Returns what the blocks need and is not installed: the program, or packages."""
        if shutil.which(self.program) is None:
            return [self.program]
        names = sorted({name for block in blocks for line in block.code.lines for name in re.findall(self.packages, line)})
        return run(self.program, "-c" if self.language == "python" else "-e", self.lister.format(names=str(names)[1:-1])).stdout.split()


LANGUAGES = (
    Language("python", os.environ.get("BASESWEEP_DOCS_PYTHON") or sys.executable, f'print("{MARK}", end="", flush=True)',
             r"^(?:import|from) (\w+)", "import importlib.util; print(*[n for n in [{names}] if importlib.util.find_spec(n) is None])"),
    Language("r", "Rscript", f'cat("{MARK}")',
             r"\blibrary\((\w+)\)", 'for (n in c({names})) if (system.file(package = n) == "") cat(n, "")'),
)


def results(language, blocks, folder, environment):
    """Runs the blocks in one session; returns the lines that each printed."""
    script = folder / f"blocks.{language.language}"
    script.write_text("".join("\n".join(block.code.lines) + f"\n{language.mark}\n" for block in blocks), encoding="utf-8")
    done = subprocess.run([language.program, script], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    printed = done.stdout.split(MARK)
    if done.returncode != 0 or len(printed) != len(blocks) + 1:
        raise ValueError(f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return [text.splitlines() for text in printed[:-1]]


def update(page, wrong):
    """Writes what blocks printed into the page; `wrong` has the blocks, each with a block of text, and their lines of output."""
    path = pathlib.Path(page)
    lines = path.read_text(encoding="utf-8").splitlines()
    for shown, printed in reversed(wrong):
        if shown.text:
            lines[shown.text.first:shown.text.last] = printed
        else:
            lines[shown.code.last + 1:shown.code.last + 1] = ["", "```text", *printed, "```"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
