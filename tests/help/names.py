"""Lists the names that users build on: commands, options, words, defaults, formats, columns, keys of reports, exit codes, and what the libraries of
Python and C++ have. The program, its output, and the sources of the libraries say what there is; docs/compatibility.md says what is promised.
"""
import ast
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import example_files
from support import BINARY, ROOT, environment, run

# The reports of these jobs together have all keys, and their tables all kinds of rows. Each job gets --json.
JOBS = (
    "motif -f motifs.fa --count --per-file reference.fa",
    "motif -f motifs.fa --chunk 1/2 -o m1.bsp reference.fa", "motif -f motifs.fa --chunk 2/2 -o m2.bsp reference.fa",
    "merge m1.bsp m2.bsp --format tsv -o merged.tsv",
    "motif -f motifs.fa --format tsv --matching-reads with.fq --other-reads without.fq reads.fastq.gz",
    "motif -f motifs.fa --format csv -o motif.csv reference.fa",
    "match -f primers.fa -k 2 --format tsv --flank 3 genome.fa",
    "match -f primers.fa -k 2 --format tsv --report best-per-record --with-file genome.fa",
    "match -f adapters.fa -e 0.1 --count --by-edits --per-file reads.fastq.gz",
    "match -f adapters.fa -k 1 --format tsv --pairs any --other-reads without_1.fq --matching-reads with_1.fq --interleaved both.fq",
    "match -p box=GAT/TACA -p 5'-GATTAC^A-3' -k 1 --max-hits 3 --format tsv reference.fa",
    "match -f edited.tsv --format tsv --edit-columns --columns +aligned_text reference.fa",
    "pcr -f pairs.tsv -k 2 --size 2000 --format tsv genome.fa", "pcr -f pairs.tsv -k 2 --table genome.fa",
    "pcr -f pairs.tsv -k 2 --count --per-file genome.fa", "pcr -f pairs.tsv -k 2 --circular --with-file genome.fa",
    "pwm -m JASPAR.jaspar -p 0.0001 --format tsv genome.fa", "pwm -m motifs.meme -p 0.001 --format fimo reference.fa",
    "pwm -m JASPAR.jaspar -p 0.001 --table score --regions-file peaks.bed --per-region genome.fa", "pwm -m JASPAR.jaspar -p 0.001 --count reference.fa",
    "guides -f guides.tsv -m 4 --hits places.tsv genome.fa", "guides --design --region chr1:1-2000 -m 1 reference.fa",
    "guides -f guides.tsv -m 2 --annotate genes.gff3 genome.fa",
    "map -r reference.fa -k 5 -o out.sam reads.fastq.gz", "map -r genome.fa -k 5 -1 reads_1.fq.gz -2 reads_2.fq.gz -o out.sam",
    "demux -s samples.tsv --kit RBK114-24 --table table.tsv -o ont reads_ont.fastq.gz",
    "demux -s both.tsv -k 0 --window 8 -o pairs -1 pairs_1.fq -2 pairs_2.fq",
    "trim -a AGATCGGAAGAGC --table table.tsv -o trimmed.fq reads.fastq.gz",
    "trim --revcomp -g GATTACA -o turned.fq reads.fastq.gz",
    "trim -1 reads_R1.fq.gz -2 reads_R2.fq.gz -o t_1.fq -p t_2.fq",
    "count -l library.csv --summary table.tsv plasmid.fq.gz day14.fq.gz",
    "count -l library.csv --format mageck plasmid.fq.gz",
    "plan --chunks 2 genome.fa",
)
EXTRA_FILES = {
    "edited.tsv": "name\tsequence\tedits\tclamp_3prime\nEcoRI\tGAATTCAAAA\t1\t2\n",
    "genes.gff3": "##gff-version 3\nchr1\t.\tgene\t1\t2000\t.\t+\t.\tID=gene1\nchr1\t.\texon\t1\t900\t.\t+\t.\tID=exon1;Parent=gene1\n",
    "both.tsv": "sample\tbarcode\tbarcode2\ns1\tGATTACAG\tCCGTATTC\ns2\tTTGACCAA\tGGATCCTA\n",
    "pairs_1.fq": example_files.fastq([(f"p{i}", "GATTACAG" + "ACGT" * 8) for i in range(4)]),
    "pairs_2.fq": example_files.fastq([(f"p{i}", "GGATCCTA" + "ACGT" * 8) for i in range(4)]),
    "both.fq": example_files.fastq([(f"p{i}/{mate}", "GATTACAGATCGGAAGAGC" + "ACGT" * 8) for i in range(4) for mate in (1, 2)]),
}
# Below these keys, keys are names of the machine, not of the report.
FREE_KEYS = ("machine.batches", "libraries", "machine.environment")


def of_command(command):
    """Yields the lines of one command of `help --json`."""
    name = command["name"].partition(" ")[2] or "(none)"
    yield f"command {name}"
    if name.startswith("bench"):  # docs/compatibility.md promises nothing of it
        return
    for argument in command["arguments"]:
        yield f"argument {name}: {argument['names'][-1]} {argument['type']}"
    for option in command["options"]:
        own = option["names"][-1]
        yield f"option {name} {', '.join(option['names'])} {option['type']}{' ...' if option['repeated'] else ''}"
        if option["type"] == "choice":
            for word in option["words"]:
                yield f"word {name} {own} {word}"
        if option["type"] != "flag" and option.get("default") not in (None, ""):
            yield f"default {name} {own} {option['default']}"
    for word in command["formats"]:
        yield f"format {name} {word}"
    for column in command["columns"]:
        yield f"column {name} {column['name']} {column.get('type', '')}".rstrip()
    yield f"exit {name}: {' '.join(sorted(command['exit_codes'], key=int))}"


def of_json(prefix, path, value):
    """Yields a line for each key of a JSON value; a list is [] and its elements are one."""
    if isinstance(value, list):
        for one in value:
            yield from of_json(prefix, f"{path}[]", one)
    elif isinstance(value, dict):
        for key, one in value.items():
            key = re.sub(r"\d+$", "N", key) if path == "places" else key  # classes of places, as many as mismatches are allowed
            below = f"{path}.{key}" if path else key
            yield f"{prefix} {below}"
            if below not in FREE_KEYS:
                yield from of_json(prefix, below, one)


def of_table(what, text):
    """Yields the line of a table's columns."""
    lines = [line for line in text.splitlines() if not line.startswith("##")]
    if lines:
        yield f"table {what}: " + re.sub("[\t,]", " ", lines[0])


def of_jobs(folder):
    """Runs all jobs in the folder; yields what their reports and tables have."""
    example_files.make(folder)
    for name, text in EXTRA_FILES.items():
        (folder / name).write_text(text)
    for job in JOBS:
        words = job.split()
        report = folder / "report.json"
        report.unlink(missing_ok=True)
        (folder / "table.tsv").unlink(missing_ok=True)
        asked = [] if words[0] == "plan" else ["--json", report, "-t", "2"] if words[0] != "merge" else ["--json", report]
        device = ["--device", "cpu"] if words[0] in ("motif", "match", "pcr", "pwm", "guides", "map") else []
        done = run(BINARY, *words, *asked, *device, cwd=folder, env=environment())
        if done.returncode != 0:
            raise AssertionError(f"basesweep {job}: exit {done.returncode}: {done.stderr}")
        if report.exists():
            yield from of_json(f"report {words[0]}", "", json.loads(report.read_text()))
        options = [word for word in words if word.startswith("--") and word in (
            "--count", "--table", "--per-file", "--per-region", "--by-edits", "--with-file", "--edit-columns", "--design", "--annotate", "--flank")]
        if "--format" in words:
            options.append(words[words.index("--format") + 1])
        shown = done.stdout
        if "mageck" in words or words[0] == "count" or "score" in words:  # the columns after the first are the user's names
            shown = "\t".join(shown.split("\n", 1)[0].split("\t")[:2 if words[0] == "count" else 1])
        if shown and not shown.startswith(("@", ">")) and words[0] not in ("map", "trim"):
            yield from of_table(" ".join([words[0], *options]), shown)
        if (folder / "table.tsv").exists():
            yield from of_table(f"{words[0]} {words[words.index('table.tsv') - 1]}", (folder / "table.tsv").read_text())
    for name, what in (("motif.csv", "motif csv"), ("places.tsv", "guides --hits"), ("ont/summary.tsv", "demux summary.tsv"),
                       ("ont/reasons.tsv", "demux reasons.tsv")):
        yield from of_table(what, (folder / name).read_text())


def of_doctor():
    """Yields the keys of doctor's report; those of a GPU are there only on a machine that has one."""
    report = json.loads(run(BINARY, "doctor", "--device", "cpu", "--seed", "1", "--json", "-").stdout)
    report["gpus"] = []
    for row in report["self_test"]["rows"]:
        row.pop("reason", None)
        row.pop("repeat", None)
    yield from of_json("report doctor", "", report)


def arguments_of(function):
    """Returns a function's parameters as they are called, without types."""
    given = function.args
    names = [one.arg for one in [*given.posonlyargs, *given.args]]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    optional = len(given.defaults)
    words = [name + ("=" if index >= len(names) - optional else "") for index, name in enumerate(names)]
    words += [f"*{given.vararg.arg}"] if given.vararg else ["*"] if given.kwonlyargs else []
    words += [f"{one.arg}{'' if default is None else '='}" for one, default in zip(given.kwonlyargs, given.kw_defaults)]
    words += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return f"({', '.join(words)})"


def of_python():
    """Yields the public names of the Python package, from its sources."""
    package = ROOT / "python/basesweep"
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(package.glob("*.py"))]
    own = next(node for tree in trees for node in tree.body if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__")
    exported = {*ast.literal_eval(own.value), "map"}
    bodies = {node.name: node for tree in trees for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in exported:
        node = bodies.get(name)
        if isinstance(node, ast.FunctionDef):
            yield f"python {name}{arguments_of(node)}"
            continue
        yield f"python {name}"
        seen = set()
        while node:  # its methods, then those that it has from its base here
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name not in seen and (
                        not member.name.startswith("_") or member.name in ("__init__", "__len__", "__getitem__", "__iter__", "__contains__")):
                    seen.add(member.name)
                    is_property = any("property" in ast.dump(decorator) for decorator in member.decorator_list)
                    yield f"python {name}.{member.name}{'' if is_property else arguments_of(member)}"
                elif isinstance(member, ast.Assign) and member.targets[0].id not in {"_", *seen}:
                    seen.add(member.targets[0].id)
                    yield f"python {name}.{member.targets[0].id} = {ast.literal_eval(member.value)}"
            node = next((bodies[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in bodies), None)


def of_cpp():
    """Yields the public names of the C++ library, from its headers; nothing without universal-ctags."""
    if not shutil.which("ctags"):
        return
    headers = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "lib/include/basesweep").glob("*.hpp"))
    done = subprocess.run(["ctags", "--output-format=json", "--languages=C++", "--kinds-C++=cefgmnpstu", "--fields=+SsaK", "-D", "BASESWEEP_API=",
                           "-f", "-", *headers], cwd=ROOT, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        tag = json.loads(line)
        name = f"{tag.get('scope', '')}::{tag['name']}"
        if tag["kind"] == "namespace" or tag.get("access") in ("private", "protected") or "__anon" in name or not name.startswith("basesweep::"):
            continue
        signature = re.sub(r"\s+", " ", tag.get("signature", ""))
        yield f"c++ {name}{signature}"


def lines():
    """Returns all lines, sorted."""
    data = json.loads(run(BINARY, "help", "--json").stdout)
    found = {line for command in data["commands"] for line in of_command(command)}
    found.update(f"variable {name}" for command in data["commands"] for name in command["environment"])
    data["commands"] = [command for command in data["commands"] if command["name"].endswith(" match")]
    found.update(of_json("report help", "", {**data, "commands": [{**command, "environment": {}, "exit_codes": {}} for command in data["commands"]]}))
    with tempfile.TemporaryDirectory(prefix="basesweep-names.") as folder:
        found.update(of_jobs(pathlib.Path(folder)))
    for part in (of_doctor(), of_python(), of_cpp()):
        found.update(part)
    return sorted(found)
