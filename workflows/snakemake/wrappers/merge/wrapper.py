__author__ = "the basesweep authors"
__copyright__ = "Copyright 2026, the basesweep authors"
__license__ = "MIT"

from shlex import quote

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)

report = snakemake.output.get("json")
report = f"--json {quote(str(report))}" if report else ""
places = snakemake.output.get("places")
places = f"--hits {quote(str(places))}" if places else ""
index = "--write-index" if snakemake.output.get("index") else ""

shell(
    "basesweep merge"
    " {extra}"
    " {report}"
    " {places}"
    " {index}"
    " -t {snakemake.threads}"
    " -o {snakemake.output[0]:q}"
    " {snakemake.input:q}"
    " {log}"
)
