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


device = ""
if "--device" not in extra:
    gpus = snakemake.resources.get("gpu") or 0
    several = "gpu:" + ",".join(str(number) for number in range(gpus))
    device = f"--device {several if gpus > 1 else 'gpu' if gpus else 'cpu'}"

# A scatteritem is 3-of-17, a chunk 3/17.
chunk = option("--chunk", snakemake.params.get("chunk", "").replace("-of-", "/"))
plan = option("--plan", snakemake.input.get("plan"))
report = option("--json", snakemake.output.get("json"))
pairs = option("--pair-file", snakemake.input.get("pairs"))

shell(
    "basesweep pcr"
    " {extra}"
    " {pairs}"
    " {device}"
    " -t {snakemake.threads}"
    " {plan}"
    " {chunk}"
    " {report}"
    " -o {snakemake.output[0]:q}"
    " {snakemake.input.sequence:q}"
    " {log}"
)
