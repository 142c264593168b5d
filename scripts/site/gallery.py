"""The gallery of the site: pages of runs on real data, made as the site is built. Runs whose data are not at hand are named as not made."""
import csv
import dataclasses
import gzip
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 300  # that a run may take


@dataclasses.dataclass
class Run:
    name: str  # of its page
    title: str
    text: str
    words: list  # of the command line; inputs as their paths in the data
    data: tuple  # files that must be there
    in_repository: bool = False


RUNS = [
    Run("restriction", "Restriction sites of phage lambda", "Motifs with codes on one small genome: `motif`.",
        ["motif", "-f", "motifs.fa", "lambda.fa.gz"], ("motifs.fa", "lambda.fa.gz"), True),
    Run("16s", "Universal primers on 16S genes", "Which of 30 primers fit the 5,181 genes of a 16S collection, with how many edits, and where in the primer they are: `match`.",
        ["match", "-f", "primers/universal_16S_18S_COI.tsv", "-k", "2", "genomes/rRNA16S_gold.fa.gz"],
        ("primers/universal_16S_18S_COI.tsv", "genomes/rRNA16S_gold.fa.gz")),
    Run("artic", "The ARTIC scheme V4.1 on SARS-CoV-2", "Products of all pairs as on a gel, and the weakest primers: `pcr`.",
        ["pcr", "-f", "primers/artic_V4.1.primer.bed", "-k", "2", "genomes/sarscov2_MN908947.3.fa.gz"],
        ("primers/artic_V4.1.primer.bed", "genomes/sarscov2_MN908947.3.fa.gz")),
    Run("crispr", "A CRISPR library on human chromosome X", "Guides of a genome-wide library for genes on X, and their other places on 70 million bases of it: `guides`.",
        ["guides", "-f", "guides_X.tsv", "-m", "4", "genomes/human_hs37_chrX_70Mb.fa.gz"],
        ("motifs/guides_KY_v1.0.tsv.gz", "genomes/human_hs37_chrX_70Mb.fa.gz")),
    Run("design", "Guides of yeast chromosomes", "The 20 most specific guides of each chromosome: `guides --design`.",
        ["guides", "--design", "-m", "4", "--top", "20", "genomes/yeast_R64_ensembl94.fa.gz"], ("genomes/yeast_R64_ensembl94.fa.gz",)),
    Run("jaspar", "JASPAR on phage lambda", "1,019 matrices, their logos beside those of their sites, and hits expected by chance: `pwm`.",
        ["pwm", "-m", "motifs/jaspar2026_core_vertebrates.jaspar", "genomes/lambda_NC_001416.1.fa.gz"],
        ("motifs/jaspar2026_core_vertebrates.jaspar", "genomes/lambda_NC_001416.1.fa.gz")),
    Run("barcodes", "Nanopore reads by barcode", "1,978 reads of the rapid barcoding kit, half of them without a barcode: `demux`.",
        ["demux", "-s", "samples.tsv", "--kit", "RBK004", "reads/qcat_ont_barcode_1k.fq.gz", "reads/qcat_ont_nobarcode_1k.fq.gz"],
        ("reads/qcat_ont_barcode_1k.fq.gz", "reads/qcat_ont_nobarcode_1k.fq.gz")),
    Run("map", "ARTIC reads on their reference", "Pairs of amplicon reads: edits, inserts, and amplicons that drop out of the coverage: `map`.",
        ["map", "-r", "genomes/sarscov2_MN908947.3.fa.gz", "-1", "reads/artic_illumina_R1.fq.gz", "-2", "reads/artic_illumina_R2.fq.gz", "-e", "0.1"],
        ("genomes/sarscov2_MN908947.3.fa.gz", "reads/artic_illumina_R1.fq.gz", "reads/artic_illumina_R2.fq.gz")),
    Run("adapters", "Adapters of short inserts", "100,000 pairs of a run with short fragments, cut by their overlap and the adapters: `trim`.",
        ["trim", "-a", "AGATCGGAAGAGC", "-A", "AGATCGGAAGAGC", "-1", "reads/hiseq_multiplex_R1.fq.gz", "-2", "reads/hiseq_multiplex_R2.fq.gz"],
        ("reads/hiseq_multiplex_R1.fq.gz", "reads/hiseq_multiplex_R2.fq.gz"))]


def folder_of(run):
    """Returns the folder of its data; None where they are not at hand."""
    named = HERE / "test-data" if run.in_repository else os.environ.get("BASESWEEP_TEST_DATA", "")
    folder = pathlib.Path(named) if named else None
    return folder if folder and all((folder / name).is_file() for name in run.data) else None


def prepare(run, data, work):
    """Links the data into the folder of the run, and writes what the run needs besides."""
    for name in run.data:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).symlink_to((data / name).resolve())
    if run.name == "crispr":
        with gzip.open(data / "motifs/guides_KY_v1.0.tsv.gz", "rt", encoding="utf-8") as library:
            rows = [row for row in csv.DictReader(library, delimiter="\t") if row["CHRM"] == "X" and len(row["seq"]) == 19]
        (work / "guides_X.tsv").write_text("".join(f"{next(iter(row.values()))}\t{row['seq']}\n" for row in rows[:1000]), encoding="utf-8")
    if run.name == "barcodes":
        (work / "samples.tsv").write_text("sample\tbarcode\n" + "".join(f"patient{i:02}\tRB{i:02}\n" for i in range(1, 13)), encoding="utf-8")


def outputs_of(run):
    """Returns the words that say where the run writes."""
    return {"demux": ["-o", "by_sample"], "trim": ["-o", "cut_1.fq.gz", "-p", "cut_2.fq.gz"], "map": ["-o", "reads.bam"], "pwm": ["-o", "sites.bed.gz"]}.get(
        run.words[0], ["-o", "hits.tsv.gz"])


def page_of(run, program):
    """Returns the page of a run; None without its data."""
    data = folder_of(run)
    if data is None:
        return None
    with tempfile.TemporaryDirectory(prefix="basesweep-gallery.") as folder:
        work = pathlib.Path(folder)
        prepare(run, data, work)
        subprocess.run(["basesweep", *run.words, *outputs_of(run), "--quiet", "--html", "page.html"], executable=program, cwd=work, check=True, timeout=SECONDS,
                       capture_output=True)
        return (work / "page.html").read_text(encoding="utf-8")


def gallery(program):
    """Returns {path: text} of the gallery's pages."""
    lines = ["# Gallery", "", "Pages that `--html` wrote, one file each ([Reports](../report.md) says what they show). Each opens without a network, can be sent by mail, and prints."]
    pages, missing = {}, []
    for run in RUNS:
        page = page_of(run, program)
        if page is None:
            missing.append(run.title)
            continue
        pages[f"gallery/{run.name}.html"] = page
        lines += ["", f"## {run.title}", "", run.text, "", f'<a href="{run.name}.html" target="_blank">Open the page</a> ({len(page) // 1000} KB)', "",
                  "```console", "$ " + " ".join(["basesweep", *run.words, *outputs_of(run), "--html", f"{run.name}.html"]), "```"]
    if missing:
        lines += ["", "Not made, since their data were not at hand when this site was built: " + "; ".join(missing) + "."]
    pages["gallery/index.md"] = "\n".join(lines) + "\n"
    return pages
