#!/usr/bin/env python3
"""Tests of the program's own documentation: --help and its examples, man pages, completions, citation.

    run.py [TEST...]     for example: run.py test_man test_examples.Help

Environment: BASESWEEP_BINARY           the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_NAMES_UPDATE     1: test_names writes names.txt anew
             BASESWEEP_PROJECT_VERSION  the project's version (default: what scripts/version.py prints)
Needs Python 3.8 or later and bash. Tests of man, mandoc, groff, zsh, fish, bash-completion, PyYAML, cffconvert and universal-ctags are skipped
where these are missing, with the reason. Exits 1 when a test fails, 77 when nothing was tested.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True

import suite
import support

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BINARY, sys.argv[1:]))
