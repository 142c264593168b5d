"""--help has the same form for all commands, is complete, and fits on a terminal."""
import json
import re
import subprocess

from support import BINARY, Case, commands, headings, help_of, options, output, run, section

GROUPS = ["Arguments", "What is measured", "What is tested", "Patterns", "Input", "What is a hit", "Regions and chunks", "Output",
          "SAM, BAM, CRAM", "Running", "Help"]
NUMBERED = {"-1", "-2"}  # short options that look like numbers


class Help(Case):
    def test_ways_to_ask(self):
        for command in commands():
            self.assertEqual(output(BINARY, "help", *command), help_of(command), command)

    def test_short(self):
        """-h: at most 42 lines (49 with the list of commands), all of them from --help, with at most two examples."""
        for command in commands():
            shown, whole = output(BINARY, *command, "-h").splitlines(), help_of(command).splitlines()
            self.assertLessEqual(len(shown), 42 if command else 49, command)
            self.assertEqual(shown[-1], f"'{' '.join(['basesweep', *command])} --help' shows everything.")
            self.assertEqual([line for line in shown[:-1] if line not in [*whole, "Options:"]], [], command)
            text = "\n".join(shown)
            self.assertEqual(headings(text)[-2:], ["Options", "Examples"], command)
            self.assertLessEqual(len([line for line in section(text, "Examples") if line.startswith("# ")]), 2)
            for name in ("-h", "--help"):
                self.assertRegex(text, rf"(?m)^ +{name}  ")
        short = {command: output(BINARY, command, "-h") for command in ("motif", "match", "map")}
        for command, names in (("motif", ("-p", "-f", "-o", "--count")), ("match", ("-p", "-f", "-k", "-e", "-o", "--report")),
                               ("map", ("-r", "-k", "-e", "-1", "-2", "-o"))):
            for name in names:
                self.assertRegex(short[command], rf"(?m)^ +{name}[ ,]")
            self.assertNotIn("--gzi", short[command])

    def test_stdout_is_full(self):
        """Every command that prints text fails with one message."""
        for words in (["--help"], ["--version"], ["motif", "--help"], ["help", "motif"], ["man"], ["completion", "bash"],
                      ["cite"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([BINARY, *words], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (4, b"basesweep: <stdout>: cannot write: No space left on device\n"), words)

    def test_form(self):
        for command in commands():
            shown = help_of(command)
            self.assertIn("\nUsage: " + " ".join(["basesweep", *command]), shown)
            self.assertNotIn("\x1b", shown)
            self.assertTrue(shown.isascii(), command)
            for line in shown.splitlines():
                self.assertLessEqual(len(line), 80, f"{command}: {line}")
                self.assertEqual(line, line.rstrip(), command)
            found = headings(shown)
            self.assertEqual(len(set(found)), len(found), f"{command}: a heading twice, {found}")
            self.assertIn("Examples", found, command)
            self.assertEqual(found[-1], "Exit codes", command)

    def test_groups_have_one_order(self):
        for command in commands():
            found = [heading for heading in headings(help_of(command)) if heading in GROUPS]
            self.assertEqual(found, sorted(found, key=GROUPS.index), command)
            self.assertEqual(found[-1], "Help", command)
            shown = help_of(command)
            outside = [line for heading in headings(shown) if heading not in GROUPS + ["Examples", "Output format"]
                       for line in section(shown, heading) if re.match(r" *--?\w", line)]
            self.assertEqual(outside, [], f"{command}: options outside the groups")

    def test_list_of_commands(self):
        for command in commands():
            if command:
                self.assertRegex(help_of(command[:-1]), rf"(?m)^  {command[-1]}  +\w", command)

    def test_ways_of_calling_name_real_options(self):
        for command in commands():
            usage = re.search(r"^Usage: (?:.+\n)+", help_of(command), re.MULTILINE).group()
            named = set(re.findall(r"(?<![\w-])--?\w[\w-]*", usage))
            known = options(command).union(*(options(c) for c in commands() if c[:len(command)] == command))
            self.assertEqual(named - known, set(), command)
            self.assertIn("--help", known)

    def test_unknown_commands(self):
        for words, says in ((["mtch"], "there is no command 'mtch'; did you mean 'match'?"),
                            (["mtoif"], "there is no command 'mtoif'; did you mean 'motif'?"),
                            (["zzz"], "there is no command 'zzz'\n"),
                            (["help", "mtch"], "basesweep has no command 'mtch'; did you mean 'match'?"),
                            (["man", "bench", "mtch"], "basesweep bench has no command 'mtch'"),
                            (["man", "--folder", "x", "motif"], "--folder is for the pages of all commands"),
                            (["completion"], "basesweep completion needs an argument: bash|zsh|fish"), (["completion", "csh"], "'csh' is not one of bash, zsh, fish"),
                            (["cite", "--format", "ris"], "'ris' is not one of text, bibtex, cff")):
            done = run(BINARY, *words, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(says, done.stderr)

    def test_environment_variables(self):
        told = json.loads(output(BINARY, "help", "--json"))["commands"][0]["environment"]
        self.assertEqual(sorted(re.findall(r"BASESWEEP_\w+", output(BINARY, "man"))), sorted(name for name in told if name.startswith("BASESWEEP_")))
