__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)


def option(name, value):
    values = [value] if isinstance(value, str) else value or []
    return " ".join(f"{name} {quote(str(one))}" for one in values if one)


report = option("--json", snakemake.output.get("json"))
library = option("--library", snakemake.input.get("library"))
summary = option("--summary", snakemake.output.get("summary"))
mates = option("-2", snakemake.input.get("mates"))
reads = option("-1" if mates else "", snakemake.input.reads)

shell(
    "basesweep count"
    " {extra}"
    " {library}"
    " {summary}"
    " -t {snakemake.threads}"
    " {report}"
    " -o {snakemake.output[0]:q}"
    " {reads}"
    " {mates}"
    " {log}"
)
