"""The names that docs/compatibility.md promises are those of names.txt: a change of one must change that file too.

BASESWEEP_NAMES_UPDATE=1 writes the file anew.
"""
import os
import re
import shutil

import names
from support import HERE, ROOT, Case

FILE = HERE / "names.txt"
HELP = """

A line that is gone, or has changed, breaks what users have written: see docs/compatibility.md. Keep the old name, with a warning, or
announce the change in CHANGELOG.md under 'Changed' or 'Removed'. Then write the file anew and read the difference:

  BASESWEEP_NAMES_UPDATE=1 python3 tests/help/run.py test_names && git diff tests/help/names.txt
"""


def numbered(lines):
    return "".join(f"\n  {line}" for line in lines)


class Names(Case):
    def test_names(self):
        found = names.lines()
        with_cpp = bool(shutil.which("ctags"))
        if os.environ.get("BASESWEEP_NAMES_UPDATE"):
            if not with_cpp:
                self.fail("the file cannot be written without universal-ctags, which reads the headers of C++")
            FILE.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        held = [line for line in FILE.read_text(encoding="utf-8").splitlines() if with_cpp or not line.startswith("c++ ")]
        gone, new = sorted(set(held) - set(found)), sorted(set(found) - set(held))
        says = ""
        if gone:
            says += f"\n\nnames.txt has lines that the program and the libraries no longer have:{numbered(gone)}"
        if new:
            says += f"\n\nnames.txt lacks lines that are new:{numbered(new)}"
        if says:
            self.fail(says + HELP)
        self.assertEqual(held, sorted(set(held)), "names.txt is not sorted, or has a line twice")

    def test_page(self):
        """docs/compatibility.md explains each kind of line."""
        kinds = {line.split(" ", 1)[0] for line in FILE.read_text(encoding="utf-8").splitlines()}
        page = (ROOT / "docs/compatibility.md").read_text(encoding="utf-8")
        rows = page[page.index("| line | holds |"):].split("\n\n", 1)[0].splitlines()[2:]
        listed = {word for row in rows for word in re.findall(r"`([a-z+]+)`", row.split("|")[1])}
        self.assertEqual(listed, kinds)
