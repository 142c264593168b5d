"""Turns the man pages of `basesweep man` into Markdown pages, so that the site's reference is what the program says."""
import html
import re
import subprocess

PLAIN = {"\\-": "-", "\\(aq": "'", "\\(ga": "`", "\\(ha": "^", "\\(ti": "~", "\\e": "\\", "\\&": ""}
LEFT_OUT = ("NAME", "SEE ALSO")


def letters(text):
    """Returns roff text as it prints, with its font changes."""
    return re.sub(r"\\-|\\\(aq|\\\(ga|\\\(ha|\\\(ti|\\e|\\&", lambda found: PLAIN[found.group()], text)


def plain(text):
    return letters(re.sub(r"\\f[BIR]", "", text))


def prose(text):
    """Returns roff text as a Markdown paragraph; names of options and files become code."""
    text = html.escape(plain(text), quote=False)
    text = re.sub(r"(?<![\w'])(--?[a-zA-Z][\w-]*)", r"`\1`", text)
    text = re.sub(r"'(basesweep[^']*|samtools[^']*|man [^']*)'", lambda found: f"`{found.group(1).replace('`', '')}`", text)
    return re.sub(r"([*_\[\]|])", r"\\\1", text) if "`" not in text else text


def title(heading):
    return {"SAM AND BAM": "SAM and BAM", "SAM, BAM, CRAM": "SAM, BAM, CRAM"}.get(heading, heading.capitalize())


def anchor(term):
    names = re.findall(r"--[\w-]+", plain(term)) or re.findall(r"-\w", plain(term))
    return f' id="{names[0].lstrip("-")}"' if names else ""


def definition(term, meaning):
    name = html.escape(plain(term))
    return [f'<dt{anchor(term)}><code>{name}</code></dt>', f"<dd markdown>{meaning}</dd>"]


def page_of(man, command):
    """Returns the Markdown of one man page."""
    lines = man.splitlines()
    out = [f"# {command}", ""]
    section, in_list, in_code, i = "", False, False, 0
    terms_are_options = False

    def end_list():
        nonlocal in_list
        if in_list:
            out.extend(["</dl>", ""])
            in_list = False

    while i < len(lines):
        line = lines[i]
        i += 1
        if line.startswith(('.\\"', ".TH")):
            continue
        if line.startswith(".SH "):
            end_list()
            section = plain(line[4:])
            terms_are_options = section == "OPTIONS"
            if section not in (*LEFT_OUT, "DESCRIPTION", "SYNOPSIS"):
                out.extend([f"## {title(section)}", ""])
            if section == "SYNOPSIS":
                ways = []
                while i < len(lines) and not lines[i].startswith(".SH"):
                    if lines[i] != ".br":
                        ways.append(plain(lines[i]))
                    i += 1
                out.extend(["```text", *ways, "```", ""])
        elif section in LEFT_OUT:
            continue
        elif line.startswith(".SS "):
            end_list()
            out.extend([f"### {plain(line[4:])}", ""])
        elif line == ".TP":
            if not in_list:
                out.append('<dl class="options" markdown>')
                in_list = True
            out.extend(definition(lines[i], prose(lines[i + 1])) if terms_are_options else
                       [f"<dt><code>{html.escape(plain(lines[i]))}</code></dt>", f"<dd markdown>{prose(lines[i + 1])}</dd>"])
            i += 2
        elif line == ".nf":
            in_code = True
            out.append("```sh")
        elif line == ".fi":
            in_code = False
            out.extend(["```", ""])
        elif in_code:
            out.append(plain(line))
        elif not line.startswith("."):
            end_list()
            out.extend([prose(line), ""])
    end_list()
    return "\n".join(out) + "\n"


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
