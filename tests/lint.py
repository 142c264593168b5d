#!/usr/bin/env python3
"""Runs the hooks of .pre-commit-config.yaml on a copy of all tracked files; ctest runs it as `lint`.

pre-commit and its tools are fetched once into BASESWEEP_LINT_CACHE (default: build/lint). A hook whose tool cannot be had
is skipped, with the reason. Exits 1 when a hook finds something, 77 when nothing could be run.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CACHE = pathlib.Path(os.environ.get("BASESWEEP_LINT_CACHE") or ROOT / "build/lint").resolve()
PRE_COMMIT = "pre-commit==4.7.0"
NOTHING_RUN = 77
TOOL_MISSING = 3  # what pre-commit ends with when a hook cannot be installed


def call(*command, folder=ROOT):
    return subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, universal_newlines=True,
                          env={**os.environ, "PRE_COMMIT_HOME": str(CACHE / "hooks")})


def last_lines(output):
    return " / ".join(line.strip() for line in output.splitlines() if line.strip())[-300:]


def copy_tracked(folder):
    """A repository of the tracked files as they are now, for hooks that mend what they find. Why there is none, or None."""
    listed = call("git", "ls-files", "-z")
    if listed.returncode != 0:
        return f"not in a git repository: {last_lines(listed.stdout)}"
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    call("git", "init", "--quiet", folder=folder)
    call("git", "add", "--all", "--force", folder=folder)
    return None


def install():
    """Why pre-commit cannot be had, or None."""
    for command in ([sys.executable, "-m", "venv", CACHE / "venv"],
                    [CACHE / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", PRE_COMMIT]):
        done = call(*command)
        if done.returncode != 0:
            return f"{PRE_COMMIT} cannot be had: {last_lines(done.stdout)}"
    return None


def run_hooks(folder):
    codes = set()
    for hook in re.findall(r"^ +- id: (\S+)", (ROOT / ".pre-commit-config.yaml").read_text(), re.MULTILINE):
        done = call(CACHE / "venv/bin/pre-commit", "run", hook, "--all-files", "--color=never", "--show-diff-on-failure",
                    folder=folder)
        codes.add(done.returncode)
        if done.returncode == 0:
            print(f"passed {hook}")
        elif done.returncode == TOOL_MISSING:
            print(f"skipped {hook}: its tool cannot be had: {last_lines(done.stdout)}")
        else:
            print(f"failed {hook}\n{done.stdout}")
            call("git", "checkout", "--quiet", ".", folder=folder)
    if not codes <= {0, TOOL_MISSING}:
        return 1
    return 0 if 0 in codes else NOTHING_RUN


def main():
    with tempfile.TemporaryDirectory(prefix="basesweep-lint.") as folder:
        reason = copy_tracked(pathlib.Path(folder)) or install()
        if reason:
            print(f"skipped: {reason}")
            return NOTHING_RUN
        return run_hooks(folder)


if __name__ == "__main__":
    sys.exit(main())
