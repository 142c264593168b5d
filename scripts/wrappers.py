#!/usr/bin/env python3
"""Writes what workflow engines know of basesweep, from what the program says of its options: wrapper.py of the wrappers of
Snakemake, descriptions of CWL, tasks of WDL, and tools of Galaxy.

    wrappers.py BASESWEEP [FOLDER]     FOLDER: what has the folders of the engines (default: workflows)

What the program cannot say of itself, such as which files it writes, stands in scripts/wrapping. A file there that no table
knows is an error.
"""
import pathlib
import sys

from wrapping import commands, cwl, galaxy, snakemake, wdl

WORKFLOWS = pathlib.Path(__file__).resolve().parents[1] / "workflows"


def main(program, folder):
    """Writes all of them."""
    known = commands.read(program)
    snakemake.write(known, folder / "snakemake/wrappers")
    cwl.write(known, folder / "cwl")
    wdl.write(known, folder / "wdl")
    galaxy.write(known, folder / "galaxy")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else WORKFLOWS)
