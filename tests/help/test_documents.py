"""What people write of commands in documents, modules and wrappers is what the program says: options, words, defaults, endings.

Tables that scripts/wrappers.py makes are compared in test_json.py.
"""
import collections
import re
import unittest

from support import BINARY, ROOT, Case, run
from test_json import told

OPTION = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z0-9](?![\w-]))")
# A run of each command that writes files by their names. They are refused before anything is read.
RUNS = ("motif -p A text.fa", "match -p A -k 0 text.fa", "pcr --forward A --reverse A -k 0 text.fa", "pwm -m matrix.jaspar text.fa",
        "guides --design text.fa", "map -r text.fa -k 1 text.fa", "trim -m 1 text.fa", "count -l text.fa text.fa", "plan -n 2 text.fa",
        "pack text.fa", "compile -p A")
HIDDEN = {"--batch-bases", "--batch-bytes", "--candidates"}  # for tests
OF_OTHERS = {"install.md", "reads.md", "workflows.md"}  # pages that name options of other programs


def page(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def rows(text, head):
    """Returns the rows of the table that begins with this line, each a list of cells."""
    after = text[text.index(head):].splitlines()[2:]
    table = after[:next((i for i, line in enumerate(after) if not line.startswith("|")), len(after))]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def names_of(command):
    """Returns all names of a command's options."""
    return {name for option in command["options"] for name in option["names"]}


class Documents(Case):
    def test_endings(self):
        """The table of formats has the endings that the program names when it refuses another one."""
        (self.folder / "text.fa").write_text(">a\nACGTACGT\n")
        (self.folder / "matrix.jaspar").write_text(">M m\nA [1 0]\nC [0 1]\nG [0 0]\nT [0 0]\n")
        listed = collections.defaultdict(set)
        for endings, _, writers in rows(page("formats.md"), "| ending | format | written by |"):
            if not re.search(r"^[^(;]* with `--", writers):  # else a table in place of hits
                for command in re.findall(r"`([a-z]+)`", writers.split(";")[0]):
                    listed[command].update(re.findall(r"`(\.\w+)`", endings))
        for words in RUNS:
            done = run(BINARY, *words.split(), "-o", "x.parquet", cwd=self.folder)
            self.assertEqual(done.returncode, 2, words)
            named = set(re.findall(r"\.\w+", done.stderr.split("name the file")[-1]))
            self.assertEqual(listed[words.split()[0]] - {".ndjson"}, named, words)  # the program names .jsonl in its place
        self.assertEqual(listed.keys() - {words.split()[0] for words in RUNS}, {"demux"})  # it names its files itself

    def test_choices(self):
        """A table of the words of an option has all that a command takes, and its default."""
        tables = 0
        for path in sorted((ROOT / "docs").glob("*.md")):
            text = path.read_text(encoding="utf-8")
            for head, name in re.findall(r"(?m)^(\| `(--[\w-]+)` \|.*)\n\| ---", text):
                options = [option for command in told().values() for option in command["options"]
                           if name in option["names"] and option["type"] == "choice"]
                if not options:
                    continue
                listed = [(word, "(default)" in row[0]) for row in rows(text, head) for word in re.findall(r"`([\w-]+)`", row[0])]
                known = [[(word, word == option.get("default")) for word in option["words"]] for option in options]
                self.assertIn(sorted(listed), [sorted(one) for one in known], (path.name, name))
                tables += 1
        self.assertGreaterEqual(tables, 1)

    def test_options_of_modules(self):
        """Modules of Nextflow and wrappers of Snakemake, and what they say of themselves, name options that their commands have."""
        modules = sorted((ROOT / "workflows/nextflow/modules/local/basesweep").iterdir())
        wrappers = sorted((ROOT / "workflows/snakemake/wrappers").iterdir())
        self.assertGreater(min(len(modules), len(wrappers)), 7)
        for folder in modules + wrappers:
            known = names_of(told()[(folder.name,)]) | {"--version"}
            for file in ("main.nf", "meta.yml", "wrapper.py", "meta.yaml"):
                if not (folder / file).exists():
                    continue
                text = (folder / file).read_text(encoding="utf-8")
                text = re.sub(r"(?m)^ *(//|#).*|basesweep --version \| sed .*", "", text)
                quoted = text if file != "meta.yaml" else " ".join(re.findall(r"`[^`]*`|'basesweep [^']*'", text))
                self.assertEqual(set(OPTION.findall(quoted)) - known, set(), (folder.name, file))

    def test_options_of_pages(self):
        """Each long option in code that begins with it is one of the program."""
        known = set().union(*(names_of(command) for command in told().values())) | {"--version"} | HIDDEN
        found = collections.defaultdict(set)
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            if path.name in OF_OTHERS:
                continue
            text = re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8"))
            for code in re.findall(r"`(--[^`]*)`", text):
                found[re.match(r"--[\w-]*", code)[0]].add(path.name)
        self.assertEqual({option: pages for option, pages in found.items() if option not in known}, {})


if __name__ == "__main__":
    unittest.main()
