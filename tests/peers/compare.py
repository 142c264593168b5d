#!/usr/bin/env python3
"""Runs basesweep and other tools on the same made files, and writes what each took to docs/measurements/peers.json.

    compare.py BASESWEEP [--megabases N] [--output FILE]

Of seqkit, bowtie, fuzznuc (EMBOSS), cutadapt and razers3, those that are missing are left out. CPU seconds are user and system time of
all threads, the median of three runs in turn; they suffer less than wall time from other work on the machine.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import random
import shlex
import shutil
import statistics
import subprocess
import tempfile

COMPLEMENT = str.maketrans("ACGT", "TGCA")
RUNS = 3


def bases(rng, length):
    return "".join(rng.choices("ACGT", k=length))


def write_fasta(path, records, width=60):
    with open(path, "w") as out:
        for name, letters in records:
            out.write(f">{name}\n")
            for at in range(0, len(letters), width):
                out.write(letters[at:at + width] + "\n")


def write_patterns(folder, name, patterns):
    write_fasta(folder / f"{name}.fa", patterns)
    (folder / f"{name}.tsv").write_text("".join(f"{title}\t{letters}\n" for title, letters in patterns))
    (folder / f"{name}.fuzznuc").write_text("".join(f">{title} <mismatch=2>\n{letters}\n" for title, letters in patterns))


def mutated(rng, letters, count):
    letters = list(letters)
    for place in rng.sample(range(len(letters)), count):
        letters[place] = rng.choice("ACGT".replace(letters[place], ""))
    return "".join(letters)


def make(folder, megabases):
    """A text of one record with some patterns planted, and reads of which a third end in an adapter."""
    rng = random.Random(1)
    motifs = [(f"m{i}", bases(rng, 12)) for i in range(10)]
    primers = [(f"p{i}", bases(rng, 20)) for i in range(10)]
    step = 20_000
    text = []
    for number in range(megabases * 1_000_000 // step):
        site = mutated(rng, primers[number % 10][1], number % 3)
        text += [bases(rng, step - 20), site if number % 2 else site.translate(COMPLEMENT)[::-1]]
    write_fasta(folder / "text.fa", [("text", "".join(text))])
    write_patterns(folder, "motifs", motifs)
    write_patterns(folder, "primers", primers)
    adapter = "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA"
    with open(folder / "reads.fq", "w") as out:
        for number in range(200_000):
            insert = bases(rng, rng.randrange(50, 70) if number % 3 == 0 else 100)
            read = (insert + adapter + bases(rng, 60))[:100]
            out.write(f"@r{number}\n{read}\n+\n{'I' * 100}\n")
    write_fasta(folder / "adapter.fa", [("TruSeq", adapter)])


def tasks(basesweep):
    """Returns (task, tool, its program, command, command that counts its hits)."""
    b = shlex.quote(basesweep)
    lines = "wc -l <out"
    exact, edits, reads = "10 motifs of 12, exact", "10 primers of 20, 2 mismatches", "an adapter in 200,000 reads of 100, 10 % errors"
    return [
        (exact, "basesweep motif", basesweep, f"{b} motif -f motifs.fa text.fa -t 2 -o out", lines),
        (exact, "seqkit locate", "seqkit", "seqkit locate -j 2 --bed -f motifs.fa text.fa -o out", lines),
        (exact, "bowtie -v 0", "bowtie", "bowtie -p 2 -v 0 -a -f --quiet -x index motifs.fa out", lines),
        (exact, "fuzznuc", "fuzznuc", "fuzznuc text.fa -pattern @motifs0.fuzznuc -complement -rformat gff -outfile out -auto",
         "grep -vc '^#' out"),
        (edits, "basesweep match", basesweep, f"{b} match -f primers.fa -k 2 --max-indels 0 text.fa -t 2 --format bed -o out", lines),
        (edits, "seqkit locate", "seqkit", "seqkit locate -j 2 -m 2 --bed -f primers.fa text.fa -o out", lines),
        (edits, "bowtie -v 2", "bowtie", "bowtie -p 2 -v 2 -a -f --quiet -x index primers.fa out", lines),
        (edits, "fuzznuc", "fuzznuc", "fuzznuc text.fa -pattern @primers.fuzznuc -complement -rformat gff -outfile out -auto",
         "grep -vc '^#' out"),
        ("index of the text, for bowtie", "bowtie-build", "bowtie-build", "bowtie-build --threads 2 -q text.fa index", "echo 0"),
        (reads, "basesweep match", basesweep,
         f"{b} match -f adapter.fa -e 0.1 --strand plus reads.fq -t 2 --format bed -o out", lines),
        (reads, "cutadapt", "cutadapt", "cutadapt -j 2 -a file:adapter.fa -e 0.1 -O 5 --discard-untrimmed --quiet -o out reads.fq",
         "expr $(wc -l <out) / 4"),
    ]


def cpu_seconds(command, folder):
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"compare: {command}: {said}")
    return usage.ru_utime + usage.ru_stime


def version(program):
    for words in ([program, "--version"], [program, "version"], [program, "-version"]):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        text = (done.stdout + done.stderr).strip()
        if done.returncode == 0 and any(letter.isdigit() for letter in text):
            return next(word.lstrip("v:") for word in text.replace("EMBOSS:", "").split() if word.lstrip("v:")[:1].isdigit())
    return "?"


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("basesweep")
    parser.add_argument("--megabases", type=int, default=20)
    parser.add_argument("--output", default=str(pathlib.Path(__file__).resolve().parents[2] / "docs/measurements/peers.json"))
    options = parser.parse_args()
    basesweep = str(pathlib.Path(options.basesweep).resolve())
    root = pathlib.Path(__file__).resolve().parents[2]
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="basesweep-peers.") as name:
        folder = pathlib.Path(name)
        make(folder, options.megabases)
        (folder / "motifs0.fuzznuc").write_text((folder / "motifs.fuzznuc").read_text().replace(" <mismatch=2>", ""))
        wanted = [task for task in tasks(basesweep) if shutil.which(task[2])]
        wanted.sort(key=lambda task: task[1] != "bowtie-build")  # the index first
        found = {}
        for _ in range(RUNS):
            for task, tool, _, command, count in wanted:
                if tool in ("bowtie-build", "fuzznuc") and (task, tool) in found:
                    continue  # once is enough for the slow ones
                taken = cpu_seconds(command, folder)
                hits = int(subprocess.run(["bash", "-c", count], cwd=folder, capture_output=True, text=True, check=True).stdout)
                found.setdefault((task, tool), []).append((taken, hits))
                print(f"{task}: {tool}: {taken:.2f} s, {hits} hits", flush=True)
        runs = [{"task": task, "tool": f"{tool} {version(program)}",
                 "cpu_seconds": round(statistics.median(run[0] for run in found[task, tool]), 3),
                 "hits": found[task, tool][0][1],
                 "command": command.replace(shlex.quote(basesweep), "basesweep")}
                for task, tool, program, command, _ in tasks(basesweep) if (task, tool) in found]
    report = {"table": "peers", "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
              "chip": f"{cpu_name()}, {os.cpu_count()} cores", "commit": commit,
              "conditions": f"{options.megabases} Mb of random DNA in one record; CPU seconds of all threads, median of {RUNS} runs in turn "
                            "(fuzznuc and bowtie-build: one run); the machine was busy with other work, so wall time is not given.",
              "runs": runs}
    pathlib.Path(options.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
