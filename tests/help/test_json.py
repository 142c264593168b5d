"""help --json: what the program says of itself is what its help, its columns and its wrappers say."""
import filecmp
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import check_options
from support import BINARY, ROOT, Case, commands, help_of, options, output, run


def told():
    """Returns {command: what help --json says of it}; a command is a tuple such as ("bench", "paper")."""
    data = json.loads(output(BINARY, "help", "--json"))
    return {tuple(command["name"].split()[1:]): command for command in data["commands"]}


def letters(text):
    """Returns the text without blanks, line ends and dashes, at which lines of help break."""
    return re.sub(r"[\s-]", "", text)


class Json(Case):
    def test_commands(self):
        self.assertEqual(sorted(told()), commands())
        self.assertEqual(json.loads(output(BINARY, "help", "--json"))["schema"], "basesweep-help/1")

    def test_one_command(self):
        data = json.loads(output(BINARY, "help", "--json", "bench"))
        self.assertEqual([command["name"] for command in data["commands"]], ["basesweep bench", "basesweep bench paper"])
        self.assertEqual(run(BINARY, "help", "--json", "motiv").returncode, 2)

    def test_options(self):
        """The options are those of --help, each with its text."""
        for name, command in told().items():
            self.assertEqual({one for option in command["options"] for one in option["names"]}, options(name), name)
            shown = letters(help_of(name))
            for option in command["options"]:
                self.assertIn(letters(option["text"]), shown, (name, option["names"]))

    def test_descriptions(self):
        """tests/check_options.py, which finds options that are described twice, sees all of them."""
        told_names = {one for command in told().values() for option in command["options"] for one in option["names"] if one.startswith("--")}
        self.assertEqual(told_names - set(check_options.described(ROOT)) - {"--help"}, set())

    def test_values(self):
        """A choice has words, a number a range, and values outside of them are refused."""
        for name, command in told().items():
            for option in command["options"]:
                case = (name, option["names"])
                kind = option["type"]
                self.assertIn(kind, ("flag", "integer", "number", "choice", "text", "file", "folder"), case)
                if kind == "choice":
                    self.assertTrue(option["words"], case)
                if kind == "integer":
                    self.assertLessEqual(option["min"], option.get("max", option["min"]), case)
                wrong = "no-such-word" if kind == "choice" else str(option.get("max", 2**64 - 1) + 1) if kind == "integer" else "x"
                if name != ("merge",) and (kind in ("choice", "integer") or "min" in option):  # merge leaves it to the command of the parts
                    needed = [f"{one['names'][-1]}=1" for one in command["options"] if one["required"] and one != option]
                    files = ["x" for one in command["arguments"] if one["required"]]
                    done = run(BINARY, *name, *needed, option["names"][-1], wrong, *files)
                    self.assertEqual(done.returncode, 2, case)
                    self.assertIn(f"'{wrong}'", done.stderr, case)

    def test_defaults(self):
        """A default fits the type of its option, and is the one that the text of the option says."""
        stated = 0
        for name, command in told().items():
            for option in command["options"]:
                case, default = (name, option["names"]), option.get("default")
                if default is None:
                    continue
                if option["type"] == "flag":
                    self.assertIs(default, False, case)
                elif option["type"] == "choice":
                    self.assertIn(default, option["words"], case)
                elif option["type"] == "integer":
                    self.assertTrue(option["min"] <= default <= option.get("max", default), case)
                said = re.search(r"\(default: ([\w.-]+)[),]|\b([\w-]+) \(default\)", option["text"])
                word = said and (said[1] or said[2])
                if word and (option["type"] in ("integer", "number") or word in option.get("words", ())):
                    self.assertEqual(default, word if option["type"] in ("choice", "text") else float(word), case)
                    stated += 1
        self.assertGreater(stated, 40)

    def test_merge(self):
        """Each option of merge is one of a command that has chunks, and takes a value if that does."""
        known = told()
        of_chunks = {}
        for command in known.values():
            if any("kept_in_parts" in option for option in command["options"]):
                for option in command["options"]:
                    of_chunks.setdefault(option["names"][-1], []).append(option)
        for option in known[("merge",)]["options"]:
            self.assertIn(option["names"], [one["names"] for one in of_chunks[option["names"][-1]]])
            self.assertIn(option["type"] == "flag", [one["type"] == "flag" for one in of_chunks[option["names"][-1]]])

    def test_columns(self):
        """The columns are those of --columns help, in its order."""
        for name, command in told().items():
            if not command["columns"]:
                continue
            places = ["--hits", "h.tsv"] if name == ("guides",) else []  # without, they are those of the table
            shown = output(BINARY, *name, *places, "--columns", "help")
            for column in command["columns"]:
                self.assertRegex(shown, rf"(?m)^{column['name']}\s", (name, column))
            lines = [line.split()[0] for line in shown.splitlines() if line and not line[0].isspace()]
            known = [column["name"] for column in command["columns"]]
            self.assertEqual([line for line in lines if line in known], known, name)

    def test_formats(self):
        for name in ("motif", "match", "pcr", "pwm", "guides", "map"):
            self.assertIn("bam" if name in ("match", "pcr", "map") else "tsv", told()[(name,)]["formats"])

    def test_exit_codes(self):
        for name, command in told().items():
            for code in command["exit_codes"]:
                self.assertRegex(help_of(name), rf"(?m)^ +{re.escape(code)} ", name)

    def test_wrappers(self):
        """What is made for engines of workflows, and tables of documents, are what the generator makes of the program's words."""
        with tempfile.TemporaryDirectory(prefix="basesweep-wrappers.") as folder:
            subprocess.run([sys.executable, ROOT / "scripts/wrappers.py", BINARY, folder], check=True)
            made = sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file())
            for part, count in (("workflows/snakemake", 9), ("workflows/cwl", 11), ("workflows/wdl", 1), ("workflows/galaxy", 10),
                                ("workflows/nextflow", 12), ("docs", 5)):
                self.assertEqual(sum(name.startswith(part + "/") for name in made), count, part)
            changed = [name for name in made if not filecmp.cmp(ROOT / name, pathlib.Path(folder, name), shallow=False)]
            self.assertEqual(changed, [], "run scripts/wrappers.py")

    def test_wrappers_of_a_candidate(self):
        """Of a release candidate the generator makes what scripts/version.py writes: versions of conda have another form."""
        with tempfile.TemporaryDirectory(prefix="basesweep-wrappers.") as name:
            folder = pathlib.Path(name)
            version = json.loads(output(BINARY, "help", "--json"))["version"]
            program = folder / "basesweep"
            program.write_text(f"#!/bin/sh\n'{BINARY}' \"$@\" | sed 's/\"version\": *\"{version}\"/\"version\": \"7.0.0-rc1\"/'\n")
            program.chmod(0o755)
            subprocess.run([sys.executable, ROOT / "scripts/wrappers.py", program, folder], check=True)
            self.assertRegex((folder / "workflows/cwl/motif.cwl").read_text(), r"basesweep:7\.0\.0rc1--\w+\n")
            self.assertIn('version: ["7.0.0-rc1"]', (folder / "workflows/cwl/motif.cwl").read_text())
            self.assertNotIn("basesweep:7.0.0-rc1", (folder / "workflows/wdl/basesweep.wdl").read_text())
            macros = (folder / "workflows/galaxy/macros.xml").read_text()
            self.assertIn('"@TOOL_VERSION@">7.0.0-rc1<', macros)
            self.assertIn('"@CONDA_VERSION@">7.0.0rc1<', macros)
            self.assertIn('<requirement type="package" version="@CONDA_VERSION@">basesweep<', macros)
