"""Signals and pipes."""
import glob
import os
import signal
import subprocess
import tempfile
import unittest

from support import BINARY, CORNER, EMULATED, LAMBDA, SECONDS, ProcessCase

ENDING_SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT, signal.SIGALRM, signal.SIGXCPU,
                  signal.SIGUSR1, signal.SIGUSR2, signal.SIGVTALRM, signal.SIGPROF]


class Process(ProcessCase):
    def test_closed_pipe(self):
        for threads in (1, 3):
            process = self.start("-p", "N", "-t", threads, LAMBDA, stdout=subprocess.PIPE)
            self.assertEqual(len(process.stdout.read(100)), 100)
            process.stdout.close()
            self.assertEqual(process.wait(SECONDS), -signal.SIGPIPE)
            self.assertEqual(process.stderr.read(), b"")

    def test_closed_pipe_where_sigpipe_is_ignored(self):
        process = subprocess.Popen([BINARY, "motif", "-p", "N", LAMBDA], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   restore_signals=False)  # Python ignores SIGPIPE
        process.stdout.read(100)
        process.stdout.close()
        self.assertEqual(process.wait(SECONDS), 4)
        self.assertEqual(process.stderr.read(), b"basesweep: <stdout>: cannot write: Broken pipe\n")
        process.stderr.close()

    def test_signals_remove_temporary_files(self):
        for number in ENDING_SIGNALS:
            for name in ("hits.bed", "hits.bed.gz"):
                os.mkfifo(self.folder / "fifo")
                self.file(name, "old")
                process = self.start("-p", "A", "fifo", "-o", name, "--json", "report.json", stdout=subprocess.DEVNULL)
                fifo = self.open_for_writing(self.folder / "fifo")
                os.write(fifo, b">r\n" + b"ACGT" * 1000)
                self.wait_for(lambda: glob.glob(str(self.folder / "report.json.*")) or None, "temporary files")
                self.assertEqual(len(self.listing()), 4, self.listing())
                process.send_signal(number)
                self.assertEqual(process.wait(SECONDS), -number)
                os.close(fifo)
                message = process.stderr.read()
                if not (EMULATED and message.startswith(b"qemu: uncaught target signal")):
                    self.assertEqual(message, b"")
                self.assertEqual(self.listing(), sorted(["fifo", name]))
                self.assertEqual((self.folder / name).read_text(), "old")
                os.unlink(self.folder / "fifo")
                os.unlink(self.folder / name)

    def test_ignored_signal_stays_ignored(self):
        """Signals that are ignored at the start stay ignored, as under nohup."""
        os.mkfifo(self.folder / "fifo")
        process = subprocess.Popen([BINARY, "motif", "-p", "A", "fifo", "-o", "hits.bed"], cwd=self.folder,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        fifo = self.open_for_writing(self.folder / "fifo")
        process.send_signal(signal.SIGHUP)
        os.write(fifo, b">r\nA\n")
        os.close(fifo)
        self.assertEqual(process.wait(SECONDS), 0)
        self.assertEqual((self.folder / "hits.bed").read_text(), "r\t0\t1\tA\t1000\t+\n")

    def test_output_to_a_fifo(self):
        os.mkfifo(self.folder / "hits")
        process = self.start("-p", "A", CORNER / "one_base.fa", "-o", "hits", stdout=subprocess.DEVNULL)
        with open(self.folder / "hits", "rb") as hits:
            self.assertEqual(hits.read(), b"one\t0\t1\tA\t1000\t+\n")
        self.assertEqual(process.wait(SECONDS), 0)
        self.assertEqual(self.listing(), ["hits"])

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "no /dev/shm")
    def test_regular_file_under_dev(self):
        """/dev/shm holds ordinary files: they are created or replaced."""
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            for old in (None, "old\n" * 1000):
                path = os.path.join(folder, "hits.bed")
                if old is not None:
                    with open(path, "w", encoding="ascii") as file:
                        file.write(old)
                self.output("-p", "A", CORNER / "one_base.fa", "-o", path)
                with open(path, encoding="ascii") as file:
                    self.assertEqual(file.read(), "one\t0\t1\tA\t1000\t+\n")
                self.assertEqual(os.listdir(folder), ["hits.bed"])

    def test_dev_null(self):
        self.output("-p", "A", LAMBDA, "-o", "/dev/null")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))


if __name__ == "__main__":
    unittest.main()
