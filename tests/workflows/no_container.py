#!/usr/bin/env python3
"""Takes the place of `singularity` for miniwdl: runs a task on this machine, not in the image, with the folders where it expects them.

    no_container.py --version
    no_container.py pull ...                                          does nothing
    no_container.py exec --pwd FOLDER --bind HERE:THERE[:ro]... IMAGE WORD...

The folders are mounted in a name space of the kernel that only the task sees. Needs `unshare` of util-linux.
"""
import os
import pathlib
import shlex
import sys

MOUNTED = "/mnt"  # all folders of a task are below it, but for temporary ones, which stay those of the machine


def script(words):
    """Returns what a shell runs: it mounts the folders, and starts the program in its folder."""
    folder, lines = "/", [f"mount -t tmpfs none {MOUNTED}"]
    while words[0].startswith("-"):
        option, value = words[:2]
        words = words[2:]
        if option == "--pwd":
            folder = value
        elif option == "--bind":
            here, there = value.split(":")[:2]
            if there.startswith(MOUNTED + "/"):
                make = f"mkdir -p {shlex.quote(there)}" if pathlib.Path(here).is_dir() else f"touch {shlex.quote(there)}"
                lines += [f"mkdir -p {shlex.quote(str(pathlib.Path(there).parent))}", f"[ -e {shlex.quote(there)} ] || {make}",
                          f"mount --bind {shlex.quote(here)} {shlex.quote(there)}"]
    return "\n".join(["set -e", *lines, f"cd {shlex.quote(folder)}", "exec " + shlex.join(words[1:])])


def main(words):
    if words[:1] == ["exec"]:
        os.execvp("unshare", ["unshare", "--map-root-user", "--mount", "sh", "-c", script(words[1:])])
    if words[:1] == ["--version"]:
        print("no container")


if __name__ == "__main__":
    main(sys.argv[1:])
