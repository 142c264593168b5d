#!/usr/bin/env python3
"""Installs the package for the other Pythons of this machine, as `pip install .` does, and runs test_process.py with each.

    other_pythons.py BUILD [PYTHON...]   BUILD: a build folder, whose library they take; PYTHON: only these

Pythons are those of 3.9 and later on PATH and in pyenv's folder, one of each minor version but the running one. 3.12 makes the wheel of
later ones too. Environments and modules stay in BUILD/pythons. Exits 1 when something fails, 77 when there is no other Python.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STABLE = (3, 12)  # and later ones share a wheel


def version_of(python):
    said = subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False)
    return tuple(map(int, said.stdout.split())) if said.returncode == 0 else None


def pythons_at_hand():
    """Returns {(major, minor): path}."""
    found = [shutil.which(f"python3.{minor}") for minor in range(9, 20)]
    found += sorted(pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv").glob("versions/3.*/bin/python3"))
    of_version = {}
    for python in filter(None, found):
        version = version_of(python)
        if version is not None and version >= (3, 9) and version != sys.version_info[:2]:
            of_version.setdefault(version, python)
    return dict(sorted(of_version.items()))


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        print(done.stdout)
    return done.returncode == 0


def made_environment(python, folder):
    """Makes a virtual environment with what builds the package; returns whether it could."""
    if (folder / "complete").exists():
        return True
    shutil.rmtree(folder, ignore_errors=True)
    needed = re.search(r"requires = \[(.*)\]", (ROOT / "pyproject.toml").read_text()).group(1)
    good = (run(python, "-m", "venv", folder) and
            run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *re.findall('"([^"]+)"', needed)))
    if good:
        (folder / "complete").touch()
    return good


def built_wheel(pip, build, folder):
    """Returns the wheel of the Python that this pip belongs to, or None."""
    cache = (build / "CMakeCache.txt").read_text()
    cuda = re.search("^BASESWEEP_WITH_CUDA:[^=]*=(.*)$", cache, re.MULTILINE).group(1)
    shutil.rmtree(folder / "wheel", ignore_errors=True)
    settings = {"build-dir": folder / "build", "cmake.define.BASESWEEP_BUILT": build, "cmake.define.BASESWEEP_CUDA": cuda}
    done = run(pip, "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "wheel",
               *(f"--config-settings={name}={value}" for name, value in settings.items()), ROOT)
    return next((folder / "wheel").glob("*.whl")) if done else None


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    pythons = {version_of(python): python for python in sys.argv[2:]} or pythons_at_hand()
    if not pythons:
        print("skipped: there is no other Python")
        return 77
    good = True
    stable = None  # the wheel of the first Python that has the stable ABI
    for version, python in pythons.items():
        begin = time.monotonic()
        folder = build / "pythons" / ".".join(map(str, version))
        folder.mkdir(parents=True, exist_ok=True)
        if not made_environment(python, folder / "venv"):
            print(f"{python}: skipped: what builds the package cannot be installed", flush=True)
            continue
        wheel = stable or built_wheel(folder / "venv/bin/pip", build, folder)
        if version >= STABLE:
            stable = wheel
        passed = wheel is not None and run(folder / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                                           "--force-reinstall", wheel)
        made = time.monotonic() - begin
        passed = passed and run(folder / "venv/bin/python", ROOT / "python/tests/test_process.py", cwd=folder)
        print(f"{python}: {'good' if passed else 'WRONG'} ({made:.0f} s to build and install, {time.monotonic() - begin - made:.0f} s of tests)", flush=True)
        good &= passed
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
