"""Runs programs that need a terminal."""
import fcntl
import os
import pty
import select
import struct
import termios
import time

from support import environment


class Terminal:
    """A program that runs on its own pseudo-terminal."""

    def __init__(self, command, folder, **env):
        self.shown = ""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment(**env))
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("4H", 300, 100, 0, 0))  # rows, columns

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def read(self, seconds=0.05):
        """Waits up to `seconds` for output and keeps it."""
        if select.select([self.descriptor], [], [], seconds)[0]:
            self.shown += os.read(self.descriptor, 65536).decode(errors="replace")

    def read_until(self, text, seconds=20):
        """Returns the output since the last call, up to `text` or until the time is over."""
        end = time.monotonic() + seconds
        while text not in self.shown and time.monotonic() < end:
            self.read()
        shown, self.shown = self.shown, ""
        return shown

    def close(self):
        os.close(self.descriptor)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
