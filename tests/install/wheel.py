#!/usr/bin/env python3
"""Installs the wheel for this Python in an empty virtual environment, runs the tests of python/tests there, and searches in a root of
Debian that has Python and nothing else, where this machine can make one and its Python is the one that the wheel is for.

    wheel.py FOLDER PROGRAM     FOLDER: of the wheels, see scripts/wheel.sh; PROGRAM: basesweep, whose answers tests compare with

Exits 1 when something fails. With BASESWEEP_RELEASED it also does where no root of Debian can be made, since the wheels of a release
must be tried whole.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import debian_root

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 6 << 20
MOST_SECONDS = 0.05  # to import it
TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"
SEARCH = ("import basesweep as bs; import sys; assert 'numpy' not in sys.modules; "
          "print(list(bs.match('GATTACAGATTACA', {'r': 'CCGATTACATATTACACC'}, k=1, columns=['start', 'cigar'])))")
STRICT = bool(os.environ.get("BASESWEEP_RELEASED"))
FOUND = "[(2, '7=1X6=')]\n"
IMPORT = "import time; begin = time.perf_counter(); import basesweep; print(time.perf_counter() - begin)"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def wheel_in(folder):
    own = "cp312-abi3" if sys.version_info >= (3, 12) else f"{TAG}-{TAG}"
    return next(path for path in sorted(folder.glob("*.whl"), key=os.path.getmtime, reverse=True) if own in path.name)


def check(what, good, told=""):
    print(f"{what}: {'good' if good else 'WRONG'}{f' ({told})' if told else ''}", flush=True)
    return good


def has_licences(wheel):
    """Each library has one, and the texts that they only name are there."""
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        licences = {pathlib.PurePath(name).name: file.read(name).decode(errors="replace") for name in names if "/licenses/" in name}
        metadata = file.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    libraries = sum(name.startswith("basesweep.libs/") for name in names)
    listed = metadata.count("License-File: ")
    named = {found for text in licences.values() for found in re.findall("/usr/share/common-licenses/([A-Za-z]+-[0-9.]*[0-9])", text)}
    good = "LICENSE" in licences and len(licences) > libraries and listed == len(licences) and named <= set(licences)
    return check("licences", good, f"{len(licences)} texts for {libraries} libraries")


def in_an_environment(wheel, program, folder):
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv/bin/python"
    installed = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel)
    good = check("install without other packages", installed.returncode == 0, installed.stderr)
    alone = run(python, "-c", SEARCH, cwd=folder)
    good &= check("a search without NumPy", alone.stdout == FOUND, alone.stderr.strip())
    seconds = min(float(run(python, "-c", IMPORT, cwd=folder).stdout or "9") for _ in range(5))
    good &= check("import", seconds <= MOST_SECONDS, f"{seconds:.3f} s")
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numpy", "hypothesis")
    for test in ("process", "basesweep", "random"):
        done = run(python, ROOT / f"python/tests/test_{test}.py", cwd=folder, env={**os.environ, "BASESWEEP_BINARY": str(program.resolve())})
        good &= check(f"test_{test}", done.returncode == 0, done.stderr.strip().rpartition("\n")[2] if done.returncode == 0 else done.stderr)
    return good


def in_a_root(wheel):
    reason = debian_root.missing()
    if reason:
        return check("a bare Debian", not STRICT, f"skipped: {reason}")
    with debian_root.unpacked() as root:
        prepared = debian_root.inside(root, "sh", "-c", "apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-pip >/dev/null")
        if prepared.returncode != 0:
            return check("a bare Debian", not STRICT, f"skipped: {prepared.stderr[-200:]}")
        its = debian_root.inside(root, "python3", "-c", "import sys; print('cp%d%d' % sys.version_info[:2])").stdout.strip()
        served = "abi3" in wheel.name and its not in ("cp39", "cp310", "cp311")
        if its != TAG and not served:
            return check("a bare Debian", True, f"skipped: its Python is {its}")
        shutil.copy(wheel, root / wheel.name)
        installed = debian_root.inside(root, "python3", "-m", "pip", "install", "--quiet", "--break-system-packages", "--no-index", f"/{wheel.name}")
        good = check("install in a bare Debian", installed.returncode == 0, installed.stderr.strip())
        searched = debian_root.inside(root, "python3", "-c", SEARCH)
        return good & check("a search in a bare Debian", searched.stdout == FOUND, searched.stderr.strip())


def main():
    folder, program = (pathlib.Path(word) for word in sys.argv[1:3])
    wheel = wheel_in(folder)
    print(f"{sys.version.split()[0]}: {wheel.name}")
    good = check("size", wheel.stat().st_size <= MOST_BYTES, f"{wheel.stat().st_size:,} bytes") & has_licences(wheel)
    with tempfile.TemporaryDirectory(prefix="basesweep-wheel.") as scratch:
        good &= in_an_environment(wheel, program, pathlib.Path(scratch))
    good &= in_a_root(wheel)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
