"""Shared by the tests of workflows: the program, the engines, small data that are always the same."""
import contextlib
import fcntl
import functools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.path.abspath(os.environ.get("BASESWEEP_BINARY") or ROOT / "build/dev/basesweep")
CACHE = pathlib.Path(os.environ.get("BASESWEEP_WORKFLOWS_CACHE") or ROOT / "build/workflows").resolve()
DATA = ROOT / "test-data"
SECONDS = 300  # limit of one call

NEXTFLOW = "24.10.0"  # the last version with all parts on Maven Central
MULTIQC = "1.35"
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>basesweep.tests</groupId> <artifactId>nextflow</artifactId> <version>1</version> <packaging>pom</packaging>
  <dependencies>
    <dependency> <groupId>io.nextflow</groupId> <artifactId>nextflow</artifactId> <version>{NEXTFLOW}</version> </dependency>
  </dependencies>
</project>
"""
# Packages that Nextflow's own launcher opens on Java 17
OPENED = """java.lang java.io java.nio java.nio.file.spi java.net java.util java.util.concurrent.atomic
            java.util.concurrent.locks java.util.regex jdk.internal.misc jdk.internal.vm sun.net.www.protocol.file
            sun.net.www.protocol.ftp sun.net.www.protocol.http sun.net.www.protocol.https sun.nio.ch sun.nio.fs"""


@contextlib.contextmanager
def locked(name):
    """Locks a folder of the cache, so that one process at a time fills it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield CACHE / name


def installed(name, commands):
    """Returns the folder CACHE/name, filled once by `commands`, and None, or the reason why that failed."""
    with locked(name) as folder:
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for command in commands(folder):
                done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, check=False, text=True)
                if done.returncode != 0:
                    return folder, f"{pathlib.Path(command[0]).name} cannot fetch it: {first_error(done.stdout)}"
            (folder / "complete").touch()
        return folder, None


def from_pypi(name, *requirements, python=sys.executable):
    """Returns the folder of a virtual environment with these packages, and None, or the reason why there is none."""
    def commands(folder):
        yield [python, "-m", "venv", folder]
        yield [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    return installed(name, commands)


def first_error(output):
    lines = [line for line in output.splitlines() if line.strip()]
    return next((line for line in lines if "ERROR" in line), lines[-1] if lines else "")[:300]


def java_version():
    if not shutil.which("java"):
        return 0
    said = subprocess.run(["java", "-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          text=True).stdout
    found = re.search(r'version "(\d+)', said)
    return int(found.group(1)) if found else 0


@functools.lru_cache(None)
def nextflow():
    """Returns the command for Nextflow, and None or the reason why there is none."""
    if os.environ.get("BASESWEEP_NEXTFLOW"):
        return [os.path.abspath(os.environ["BASESWEEP_NEXTFLOW"])], None
    if java_version() < 17:
        return [], "no Java 17 or later"
    name = f"nextflow-{NEXTFLOW}"
    if not shutil.which("mvn") and not (CACHE / name / "complete").exists():
        return [], "no mvn to fetch Nextflow"

    def commands(folder):
        (folder / "pom.xml").write_text(POM)
        yield ["mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=jars"]
    folder, reason = installed(name, commands)
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED.split()]
    return ["java", *opened, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-cp", f"{folder}/jars/*",
            "nextflow.cli.Launcher"], reason


@functools.lru_cache(None)
def multiqc():
    """Returns the folder of MultiQC's virtual environment, and None or the reason why there is none."""
    return from_pypi(f"multiqc-{MULTIQC}-pytest", f"multiqc=={MULTIQC}", "pytest", "setuptools", "wheel")


@functools.lru_cache(None)
def takes(command, option):
    return option in basesweep(command, "--help").stdout


def basesweep(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, check=False,
                          **options)


def letters(rng, count):
    return "".join(rng.choice("ACGT") for _ in range(count))


def reverse_complement(sequence):
    return sequence[::-1].translate(str.maketrans("ACGT", "TGCA"))


def write_genomes(folder):
    """Writes one.fa and two.fa, with records of all lengths, also empty and short."""
    rng = random.Random(5)
    for name, lengths in (("one", (20000, 7, 0, 9000)), ("two", (300, 4000))):
        with open(folder / f"{name}.fa", "w") as file:
            for number, length in enumerate(lengths):
                sequence = letters(rng, length)
                rows = "".join(sequence[i:i + 60] + "\n" for i in range(0, length, 60))
                file.write(f">{name}_{number}\n{rows}")


def write_pairs(folder, genome, count):
    """Writes mates_1.fq and mates_2.fq: pairs from a sequence, with a few letters changed."""
    rng = random.Random(6)
    with open(folder / "mates_1.fq", "w") as first, open(folder / "mates_2.fq", "w") as second:
        for number in range(count):
            start = rng.randrange(len(genome) - 300)
            mates = [genome[start:start + 70], reverse_complement(genome[start + 220:start + 290])]
            for mate, file in zip(mates, (first, second)):
                at = rng.randrange(70)
                read = mate[:at] + rng.choice("ACGT") + mate[at + 1:]
                file.write(f"@pair_{number}\n{read}\n+\n{'I' * len(read)}\n")
