"""Output of `motif`: BED, TSV, counts and report, and the same bytes for any threads, batches, algorithm and device."""
import gzip
import json
import shutil
import subprocess
import unittest

import naive
from support import (
    BINARY,
    CORNER,
    LAMBDA,
    MOTIFS_FA,
    MOTIFS_TSV,
    Case,
    algorithm_words,
    devices,
    environment,
    isas,
    lambda_hits,
    lambda_records,
    motifs,
    without_origin,
)

CORNER_MOTIFS = [(m, m) for m in ("GAATTC", "AAGCTT", "TTGACA", "GANTC", "RAATTY", "ACGT", "TTCA", "A", "N", "CG", "GGTCTC")]
CORNER_PATTERNS = [word for name, _ in CORNER_MOTIFS for word in ("-p", name)]
CORNER_FASTA = ["crlf.fa", "empty.fa", "empty_records.fa", "iupac_text.fa", "lower.fa", "n_runs.fa",
                "no_final_newline.fa", "one_base.fa"]
# The reads of the FASTQ files, typed by hand.
FASTQ = {"four_line.fastq": [("read_1", "ACGTGAATTCACGT"), ("read_2", "AAGCTTGG"), ("read_3", "")],
         "multi_line.fastq": [("read_1", "ACGTGAATTCACGTAC"), ("read_2", "AAGCTTGG")]}


def corner_records(name):
    return FASTQ[name] if name in FASTQ else naive.read_fasta((CORNER / name).read_text(encoding="ascii"))


class Lambda(Case):
    def test_bed(self):
        expected = naive.bed(lambda_records(), motifs(), lambda_hits())
        for source in (MOTIFS_FA, MOTIFS_TSV):
            self.assert_same_text(self.output("-f", source, LAMBDA), expected, source)

    def test_tsv(self):
        expected = naive.tsv(lambda_records(), motifs(), lambda_hits())
        self.assert_same_text(self.output("-f", MOTIFS_FA, "--format", "tsv", LAMBDA), expected)

    def test_count(self):
        expected = naive.count_table(motifs(), lambda_hits())
        self.assert_same_text(self.output("-f", MOTIFS_FA, "--count", LAMBDA), expected)
        self.output("-f", MOTIFS_FA, "--count", LAMBDA, "-o", "counts.tsv")
        self.assert_same_text((self.folder / "counts.tsv").read_text(), expected)

    def test_report(self):
        self.output("-f", MOTIFS_FA, LAMBDA, "-o", "hits.bed", "--json", "report.json", "-t", "1", "--device", "cpu")
        report = json.loads((self.folder / "report.json").read_text())
        version = subprocess.run([BINARY, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode().split()[1]
        table = naive.counts(motifs(), lambda_hits())
        self.assertEqual(report["schema"], "basesweep-report/1")
        self.assertEqual((report["version"], report["command"]), (version, "motif"))
        self.assertEqual(report["parameters"], {"strand": "both", "palindromes": "once", "soft_masked": "use",
                                                "overlapping": "yes", "output": "bed", "max_hits": None})
        self.assertEqual(report["inputs"], [{"path": str(LAMBDA), "format": "fasta", "compression": "gzip",
                                             "records": 1, "bases": 48502, "not_acgt": 0, "soft_masked": 0}])
        self.assertEqual([(p["name"], p["sequence"]) for p in report["patterns"]], motifs())
        for pattern in report["patterns"]:
            found = {strand: count for (name, strand), count in table.items() if name == pattern["name"]}
            self.assertEqual(pattern["counts"], found, pattern["name"])
            self.assertEqual(pattern["palindromic"], "-" not in found, pattern["name"])
        self.assertEqual(report["hits"], len(lambda_hits()))
        self.assertIs(report["truncated_by_max_hits"], False)
        self.assertEqual(report["machine"]["threads"], 1)
        self.assertIn("planes on cpu", report["machine"]["matcher"])
        self.assertGreater(report["timings"]["seconds"], 0)


class Corner(Case):
    def test_bed_and_tsv(self):
        for name in CORNER_FASTA + list(FASTQ):
            records = corner_records(name)
            hits = naive.search(records, CORNER_MOTIFS)
            for more in ((), ("--batch-bases", "1"), ("--batch-bases", "7", "-t", "3")):
                about = f"{name} {more}"
                found = self.output(*CORNER_PATTERNS, *more, CORNER / name)
                self.assert_same_text(found, naive.bed(records, CORNER_MOTIFS, hits), about)
                found = self.output(*CORNER_PATTERNS, *more, "--format", "tsv", CORNER / name)
                self.assert_same_text(found, naive.tsv(records, CORNER_MOTIFS, hits), about)

    def test_soft_masked(self):
        for name in CORNER_FASTA:
            records = corner_records(name)
            hits = naive.search(records, CORNER_MOTIFS, soft_masked="skip")
            found = self.output(*CORNER_PATTERNS, "--soft-masked", "skip", CORNER / name)
            self.assert_same_text(found, naive.bed(records, CORNER_MOTIFS, hits), name)

    def test_report_of_inputs(self):
        names = ["iupac_text.fa", "empty.fa", "four_line.fastq", "n_runs.fa"]
        self.output("-q", "-p", "GAATTC", "--json", "r.json", *(CORNER / name for name in names))
        inputs = json.loads((self.folder / "r.json").read_text())["inputs"]
        self.assertEqual([i["format"] for i in inputs], ["fasta", None, "fastq", "fasta"])
        for name, found in zip(names, inputs):
            letters = "".join(sequence for _, sequence in corner_records(name)).upper()
            self.assertEqual(found["records"], len(corner_records(name)), name)
            self.assertEqual(found["bases"], len(letters), name)
            self.assertEqual(found["not_acgt"], sum(letter not in "ACGTU" for letter in letters), name)

    def test_hit_across_lines_of_any_width(self):
        letters = lambda_records()[0][1][:700]
        expected = naive.bed([("r", letters)], motifs(), naive.search([("r", letters)], motifs()))
        for width in (1, 7, 60, 700):
            for end in ("\n", "\r\n"):
                lines = [letters[i:i + width] for i in range(0, len(letters), width)]
                self.file("r.fa", f">r text{end}" + end.join(lines))
                self.assert_same_text(self.output("-f", MOTIFS_FA, "r.fa"), expected, f"width {width}, {end!r}")


class SameBytes(Case):
    """No result depends on threads, batches, algorithm, instruction set or device."""
    PLAIN = [(name, motif) for name, motif in motifs() if set(motif) <= set("ACGT")]

    def plain_motifs(self):
        return self.file("plain.tsv", "".join(f"{name}\t{motif}\n" for name, motif in self.PLAIN))

    def expected(self):
        hits = naive.search(lambda_records(), self.PLAIN)
        return naive.bed(lambda_records(), self.PLAIN, hits)

    def test_threads_and_batches(self):
        expected = naive.bed(lambda_records(), motifs(), lambda_hits())
        counts = naive.count_table(motifs(), lambda_hits())
        for device in devices():
            for threads in (1, 2, 5):
                # Batches of one base are slow, so they are tested below with a small part of the genome.
                for batch in ([], ["--batch-bases", "64"], ["--batch-bases", "1000"]):
                    if device == "gpu" and batch == ["--batch-bases", "64"]:
                        continue
                    how = ["-t", threads, "--device", device, *batch]
                    self.assert_same_text(self.output("-f", MOTIFS_FA, LAMBDA, *how), expected, how)
                    self.assert_same_text(self.output("-f", MOTIFS_FA, LAMBDA, "--count", *how), counts, how)

    def test_batches_of_one_base(self):
        records = [("a", lambda_records()[0][1][:3000]), ("b", ""), ("c", lambda_records()[0][1][3000:3300])]
        self.file("part.fa", "".join(f">{name}\n{letters}\n" for name, letters in records))
        expected = naive.bed(records, motifs(), naive.search(records, motifs()))
        for device in devices():
            for threads in (1, 2, 5):
                found = self.output("-f", MOTIFS_FA, "part.fa", "-t", threads, "--batch-bases", "1", "--device", device)
                self.assert_same_text(found, expected, f"{device}, {threads} threads")

    def test_algorithms_instruction_sets_devices(self):
        plain, expected = self.plain_motifs(), self.expected()
        algorithms = algorithm_words("motif")
        self.assertIn("ac-dfa", algorithms)
        for device in devices():
            for isa in isas():
                for algorithm in algorithms:
                    for batch in ([], ["--batch-bases", "1000"]):
                        found = self.output("-f", plain, "--algorithm", algorithm, "--device", device, *batch, LAMBDA,
                                            env=environment(BASESWEEP_ISA=isa))
                        self.assert_same_text(found, expected, f"{algorithm} {device} {isa} {batch}")

    def test_many_motifs_of_both_kinds(self):
        """Enough patterns for ac-dfa, and some with IUPAC codes for planes beside it."""
        genome = lambda_records()[0][1][:20000]
        self.file("part.fa", f">part\n{genome}\n")
        many = [(f"m{i}", genome[97 * i:97 * i + 5 + i % 6]) for i in range(200)] + [("any", "GANTC"), ("two", "CCWGG")]
        self.file("many.tsv", "".join(f"{name}\t{motif}\n" for name, motif in many))
        records = [("part", genome)]
        expected = naive.bed(records, many, naive.search(records, many))
        for device in devices():
            for threads in (1, 3):
                how = ["-t", threads, "--batch-bases", "1000", "--device", device]
                done = self.run_here("-v", "-f", "many.tsv", "part.fa", *how)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assert_same_text(done.stdout.decode(), expected, how)
                self.assertIn("ac-dfa", done.stderr.decode())
                self.assertIn("planes", done.stderr.decode())

    def test_report_is_stable(self):
        reports = []
        for how in (["-t", "1"], ["-t", "5", "--batch-bases", "1000", "--algorithm", "planes"]):
            self.output("-f", MOTIFS_FA, LAMBDA, *how, "--json", "report.json")
            report = json.loads((self.folder / "report.json").read_text())
            self.assertTrue(report["machine"] and report["timings"])
            reports.append(json.dumps(without_origin(report)))
        self.assertEqual(*reports)

    def test_compressed(self):
        files = []
        for threads in (1, 3):
            name = f"hits_{threads}.bed.gz"
            self.output("-p", "A", "-f", MOTIFS_FA, LAMBDA, "-t", threads, "-o", name)
            files.append((self.folder / name).read_bytes())
        self.assertEqual(files[0], files[1], "the compressed bytes differ between 1 and 3 threads")
        self.assertEqual(gzip.decompress(files[0]).decode(), self.output("-p", "A", "-f", MOTIFS_FA, LAMBDA))
        self.assertEqual(files[0][:4] + files[0][12:14], b"\x1f\x8b\x08\x04BC", "not BGZF")
        self.assertTrue(files[0].endswith(bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")))
        subprocess.run(["gzip", "-t", self.folder / "hits_1.bed.gz"], check=True)
        if shutil.which("bgzip"):
            subprocess.run(["bgzip", "-t", self.folder / "hits_1.bed.gz"], check=True)
        self.assertEqual(self.listing(), ["hits_1.bed.gz", "hits_3.bed.gz"])

    def test_compression(self):
        """Each level gives the same text; 1 is usual for .gz, 6 for BAM; a report named .gz has it too."""
        sizes = {}
        reports = {}
        find = ("-p", "A", "-f", MOTIFS_FA, LAMBDA, "-q")
        for level in (None, 0, 1, 6, 9):
            words = () if level is None else ("--compression", level)
            self.output(*find, *words, "-o", "h.bed.gz", "--json", "r.json.gz")
            packed = (self.folder / "h.bed.gz").read_bytes()
            self.assertEqual(gzip.decompress(packed).decode(), self.output(*find))
            report = (self.folder / "r.json.gz").read_bytes()
            self.assertEqual(json.loads(gzip.decompress(report))["command"], "motif")
            sizes[level], reports[level] = len(packed), len(report)
        self.assertEqual(sizes[None], sizes[1])
        self.assertGreater(sizes[0], sizes[1])
        self.assertGreater(sizes[1], sizes[6])
        self.assertGreaterEqual(sizes[6], sizes[9])
        self.assertGreater(reports[0], reports[1])
        self.assertGreater(reports[1], reports[9])
        match = ("-p", "GAATTC", "-k", "2", LAMBDA, "-q", "-o", "h.bam")
        bam = {}
        for level in (None, 1, 6):
            self.output(*match, *(() if level is None else ("--compression", level)), command="match")
            bam[level] = (self.folder / "h.bam").stat().st_size
        self.assertEqual(bam[None], bam[6])
        self.assertGreater(bam[1], bam[6])
        for level in ("-1", "10", "fast"):
            done = self.run_here(*find, "--compression", level)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"--compression", done.stderr)


if __name__ == "__main__":
    unittest.main()
