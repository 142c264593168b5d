"""Turns the man pages of `basesweep man` into Markdown pages, so that the site's reference is what the program says."""
import html
import re
import subprocess

PLAIN = {"\\-": "-", "\\(aq": "'", "\\(ga": "`", "\\(ha": "^", "\\(ti": "~", "\\e": "\\", "\\&": ""}
LEFT_OUT = ("NAME", "SEE ALSO")
SHORT_WORDS = {"SAM AND BAM": "SAM and BAM"}  # headings that are more than one capital and small letters


def plain(text):
    """Returns roff text as it prints, without fonts."""
    return re.sub(r"\\f[BIR]|\\-|\\\(aq|\\\(ga|\\\(ha|\\\(ti|\\e|\\&", lambda found: PLAIN.get(found.group(), ""), text)


def prose(text):
    """Returns roff text as a Markdown paragraph; options and quoted commands become code."""
    text = plain(text)
    parts = re.split(r"('(?:basesweep|samtools|man )[^']*'|(?<![\w'-])--?[a-zA-Z][\w-]*)", text)
    return "".join(f"`{part.strip(chr(39))}`" if i % 2 else re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", part)
                   for i, part in enumerate(parts))


def anchor(term):
    names = re.findall(r"--[\w-]+", term) or re.findall(r"-\w", term)
    return f' id="{names[0].lstrip("-")}"' if names else ""


class Page:
    """Reads the lines of a man page and collects the lines of a Markdown page."""

    def __init__(self, man, command):
        self.lines = iter(man.splitlines())
        self.section = "NAME"
        self.in_list = False
        self.out = [f"# {command}", ""]
        for line in self.lines:
            self.add(line)
        self.end_list()

    def end_list(self):
        if self.in_list:
            self.out += ["</dl>", ""]
        self.in_list = False

    def add(self, line):
        if line.startswith(".SH "):
            self.begin_section(plain(line[4:]))
        elif self.section in LEFT_OUT or line.startswith(('.\\"', ".TH", ".PP", ".RS", ".RE", ".br")):
            return
        elif self.section == "SYNOPSIS":
            self.out += ["```text", plain(line), "```", ""]
        elif line.startswith(".SS "):
            self.end_list()
            self.out += [f"### {plain(line[4:])}", ""]
        elif line == ".TP":
            self.add_term(plain(next(self.lines)), prose(next(self.lines)))
        elif line == ".nf":
            self.add_code()
        else:
            self.end_list()
            self.out += [prose(line), ""]

    def begin_section(self, name):
        self.end_list()
        self.section = name
        if name not in (*LEFT_OUT, "DESCRIPTION", "SYNOPSIS"):
            self.out += [f"## {SHORT_WORDS.get(name, name.capitalize())}", ""]

    def add_term(self, term, meaning):
        if not self.in_list:
            self.out.append('<dl class="options" markdown>')
            self.in_list = True
        marked = anchor(term) if self.section == "OPTIONS" else ""
        self.out += [f"<dt{marked}><code>{html.escape(term)}</code></dt>", f"<dd markdown>{meaning}</dd>"]

    def add_code(self):
        self.out.append("```sh")
        for line in self.lines:
            if line == ".fi":
                break
            self.out.append(plain(line))
        self.out += ["```", ""]


def page_of(man, command):
    """Returns the Markdown of one man page."""
    return "\n".join(Page(man, command).out) + "\n"


def man(program, words):
    return subprocess.run([program, "man", *words], check=True, capture_output=True, text=True, timeout=60).stdout


def commands_below(page):
    """Returns the commands that a man page lists, as (name, summary)."""
    found = re.search(r"^\.SH COMMANDS\n((?:(?!\.SH).*\n)+)", page, re.MULTILINE)
    listed = re.findall(r"^\.TP\n(.*)\n(.*)\n", found.group(1), re.MULTILINE) if found else []
    return [(plain(name).replace("(1)", ""), plain(summary)) for name, summary in listed]


def all_pages(program):
    """Returns {file name: Markdown} for the program and all its commands."""
    pages = {}
    todo = [[]]
    index = []
    while todo:
        words = todo.pop(0)
        page = man(program, words)
        name = " ".join(["basesweep", *words])
        below = commands_below(page)
        todo += [command.split("-")[1:] for command, _ in below]
        if words:
            pages["-".join(words) + ".md"] = page_of(page, name)
        index += [(" ".join(command.split("-")), "-".join(command.split("-")[1:]), summary) for command, summary in below]
    rows = [f"| [`{name}`]({file}.md) | {summary} |" for name, file, summary in index]
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True, timeout=60).stdout.strip()
    pages["index.md"] = "\n".join([
        "# Commands and options", "",
        f"These pages are made from the help texts of {version} when the site is built. `basesweep COMMAND --help` and",
        "`man basesweep-COMMAND` show the same in a terminal.", "", "| command | does |", "| --- | --- |", *rows, ""])
    return pages
