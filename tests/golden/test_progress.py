"""--progress: a bar on a terminal, plain lines elsewhere; the hits stay the same."""
import os
import pty
import subprocess
import unittest

from support import BINARY, LAMBDA, SECONDS, environment

CALLS = (["motif", "-p", "GAATTC"], ["match", "-p", "GAATTCACG", "-k", "1"])


class Progress(unittest.TestCase):
    def test_lines_where_stderr_is_no_terminal(self):
        for call in CALLS:
            command = [BINARY, *call, str(LAMBDA)]
            plain = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True, env=environment())
            told = subprocess.run([*command, "--progress"], capture_output=True, timeout=SECONDS, check=True,
                                  env=environment())
            self.assertEqual(told.stdout, plain.stdout)
            self.assertRegex(told.stderr, rb"^basesweep: 48\.5 kb, .*b/s, [0-9]+ hits, [0-9]+ s\n$")

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
