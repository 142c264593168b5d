"""Checks SAM and BAM files with samtools and Picard. Each check returns the fault, or None.

References must be in the order of the FASTA file, as basesweep writes them.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

PICARD_JAR = "/usr/share/java/picard.jar"
SECONDS = 300  # no call takes longer
# Patterns are not reads: they have no read group and no sequencing platform.
PICARD_IGNORES = ["MISSING_READ_GROUP"]
SHOWN_LINES = 10
CIGAR_RUN = re.compile(r"(\d+)([MIDNSHP=X])")
WRONG_NM = re.compile(r"ERROR::INVALID_TAG_NM:Record (\d+), .*file \[(\d+)\] does not match reality \[(\d+)\]")


def call(*arguments):
    return subprocess.run([str(a) for a in arguments], capture_output=True, timeout=SECONDS,
                          check=False)


@functools.lru_cache(None)
def have_samtools():
    return shutil.which("samtools") is not None


@functools.lru_cache(None)
def picard():
    """Returns the command that starts Picard, or None."""
    if os.path.exists(PICARD_JAR) and shutil.which("java") is not None:
        return ("java", "-jar", PICARD_JAR)
    return next(((name,) for name in ("picard-tools", "picard") if shutil.which(name) is not None), None)


def have_picard():
    return picard() is not None


def told(done):
    return f"{' '.join(done.args[:3])}: exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}"


def first_difference(found, expected):
    for number, (a, b) in enumerate(zip(found + ["<end>"], expected + ["<end>"]), 1):
        if a != b:
            return f"line {number}: ours {a!r}, theirs {b!r}"
    return None if len(found) == len(expected) else f"ours {len(found)} lines, theirs {len(expected)}"


def sam_lines(path, fasta=None):
    """Returns header and alignments as lines of SAM. CRAM needs its reference."""
    done = call("samtools", "view", "-h", "--no-PG", *(["-T", fasta] if fasta else []), path)
    if done.returncode != 0:
        raise AssertionError(told(done))
    return done.stdout.decode().splitlines()


def check_quick(path):
    """samtools quickcheck."""
    done = call("samtools", "quickcheck", "-v", path)
    return None if done.returncode == 0 else told(done) + done.stdout.decode()


def check_calmd(path, fasta):
    """samtools calmd must leave NM and MD, and all else, as they are."""
    with tempfile.TemporaryDirectory(prefix="basesweep-calmd.") as folder:
        copy = pathlib.Path(folder) / "reference.fa"
        # samtools makes an index beside the file, but not when the last record is empty.
        copy.write_text("".join(f">{name}\n{letters}\n" for name, letters in references(fasta).items() if letters))
        done = call("samtools", "calmd", "--no-PG", path, copy)
    # samtools warns of each tag that it changes.
    complaints = [line for line in done.stderr.decode().splitlines() if "bam_fillmd1" in line]
    if done.returncode != 0 or complaints:
        return f"samtools calmd: exit {done.returncode}: {complaints[:SHOWN_LINES] or done.stderr!r}"
    difference = first_difference(sam_lines(path), done.stdout.decode().splitlines())
    return difference and f"samtools calmd: {difference}"


def references(fasta):
    """Returns {name: letters in upper case}."""
    letters, name = {}, None
    for line in pathlib.Path(fasta).read_text(encoding="ascii").splitlines():
        if line.startswith(">"):
            name = (line[1:].split(None, 1) or [""])[0]
            letters[name] = []
        elif name is not None:
            letters[name].append(line.strip().upper())
    return {name: "".join(parts) for name, parts in letters.items()}


def n_on_n(path, fasta):
    """Columns in which N is aligned to N, or to a dot, which Picard takes for N: a dict from the number of the
    alignment (from 1) to how many it has."""
    letters, found = references(fasta), {}
    alignments = [line.split("\t") for line in sam_lines(path) if not line.startswith("@")]
    for number, fields in enumerate(alignments, 1):
        if fields[5] == "*":
            continue
        reference, at, sequence, i, count = letters[fields[2]], int(fields[3]) - 1, fields[9], 0, 0
        for length, op in CIGAR_RUN.findall(fields[5]):
            if op in "M=X":
                pairs = zip(sequence[i:i + int(length)], reference[at:at + int(length)])
                count += sum(a == "N" and b in "N." for a, b in pairs)
            i += int(length) if op in "MIS=X" else 0
            at += int(length) if op in "MDN=X" else 0
        if count:
            found[number] = count
    return found


def check_picard(path, fasta=None):
    """Picard ValidateSamFile on a copy that samtools sorted. With `fasta`, NM too, but that calmd, which we follow,
    counts N aligned to N as a difference and Picard does not: there NM may be larger, by just those columns."""
    with tempfile.TemporaryDirectory(prefix="basesweep-picard.") as folder:
        folder = pathlib.Path(folder)
        sorted_copy = folder / "sorted.bam"
        done = call("samtools", "sort", "--no-PG", "-o", sorted_copy, path)
        if done.returncode != 0:
            return told(done)
        options = [f"I={sorted_copy}", "MODE=VERBOSE", "IGNORE_WARNINGS=true", "MAX_OUTPUT=1000000", "QUIET=true",
                   "VERBOSITY=ERROR", "USE_JDK_DEFLATER=true", "USE_JDK_INFLATER=true"]
        if not any(line.startswith("@RG") for line in sam_lines(path)):
            options += [f"IGNORE={name}" for name in PICARD_IGNORES]
        excused = {}
        if fasta is not None:
            copy = folder / "reference.fa"  # without an index: samtools leaves empty records out of it
            shutil.copyfile(fasta, copy)
            options.append(f"R={copy}")
            excused = n_on_n(sorted_copy, fasta)
        done = call(*picard(), "ValidateSamFile", *options)
    lines = (done.stdout + done.stderr).decode(errors="replace").splitlines()
    errors = []
    for line in lines:
        wrong_nm = WRONG_NM.match(line)
        if wrong_nm:
            number, ours, theirs = map(int, wrong_nm.groups())
            if ours - theirs == excused.get(number, 0):
                continue
        if line.startswith("ERROR") or "Exception" in line:
            errors.append(line)
    if errors:
        return f"Picard: {len(errors)} errors: " + "; ".join(errors[:SHOWN_LINES])
    # Exit 3: only errors that are excused above; 2: warnings.
    known = done.returncode in (0, 2, 3) and any("No errors found" in line or "ERROR::" in line for line in lines)
    return None if known else f"Picard: exit {done.returncode}: {lines[-SHOWN_LINES:]}"
