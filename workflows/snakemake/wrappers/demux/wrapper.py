__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from os.path import dirname
from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)


def option(name, value):
    values = [value] if isinstance(value, str) else value or []
    return " ".join(f"{name} {quote(str(one))}" for one in values if one)


device = ""
if "--device" not in extra:
    gpus = snakemake.resources.get("gpu") or 0
    several = "gpu:" + ",".join(str(number) for number in range(gpus))
    device = f"--device {several if gpus > 1 else 'gpu' if gpus else 'cpu'}"

report = option("--json", snakemake.output.get("json"))
sheet = option("--sheet", snakemake.input.get("sheet"))
table = option("--table", snakemake.output.get("table"))
path = snakemake.output.get("folder") or dirname(snakemake.output[0]) or "."
folder = option("--force -o", path)
mates = option("-2", snakemake.input.get("mates"))
reads = option("-1" if mates else "", snakemake.input.reads)

shell(
    "basesweep demux"
    " {extra}"
    " {sheet}"
    " {table}"
    " {device}"
    " -t {snakemake.threads}"
    " {report}"
    " {folder}"
    " {reads}"
    " {mates}"
    " {log}"
)
