#!/usr/bin/env python3
"""Makes a clean root of this machine's Debian or Ubuntu with mmdebstrap: essential packages and apt, nothing else.

    debian_root.py     makes root.tar if it is missing, and prints its path

The archive is made once, from the repositories this machine's apt uses, and kept in BASESWEEP_INSTALL_CACHE (default:
build/dev/tests/install). `tarball()` returns its path, or the reason why it cannot be made; `unpacked()` unpacks it into a folder.
"""
import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("BASESWEEP_INSTALL_CACHE") or ROOT / "build/dev/tests/install").resolve()
SOURCES = ("/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list.d/ubuntu.sources")
SHARED_MEMORY = "/dev/shm"
ROOM = 2 << 30  # bytes that a root may need
ESSENTIAL_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def codename():
    """Returns the name of this machine's release (bookworm, noble...), or an empty string."""
    with contextlib.suppress(OSError):
        found = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.MULTILINE)
        return found.group(1) if found else ""
    return ""


def scratch():
    """Returns a folder in memory if there is room, because dpkg syncs each file, which takes a minute on a disk; or None."""
    with contextlib.suppress(OSError):
        restricted = os.statvfs(SHARED_MEMORY).f_flag & (os.ST_NODEV | os.ST_NOEXEC)
        if not restricted and shutil.disk_usage(SHARED_MEMORY).free >= 2 * ROOM:
            return SHARED_MEMORY
    return None


def apt_options():
    """Returns the options with which this machine's apt reaches its repositories."""
    dump = subprocess.run(["apt-config", "dump"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return [line for line in dump.splitlines() if re.match(r"Acquire::(Check-|https?::Proxy )", line)]


def missing():
    """Returns the reason why no root can be made or used here, or None."""
    if os.geteuid() != 0:
        return "not root, so no chroot"
    if not shutil.which("mmdebstrap"):
        return "no mmdebstrap"
    if not codename():
        return "/etc/os-release names no release"
    return None


def tarball():
    """Returns the path of root.tar and None, or None and the reason why it cannot be made."""
    reason = missing()
    if reason:
        return None, reason
    CACHE.mkdir(parents=True, exist_ok=True)
    tar = CACHE / "root.tar"
    with open(CACHE / "root.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not tar.exists():
            part = CACHE / "root.part.tar"
            sources = [path for path in SOURCES if os.path.exists(path) and os.path.getsize(path)]
            done = subprocess.run(
                ["mmdebstrap", "--quiet", "--variant=apt", *(f"--aptopt={line}" for line in apt_options()), codename(),
                 part, *sources],
                env={**os.environ, "TMPDIR": scratch() or tempfile.gettempdir()}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
            if done.returncode != 0:
                return None, f"mmdebstrap cannot make it: {' '.join(done.stdout.splitlines()[-3:])[-300:]}"
            part.rename(tar)
    return tar, None


@contextlib.contextmanager
def unpacked():
    """Unpacks a root into a temporary folder."""
    tar, reason = tarball()
    if reason:
        raise RuntimeError(reason)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-root.", dir=scratch()))
    try:
        subprocess.run(["tar", "-C", folder, "-xf", tar], check=True)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        yield folder
    finally:
        shutil.rmtree(folder)


def inside(root, *command, **options):
    """Runs a command in a root, without this machine's environment variables."""
    return subprocess.run(
        ["chroot", root, *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, check=False, text=True,
        env={"PATH": ESSENTIAL_PATH, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}, **options)


if __name__ == "__main__":
    made, why = tarball()
    if why:
        sys.exit(f"debian_root.py: {why}")
    print(made)
