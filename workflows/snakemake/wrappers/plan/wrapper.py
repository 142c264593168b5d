__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)


def option(name, value):
    return f"{name} {quote(str(value))}" if value else ""


regions = option("--regions-file", snakemake.input.get("regions"))

shell(
    "basesweep plan"
    " {extra}"
    " {regions}"
    " -t {snakemake.threads}"
    " --chunks {snakemake.params.chunks}"
    " -o {snakemake.output[0]:q}"
    " {snakemake.input.sequence:q}"
    " {log}"
)
