"""Reads the commands of a Markdown page and runs them.

A fenced block of the language `console` is a session: a line that begins with `$ ` is a command (lines after a backslash, and
lines that begin with `> `, belong to it), the lines below it are what the command prints, on stdout and stderr. A line
`...` stands for any number of lines, `...` within a line for any text. The blocks of a page are one bash session in one folder.
A command must succeed, unless the next one is `echo $?`.

A block that shows a command of ours in another way, or one that cannot run here, stands below `<!-- not run: REASON -->`.
"""
import pathlib
import re
import subprocess

FENCE = re.compile(r"^( *)(```+)\s*([\w+-]*)(.*)$")
NOT_RUN = re.compile(r"^ *<!-- not run: (.+) -->$")
SECONDS = 60


class Command:
    def __init__(self, script, line):
        self.script = script
        self.line = line  # number of the line in the page, from 1
        self.shown = []  # the lines of output that the page shows


class Block:
    def __init__(self, page, language, first, indent, reason):
        self.page = page
        self.language = language
        self.first = first  # index of the first line of its content
        self.last = first  # one past its last line
        self.indent = indent
        self.reason = reason  # why it is not run, or None
        self.lines = []

    def commands(self):
        found = []
        going_on = False
        for number, line in enumerate(self.lines, self.first + 1):
            if going_on or (found and not found[-1].shown and line.startswith("> ")):
                text = line[2:] if line.startswith("> ") else line
                found[-1].script += "\n" + text
            elif line.startswith("$ "):
                found.append(Command(line[2:], number))
                text = line
            elif not found:
                raise ValueError(f"{self.page}:{number}: output without a command")
            else:
                found[-1].shown.append(line)
                continue
            going_on = text.endswith("\\")
        return found


def blocks(page):
    """Returns the fenced blocks of a page."""
    found, reason, inside = [], None, None
    for number, line in enumerate(pathlib.Path(page).read_text(encoding="utf-8").splitlines()):
        fence = FENCE.match(line)
        if inside is not None:
            if fence and fence.group(2) == inside[1] and not fence.group(3):
                inside[0].last = number
                inside = None
            else:
                inside[0].lines.append(line[inside[0].indent:])
        elif fence:
            block = Block(page, fence.group(3), number + 1, len(fence.group(1)), reason)
            found.append(block)
            inside, reason = (block, fence.group(2)), None
        elif NOT_RUN.match(line):
            reason = NOT_RUN.match(line).group(1)
        elif line.strip():
            reason = None
    if inside is not None:
        raise ValueError(f"{page}: a fence is not closed")
    return found


def sessions(page):
    return [block for block in blocks(page) if block.language == "console" and not block.reason]


def run(commands, folder, environment):
    """Runs commands in one bash session; returns the exit code and the lines of output of each."""
    mark = "\x01"
    script = "\n".join(f"{command.script}\n__code=$?; printf '{mark}%d{mark}' $__code; (exit $__code)"
                       for command in commands)
    done = subprocess.run(["bash", "--norc", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    parts = done.stdout.decode("utf-8", "replace").split(mark)
    results = [(int(code), output.splitlines()) for output, code in zip(parts[::2], parts[1::2])]
    if len(results) < len(commands):
        raise ValueError(f"the session ended at line {commands[len(results)].line}: {parts[-1]}")
    return results


def agrees(shown, printed):
    """Whether the lines that a page shows stand for the lines that a command printed."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else
                      ".*".join(map(re.escape, line.split("..."))) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def may_fail(commands, index):
    return index + 1 < len(commands) and commands[index + 1].script == "echo $?"


def update(page, wrong):
    """Writes what commands printed into the page; `wrong` has the commands and their lines of output."""
    path = pathlib.Path(page)
    lines = path.read_text(encoding="utf-8").splitlines()
    printed = {command.line: output for command, output in wrong}
    for block in reversed(sessions(page)):
        content = []
        for command in block.commands():
            end = command.line - 1 + command.script.count("\n") + 1
            content += [line[block.indent:] for line in lines[command.line - 1:end]]
            content += printed.get(command.line, command.shown)
        lines[block.first:block.last] = [" " * block.indent + line if line else "" for line in content]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
