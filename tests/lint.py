#!/usr/bin/env python3
"""Runs the hooks of .pre-commit-config.yaml on a copy of all tracked files.

    lint.py [HOOK...]           these hooks, by default all; ctest runs clang-format and ruff as `lint`
    lint.py --except HOOK...    all hooks but these; ctest runs them as `lint_others`

Installs pre-commit and its tools into BASESWEEP_LINT_CACHE (default: build/lint) on the first run. Skips a hook whose tool
cannot be installed, and prints the reason. Exits 1 when a hook finds something, 77 when no hook ran.
"""
import fcntl
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
TOOL_MISSING = 3  # exit code of pre-commit when it cannot install a hook


def call(*command, folder=ROOT):
    return subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, text=True,
                          env={**os.environ, "PRE_COMMIT_HOME": str(CACHE / "hooks")})


def last_lines(output):
    return " / ".join(line.strip() for line in output.splitlines() if line.strip())[-300:]


def copy_tracked(folder):
    """Makes a repository of the tracked files as they are now, because some hooks change files.

    Returns None, or the reason why it failed.
    """
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
    """Installs pre-commit unless it is there; returns None, or the reason why it failed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (CACHE / PRE_COMMIT).exists():
            return None
        for command in ([sys.executable, "-m", "venv", CACHE / "venv"],
                        [CACHE / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", PRE_COMMIT]):
            done = call(*command)
            if done.returncode != 0:
                return f"{PRE_COMMIT} cannot be installed: {last_lines(done.stdout)}"
        (CACHE / PRE_COMMIT).touch()
    return None


def run_hooks(hooks, folder):
    codes = set()
    for hook in hooks:
        done = call(CACHE / "venv/bin/pre-commit", "run", hook, "--all-files", "--color=never", "--show-diff-on-failure",
                    folder=folder)
        codes.add(done.returncode)
        if done.returncode == 0:
            print(f"passed {hook}")
        elif done.returncode == TOOL_MISSING:
            print(f"skipped {hook}: its tool cannot be installed: {last_lines(done.stdout)}")
        else:
            print(f"failed {hook}\n{done.stdout}")
            call("git", "checkout", "--quiet", ".", folder=folder)
    if not codes <= {0, TOOL_MISSING}:
        return 1
    return 0 if 0 in codes else NOTHING_RUN


def wanted_hooks(arguments):
    hooks = re.findall(r"^ +- id: (\S+)", (ROOT / ".pre-commit-config.yaml").read_text(), re.MULTILINE)
    excluded = arguments[:1] == ["--except"]
    named = arguments[1:] if excluded else arguments
    unknown = [name for name in named if name not in hooks]
    if unknown:
        sys.exit(f"lint.py: .pre-commit-config.yaml has no hook {', '.join(unknown)}")
    return [hook for hook in hooks if (hook not in named if excluded else not named or hook in named)]


def main():
    hooks = wanted_hooks(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="basesweep-lint.") as folder:
        reason = copy_tracked(pathlib.Path(folder)) or install()
        if reason:
            print(f"skipped: {reason}")
            return NOTHING_RUN
        return run_hooks(hooks, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
