"""Runs every example of every --help as written, but one that another test runs; tests/docs does so for README.md and docs/."""
import glob
import pathlib
import re
import shutil
import tempfile
import unittest

import example_files
from support import Case, commands, environment, help_of, run, section

# It measures everything, for most of a minute: BenchJson.test_parts of tests/golden/test_bench.py runs it, with the same words.
OF_OTHERS = ["basesweep bench --quick --device cpu --json bench.json"]
# Parts that examples of merging need, and commands that make them.
PARTS = {"part*.bam": "for i in 1 2; do basesweep match -f primers.fa -k 2 genome.fa --chunk $i/2 -o part$i.bam; done",
         "part*.json": "for i in 1 2; do basesweep motif -f motifs.fa genome.fa --chunk $i/2 --json part$i.json >part$i.bed; done"}
WRITTEN = re.compile(r"(?:(?<=\s)(?:-o|--output|--json|--folder) |>>? ?)(\S+)")
# The only messages that an example may print: there is no GPU, or guides are taken to be without PAM, or what the first reads say.
MESSAGES = (r"(basesweep: no GPU is usable, so the CPU is measured: .*\n)?"
            r"(basesweep: guides are .*\n)?"
            r"(basesweep: (the first pairs have no adapter|adapters of the first pairs|.* begin at base).*\n)*")


def help_examples(command):
    """Returns the examples as lists of lines; each begins after a line with #."""
    examples = []
    for line in section(help_of(command), "Examples"):
        if line.startswith("# "):
            examples.append([])
        else:
            examples[-1].append(line)
    return examples


def all_jobs(lines):
    """Yields the lines; a line that stands for several jobs is replaced by all of them."""
    for line in lines:
        job = re.search(r"--chunk (\d+)/(\d+) .*-o part\1\.", line)
        if not job:
            yield line
            continue
        for number in range(1, int(job.group(2)) + 1):
            yield line.replace(f"--chunk {job.group(1)}/", f"--chunk {number}/").replace(f"part{job.group(1)}.", f"part{number}.")


class Examples(Case):
    @classmethod
    def setUpClass(cls):
        cls.files = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-examples."))
        cls.addClassCleanup(shutil.rmtree, cls.files, ignore_errors=True)
        example_files.make(cls.files)

    def new_folder(self):
        shutil.rmtree(self.folder)
        shutil.copytree(self.files, self.folder)
        (self.folder / "home").mkdir()

    def bash(self, script):
        return run("bash", "-euo", "pipefail", "-c", script, cwd=self.folder,
                   env=environment(HOME=str(self.folder / "home"), MANPAGER="cat"))

    def check(self, example):
        script = "\n".join(all_jobs(example))
        for parts, making in PARTS.items():
            if parts in script and not glob.glob(str(self.folder / parts)):
                self.assertEqual(self.bash(making).returncode, 0, making)
        if re.search(r"^man ", script, re.MULTILINE) and shutil.which("man") is None:
            self.skipTest("man is not installed")
        done = self.bash(script)
        self.assertEqual(done.returncode, 0, f"{script}: {done.stderr}")
        self.assertRegex(done.stderr, rf"\A{MESSAGES}\Z", script)
        written = WRITTEN.findall(script)
        for name in written:
            paths = list(self.folder.rglob(re.sub(r"\$\w+", "*", name.replace("~", "home"))))
            self.assertTrue(paths, f"{script}\ndid not write {name}")
            for path in paths:
                self.assertTrue(list(path.iterdir()) if path.is_dir() else path.stat().st_size, f"{script}\n{name} is empty")
        self.assertTrue(written or done.stdout or "source" in script, f"{script}\nwrote nothing")

    def check_all(self, examples, where):
        self.assertTrue(examples, f"{where} has no examples")
        self.new_folder()
        for example in examples:
            if example != OF_OTHERS:
                with self.subTest(where, example=example):
                    self.check(example)


def add_test(name, examples, where):
    setattr(Examples, "test_" + name, lambda self: self.check_all(examples, where))


for words in commands():
    add_test("_".join(("help", *words)), help_examples(words), " ".join(("basesweep", *words, "--help")))


if __name__ == "__main__":
    unittest.main()
