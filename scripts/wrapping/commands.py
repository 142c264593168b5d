"""What wrappers and documents know of commands: what `help --json` says of them, and which of their files are read and which are written."""
import dataclasses
import json
import subprocess
import sys

from version import ROOT, Project, forms_of

IMAGE = "quay.io/biocontainers/basesweep"
NAMES = ("motif", "match", "pcr", "pwm", "guides", "map", "demux", "trim", "count", "plan", "merge")
OF_READS = ("map", "demux", "trim", "count")  # their input is `reads`, and mates of pairs

# Options whose value is a file. A command with any other one is an error: somebody has to say whether it is read or written.
READ = {"--pattern-file", "--pair-file", "--matrices", "--reference", "--sheet", "--library", "--samples", "--annotate", "--primers",
        "--regions-file", "--cram-reference", "--fai", "--gzi", "--plan", "--list", "--reads1", "--reads2"}
WRITTEN = {"--output", "--json", "--html", "--hits", "--summary", "--paired-output", "--untrimmed-output", "--untrimmed-paired-output",
           "--too-short-output", "--too-short-paired-output", "--too-long-output", "--too-long-paired-output", "--matching-reads",
           "--other-reads"}
WRITTEN_OR_WORD = {"--table"}  # a file that demux and trim write; a choice of pwm, a flag of pcr, either of merge

# Options of second mates have one letter and no word. Reports name them so.
WORDS = {"-A": "second-adapter", "-G": "second-front", "-B": "second-anywhere", "-U": "second-cut", "-Q": "second-quality-cutoff",
         "-L": "second-length"}
# What a workflow engine decides, or what nobody reads where it shows.
OF_ENGINE = {"-h", "--help", "--threads", "--progress", "--quiet", "--verbose", "--timeout"}
# Options of text whose value may be a file too, with what stands before its name then.
MAY_BE_FILE = {("pwm", "--background"): "", **{("trim", option): "file:" for option in ("--adapter", "--front", "--anywhere", "-A", "-G", "-B")}}
WHOLE_NUMBERS = {("trim", "--length"), ("trim", "-L")}  # that may be below 0
TEXT_THAT_IS_FILE = {("demux", "--list")}  # a name before the file is left to the command line


@dataclasses.dataclass
class Option:
    """An option, or an argument without a name."""
    names: list
    kind: str  # flag, integer, number, choice, text, file or folder
    text: str
    group: str = ""
    words: tuple = ()
    default: object = None
    least: object = None
    most: object = None
    required: bool = False
    repeated: bool = False
    bare: bool = False  # its value may be left out: --circular, --circular=NAME
    file_prefix: object = None  # of text that may be a file: what stands before the file's name

    @property
    def option(self):
        """Returns the word that is written in commands: the longest name, or the short one if there is no other."""
        return max(self.names, key=len)

    @property
    def identifier(self):
        return WORDS.get(self.option, self.option.lstrip("-")).replace("-", "_")

    @property
    def is_written(self):
        return (self.kind in ("file", "folder") or self.bare) and self.option in WRITTEN | WRITTEN_OR_WORD

    @property
    def sentence(self):
        """Returns the help text with a full stop, without what engines cannot give: a URL or standard input."""
        text = self.text.replace("; a URL; - or no file: stdin", "").replace("; - is stdin", "").replace("; a URL", "")
        return text if text.endswith(".") else text + "."


@dataclasses.dataclass
class Command:
    name: str
    summary: str
    options: list
    arguments: list
    formats: list
    columns: list
    version: str
    exit_codes: dict

    @property
    def argument(self):
        """Returns what the files that stand after the options are called."""
        return "reads" if self.name in OF_READS else "parts" if self.name == "merge" else "sequences"

    @property
    def conda_version(self):
        """Returns the version as packages of conda, and images made of them, have it: X.Y.Zrc1 for X.Y.Z-rc1."""
        return forms_of(self.version)["conda"]

    @property
    def image(self):
        """Returns the image of BioContainers, of the build of Bioconda's package that scripts/version.py has written."""
        return f"{IMAGE}:{self.conda_version}--{Project(ROOT).build}"

    def __getitem__(self, option):
        return next(one for one in self.options if one.option == option)

    def __contains__(self, option):
        return any(one.option == option for one in self.options)


@dataclasses.dataclass
class Program:
    path: str
    told: dict  # all that `help --json` says
    commands: dict  # the Command of each of NAMES


def option_of(command, told):
    option = Option(names=told["names"], kind=told["type"], text=told["text"], group=told.get("group", ""), words=tuple(told.get("words", ())),
                    default=told.get("default"), least=told.get("min"), most=told.get("max"), required=told["required"],
                    repeated=told["repeated"], bare=told.get("value_may_be_left_out", False))
    option.file_prefix = MAY_BE_FILE.get((command, option.option))
    if (command, option.option) in TEXT_THAT_IS_FILE:
        option.kind = "file"
    if (command, option.option) in WHOLE_NUMBERS:
        option.kind = "integer"
    return option


def read(program):
    """Returns what the program says of itself. Raises SystemExit if a command has a file nobody knows here."""
    told = json.loads(subprocess.run([program, "help", "--json"], check=True, capture_output=True).stdout)
    commands = {}
    for one in told["commands"]:
        name = one["name"].partition(" ")[2]
        if name not in NAMES:
            continue
        commands[name] = Command(name, one["summary"], [option_of(name, option) for option in one["options"]],
                                 [option_of(name, argument) for argument in one["arguments"]], one["formats"], one["columns"],
                                 told["version"], one["exit_codes"])
        for option in commands[name].options:
            if option.kind == "file" and option.option not in READ | WRITTEN | WRITTEN_OR_WORD:
                sys.exit(f"wrappers.py: basesweep {name}: {option.option} is a file: say in scripts/wrapping/commands.py "
                         "whether it is read or written")
    return Program(program, told, commands)
