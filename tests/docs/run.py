#!/usr/bin/env python3
"""Runs the commands, and the blocks of Python and R, that README.md and docs/ show, and compares their output; checks figures and generated tables.

    run.py [TEST...]     for example: run.py test_commands.Commands.test_README

Environment: BASESWEEP_BINARY       the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_DOCS_UPDATE  if set, writes what the commands print into the pages
             BASESWEEP_DOCS_PYTHON  a Python with pandas, polars and duckdb (default: this one)
Needs Python 3.8 or later, bash, samtools and tabix. Blocks of Python and R are skipped where their packages are missing: pandas, polars and
duckdb; Rscript, GenomicRanges, rtracklayer and reticulate. Exits 1 when a test fails.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "help")]
sys.dont_write_bytecode = True

import suite
import support

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BINARY, sys.argv[1:]))
