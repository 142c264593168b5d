"""--progress: a bar on a terminal, plain lines elsewhere; the hits stay the same."""
import gzip
import lzma
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

from support import BINARY, LAMBDA, SECONDS, bgzf, environment, zstd

CALLS = (["motif", "-p", "GAATTC"], ["match", "-p", "GAATTCACG", "-k", "1"])


class Progress(unittest.TestCase):
    def test_lines_where_stderr_is_no_terminal(self):
        for call in CALLS:
            command = [BINARY, *call, str(LAMBDA)]
            plain = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True, env=environment())
            told = subprocess.run([*command, "--progress"], capture_output=True, timeout=SECONDS, check=True,
                                  env=environment())
            self.assertEqual(told.stdout, plain.stdout)
            self.assertRegex(told.stderr, rb"^basesweep: 48\.5 kb, 100 %, .*b/s, [0-9]+ hits, [0-9]+ s\n$")

    def test_percent_of_compressed_input(self):
        """By compressed bytes, of one file and of several, and unknown for a pipe."""
        text = gzip.decompress(LAMBDA.read_bytes())
        for data in (gzip.compress(text), bgzf(text), lzma.compress(text), zstd(text), text):
            with tempfile.NamedTemporaryFile() as file:
                file.write(data)
                file.flush()
                command = [BINARY, "motif", "-p", "GAATTC", "--progress"]
                shown = subprocess.run([*command, file.name, str(LAMBDA)], capture_output=True, timeout=SECONDS, check=True, env=environment())
                self.assertRegex(shown.stderr, rb"basesweep: 97 kb, 100 %, ")
                shown = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=True, env=environment())
                self.assertRegex(shown.stderr, rb"basesweep: 48\.5 kb, [0-9.]+ .?b/s, ")

    def test_percent_and_time_left_on_the_way(self):
        """Percents rise, and with them comes the time that is left."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "g.fa.gz")
            text = ">r\n" + "ACGTTGCAAC" * 3_000_000 + "\n"
            path.write_bytes(gzip.compress(text.encode(), 1))
            master, slave = pty.openpty()
            done = subprocess.run([BINARY, "match", "-p", "GAATTCACGGATC", "-k", "3", "--algorithm", "myers", "-t", "1", "--progress", path],
                                  stdout=subprocess.DEVNULL, stderr=slave, timeout=SECONDS, check=True, env=environment())
            os.close(slave)
            self.assertEqual(done.returncode, 0)
            with os.fdopen(master, "rb", closefd=True) as terminal:
                shown = os.read(terminal.fileno(), 1 << 20)
            percents = [int(percent) for percent in re.findall(rb"\] +([0-9]+) %", shown)]
            self.assertEqual(percents, sorted(percents))
            for percent, rest in re.findall(rb"\] +([0-9]+) %([^\r]*)", shown):
                self.assertEqual(2 <= int(percent) <= 99 and b" left" not in rest, False, shown)

    def test_bar_on_a_terminal(self):
        for call in CALLS:
            master, slave = pty.openpty()
            done = subprocess.run([BINARY, *call, str(LAMBDA), "--progress"], stdout=subprocess.PIPE, stderr=slave,
                                  timeout=SECONDS, check=True, env=environment())
            os.close(slave)
            self.assertTrue(done.stdout)
            with os.fdopen(master, "rb", closefd=True) as terminal:
                shown = os.read(terminal.fileno(), 1 << 16)
            self.assertTrue(shown.startswith(b"\r"), shown)
            bars, line = shown.rsplit(b"\r\x1b[K", 1)  # the bar is rubbed out before the last line
            self.assertNotIn(b"\n", bars)
            self.assertRegex(line, rb"\Abasesweep: 1 input, 48,502 bases: [0-9]+ hits, [0-9.]+ s\r\n\Z")


if __name__ == "__main__":
    unittest.main()
