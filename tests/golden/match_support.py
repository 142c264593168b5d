"""Shared by the tests of `match`: support.py's case for that command."""
import functools
import subprocess

from support import BINARY, CORNER, Case, algorithm_words, run

run_match = functools.partial(run, command="match")


@functools.lru_cache(None)
def algorithms():
    return algorithm_words("match")


@functools.lru_cache(None)
def version():
    return subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split()[1]


def patterns_file(motifs):
    return "".join(f"{name}\t{motif}\n" for name, motif in motifs)


def fasta(records, width=60):
    lines = []
    for name, letters in records:
        lines += [f">{name}"] + [letters[i:i + width] for i in range(0, len(letters), width)]
    return "\n".join(lines) + "\n"


class MatchCase(Case):
    def run_here(self, *arguments, **options):
        return run_match(*arguments, cwd=self.folder, **options)

    def takes(self, algorithm, *arguments):
        """True when an algorithm takes the patterns; otherwise checks that the message says why not."""
        done = self.run_here("--algorithm", algorithm, *arguments, CORNER / "one_base.fa", "--format", "tsv")
        if done.returncode == 0:
            return True
        self.assertEqual(done.returncode, 2, f"{algorithm} {arguments}: {done.stderr!r}")
        self.assertRegex(done.stderr.decode(), rf"\Abasesweep: algorithm {algorithm} cannot take pattern '[^']+': \S.*\n\Z")
        return False

    def taking(self, *arguments):
        return [a for a in algorithms() if self.takes(a, *arguments)]
