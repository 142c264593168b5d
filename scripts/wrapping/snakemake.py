"""The wrappers of Snakemake: wrapper.py of each command that searches or writes reads.

What the inputs and outputs of a rule are called stands below. The program must have their options, with files as their
values. The wrappers of `plan` and `merge`, which take no text, are written by hand.
"""
import sys

from wrapping.commands import OF_READS

INPUTS = {  # of each command: input of the rule -> option
    "motif": {"patterns": "--pattern-file"},
    "match": {"patterns": "--pattern-file"},
    "pcr": {"pairs": "--pair-file"},
    "pwm": {"matrices": "--matrices", "regions": "--regions-file"},
    "guides": {"guides": "--pattern-file", "annotation": "--annotate", "regions": "--regions-file"},
    "map": {"reference": "--reference"},
    "demux": {"sheet": "--sheet"},
    "trim": {},
    "count": {"library": "--library"},
}
OUTPUTS = {  # besides the first output and the report
    "guides": {"places": "--hits"},
    "demux": {"table": "--table"},
    "trim": {"second": "--paired-output", "table": "--table"},
    "count": {"summary": "--summary"},
}
FLAGS = {"guides": {"index": "--write-index"}}  # that an output stands for
OF_ALL = {"--json", "--device", "--threads", "--output"}
OF_CHUNKS = {"--chunk", "--plan"}
WHOLE = ("demux", "trim", "count")  # commands whose wrappers take no chunk
ON_CPU = ("trim", "count")
OF_PAIRS = {"--reads1", "--reads2"}

HEAD = '''__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)


def option(name, value):
    values = [value] if isinstance(value, str) else value or []
    return " ".join(f"{name} {quote(str(one))}" for one in values if one)


'''
DEVICE = '''device = ""
if "--device" not in extra:
    gpus = snakemake.resources.get("gpu") or 0
    several = "gpu:" + ",".join(str(number) for number in range(gpus))
    device = f"--device {several if gpus > 1 else 'gpu' if gpus else 'cpu'}"

'''
CHUNK = '''# A scatteritem is 3-of-17, a chunk 3/17.
chunk = option("--chunk", snakemake.params.get("chunk", "").replace("-of-", "/"))
plan = option("--plan", snakemake.input.get("plan"))
'''
REPORT = '''report = option("--json", snakemake.output.get("json"))
'''
# Files that demux writes and the rule does not name may be left of an earlier run.
FOLDER = '''path = snakemake.output.get("folder") or dirname(snakemake.output[0]) or "."
folder = option("--force -o", path)
'''
READS = '''mates = option("-2", snakemake.input.get("mates"))
reads = option("-1" if mates else "", snakemake.input.reads)
'''


def wrapper(command):
    """Returns the text of the wrapper."""
    text = HEAD.replace("from shlex", "from os.path import dirname\nfrom shlex") if command == "demux" else HEAD
    text += "" if command in ON_CPU else DEVICE
    text += "" if command in WHOLE else CHUNK
    text += REPORT
    for name, option in INPUTS[command].items():
        text += f'{name} = option("{option}", snakemake.input.get("{name}"))\n'
    for name, option in OUTPUTS.get(command, {}).items():
        text += f'{name} = option("{option}", snakemake.output.get("{name}"))\n'
    for name, option in FLAGS.get(command, {}).items():
        text += f'{name} = "{option}" if snakemake.output.get("{name}") else ""\n'
    text += FOLDER if command == "demux" else ""
    text += READS if command in OF_READS else ""
    files = [*INPUTS[command], *OUTPUTS.get(command, {}), *FLAGS.get(command, {})]
    words = [f"basesweep {command}", "{extra}", *(f"{{{name}}}" for name in files),
             *([] if command in ON_CPU else ["{device}"]), "-t {snakemake.threads}",
             *([] if command in WHOLE else ["{plan}", "{chunk}"]), "{report}",
             "{folder}" if command == "demux" else "-o {snakemake.output[0]:q}",
             *(["{reads}", "{mates}"] if command in OF_READS else ["{snakemake.input.sequence:q}"]), "{log}"]
    lines = [f'    "{"" if index == 0 else " "}{word}"\n' for index, word in enumerate(words)]
    return text + "\nshell(\n" + "".join(lines) + ")\n"


def check(command, options):
    """Raises SystemExit unless the program has the options that the wrapper gives, with the values that it gives."""
    files = {*INPUTS[command].values(), *OUTPUTS.get(command, {}).values(), "--json", "--output"}
    wanted = {**dict.fromkeys(files, "file"), **dict.fromkeys(FLAGS.get(command, {}).values(), "flag")}
    if command in OF_READS:
        wanted.update(dict.fromkeys(OF_PAIRS, "file"))
    if command == "demux":
        wanted.update({"--output": "folder", "--force": "flag"})
    for option in OF_ALL | (set() if command in WHOLE else OF_CHUNKS) | wanted.keys():
        found = options.get(option)
        if found is None or found != wanted.get(option, found):
            sys.exit(f"wrappers.py: basesweep {command}: {option} is {found}, expected {wanted.get(option, 'an option')}")


def write(commands, folder):
    """Writes wrapper.py of each command into its folder."""
    for command in INPUTS:
        check(command, {option.option: option.kind for option in commands[command].options})
        path = folder / command / "wrapper.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wrapper(command), encoding="ascii")
