"""Inputs behind URLs: the bytes of the same file at hand, or an error; never a part of the result."""
import bz2
import gzip
import lzma
import random
import subprocess
import time
import unittest

import sam_tools
import url_server
from support import EMULATED, Case, bgzf, environment, zstd

WORDS = ("-p", "GGATCC", "-p", "ACGTTGNA")
LETTERS = bytes(b"ACGT"[i % 4] for i in range(256))
NO_PLUGINS = environment(HTS_PATH="/nonexistent")
NO_TCP_INFO = "qemu-user answers TCP_INFO with its first 4 bytes alone, so no wait for a server is too long there"


def made_text(rand, records, bases):
    text = ""
    for record in range(records):
        letters = rand.randbytes(bases).translate(LETTERS).decode() + "N" * 100
        text += f">chr{record} more\n" + "".join(letters[i:i + 60] + "\n" for i in range(0, len(letters), 60))
    return text.encode()


class UrlCase(Case):
    BASES = 150_000  # of each record

    @classmethod
    def setUpClass(cls):
        cls.http = url_server.start("http")
        cls.ftp = url_server.start("ftp")
        cls.rand = random.Random(5)
        cls.genome = made_text(cls.rand, 4, cls.BASES)

    @classmethod
    def tearDownClass(cls):
        url_server.stop(cls.http)
        url_server.stop(cls.ftp)

    def setUp(self):
        super().setUp()
        probe = self.search(self.url("ok", "absent"))
        if b"libcurl" in probe.stderr:
            self.skipTest("HTSlib reads no URLs here")

    def url(self, way, name):
        return f"http://{self.http.address}/{way}/{name}"

    def serve(self, name, data):
        self.http.files[name] = self.ftp.files[name] = data
        self.file(name, data)
        return name

    def search(self, *arguments, command="motif", **changes):
        proxies = {"no_proxy": "*", "http_proxy": "", **changes}
        return self.run_here(*(WORDS if command == "motif" else ()), *arguments, command=command, env=environment(**proxies))

    def found(self, *arguments, **options):
        done = self.search(*arguments, **options)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout

    def fails(self, *arguments, says=".", codes=(4,), output="out.bed", **options):
        """Checks that the run is an error, and leaves no output."""
        done = self.search(*arguments, "-o", output, **options)
        self.assertIn(done.returncode, codes, (arguments, done.stderr))
        self.assertRegex(done.stderr.decode(), says, arguments)
        self.assertNotIn(output, self.listing())

    def forms(self):
        """The genome in every form; returns the names."""
        half = len(self.genome) // 2
        forms = {"fa": self.genome, "fa.gz": gzip.compress(self.genome, 6), "bgz": bgzf(self.genome), "bz2": bz2.compress(self.genome),
                 "xz": lzma.compress(self.genome, preset=0), "zst": zstd(self.genome),
                 "two.gz": gzip.compress(self.genome[:half], 1) + gzip.compress(self.genome[half:])}
        names = [self.serve(f"g.{ending}", data) for ending, data in forms.items()]
        self.output("g.fa", "-o", "g.2bit", command="pack")
        return [*names, self.serve("g.2bit", (self.folder / "g.2bit").read_bytes())]

    def indexed(self):
        """The genome as BGZF and plain with indices, and as .2bit; returns the names."""
        self.serve("g.fa", self.genome)
        self.serve("g.bgz", bgzf(self.genome))
        self.output("g.fa", "-o", "g.2bit", command="pack")
        self.serve("g.2bit", (self.folder / "g.2bit").read_bytes())
        for name in ("g.fa", "g.bgz"):
            self.output("-n", "2", "--write-index", name, command="plan")
            for ending in (".fai", ".gzi") if name == "g.bgz" else (".fai",):
                self.serve(name + ending, (self.folder / (name + ending)).read_bytes())
        return ["g.fa", "g.bgz", "g.2bit"]


class Streams(UrlCase):
    def test_every_form(self):
        names = self.forms()
        expected = self.found("g.fa")
        self.assertGreater(expected.count(b"\n"), 100)
        for name in names:
            for threads in (1, 3):
                self.assertEqual(self.found(self.url("ok", name), "-t", threads), expected, name)
        self.assertEqual(self.found(self.url("redirect", "g.bgz")), expected)
        self.assertEqual(self.found(self.url("no_ranges", "g.fa.gz")), expected)
        self.assertEqual(self.found(self.url("ok", "g.fa") + "?key=1&b=2"), expected)
        self.assertEqual(self.found(self.url("ok", "g.fa"), "g.fa", self.url("ok", "g.xz")), self.found("g.fa", "g.fa", "g.xz"))
        self.assertEqual(self.found(f"ftp://{self.ftp.address}/g.fa.gz"), expected)
        self.assertEqual(self.found(f"ftp://{self.ftp.address}/g.fa"), expected)

    def test_stores(self):
        """s3 by its own server's name, gs by a proxy, which is this server."""
        expected_name = self.serve("g.bgz", bgzf(self.genome))
        expected = self.found(expected_name)
        keys = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "HTS_S3_HOST": self.http.address, "HTS_S3_ADDRESS_STYLE": "path"}
        self.assertEqual(self.found("s3+http://ok/g.bgz", **keys), expected)
        self.fails("s3+http://status:403/g.bgz", says="s3.*the server does not allow it", **keys)
        proxy = {"no_proxy": "", "http_proxy": f"http://{self.http.address}"}
        self.assertEqual(self.found("gs+http://bucket/ok/g.bgz", **proxy), expected)
        self.fails("gs+http://bucket/cut:5000/g.bgz", says="gs.*the connection ended before the file did", **proxy)

    def test_reads(self):
        rand = random.Random(6)
        lines = "".join(f"@r{i}\tBC:Z:b{i}\n{''.join(rand.choice('ACGT') for _ in range(80))}\n+\n{'I' * 80}\n" for i in range(3000))
        names = [self.serve("r.fq", lines.encode()), self.serve("r.fq.gz", gzip.compress(lines.encode()))]
        if sam_tools.have_samtools():
            bam = subprocess.run(["samtools", "import", "-0", "r.fq", "-T", "BC", "-b"], cwd=self.folder, capture_output=True, check=True).stdout
            names.append(self.serve("r.bam", bam))
        self.serve("g.fa.gz", gzip.compress(self.genome))
        expected = self.found("-q", "--no-PG", "-k", "2", "-r", "g.fa.gz", "r.fq", command="map")
        for name in names:
            self.assertEqual(self.found("-q", "--no-PG", "-k", "2", "-r", self.url("ok", "g.fa.gz"), self.url("ok", name), command="map"), expected, name)
            self.fails("-k", "2", "-r", "g.fa.gz", self.url("cut:20000", name), command="map", codes=(3, 4), output="out.sam")

    def test_cut(self):
        """A connection that ends or breaks anywhere."""
        for name in self.forms():
            size = len(self.http.files[name])
            for cut in (0, 1, 30, *(self.rand.randrange(size) for _ in range(4)), size - 1):
                way = self.rand.choice(("cut", "reset"))
                self.fails(self.url(f"{way}:{cut}", name), "-t", self.rand.choice((1, 3)),
                           says="the connection ended before the file did|Connection reset|basesweep: http.*(damaged|truncated)")
        self.ftp.cut = 50_000
        for name in ("g.fa", "g.fa.gz"):
            self.fails(f"ftp://{self.ftp.address}/{name}", says="the connection ended before the file did")
        type(self).ftp.cut = self.ftp.cut = None

    def test_replies(self):
        self.serve("g.fa", self.genome)
        for way in ("no_length", "chunked"):
            self.fails(self.url(way, "g.fa"), says="the server does not say how long the file is")
        for status, says in ((404, "the server has no such file"), (410, "no such file"), (403, "does not allow it"), (401, "does not allow it"),
                             (500, "an error of the server"), (503, "the server is busy"), (429, "the server refuses the request"), (204, "no sequence|does not say")):
            if status != 204:
                self.fails(self.url(f"status:{status}", "g.fa"), says=says)
        self.assertEqual(self.found("HTTP" + self.url("ok", "g.fa")[4:]), self.output(*WORDS, "g.fa").encode())
        self.fails(f"ftp://{self.ftp.address}/absent.fa", says=r"absent.fa: cannot open: .*no such file \(FTP\)")
        self.fails("http://127.0.0.1:1/g.fa", says="http://127.0.0.1:1/g.fa: cannot open: Connection refused")
        self.fails("http://name.invalid/g.fa", says="cannot open: the server's name cannot be resolved")
        done = self.run_here(*WORDS, self.url("ok", "g.fa"), env=NO_PLUGINS)
        if done.returncode != 0:
            self.assertIn("HTSlib was built without libcurl, or lacks its plugin", done.stderr.decode())
        self.serve("empty.fa", b"")
        self.assertIn(b"no sequence: the file is empty", self.search(self.url("ok", "empty.fa")).stderr)
        self.serve("empty.fa.gz", b"")
        self.fails(self.url("ok", "empty.fa.gz?key=1"), says="the file is empty: a gzip file has some bytes", codes=(3,))
        self.fails("-n", "2", "--write-index", self.url("ok", "g.fa"), command="plan", codes=(2,), output="out.plan", says="is not a file of this machine")


    def test_redirects(self):
        """At most ten are followed, by each way that a server may name the place; never to files or other kinds of URLs."""
        self.serve("g.fa", self.genome)
        expected = self.found("g.fa")
        for way in ("redirect", "relative", "same_scheme", "whole", "hops:1", "hops:10"):
            self.assertEqual(self.found(self.url(way, "g.fa")), expected, way)
        for way in ("hops:11", "loop"):
            self.http.asked.clear()
            self.fails(self.url(way, "g.fa"), says="cannot open: more than 10 redirects, the last one to http://.*: check the URL")
            self.assertEqual(len(self.http.asked), 11, way)
        self.fails("-f", self.url("loop", "g.fa"), "g.fa", says="more than 10 redirects")
        for way, says in (("to_a_file", "the server redirects to file:///etc/passwd, which is not followed"),
                          ("to_s3", "the server redirects to s3://bucket/g.fa, which is not followed"),
                          ("to_nowhere", "the server redirects, but does not say where to")):
            self.fails(self.url(way, "g.fa"), says=says)

    @unittest.skipIf(EMULATED, NO_TCP_INFO)
    def test_silence(self):
        """A server that sends nothing for --timeout is given up, wherever it stops; one that sends a little is not."""
        names = self.forms()
        text = "".join(f"@r{i}\n{'ACGTTGCAAC' * 8}\n+\n{'I' * 80}\n" for i in range(3000)).encode()
        self.serve("r.fq", text)
        says = "no byte came from the server for 1 s: try again later, or wait longer with --timeout"
        for name in names:
            begin = time.monotonic()
            size = len(self.http.files[name])
            sent = self.rand.choice((0, 10, size // 2, size - 1))
            self.fails(self.url(f"stall:{sent}", name), "--timeout", "1", "-t", self.rand.choice((1, 3)), says=says)
            self.assertLess(time.monotonic() - begin, 30, name)
        self.fails(self.url("silent", "g.fa"), "--timeout", "1", says=says)
        self.fails("-f", self.url("silent", "g.fa"), "g.fa", "--timeout", "1", says=says)
        self.fails("-n", "2", self.url("silent", "g.fa"), "--timeout", "1", says=says, command="plan", output="out.plan")
        self.fails(self.url("silent", "g.fa"), "--timeout", "1", says=says, command="pack", output="out.2bit")
        self.fails(self.url("silent", "1.bsp"), "--timeout", "1", says=says, command="merge")
        self.fails("-f", self.url("silent", "p.fa"), "--timeout", "1", says=says, command="compile", output="out.bsx")
        self.fails("-k", "2", "-r", "g.fa", self.url("stall:70000", "r.fq"), "--timeout", "1", says=says, command="map", output="out.sam")
        if sam_tools.have_samtools():
            bam = subprocess.run(["samtools", "import", "-0", "r.fq", "-b"], cwd=self.folder, capture_output=True, check=True).stdout
            self.serve("r.bam", bam)
            for sent, threads in ((0, 1), (20, 3), (len(bam) // 2, 1), (len(bam) // 2, 3), (len(bam) - 28, 3)):
                self.fails("-k", "2", "-r", "g.fa", self.url(f"stall:{sent}", "r.bam"), "--timeout", "1", "-t", threads, says=says, command="map",
                           output="out.sam")
        self.serve("small.fa", b">r\nTTGGATCCAA\n")
        expected = self.found("small.fa")
        self.assertEqual(self.found(self.url("trickle:8", "small.fa"), "--timeout", "1"), expected)
        self.assertEqual(self.found(self.url("trickle:8", "small.fa"), "--timeout", "0"), expected)
        self.refused(2, self.url("ok", "small.fa"), "--timeout", "x", says=["--timeout", "'x' is not a whole number"])


class Ranges(UrlCase):
    BASES = 3_000_000  # HTSlib passes over less by reading on

    REGIONS = ("--region", "chr0:100-5000", "--region", "chr2:2400000-2405000", "--region", "chr3:2900000-3000100")

    def test_regions(self):
        for name in self.indexed():
            expected = self.found(*self.REGIONS, name)
            self.assertGreater(expected.count(b"\n"), 5)
            self.http.asked.clear()
            for threads in (1, 3):
                self.assertEqual(self.found(*self.REGIONS, self.url("ok", name), "-t", threads), expected, name)
            self.assertTrue(any(asked for path, asked in self.http.asked if path.endswith(name)), "no range was asked for")
            for _ in range(6):
                begin = self.rand.randrange(1, self.BASES - 10_000)
                words = ("--region", f"chr{self.rand.randrange(4)}:{begin}-{begin + self.rand.randrange(9000)}", "--region", f"chr1:{begin}-{begin + 10}")
                self.assertEqual(self.found(*words, self.url("ok", name)), self.found(*words, name), (name, words))
        names = ("g.bgz", "g.2bit")
        far = [f"ftp://{self.ftp.address}/{name}" for name in names]
        for url, name in zip(far, names):
            self.assertEqual(self.found(*self.REGIONS, url), self.found(*self.REGIONS, name), name)

    def test_without_index(self):
        """All text is read then, whatever else the server refuses."""
        self.serve("h.bgz", bgzf(self.genome))
        expected = self.found(*self.REGIONS, "h.bgz")
        self.assertEqual(self.found(*self.REGIONS, self.url("ok", "h.bgz")), expected)
        self.serve("g.fa", self.genome)
        self.output("-n", "2", "--write-index", "g.fa", command="plan")
        self.assertEqual(self.found(*self.REGIONS, self.url("ok", "h.bgz"), "--fai", "g.fa.fai"), expected)
        self.fails(*self.REGIONS, self.url("status:500", "h.bgz"))

    def test_chunks(self):
        for name in self.indexed():
            whole = self.found(name)
            url = self.url("ok", name)
            self.found("-n", "3", url, "-o", "plan.tsv", command="plan")
            for words in ((), ("--plan", "plan.tsv")):
                for chunk in (1, 2, 3):
                    self.found(url, "--chunk", f"{chunk}/3", *words, "-o", f"{chunk}.bsp")
                self.assertEqual(self.found("1.bsp", "2.bsp", "3.bsp", command="merge"), whole, name)

    def test_wrong_replies(self):
        """Ranges that the server ignores, cuts, moves or refuses. Where what is wanted is near, none is asked for."""
        names = self.indexed()
        expected = {name: self.found(*self.REGIONS, name) for name in names}
        for way in ("no_ranges", "range_ignored", "range_elsewhere:1", "range_elsewhere:100", "range_elsewhere:70000", "range_nowhere", "range_short:1",
                    "range_short:1000", "range_short:70000", "range_empty", "range_cut:0", "range_cut:30", "range_cut:5000", "range_refused"):
            failed = 0
            for name in names:
                done = self.search(*self.REGIONS, self.url(way, name), "-o", "out.bed")
                self.assertIn(done.returncode, (0, 3, 4), (name, way, done.stderr))
                failed += done.returncode != 0
                if done.returncode == 0:
                    self.assertEqual((self.folder / "out.bed").read_bytes(), expected[name], (name, way))
                    (self.folder / "out.bed").unlink()
                self.assertNotIn("out.bed", self.listing())
            self.assertGreaterEqual(failed, 2, way)

    def test_redirects(self):
        for name in self.indexed():
            expected = self.found(*self.REGIONS, name)
            self.assertEqual(self.found(*self.REGIONS, self.url("redirect", name)), expected, name)

    @unittest.skipIf(EMULATED, NO_TCP_INFO)
    def test_silence(self):
        for name in self.indexed():
            if name != "g.2bit":  # what is wanted of it is near, so no range is asked for
                self.fails(*self.REGIONS, self.url("range_stall:100", name), "--timeout", "1", says="no byte came from the server for 1 s")

    def test_damaged_index(self):
        self.indexed()
        good = self.http.files["g.bgz.gzi"]
        for bad in (good[:-3], b"", good[:8] + good[24:]):
            self.http.files["g.bgz.gzi"] = bad
            self.fails(*self.REGIONS, self.url("ok", "g.bgz"), codes=(3,), says="not a BGZF index")
        self.http.files["g.bgz.gzi"] = good
        self.http.files["g.bgz.fai"] = b"chr0\t1\n"
        self.fails(*self.REGIONS, self.url("ok", "g.bgz"), codes=(3,), says="expected a name and four numbers")


if __name__ == "__main__":
    unittest.main()
