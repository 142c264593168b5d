__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)


def option(name, value):
    return f"{name} {quote(str(value))}" if value else ""


device = ""
if "--device" not in extra:
    device = "--device gpu" if snakemake.resources.get("gpu") else "--device cpu"

# A scatteritem is 3-of-17, a chunk 3/17.
chunk = option("--chunk", snakemake.params.get("chunk", "").replace("-of-", "/"))
plan = option("--plan", snakemake.input.get("plan"))
report = option("--json", snakemake.output.get("json"))

reads = snakemake.input.reads
if isinstance(reads, str):
    reads = [reads]
if len(reads) > 2:
    raise ValueError(f"reads: expected one file, or two of pairs, not {len(reads)}")
if len(reads) == 2:
    reads = f"-1 {quote(reads[0])} -2 {quote(reads[1])}"
else:
    reads = quote(reads[0])

shell(
    "basesweep map"
    " {extra}"
    " -r {snakemake.input.reference:q}"
    " {device}"
    " -t {snakemake.threads}"
    " {plan}"
    " {chunk}"
    " {report}"
    " -o {snakemake.output[0]:q}"
    " {reads}"
    " {log}"
)
