"""Completions that the shells themselves give for a partly typed line."""
import pathlib
import re
import shlex
import time

from support import BINARY, Case, commands, environment, need, options, output, run
from terminal import Terminal

FILES = ["genome one.fa", "genome.fa", "motifs.fa"]
FOLDERS = ["genomes"]
TOP = sorted(command[0] for command in commands() if len(command) == 1)

# A line up to the cursor, and its completions: words, or FILES and FOLDERS that begin like the last word.
LINES = [
    ("", TOP),
    ("mo", ["motif"]),
    ("m", sorted(c for c in TOP if c.startswith("m"))),
    ("--ver", ["--version"]),
    ("motif --str", ["--strand", "--strict-regions"]),
    ("motif --strand ", ["both", "minus", "plus"]),
    ("motif --strand m", ["minus"]),
    ("match --report ", ["all", "best", "best-per-record", "minima", "sites"]),
    ("motif --device ", ["auto", "cpu", "gpu", "gpu:all"]),
    ("map --algorithm ", ["auto", "bitsliced", "hmm", "myers"]),
    ("motif --format b", ["bed"]),
    ("motif -o motif --soft-masked ", ["skip", "use"]),
    ("motif -p A --pal", ["--palindromes"]),
    ("motif -f ", FILES + FOLDERS),
    ("motif -f m", ["motifs.fa"]),
    ("motif -p GAATTC ge", ["genome one.fa", "genome.fa", "genomes"]),
    ("motif -p ", []),
    ("motif -t ", []),
    ("map -1 m", ["motifs.fa"]),
    ("bench ", ["paper"]),
    ("bench --only paper --qu", ["--quick"]),
    ("bench paper --table ", ["all", "ashkiani", "charan", "kouz", "man", "xu"]),
    ("bench paper --te", ["--text"]),
    ("help ma", ["man", "map", "match"]),
    ("help bench ", ["paper"]),
    ("help motif ", []),
    ("help bench paper ", []),
    ("man bench ", ["paper"]),
    ("man bench p", ["paper"]),
    ("man mo", ["motif"]),
    ("man --folder ", FOLDERS),
    ("completion ", ["bash", "fish", "zsh"]),
    ("cite g", []),
    ("cite --format ", ["bibtex", "cff", "text"]),
]
# No further argument is possible here; zsh then offers options.
ENDED = ("completion bash ", ("completion",))
# For --option=value some shells complete the whole word, others the part after the equals sign.
EQUALS = [("motif --strand=p", ["plus"]), ("motif --pattern-file=mo", ["motifs.fa"])]


class ShellCase(Case):
    def setUp(self):
        super().setUp()
        for name in FILES:
            (self.folder / name).touch()
        for name in FOLDERS:
            (self.folder / name).mkdir()

    def check(self, complete):
        """`complete`: a function that returns a shell's completions of a line."""
        for line, expected in LINES:
            self.assertEqual(sorted(complete(line)), sorted(expected), line)
        for line, expected in EQUALS:
            found = [word.rsplit("=", 1)[-1] for word in complete(line)]
            self.assertEqual(found, expected, line)
        line, command = ENDED
        self.assertEqual(set(complete(line)) - options(command), set(), line)
        for command in commands():
            line = " ".join((*command, "-"))
            self.assertEqual(set(complete(line)) - {"-"}, options(command), line)


class Bash(ShellCase):
    """Calls the completion function like readline: with the words up to the cursor, split at COMP_WORDBREAKS."""

    def complete(self, line, load):
        words = [word for word in re.split(r"(=)|\s+", line) if word]
        if not line or line[-1].isspace():
            words.append("")
        script = f"""{load}
            COMP_WORDS=(basesweep {' '.join(map(shlex.quote, words))}) COMP_CWORD={len(words)}
            COMP_LINE={shlex.quote('basesweep ' + line)} COMP_POINT=${{#COMP_LINE}}
            compopt() {{ :; }}  # works only inside a completion by readline
            function=$(complete -p basesweep | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
            "$function" basesweep "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
            ((${{#COMPREPLY[@]}} == 0)) || printf '%s\\n' "${{COMPREPLY[@]}}" """
        return output("bash", "--norc", "-c", script, cwd=self.folder).splitlines()

    def test_lines(self):
        (self.folder.parent / (self.folder.name + ".bash")).write_text(output(BINARY, "completion", "bash"))
        path = self.folder.parent / (self.folder.name + ".bash")
        self.addCleanup(path.unlink)
        self.check(lambda line: self.complete(line, f"source {path}"))

    def test_found_by_bash_completion(self):
        """The loader of bash-completion finds the installed script at the first completion."""
        package = pathlib.Path("/usr/share/bash-completion/bash_completion")
        if not package.exists():
            self.skipTest("bash-completion is not installed")
        home = self.folder / "home"
        scripts = home / "bash-completion/completions"
        scripts.mkdir(parents=True)
        (scripts / "basesweep").write_text(output(BINARY, "completion", "bash"))
        load = (f"export XDG_DATA_HOME={home}; source {package}; "
                "if declare -F _comp_load >/dev/null; then _comp_load basesweep; else __load_completion basesweep; fi")
        self.assertEqual(self.complete("motif --stra", load), ["--strand"])

    def test_keys(self):
        """Typed into an interactive shell: names with spaces are quoted, folders end in a slash."""
        terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], self.folder)
        self.addCleanup(terminal.close)
        terminal.type("PS1='> '; bind 'set enable-bracketed-paste off'; source <(basesweep completion bash)\n")
        for typed, shown in (("basesweep mot\t", "basesweep motif "), ("basesweep motif --strand=p\t", "--strand=plus "),
                             ("basesweep motif -f 'genome o\t", "'genome one.fa' "), ("basesweep man --folder ge\t", "genomes/")):
            terminal.type(typed)
            self.assertIn(shown, terminal.read_until(shown), typed)
            terminal.type("\x15")  # clears the line


class Zsh(ShellCase):
    """Uses an interactive zsh that prints its matches instead of showing a menu."""

    def setUp(self):
        super().setUp()
        need("zsh")
        self.home = self.folder.parent / (self.folder.name + ".zsh")
        self.home.mkdir()
        self.addCleanup(lambda: run("rm", "-r", self.home))
        (self.home / "_basesweep").write_text(output(BINARY, "completion", "zsh"))
        # All matches go through compadd, so it prints them.
        (self.home / ".zshrc").write_text(f"""
            PS1='> ' PS2='' RPS1='' LISTMAX=0
            unsetopt zle_bracketed_paste 2>/dev/null
            fpath=({self.home} $fpath)
            autoload -Uz compinit && compinit -u -d {self.home}/dump
            zstyle ':completion:*' completer _complete
            typeset -ga told
            compadd() {{
              if [[ ${{@[1,(i)(-|--)]}} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return $?; fi
              local -a found; builtin compadd -A found "$@"; told+=("${{found[@]}}")
              builtin compadd "$@"
            }}
            tell() {{
              told=(); zle list-choices
              print -rl -- "${{(@u)told}}" > {self.home}/answer.part
              mv {self.home}/answer.part {self.home}/answer
              BUFFER=''
            }}
            zle -N tell; bindkey '^T' tell
            """)
        self.terminal = Terminal(["zsh", "-i"], self.folder, ZDOTDIR=str(self.home))
        self.addCleanup(self.terminal.close)
        self.terminal.read_until("> ")

    def complete(self, line):
        answer = self.home / "answer"
        answer.unlink(missing_ok=True)
        self.terminal.type(f"basesweep {line}\x14")
        end = time.monotonic() + 20
        while not answer.exists():
            self.terminal.read()
            if time.monotonic() > end:
                self.fail(f"zsh gives no answer to {line!r}: {self.terminal.shown[-500:]!r}")
        return [word.replace("\\ ", " ") for word in answer.read_text().splitlines() if word]

    def test_lines(self):
        self.check(self.complete)


class Fish(ShellCase):
    def setUp(self):
        super().setUp()
        need("fish")
        self.home = self.folder.parent / (self.folder.name + ".fish")
        (self.home / "fish/completions").mkdir(parents=True)
        self.addCleanup(lambda: run("rm", "-r", self.home))
        (self.home / "fish/completions/basesweep.fish").write_text(output(BINARY, "completion", "fish"))

    def complete_all(self, lines):
        """Completes many lines with one fish, because it starts slowly."""
        script = "; ".join(f"complete -C {shlex.quote('basesweep ' + line)}; echo ==" for line in lines)
        env = environment(XDG_CONFIG_HOME=str(self.home), XDG_DATA_HOME=str(self.home), HOME=str(self.home))
        done = run("fish", "-c", script, cwd=self.folder, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [[word.split("\t")[0].rstrip("/") for word in part.splitlines()] for part in done.stdout.split("==\n")]

    def test_lines(self):
        lines = [line for line, _ in LINES + EQUALS] + [ENDED[0]] + [" ".join((*command, "-")) for command in commands()]
        answers = dict(zip(lines, self.complete_all(lines)))
        self.check(lambda line: answers[line])
