"""Runs every command, and every block of Python and R, that README.md and the pages of docs/ show, and compares what it prints with what they show."""
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import console
import files
import programs
from support import ROOT, environment

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELLS = ("sh", "bash", "shell", "console")
PROGRAMS = ("python", "py", "r", "R")
# How many blocks of a page are not run: they install, need a cluster, a container or a GPU. Others must run.
NOT_RUN = {"README.md": 1, "docs/formats.md": 2, "docs/index.md": 1, "docs/install.md": 11, "docs/library.md": 1, "docs/python.md": 1, "docs/recipes/cluster.md": 1, "docs/workflows.md": 7}


def name_of(page):
    return str(page.relative_to(ROOT))


class Commands(unittest.TestCase):
    """One test for each page, in a folder with the files of files.py."""
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.files = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-docs."))
        cls.addClassCleanup(shutil.rmtree, cls.files, ignore_errors=True)
        files.make(cls.files)

    def run_session(self, page):
        """Runs the commands of a page in a new folder; returns them, their results, the folder and the environment."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-docs."))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        shutil.copytree(self.files, folder, dirs_exist_ok=True)
        (folder / "home").mkdir()
        commands = [command for block in console.sessions(page) for command in block.commands()]
        env = environment(HOME=str(folder / "home"), MANPAGER="cat", COLUMNS="80")
        return commands, console.run(commands, folder, env), folder, env

    def check_programs(self, page, language):
        """Runs the blocks of a language, after the commands of the page."""
        blocks = programs.shown_in(page, language.language)
        missing = language.missing(blocks)
        if missing:
            self.skipTest(f"{language.language} blocks of {name_of(page)} were not run: no {', '.join(missing)}")
        _, _, folder, env = self.run_session(page)
        wrong = [(block, printed) for block, printed in zip(blocks, programs.results(language, blocks, folder, env))
                 if not console.agrees(block.lines(), printed)]
        if wrong and os.environ.get("BASESWEEP_DOCS_UPDATE"):
            programs.update(page, wrong)
            self.fail(f"{name_of(page)}: updated {len(wrong)} outputs; look at them and run again")
        for block, printed in wrong:
            with self.subTest(f"{name_of(page)}:{block.code.first}"):
                self.assertEqual(block.lines(), printed)

    def check(self, page):
        only, results, _, _ = self.run_session(page)
        wrong = []
        for index, (command, (code, printed)) in enumerate(zip(only, results)):
            where = f"{name_of(page)}:{command.line}: {command.script}"
            if code != 0 and not console.may_fail(only, index):
                with self.subTest(where):
                    self.fail(f"exit code {code}\n" + "\n".join(printed))
            if not console.agrees(command.shown, printed):
                wrong.append((command, printed))
                if not os.environ.get("BASESWEEP_DOCS_UPDATE"):
                    with self.subTest(where):
                        self.assertEqual(command.shown, printed)
        if wrong and os.environ.get("BASESWEEP_DOCS_UPDATE"):
            console.update(page, wrong)
            self.fail(f"{name_of(page)}: updated {len(wrong)} outputs; look at them and run again")


class Blocks(unittest.TestCase):
    def test_shell_blocks_are_sessions(self):
        """A block of commands is a console session, or says why it is not run."""
        for page in PAGES:
            for block in console.blocks(page):
                if block.language in SHELLS and block.language != "console":
                    self.assertIsNotNone(block.reason, f"{name_of(page)}:{block.first}")
                if block.language == "console":
                    self.assertTrue(block.commands(), f"{name_of(page)}:{block.first}")

    def test_python_and_r_blocks_run(self):
        """A block of Python or R is run under one name of its language, or says why it is not."""
        for page in PAGES:
            for block in console.blocks(page):
                if block.language in PROGRAMS and not block.reason:
                    self.assertIn(block.language, [language.language for language in programs.LANGUAGES], f"{name_of(page)}:{block.first}")

    def test_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()), 110)

    def test_number_of_blocks_not_run(self):
        found = {name_of(page): sum(block.reason is not None for block in console.blocks(page)) for page in PAGES}
        self.assertEqual({name: number for name, number in found.items() if number}, NOT_RUN)

    def test_no_commands_outside_of_blocks(self):
        """Indented code would not be run."""
        for page in PAGES:
            inside = {number for block in console.blocks(page) for number in range(block.first, block.last)}
            for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
                if number not in inside:
                    self.assertIsNone(re.match(r" {4,}(\$ )?(basesweep|zcat|scripts/|docker|nextflow) ", line),
                                      f"{name_of(page)}:{number + 1}")


class Console(unittest.TestCase):
    """The reader of blocks itself."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-docs."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = self.folder / "page.md"

    def results(self, text):
        self.page.write_text(text)
        commands = [command for block in console.sessions(self.page) for command in block.commands()]
        return [(code, console.agrees(command.shown, printed))
                for command, (code, printed) in zip(commands, console.run(commands, self.folder, environment()))]

    def test_session(self):
        self.assertEqual(self.results("```console\n$ a=1\n$ echo $a \\\n    2\n1 2\n$ echo 3\n4\n$ false\n$ echo $?\n1\n```\n"),
                         [(0, True), (0, True), (0, False), (1, True), (0, True)])

    def test_output_on_stderr_must_be_shown(self):
        self.assertEqual(self.results("```console\n$ echo warning >&2\n```\n"), [(0, False)])

    def test_more_lines(self):
        self.assertEqual(self.results("- item\n  ```console\n  $ for i in 1 2; do\n  >   echo $i\n  > done\n  1\n  2\n  ```\n"),
                         [(0, True)])

    def test_dots(self):
        for shown, right in ((["a", "...", "d"], True), (["..."], True), (["a", "..."], True), (["...", "c"], False),
                             (["a", "b", "c", "d", "..."], True), (["a", "b", "d"], False), (["...", "...b", "c", "d"], True)):
            self.assertEqual(console.agrees(shown, ["a", "b", "c", "d"]), right, shown)
        self.assertTrue(console.agrees(["took ... s", "..."], ["took 0.12 s"]))
        self.assertFalse(console.agrees(["a.c"], ["abc"]))

    def test_not_run(self):
        self.page.write_text("<!-- not run: no GPU -->\n```console\n$ false\n```\n\n```console\n$ true\n```\n")
        self.assertEqual([block.reason for block in console.blocks(self.page)], ["no GPU", None])
        self.assertEqual(len(console.sessions(self.page)), 1)

    def test_update(self):
        self.page.write_text("text\n```console\n$ echo 1\n2\n$ echo a\\\nb\n$ echo 3\n3\n```\nend\n")
        commands = console.sessions(self.page)[0].commands()
        console.update(self.page, [(commands[0], ["1"]), (commands[1], ["ab"])])
        self.assertEqual(self.page.read_text(), "text\n```console\n$ echo 1\n1\n$ echo a\\\nb\nab\n$ echo 3\n3\n```\nend\n")


class Programs(unittest.TestCase):
    """The reader and runner of blocks of Python and R."""
    PAGE = "```python\na = 1\nprint(a)\n```\n\n```text\n1\n```\ntext\n```python\nb = a + 1\n```\n\n```python\nprint(b)\n```\nand\n```text\n3\n```\n"

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-docs."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.page = self.folder / "page.md"
        self.page.write_text(self.PAGE)
        self.blocks = programs.shown_in(self.page, "python")

    def results(self):
        return programs.results(programs.LANGUAGES[0], self.blocks, self.folder, environment())

    def test_blocks_share_variables_and_text_must_follow_at_once(self):
        self.assertEqual([block.lines() for block in self.blocks], [["1"], [], []])
        self.assertEqual(self.results(), [["1"], [], ["2"]])

    def test_update(self):
        programs.update(self.page, [(self.blocks[0], ["one"]), (self.blocks[2], ["2"])])
        self.assertEqual([block.lines() for block in programs.shown_in(self.page, "python")], [["one"], [], ["2"]])

    def test_block_that_fails(self):
        self.page.write_text("```python\nraise SystemExit('no such file')\n```\n")
        self.blocks = programs.shown_in(self.page, "python")
        with self.assertRaisesRegex(ValueError, "no such file"):
            self.results()

    def test_missing_packages(self):
        self.page.write_text("```python\nimport os\nimport no_such_package\nfrom nothing_here import a\n```\n")
        self.assertEqual(programs.LANGUAGES[0].missing(programs.shown_in(self.page, "python")), ["no_such_package", "nothing_here"])


def add_tests(page):
    name = "test_" + re.sub(r"\W", "_", name_of(page)[:-3])
    if console.sessions(page):
        setattr(Commands, name, lambda self: self.check(page))
    for language in programs.LANGUAGES:
        if programs.shown_in(page, language.language):
            setattr(Commands, f"{name}_{language.language}", lambda self, language=language: self.check_programs(page, language))


for path in PAGES:
    add_tests(path)

if __name__ == "__main__":
    unittest.main()
