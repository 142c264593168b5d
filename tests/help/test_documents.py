"""What documents, modules and wrappers say of commands is what `help --json` says: options, formats, defaults, exit codes."""
import collections
import re
import unittest

from support import ROOT, Case
from test_json import told

FORMATS = {"BED": "bed", "TSV": "tsv", "CSV": "csv", "JSON lines": "jsonl", "GFF3": "gff3", "FASTA": "fasta", "SAM": "sam", "BAM": "bam",
           "CRAM": "cram"}
OPTION = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z0-9](?![\w-]))")
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
    def test_formats(self):
        """The table of formats names, for each, the commands that write it."""
        listed = {}
        for _, formats, commands in rows(page("formats.md"), "| ending | format | written by |"):
            for word in formats.split(", "):
                if word in FORMATS:
                    listed[FORMATS[word]] = set(re.findall(r"`([a-z]+)`", commands.split(";")[0]))
        searches = {name[0]: command["formats"] for name, command in told().items() if "--chunk" in names_of(command)}
        self.assertEqual(listed, {word: {name for name, formats in searches.items() if word in formats} for word in FORMATS.values()})

    def test_exit_codes(self):
        """The table of exit codes has those of all commands, and the one of a process that was killed."""
        listed = {row[0] for row in rows(page("environment.md"), "| code | meaning |")}
        self.assertEqual(listed, {code for command in told().values() for code in command["exit_codes"]} | {"137"})

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
