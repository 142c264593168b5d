"""Calls Snakemake many times but imports it once, which takes longer than most calls.

Reads calls as lines of JSON: arguments, folder, environment, seconds (after which the call is ended), and the file that its output goes to.
Answers each with a line: the exit code, or minus the number of the signal that ended the call.
"""
import json
import os
import signal
import sys

from snakemake.cli import main


def call(arguments, folder, environment, seconds, output):
    """Runs one call in this process, which it ends."""
    signal.alarm(seconds)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for descriptor in (1, 2):
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["snakemake", *arguments]
    main()


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        call(**json.loads(line))
        sys.exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
