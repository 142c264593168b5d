"""Logs what a run does to files, and looks at every step at what a crash there would leave.

    python3 tests/faults/crash.py BINARY SHIM [--job NAME]

BINARY: the program. SHIM: shim.cpp, built as a shared library. Each job below runs once in a folder without its outputs, and
once where older files have their names. Its log is replayed call by call on a model of the disk. After each call, these are
looked at:

  - the files as they are: what a killed process leaves
  - the files after a power cut: every file has the bytes of its last fsync, or those that it has now; of the names that
    were given or taken away since the folder's last fsync, any may be on the disk, and any not

In each of these states every output is absent (if there was none before), old, or whole, and an index is the one of the
output beside it. Anything else is printed, and the exit status is 1. At the end the model has to have the files that the
run left, so nothing is missing in the log.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import run as faults

# What runs, the files that it makes, and, where one is an index, the file that it belongs to.
JOBS = {
    "bed": ("motif -f p.fa g.fa -o out.bed", ["out.bed"], {}),
    "bed.gz": ("motif -f p.fa g.fa -t 2 -o out.bed.gz", ["out.bed.gz"], {}),
    "report": ("motif -f p.fa g.fa -o out.tsv --json out.json", ["out.tsv", "out.json"], {}),
    "count": ("motif -f p.fa g.fa --count -o out.tsv", ["out.tsv"], {}),
    "split": ("motif -f p.fa r.fq --matching-reads yes.fq --other-reads no.fq.gz -o out.bed", ["yes.fq", "no.fq.gz", "out.bed"], {}),
    "spool": ("match -f p.tsv -k 3 g.fa -t 2 -o out.sam", ["out.sam"], {}),
    "bam": ("match -f p.tsv -k 3 indexed.fa -t 2 -o out.bam", ["out.bam"], {}),
    "map.bam": ("map -r g.fa -k 3 r.fq -t 2 -o out.bam", ["out.bam"], {}),
    "map.cram": ("map -r g.bgz.fa.gz -k 3 r.fq -t 2 -o out.cram", ["out.cram"], {}),
    "part": ("match -f p.tsv -k 3 g.fa --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp --json out.json", ["out.bsp", "out.json"], {}),
    "plan": ("plan g.fa --chunks 4 -o out.tsv", ["out.tsv"], {}),
    "plan.index": ("plan new.fa --chunks 4 --write-index -o out.tsv", ["out.tsv", "new.fa.fai"], {}),
    "plan.gzi": ("plan g.bgz.fa.gz --chunks 4 --write-index -o out.tsv", ["out.tsv", "g.bgz.fa.gz.fai", "g.bgz.fa.gz.gzi"], {}),
    "merge": ("merge part1.bsp part2.bsp part3.bsp -o out.bed", ["out.bed"], {}),
    "merge.tbi": ("merge part1.bsp part2.bsp part3.bsp -o out.bed.gz --write-index", ["out.bed.gz", "out.bed.gz.tbi", "out.bed.gz.csi"],
                  {"out.bed.gz.tbi": "out.bed.gz", "out.bed.gz.csi": "out.bed.gz"}),
    "merge.bai": ("merge match1.bsp match2.bsp match3.bsp -o out.bam --write-index", ["out.bam", "out.bam.bai", "out.bam.csi"],
                  {"out.bam.bai": "out.bam", "out.bam.csi": "out.bam"}),
    "guides": ("guides -f guides.tsv -m 3 g.fa -t 2 -o out.tsv --hits places.tsv.gz --json out.json", ["out.tsv", "places.tsv.gz", "out.json"], {}),
    "guides.spool": ("guides -f guides.tsv -m 3 g.fa -t 2 -o out.tsv --hits places.bam", ["out.tsv", "places.bam"], {}),
    "guides.design": ("guides --design --region one:1-600 -m 2 indexed.fa -o out.tsv", ["out.tsv"], {}),
    "guides.join": ("guides --design -m 2 g.fa -t 2 -o out.tsv.gz --json out.json", ["out.tsv.gz", "out.json"], {}),
    "part.guides": ("guides -f guides.tsv -m 3 g.fa --chunk 2/3 --plan plan.tsv -o out.bsp --hits places.bed", ["out.bsp"], {}),
    "part.pcr": ("pcr -f pairs.tsv -k 2 g.fa --chunk 2/3 --plan plan.tsv -t 2 -o out.bsp", ["out.bsp"], {}),
    "part.pwm": ("pwm -m m.jaspar -p 1e-3 g.fa --table count --chunk 2/3 --plan plan.tsv -o out.bsp --json out.json", ["out.bsp", "out.json"], {}),
    "part.map": ("map -r g.fa -k 3 r.fq --chunk 2/3 -t 2 -o out.bsp", ["out.bsp"], {}),
    "pwm": ("pwm -m m.jaspar -p 1e-3 g.fa -t 2 -o out.bed.gz", ["out.bed.gz"], {}),
    "pwm.table": ("pwm -m m.jaspar -p 1e-3 r.fq --table count -o out.tsv", ["out.tsv"], {}),
    "pcr": ("pcr -f pairs.tsv -k 2 g.fa -t 2 -o out.tsv", ["out.tsv"], {}),
    "pcr.spool": ("pcr -f pairs.tsv -k 2 g.fa -t 2 -o out.bam", ["out.bam"], {}),
    "compile": ("compile -f many.tsv -k 2 --max-indels 0 -o out.bsx", ["out.bsx"], {}),
    "compile.pairs": ("compile --pairs -f pairs.tsv -k 2 -o out.bsx", ["out.bsx"], {}),
    "merge.guides": ("merge guides1.bsp guides2.bsp guides3.bsp -o out.tsv --hits places.bed", ["out.tsv", "places.bed"], {}),
    "merge.count": ("merge count1.bsp count2.bsp count3.bsp -o out.csv --json out.json", ["out.csv", "out.json"], {}),
    "merge.best": ("merge match1.bsp match2.bsp match3.bsp --report best-per-record -t 2 -o out.tsv.gz", ["out.tsv.gz"], {}),
    "merge.sites": ("merge sites1.bsp sites2.bsp sites3.bsp -t 2 -o out.bed", ["out.bed"], {}),
    "merge.table": ("merge table1.bsp table2.bsp table3.bsp -o out.csv", ["out.csv"], {}),
    "merge.products": ("merge products1.bsp products2.bsp products3.bsp -t 2 -o out.bam --json out.json", ["out.bam", "out.json"], {}),
    "merge.map": ("merge map1.bsp map2.bsp map3.bsp -t 2 -o out.bam", ["out.bam"], {}),
    "demux": ("demux -s sheet.tsv -k 2 tagged.fq -o . --name out.{sample} --force --json out.json",
              ["summary.tsv", "reasons.tsv", "out.json", *(f"out.{sample}.fastq.gz" for sample in ("s0", "s1", "s2", "s3", "unassigned"))], {}),
    "demux.bam": ("demux -s sheet.tsv -k 2 r.bam -t 2 -o . --name out.{sample} --force",
                  ["summary.tsv", "reasons.tsv", *(f"out.{sample}.bam" for sample in ("s0", "s1", "s2", "s3", "unassigned"))], {}),
    "trim": ("trim -m 20 -1 tagged.fq -2 mates.fq.gz -t 2 -o out_1.fq.gz -p out_2.fq", ["out_1.fq.gz", "out_2.fq"], {}),
    "trim.bam": ("trim -a AGATCGGAAGAGC r.bam -t 2 -o out.bam --table out.tsv", ["out.bam", "out.tsv"], {}),
    "count.guides": ("count -l library.tsv tagged.fq -t 2 -o out.tsv --summary samples.tsv", ["out.tsv", "samples.tsv"], {}),
    "pack": ("pack g.fa -o out.2bit", ["out.2bit"], {}),
}
MAX_PENDING = 6  # changes of names of which all subsets are tried


class File:
    """Its bytes, and those that are on the disk."""
    def __init__(self, content=b""):
        self.now, self.synced = bytearray(content), bytes(content)


class Disk:
    """One folder."""
    def __init__(self, content):
        self.names = {name: File(data) for name, data in content.items()}
        self.synced_names = dict(self.names)
        self.pending = []  # changes of names since the last fsync of the folder: (name, file or None)
        self.open = {}     # descriptor -> [file or "folder", position]

    def rename_to(self, name, file):
        self.pending.append((name, file))
        if file is None:
            self.names.pop(name, None)
        else:
            self.names[name] = file

    def apply(self, call, arguments, data):
        if call == "open":
            fd, flags, name = int(arguments[0]), int(arguments[1]), arguments[2]
            if flags & os.O_TMPFILE == os.O_TMPFILE:
                self.open[fd] = [File(), 0]
                return
            if flags & os.O_DIRECTORY:
                self.open[fd] = ["folder", 0]
                return
            if name not in self.names and not flags & os.O_CREAT:  # a file elsewhere
                self.open.pop(fd, None)
                return
            if name not in self.names:
                self.rename_to(name, File())
            file = self.names[name]
            if flags & os.O_TRUNC:
                file.now.clear()
            self.open[fd] = [file, 0]
        elif call == "rename":
            file = self.names[arguments[0]]
            self.rename_to(arguments[1], file)
            self.rename_to(arguments[0], None)
        elif call == "link":
            self.rename_to(arguments[1], self.names[arguments[0]])
        elif call == "unlink":
            self.rename_to(arguments[0], None)
        elif call == "dup":  # the two have one position
            if int(arguments[0]) in self.open:
                self.open[int(arguments[1])] = self.open[int(arguments[0])]
        elif int(arguments[0]) in self.open:
            self.apply_to_open(call, arguments, data)

    def apply_to_open(self, call, arguments, data):
        fd = int(arguments[0])
        file, position = self.open[fd]
        if call == "close":
            del self.open[fd]
        elif file == "folder":
            self.synced_names, self.pending = dict(self.names), []
        elif call == "fsync":
            file.synced = bytes(file.now)
        elif call == "write":
            self.put(file, position, data)
            self.open[fd][1] += len(data)
        elif call == "pwrite":
            self.put(file, int(arguments[2]), data)
        elif call == "lseek":
            self.open[fd][1] = int(arguments[1])
        elif call == "ftruncate":
            size = int(arguments[1])
            file.now[:] = file.now[:size].ljust(size, b"\0")

    @staticmethod
    def put(file, at, data):
        if len(file.now) < at:
            file.now.extend(bytes(at - len(file.now)))
        file.now[at:at + len(data)] = data

    def states(self):
        """What a crash now may leave: name -> all contents that the file may have."""
        yield {name: [bytes(file.now)] for name, file in self.names.items()}
        few = self.pending[-MAX_PENDING:]
        for chosen in itertools.product((False, True), repeat=len(few)):
            names = dict(self.synced_names)
            for name, file in self.pending[:-MAX_PENDING] + [change for change, on_disk in zip(few, chosen) if on_disk]:
                if file is None:
                    names.pop(name, None)
                else:
                    names[name] = file
            yield {name: [bytes(file.now), file.synced] for name, file in names.items()}


def read_log(path):
    """Yields the calls of a log: name, arguments, bytes."""
    log = path.read_bytes()
    at = 0
    while at < len(log):
        end = log.index(b"\n", at)
        call, *arguments = log[at:end].decode().split("\t")
        at = end + 1
        size = int(arguments[1]) if call in ("write", "pwrite") else 0
        yield call, arguments, log[at:at + size]
        at += size


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def inside(folder, call, arguments):
    """The arguments with names of files in the folder; None for a call about other files."""
    count = {"open": 1, "unlink": 1, "rename": 2, "link": 2}.get(call, 0)
    if count == 0:
        return arguments
    if call == "open" and int(arguments[1]) & os.O_DIRECTORY:
        return arguments if os.path.realpath(folder / arguments[2]) == str(folder) else None
    paths = [os.path.join(folder, path) for path in arguments[-count:]]
    if any(os.path.realpath(os.path.dirname(path)) != str(folder) for path in paths):
        return None
    return arguments[:-count] + [os.path.basename(path) for path in paths]


def wrong(state, before, after, outputs, indices):
    """What is wrong with a state; empty: nothing."""
    def ages(name):
        found = state.get(name, [None])
        return {"old" if data == before.get(name) else "new" if data == after.get(name) else "broken" for data in found}
    for name in outputs:
        if name in before and name not in state and name not in indices:
            return f"{name} is gone"
        if "broken" in ages(name) and name in state:
            return f"{name} is neither old nor whole"
    for index, output in indices.items():
        if index in state and ages(index) != ages(output):
            return f"{index} is {'/'.join(ages(index))}, but {output} is {'/'.join(ages(output))}"
    return ""


def check(binary, shim, files, job, old):
    """Returns the number of states that were looked at, and what was wrong."""
    words, outputs, indices = JOBS[job]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name)) / "out"
        folder.mkdir()
        (folder.parent / "tmp").mkdir()
        for source in files.iterdir():
            os.link(source, folder / source.name)
        for output in outputs if old else ():
            (folder / output).write_bytes(b"of an earlier run\n")
        before = files_in(folder)
        log = folder.parent / "log"
        environment = {**os.environ, "LD_PRELOAD": shim, "FAULT_LOG": str(log), "TMPDIR": str(folder.parent / "tmp")}
        done = subprocess.run([binary, *words.split(), "--quiet"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        if done.returncode != 0:
            return 0, [f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"]
        after = files_in(folder)
        disk, states, found = Disk(before), 0, []
        for number, (call, arguments, data) in enumerate(read_log(log), 1):
            arguments = inside(folder, call, arguments)
            if arguments is None:
                if call == "open":
                    disk.open.pop(int(arguments[0]) if arguments else -1, None)
                continue
            disk.apply(call, arguments, data)
            if call in ("lseek", "close"):
                continue
            for state in disk.states():
                states += 1
                if what := wrong(state, before, after, outputs, indices):
                    found.append(f"after call {number}, {call} {' '.join(arguments)}: {what}")
                    break
        left = {name: bytes(file.now) for name, file in disk.names.items()}
        if left != after:
            found.append(f"the log does not give the files that the run left: {sorted(n for n in {*left, *after} if left.get(n) != after.get(n))}")
        if disk.pending:
            found.append(f"at the end these names may not be on the disk: {sorted({name for name, _ in disk.pending})}")
        for output in outputs:
            if output in after and output not in indices and after[output] == before.get(output):
                found.append(f"{output} was not written")
        return states, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("shim")
    parser.add_argument("--job", choices=JOBS)
    options = parser.parse_args()
    binary, shim = os.path.abspath(options.binary), os.path.abspath(options.shim)
    states, wrong_jobs = 0, 0
    with tempfile.TemporaryDirectory() as name:
        files = pathlib.Path(name)
        faults.make_files(files, binary)
        for job in [options.job] if options.job else JOBS:
            for old in (False, True):
                count, found = check(binary, shim, files, job, old)
                states += count
                wrong_jobs += bool(found)
                for what in found[:5]:
                    print(f"WRONG  {JOBS[job][0]}{', over older files' if old else ''}\n       {what}", flush=True)
    print(f"{states} states looked at, {wrong_jobs} runs wrong")
    sys.exit(1 if wrong_jobs or not states else 0)


if __name__ == "__main__":
    main()
