"""Too few threads, too little memory, too few open files: the hits, or exit 1 or 4 with a message; never a hang."""
import os
import resource
import subprocess
import unittest

from support import BINARY, LAMBDA, SANITIZED, SECONDS, Case, environment

JOBS = (("motif", "-p", "GATT", "-t", "2", "-o", "o.bed"), ("motif", "-p", "GATT", "-t", "8", "-o", "o.bed.gz"),
        ("match", "-p", "GATTACAGATTACA", "-k", "3", "-t", "2", "-o", "o.sam"),
        ("match", "-p", "GATTACAGATTACA", "-k", "3", "-t", "8", "--report", "best", "-o", "o.bam"))
NOBODY = 65534


class Limits(Case):
    def outcome(self, job, limit, value):
        """Runs a job under a limit; returns its exit status and the files that it wrote."""
        def restrict():
            if limit == resource.RLIMIT_NPROC and os.getuid() == 0:  # the limit does not hold for root
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            resource.setrlimit(limit, (value, value))

        os.chmod(self.folder, 0o777)
        try:
            done = subprocess.run([BINARY, *job, LAMBDA], cwd=self.folder, env=environment(), preexec_fn=restrict,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)
            return done, {path.name: path.read_bytes() for path in self.folder.iterdir()}
        finally:
            for path in self.folder.iterdir():
                path.unlink()

    def sweep(self, limit, values):
        statuses = set()
        for job in JOBS:
            done, expected = self.outcome(job, resource.RLIMIT_CORE, 0)
            self.assertEqual(done.returncode, 0, done.stderr)
            for value in values:
                with self.subTest(job=job, value=value):
                    done, written = self.outcome(job, limit, value)
                    statuses.add(done.returncode)
                    if done.returncode == 127:  # not even the loader could start
                        continue
                    self.assertIn(done.returncode, (0, 1, 4), done.stderr)
                    self.assertEqual(written, expected if done.returncode == 0 else {}, done.stderr)
                    self.assertTrue(done.returncode == 0 or done.stderr.strip())
        self.assertIn(0, statuses)
        return statuses

    @unittest.skipIf(SANITIZED, "sanitizers need a thread")
    def test_few_threads(self):
        self.assertIn(1, self.sweep(resource.RLIMIT_NPROC, (1, 2, 3, 5, 9, 14, 20, 40)))

    @unittest.skipIf(SANITIZED, "sanitizers need all addresses")
    def test_little_memory(self):
        megabytes = (*range(30, 60, 10), *range(60, 200, 20), *range(200, 300, 25), *range(300, 600, 10), 700, 800)
        sizes = subprocess.run(["size", BINARY], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
        image = sum(map(int, sizes[:3]))  # text, data and bss
        # Where its image has no room, the kernel ends the program before the loader can say anything.
        self.assertIn(1, self.sweep(resource.RLIMIT_AS, [mb << 20 for mb in megabytes if mb << 20 > image]))

    def test_few_open_files(self):
        self.assertIn(4, self.sweep(resource.RLIMIT_NOFILE, (4, 5, 6, 7, 8, 10, 16, 64)))
