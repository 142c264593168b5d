"""Man pages: man, groff and mandoc render them without warnings, and they hold everything in --help."""
import datetime
import re
import subprocess

from support import BINARY, Case, commands, environment, help_of, need, options, output, pages, run, section


def rendered(page, tool):
    """Returns the page as text, 78 columns wide."""
    command = {"mandoc": ["mandoc", "-T", "ascii", "-O", "width=78"], "groff": ["groff", "-man", "-Tascii", "-ww", "-P", "-c"]}
    done = subprocess.run(command[tool], input=page, capture_output=True, text=True,
                          check=True)
    if done.stderr:
        raise AssertionError(done.stderr)
    return re.sub(r".\x08", "", done.stdout)


def words(text):
    return re.sub(r"[\s-]+", " ", text)  # lines may be broken at hyphens


class Man(Case):
    def test_pages_one_by_one(self):
        for command, page in pages().items():
            self.assertEqual(output(BINARY, "man", *command), page, command)
            title = "-".join(["basesweep", *command]).upper()
            version = output(BINARY, "--version").strip()
            date = re.search(rf'^\.TH {title} 1 (\S+) "{version}" "User Commands"$', page.replace("\\-", "-"), re.MULTILINE)
            self.assertIsNotNone(date, page.splitlines()[:3])
            datetime.date.fromisoformat(date.group(1))

    def test_sections(self):
        for command, page in pages().items():
            found = re.findall(r"^\.SH (.*)$", page, re.MULTILINE)
            self.assertEqual(found[:3], ["NAME", "SYNOPSIS", "DESCRIPTION"], command)
            for title in ("OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
                self.assertIn(title, found, command)
            self.assertEqual(len(set(found)), len(found), command)

    def test_references(self):
        """Every named page exists, and every page is named by another one."""
        named = {command: set(re.findall(r"(basesweep[\w-]*?)(?:\\fR)? ?\(1\)", page.replace("\\-", "-")))
                 for command, page in pages().items()}
        names = {"-".join(["basesweep", *command]): command for command in commands()}
        for command, others in named.items():
            self.assertLessEqual(others, set(names), command)
        for name, command in names.items():
            self.assertTrue(any(name in others for one, others in named.items() if one != command), name)

    def test_lint(self):
        need("mandoc")
        for command, page in pages().items():
            (self.folder / "page.1").write_text(page)
            done = run("mandoc", "-T", "lint", "-W", "warning", self.folder / "page.1")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), command)

    def test_man_has_no_warnings(self):
        need("man")
        for command, page in pages().items():
            (self.folder / "page.1").write_text(page)
            done = run("man", "--warnings", "-l", self.folder / "page.1", env=environment(MANWIDTH="80"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn("SYNOPSIS", done.stdout)

    def check_content(self, tool):
        need(tool)
        for command, page in pages().items():
            shown = rendered(page, tool)
            self.assertIn(words("-".join(["basesweep", *command]) + " - "), words(shown))
            for option in options(command):
                self.assertRegex(shown, rf"(?m)^ +(?:\S+, )*{re.escape(option)}\b", f"{command} {option}")
            for line in section(help_of(command), "Examples"):
                self.assertIn(words(line.lstrip("# ")), words(shown), command)
            for code in re.findall(r"^(\d+) ", "\n".join(section(help_of(command), "Exit codes")), re.MULTILINE):
                self.assertRegex(shown, rf"(?m)^ +{code}  ", command)

    def test_content_by_mandoc(self):
        self.check_content("mandoc")

    def test_content_by_groff(self):
        self.check_content("groff")
