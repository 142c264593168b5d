__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

index = "--write-index" if snakemake.output.get("index") else ""

shell(
    "basesweep merge"
    " {extra}"
    " {index}"
    " -t {snakemake.threads}"
    " -o {snakemake.output[0]:q}"
    " {snakemake.input:q}"
    " {log}"
)
