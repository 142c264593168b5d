"""Runs the tests of a folder; the run.py of each folder of Python tests calls it."""
import os
import signal
import sys
import time
import unittest

NOTHING_RAN = 77  # ctest's SKIP_RETURN_CODE


def main(folder, program, names, about=lambda: ""):
    """Runs the named tests, or all of the folder, and prints which were skipped and why. `about()`: printed at the end.

    Returns 0, 1 when a test failed or the program is missing, or NOTHING_RAN. The files of a release (BASESWEEP_RELEASED) must pass all
    tests: there, one that is skipped counts as failed.
    """
    if not os.access(program, os.X_OK):
        print(f"run.py: no program at {program}", file=sys.stderr)
        return 1
    for number in (signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(number) == signal.SIG_IGN:  # after nohup or &; the programs tested would ignore it too, but do not inherit a handler
            signal.signal(number, lambda *_: None)
    loader = unittest.defaultTestLoader
    tests = loader.loadTestsFromNames(names) if names else loader.discover(str(folder), "test_*.py")
    begin = time.monotonic()
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    seconds = time.monotonic() - begin
    for test, reason in result.skipped:
        print(f"skipped {test.id()}: {reason}")
    ran = result.testsRun - sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)  # a skipped class ran no test
    print(f"{folder.name}: {ran} tests run, {len(result.skipped)} tests or classes skipped, {seconds:.1f} s; {program}"
          f"{about()}")
    if not result.wasSuccessful() or (os.environ.get("BASESWEEP_RELEASED") and result.skipped):
        return 1
    return 0 if ran else NOTHING_RAN
