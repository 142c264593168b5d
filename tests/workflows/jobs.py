"""A small job of each command, for engines that name inputs as scripts/wrapping does: CWL and WDL."""
import pathlib
import subprocess

from support import BINARY, ROOT

WRAPPERS = ROOT / "workflows/snakemake/wrappers"


class Job:
    """Inputs of a description of a command, by name, and the words of the same job on the command line.

    `written`: {name of an output of the description: file that the job writes}. Paths of inputs are in the folder of the tests of
    the wrapper of Snakemake.
    """

    def __init__(self, command, words, written, folder=None, **inputs):
        self.command, self.words, self.written = command, words, written
        self.folder = WRAPPERS / (folder or command) / "test"
        self.inputs = inputs

    def input_files(self):
        """Returns the inputs, with whole paths instead of the names of files of the folder."""
        return {name: self.whole(value) for name, value in self.inputs.items()}

    def whole(self, value):
        if isinstance(value, list):
            return [self.whole(one) for one in value]
        return self.folder / value if isinstance(value, str) and (self.folder / value).is_file() else value

    def run(self, folder):
        """Runs the program, and returns {output: bytes} of what it has written into the folder."""
        words = [str(self.folder / word) if (self.folder / word).is_file() else word for word in self.words]
        done = subprocess.run([BINARY, self.command, *words], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"basesweep {self.command} {' '.join(words)}\n{done.stderr}")
        return {name: pathlib.Path(folder, file).read_bytes() for name, file in self.written.items()}


JOBS = {
    "motif": Job("motif", ["-f", "motifs.fa", "-p", "GANTC", "-p", "site=TTGACA", "--circular", "genome.fa", "-o", "hits.bed.gz", "--write-index"],
                 {"output": "hits.bed.gz"}, pattern_file=["motifs.fa"], pattern=["GANTC", "site=TTGACA"], circular=True,
                 sequences=["genome.fa"], output_name="hits.bed.gz", write_index=True, json_name="report.json"),
    "match": Job("match", ["-f", "primers.fa", "-k", "2", "--report", "minima", "genome.fa", "-o", "hits.tsv"], {"output": "hits.tsv"},
                 pattern_file=["primers.fa"], edits=2, report="minima", sequences=["genome.fa"], output_name="hits.tsv", threads=2),
    "pcr": Job("pcr", ["-f", "pairs.tsv", "-k", "2", "--size", "50,1000", "genome.fa", "-o", "products.bam", "--no-PG"],
               {"output": "products.bam"}, pair_file=["pairs.tsv"], edits=2, size="50,1000", sequences=["genome.fa"], no_PG=True,
               output_name="products.bam"),
    "pwm": Job("pwm", ["-m", "matrices.jaspar", "-p", "1e-3", "genome.fa", "-o", "sites.bed"], {"output": "sites.bed"},
               matrices=["matrices.jaspar"], p_value=0.001, sequences=["genome.fa"]),
    "guides": Job("guides", ["-f", "guides.tsv", "-m", "4", "--hits", "places.bed", "genome.fa", "-o", "off_targets.tsv"],
                  {"output": "off_targets.tsv", "hits": "places.bed"}, pattern_file=["guides.tsv"], max_mismatches=4, hits_name="places.bed",
                  sequences=["genome.fa"], output_name="off_targets.tsv"),
    "map": Job("map", ["-r", "genome.fa", "-k", "3", "-R", "@RG\\tID:a b\\tSM:c", "--no-PG", "reads.fq", "-o", "reads.sam"],
               {"output": "reads.sam"}, reference="genome.fa", edits=3, read_group="@RG\\tID:a b\\tSM:c", no_PG=True, reads=["reads.fq"],
               output_name="reads.sam"),
    "demux": Job("demux", ["-s", "samples.tsv", "-k", "2", "--format", "fastq", "reads.fq", "-o", "samples", "--table", "reads.tsv"],
                 {"table": "reads.tsv"}, sheet="samples.tsv", edits=2, format="fastq", reads=["reads.fq"], table_name="reads.tsv"),
    "trim": Job("trim", ["-a", "AGATCGGAAGAGC", "-a", "CTGTCTCTTATA", "-m", "50", "-l", "-60", "reads.fq", "-o", "trimmed.fastq.gz", "--table",
                         "reads.tsv"],
                {"output": "trimmed.fastq.gz", "table": "reads.tsv"}, adapter=["AGATCGGAAGAGC", "CTGTCTCTTATA"], minimum_length="50", length=-60,
                reads=["reads.fq"], table_name="reads.tsv"),
    "count": Job("count", ["-l", "library.tsv", "--mismatches", "1", "plasmid.fq", "treated.fq", "-o", "counts.txt", "--summary", "samples.tsv"],
                 {"output": "counts.txt", "summary": "samples.tsv"}, library="library.tsv", mismatches=1, reads=["plasmid.fq", "treated.fq"],
                 output_name="counts.txt", summary_name="samples.tsv"),
    "plan": Job("plan", ["-n", "2", "--regions-file", "regions.bed", "genome.fa", "-o", "plan.tsv"], {"output": "plan.tsv"}, chunks=2,
                regions_file="regions.bed", sequences=["genome.fa"]),
}
