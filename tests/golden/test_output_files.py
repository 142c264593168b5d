"""Where outputs go: links, modes, reports, file sizes."""
import os
import resource
import subprocess

from chunk_support import ChunkCase
from support import BINARY, SECONDS, default_signals, environment

FIND = ("motif", "-p", "GAATTC", "t.fa")
HIT = b"r\t0\t6\tGAATTC\t1000\t+\n"


class OutputFiles(ChunkCase):
    def setUp(self):
        super().setUp()
        self.file("t.fa", ">r\nGAATTC\n")

    def test_a_link_that_leads_nowhere_is_followed(self):
        (self.folder / "far").mkdir()
        os.symlink("far/second.bed", self.folder / "first.bed")
        os.symlink(self.folder / "far/hits.bed", self.folder / "far/second.bed")
        self.call(*FIND, "-o", "first.bed")
        self.assertTrue((self.folder / "first.bed").is_symlink())
        self.assertTrue((self.folder / "far/second.bed").is_symlink())
        self.assertEqual(self.read("far/hits.bed"), HIT)
        os.symlink("loop.bed", self.folder / "loop.bed")
        self.fails(4, *FIND, "-o", "loop.bed", says=["loop.bed", "symbolic links"])

    def test_a_replaced_file_keeps_its_mode_but_not_setuid(self):
        out = self.folder / "o.bed"
        out.write_text("old")
        out.chmod(0o6754)
        self.call(*FIND, "-o", "o.bed")
        self.assertEqual(out.stat().st_mode & 0o7777, 0o754)

    def test_no_output_when_the_report_cannot_be_written(self):
        self.fails(4, *FIND, "-o", "o.bed", "--json", "/dev/full", says=["/dev/full"])
        self.assertFalse((self.folder / "o.bed").exists())

    def test_a_limit_on_file_sizes_is_a_write_error(self):
        def limit():
            default_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        self.file("many.fa", ">r\n" + "GAATTC" * 1000 + "\n")
        for name in ("o.bed", "o.bed.gz", "o.tsv"):
            before = self.listing()
            done = subprocess.run([BINARY, "motif", "-p", "GAATTC", "-p", "TTCGAA", "-p", "A", "many.fa", "-o", name], cwd=self.folder,
                                  env=environment(), preexec_fn=limit, capture_output=True, text=True, timeout=SECONDS, check=False)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(name, done.stderr)
            self.assertEqual(self.listing(), before)
