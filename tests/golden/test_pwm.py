"""`pwm`: hits against naive sums over every window, formats of matrices, thresholds, tables, chunks, errors."""
import json
import pathlib
import random

import naive_pwm
from chunk_support import fai, fasta
from map_support import SEED, random_bases
from matrix_files import cluster_buster, homer, jaspar, meme, transfac
from naive_pwm import ORDER, Matrix, bits
from support import Case, environment, isas, without_origin


def counts(rng, number, width):
    columns = []
    for _ in range(width):
        column = {letter: rng.choice([0, 0, rng.randint(0, 30)]) for letter in ORDER}
        column[rng.choice(ORDER)] += rng.randint(2, 30)
        columns.append(column)
    return Matrix(f"M{number}", f"name{number}", columns)


def probabilities(rng, number, width):
    columns = []
    for _ in range(width):
        shares = [rng.choice([0, rng.random(), 5 * rng.random()]) for _ in ORDER]
        shares[rng.randrange(4)] += 1
        columns.append({letter: round(share / sum(shares), 4) for letter, share in zip(ORDER, shares)})
    return Matrix(f"M{number}", f"name{number}", columns, True)


class PwmCase(Case):
    def pwm(self, *words, **options):
        done = self.run_here(*words, command="pwm", **options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def bad(self, *words, code=3, **options):
        done = self.run_here(*words, command="pwm", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stderr.decode()

    def check_merged(self, count, words):
        """Cuts into chunks, and checks that merged parts are what one run writes. Returns the parts."""
        parts = []
        for i in range(1, count + 1):
            parts.append(f"part{i}.bsp")
            self.pwm(*words, "-q", "--chunk", f"{i}/{count}", "-o", parts[-1])
        merged = self.run_here(*random.sample(parts, count), "-q", command="merge")
        self.assertEqual(merged.returncode, 0, merged.stderr.decode())
        self.assertEqual(merged.stdout.decode(), self.pwm(*words, "-q"), (count, words))
        return parts

    def check_tsv(self, text, records, matrices, hits):
        lines = [line.split("\t") for line in text.splitlines()]
        self.assertEqual(lines[0], ["record", "start", "end", "matrix", "name", "strand", "score", "p_value", "matched"])
        wanted = [
            [records[h.record][0], str(h.start), str(h.end), matrices[h.matrix].matrix.id, matrices[h.matrix].matrix.name,
             h.strand, bits(h.score), h.matched]
            for h in hits
        ]
        self.assertEqual([line[:7] + line[8:] for line in lines[1:]], wanted)
        for line, hit in zip(lines[1:], hits):
            p = matrices[hit.matrix].tails[hit.score]
            self.assertAlmostEqual(float(line[7]) / p, 1, delta=0.006)


def write_matrices(rng, case):
    """Returns matrices and the text of a file that has them."""
    kind = case % 5
    background = None
    number = rng.randint(1, 4)
    widths = [rng.choice([1, 2, 3, 5, 6, 7, 8]) for _ in range(number)]
    if kind < 3:
        matrices = [counts(rng, i, width) for i, width in enumerate(widths)]
        return matrices, (jaspar, cluster_buster, transfac)[kind](matrices)
    matrices = [probabilities(rng, i, width) for i, width in enumerate(widths)]
    if kind == 3:
        if rng.random() < 0.6:
            background = {"A": 0.3, "C": 0.15, "G": 0.25, "T": 0.3}
        matrices = [one._replace(sites=rng.choice([7, 20, 150]), background=background) for one in matrices]
        return matrices, meme(matrices, background)
    matrices = [one._replace(threshold=round(rng.uniform(-2, 5), 3)) for one in matrices]
    return matrices, homer(matrices)


def random_records(rng):
    records = []
    for number in range(rng.randint(1, 5)):
        length = rng.choice([0, 3, 40, 300, 900])
        letters = random_bases(rng, length) if rng.random() < 0.7 else "".join(rng.choices("AC", k=length))
        letters = "".join(c.lower() if rng.random() < 0.05 else "N" if rng.random() < 0.02 else c for c in letters)
        records.append((f"r{number}", letters))
    return records


def random_regions(rng, records):
    """Returns lines of BED."""
    lines = []
    for i in range(rng.randint(1, 4)):
        name, letters = rng.choice(records)
        if not letters:
            continue
        begin = rng.randrange(len(letters))
        end = rng.randint(begin + 1, len(letters))
        lines.append(f"{name}\t{begin}\t{end}" + rng.choice([f"\tpeak{i}\n", "\n"]))
    return lines


class AgainstNaive(PwmCase):
    def one(self, rng, case):
        matrices, text = write_matrices(rng, case)
        records = random_records(rng)
        self.file("g.fa", fasta(records))
        self.file("m.txt", text)
        rule = rng.choice([{}, {"p": 0.0103}, {"p": 0.00097}, {"p": 1}, {"bits": rng.randint(-4, 8)}, {"relative": 0.8}])
        option = {"p": "-p", "bits": "--score", "relative": "--relative"}
        words = ["-m", "m.txt"] + [f"{option[key]}={value}" if key != "p" else f"-p{value}" for key, value in rule.items()]
        if case % 5 == 1 and not any(len(one.columns) != 4 for one in matrices):
            words += ["--matrix-format", "cluster-buster"]
        if case % 5 == 0 and not any(len(one.columns) != 4 for one in matrices):
            words += ["--matrix-format", "jaspar"]
        more = {}
        if rng.random() < 0.3:
            more["pseudocount"] = rng.choice([0.5, 1, 2.25])
            words.append(f"--pseudocount={more['pseudocount']}")
        chosen = rng.random()
        if chosen < 0.2:
            words.append("--background=uniform")
            more["background"] = naive_pwm.UNIFORM
        elif chosen < 0.4:
            words.append("--background=0.2,0.3,0.1,0.4")
            more["background"] = dict(zip(ORDER, (0.2, 0.3, 0.1, 0.4)))
        elif chosen < 0.5:
            self.file("rates", "# order 0\nA 0.4\nC 0.2\nG 0.2\nT 0.2\nAA 0.1\n")
            words.append("--background=rates")
            more["background"] = dict(zip(ORDER, (0.4, 0.2, 0.2, 0.2)))
        elif chosen < 0.7:
            joined = "".join(letters for _, letters in records).upper()
            found = {letter: joined.count(letter) for letter in ORDER}
            if all(both > 0 for both in naive_pwm.both_strands(found).values()) if joined.strip("N") else False:
                words.append("--background=input")
                more["background"] = found
        strand = rng.choice(["both", "both", "plus", "minus"])
        soft = rng.choice(["use", "use", "skip"])
        words += ["--strand", strand, "--soft-masked", soft]
        scored = [naive_pwm.scored(one, **rule, **more) for one in matrices]
        hits = naive_pwm.search(records, scored, {"both": "+-", "plus": "+", "minus": "-"}[strand], soft)
        run = ["-q", "-t", rng.choice([1, 3]), "--batch-bases", rng.choice([1, 9, 64, 1000, 100000])]
        with self.subTest(seed=SEED, case=case, words=words, run=run, records=records, matrices=text):
            env = environment(BASESWEEP_ISA=rng.choice(isas()))
            self.check_tsv(self.pwm(*words, *run, "--format", "tsv", "g.fa", env=env), records, scored, hits)
            self.formats(words + run, records, scored, hits)
            self.choices(words + run, records, scored, hits)
            self.tables(rng, words + run, records, scored, hits)
            self.chunks(rng, words, records)

    def formats(self, words, records, scored, hits):
        lines = []
        for h in hits:
            one = scored[h.matrix]
            lines.append(f"{records[h.record][0]}\t{h.start}\t{h.end}\t{one.matrix.id}\t"
                         f"{naive_pwm.bed_score(one.tails[h.score])}\t{h.strand}\n")
        self.assertEqual(self.pwm(*words, "g.fa"), "".join(lines))
        fimo = [line.split("\t") for line in self.pwm(*words, "--format", "fimo", "g.fa").splitlines()]
        self.assertEqual(fimo[0], ["motif_id", "motif_alt_id", "sequence_name", "start", "stop", "strand", "score",
                                   "p-value", "q-value", "matched_sequence"])
        wanted = [[scored[h.matrix].matrix.id, scored[h.matrix].matrix.name, records[h.record][0], str(h.start + 1),
                   str(h.end), h.strand, bits(h.score), "", h.matched] for h in hits]
        self.assertEqual([line[:7] + line[8:] for line in fimo[1:]], wanted)
        gff3 = [line.split("\t") for line in self.pwm(*words, "--format", "gff3", "g.fa").splitlines() if line[0] != "#"]
        wanted = [[records[h.record][0], "basesweep", "nucleotide_motif", str(h.start + 1), str(h.end), bits(h.score),
                   h.strand, "."] for h in hits]
        self.assertEqual([line[:8] for line in gff3], wanted)
        for line, h in zip(gff3, hits):
            one = scored[h.matrix].matrix
            attributes = dict(pair.split("=") for pair in line[8].split(";"))
            self.assertEqual(attributes["ID"], f"{one.id}:{line[0]}:{h.start + 1}-{h.end}:{h.strand}")
            self.assertEqual((attributes["Name"], attributes["Alias"]), (one.id, one.name))
        table = [line.split("\t") for line in self.pwm(*words, "--count", "g.fa", "--json", "run.json").splitlines()]
        self.assertEqual(table[0], ["pattern", "name", "strand", "count"])
        names = {one.matrix.id: one.matrix.name or "." for one in scored}
        for name, second, strand, count in table[1:]:
            self.assertEqual(second, names[name])
            self.assertEqual(int(count), sum((scored[h.matrix].matrix.id, h.strand) == (name, strand) for h in hits))
        report = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(report["hits"], len(hits))
        self.assertEqual([row["id"] for row in report["matrices"]], [one.matrix.id for one in scored])
        for row, one in zip(report["matrices"], scored):
            reachable = one.threshold <= max(one.tails)
            self.assertEqual(row["reachable"], reachable)
            if reachable:
                least = min(score for score in one.tails if score >= one.threshold)
                self.assertAlmostEqual(row["p_value"], one.tails[least])
                self.assertLessEqual(row["threshold_bits"], least / 1024)

    def choices(self, words, records, scored, hits):
        text = self.pwm(*words, "--format", "tsv", "--non-overlapping", "g.fa")
        self.check_tsv(text, records, scored, naive_pwm.without_overlaps(hits))
        self.check_tsv(self.pwm(*words, "--format", "tsv", "--max-hits", 3, "g.fa"), records, scored, hits[:3])
        best = naive_pwm.best_per_record(hits)
        words = [*words, "--report", "best-per-record", "--format", "tsv"]
        self.check_tsv(self.pwm(*words, "g.fa", "--json", "run.json"), records, scored, best)
        self.assertEqual(json.loads((self.folder / "run.json").read_text())["hits"], len(best))
        self.check_tsv(self.pwm(*words, "--max-hits", 2, "g.fa"), records, scored, best[:2])

    def tables(self, rng, words, records, scored, hits):
        names = [one.matrix.id + ("/" + one.matrix.name if one.matrix.name else "") for one in scored]

        def cells(own):
            by_matrix = [[h.score for h in own if h.matrix == m] for m in range(len(scored))]
            return ([bits(max(x)) if x else "." for x in by_matrix], [str(len(x)) for x in by_matrix])

        for kind, cell in enumerate(["score", "count"]):
            wanted = [["record", *names]]
            for number, (name, letters) in enumerate(records):
                if letters:
                    wanted.append([name, *cells([h for h in hits if h.record == number])[kind]])
            text = self.pwm(*words, "--table", cell, "g.fa")
            self.assertEqual([line.split("\t") for line in text.splitlines()], wanted)
            lines, wanted = random_regions(rng, records), [["record", "start", "end", "name", *names]]
            for line in lines:
                name, begin, end, *label = line.rstrip("\n").split("\t")
                own = [h for h in hits if records[h.record][0] == name and int(begin) <= h.start < int(end)]
                wanted.append([name, begin, end, *(label or ["."]), *cells(own)[kind]])
            if not lines:
                continue
            self.file("regions.bed", "".join(lines))
            text = self.pwm(*words, "--table", cell, "--per-region", "--regions-file", "regions.bed", "g.fa")
            self.assertEqual([line.split("\t") for line in text.splitlines()], wanted)

    def chunks(self, rng, words, records):
        self.file("g.fa.fai", fai(records))
        count = rng.randint(2, 4)
        for form in ("bed", "tsv", "gff3", "fimo", "count"):
            kind = ["--count"] if form == "count" else ["--format", form]
            extra = rng.choice([[], ["--non-overlapping"], ["--max-hits", "4"] if form != "count" else []])
            self.check_merged(count, [*words, *kind, *extra, "g.fa"])
        for form in ("bed", "tsv", "gff3", "fimo"):
            extra = rng.choice([[], [], ["--max-hits", "4"]])
            best = ["--report", "best-per-record", "--format", form]
            self.check_merged(rng.randint(2, 9), [*words, *best, *extra, "g.fa"])
        regions = random_regions(rng, records)
        for cell in ("score", "count"):
            self.check_merged(rng.randint(2, 9), [*words, "--table", cell, "g.fa"])
            if regions:
                self.file("regions.bed", "".join(regions))
                inside = ["--regions-file", "regions.bed", *rng.choice([[], ["--per-region"]])]
                self.check_merged(count, [*words, "--table", cell, *inside, "g.fa"])
        for more in ([], ["--report", "best-per-record"], ["--non-overlapping", "--count"], ["--table", "count"]):
            parts = self.check_merged(count, [*words, *more, "g.fa"])
            self.run_here(*parts, "-q", "-o", "merged", "--json", "merged.json", command="merge")
            self.pwm(*words, *more, "-q", "g.fa", "-o", "whole", "--json", "whole.json")
            merged, whole = (json.loads((self.folder / name).read_text()) for name in ("merged.json", "whole.json"))
            merged, whole = without_origin(merged), without_origin(whole)
            for report in (merged, whole):  # only a run over the whole input counts records without bases
                report["inputs"] = [{**one, "records": None} for one in report["inputs"]]
            self.assertEqual(merged, whole, more)
        name, letters = rng.choice(records)
        if len(letters) > 10:
            begin = rng.randrange(1, len(letters))
            end = rng.randint(begin, len(letters))
            part = self.pwm(*words, "-q", "--region", f"{name}:{begin}-{end}", "g.fa").splitlines()
            everything = [line.split("\t") for line in self.pwm(*words, "-q", "g.fa").splitlines()]
            inside = ["\t".join(x) for x in everything if x[0] == name and begin <= int(x[1]) + 1 <= end]
            self.assertEqual(part, inside)
        pathlib.Path(self.folder, "g.fa.fai").unlink()

    def test_random(self):
        rng = random.Random(SEED)
        for case in range(10):
            self.one(rng, case)


class Thresholds(PwmCase):
    def test_table(self):
        rng = random.Random(SEED)
        matrices = [counts(rng, i, width) for i, width in enumerate([1, 6, 9])]
        self.file("m.jaspar", jaspar(matrices))
        lines = [line.split("\t") for line in self.pwm("--thresholds", "-m", "m.jaspar", "-p", "1e-3").splitlines()]
        self.assertEqual(lines[0], ["matrix", "name", "width", "min_score", "max_score", "wanted_p_value", "score", "p_value"])
        self.assertEqual(len(lines), 1 + 8 * len(matrices))
        for line in lines[1:]:
            one = next(m for m in matrices if m.id == line[0])
            wanted = naive_pwm.scored(one, p=1e-3 if line[5] == "." else float(line[5]))
            tails = wanted.tails
            self.assertEqual(line[1:5], [one.name, str(len(one.columns)), bits(min(tails)), bits(max(tails))])
            if wanted.threshold > max(tails):
                self.assertEqual(line[6:], [".", "."])
            else:
                self.assertEqual(line[6], bits(wanted.threshold))
                self.assertAlmostEqual(float(line[7]) / tails[wanted.threshold], 1, delta=0.006)

    def test_unreachable_is_named(self):
        self.file("m.jaspar", jaspar([Matrix("short", "", [dict.fromkeys(ORDER, 1)])]))
        self.file("g.fa", ">a\nACGT\n")
        done = self.run_here("-m", "m.jaspar", "g.fa", command="pwm")
        self.assertIn(b"warning: no word reaches the threshold of 1 of 1 matrices: short\n", done.stderr)
        self.assertEqual(done.stdout, b"")

    def test_many_unreachable(self):
        self.file("m.jaspar", jaspar([Matrix(f"m{i}", "", [dict.fromkeys(ORDER, 1)]) for i in range(7)]))
        self.file("g.fa", ">a\nACGT\n")
        few = self.run_here("-m", "m.jaspar", "g.fa", command="pwm").stderr
        self.assertIn(b"warning: no word reaches the threshold of 7 of 7 matrices: m0, m1, m2, m3, m4 and 2 more (-v names them)\n", few)
        all_of_them = self.run_here("-m", "m.jaspar", "g.fa", "-v", command="pwm").stderr
        self.assertIn(b"of 7 of 7 matrices: m0, m1, m2, m3, m4, m5, m6\n", all_of_them)
        missing = self.run_here("-m", "m.jaspar", "none.fa", command="pwm").stderr
        self.assertIn(b"none.fa", missing)
        self.assertNotIn(b"no word reaches", missing)


class Devices(PwmCase):
    def setUp(self):
        super().setUp()
        rng = random.Random(SEED)
        self.file("some.jaspar", jaspar([counts(rng, number, 6 + number) for number in range(9)]))
        self.file("text.fa", fasta([("r1", random_bases(rng, 3000)), ("r2", random_bases(rng, 20))]))

    def test_the_same_bytes(self):
        for output in (["--count"], ["--format", "bed"], ["--table", "count"]):
            on_cpu = self.pwm("-m", "some.jaspar", "-p", "0.001", *output, "--device", "cpu", "text.fa")
            self.assertGreater(on_cpu.count("\n"), 2)
            for device in ("auto", "gpu"):
                done = self.run_here("-m", "some.jaspar", "-p", "0.001", *output, "--device", device, "text.fa", command="pwm")
                if device == "gpu" and done.returncode == 75:
                    self.assertRegex(done.stderr.decode(), r"^basesweep: GPU 0 is not usable: .*(driver|GPU|CUDA|architecture).*\n$")
                    continue
                self.assertEqual((done.returncode, done.stdout.decode()), (0, on_cpu), device)

    def test_refused(self):
        self.assertIn("GPU 4000 is not usable: ", self.bad("-m", "some.jaspar", "--device", "gpu:4000", "text.fa", code=75))
        self.assertIn("--device fpga", self.bad("-m", "some.jaspar", "--device", "fpga", "text.fa", code=2))
        said = self.run_here("-v", "-m", "some.jaspar", "text.fa", command="pwm").stderr.decode()
        self.assertRegex(said, r"device: cpu, since ")


class Faults(PwmCase):
    def setUp(self):
        super().setUp()
        self.file("m.jaspar", jaspar([counts(random.Random(1), 0, 6)]))
        self.file("g.fa", ">a\nACGTACGT\n")

    def test_usage(self):
        for words, message in [
            ([], "no matrices given: use -m"),
            (["-m", "m.jaspar", "-p", "0"], "--p-value 0: expected a number above 0, at most 1"),
            (["-m", "m.jaspar", "-p", "2"], "--p-value 2: expected a number above 0, at most 1"),
            (["-m", "m.jaspar", "-p", "x"], "--p-value x: expected a number above 0, at most 1"),
            (["-m", "m.jaspar", "--relative", "1.1"], "--relative 1.1: expected a number from 0 to 1"),
            (["-m", "m.jaspar", "-p", "0.1", "--score", "3"], "use one of --p-value, --score and --relative"),
            (["-m", "m.jaspar", "--background", "1,0,0,0"], "--background 1,0,0,0: expected four rates above 0"),
            (["-m", "m.jaspar", "--background", "0.5,0.5,0.5,0.5"], "expected four rates that sum to 1"),
            (["-m", "m.jaspar", "--names", "M7"], "--names M7: no matrix has this identifier or name"),
            (["-m", "m.jaspar", "--table", "score", "--count"], "--table and --count conflict"),
            (["-m", "m.jaspar", "--per-region"], "--per-region needs --table and --regions-file"),
            (["-m", "m.jaspar", "--chunk", "1/2", "--table", "count", "--non-overlapping"],
             "--chunk, --table and --non-overlapping conflict"),
            (["-m", "m.jaspar", "--pseudocount", "-1"], "--pseudocount -1: expected a number of at least 0"),
            (["-m", "m.jaspar", "--thresholds"], "--thresholds reads no input"),
            (["-m", "m.jaspar", "--thresholds", "--json", "x.json"], "--thresholds and --json conflict"),
            (["-m", "m.jaspar", "--thresholds", "--max-hits", "3"], "--thresholds and --max-hits conflict"),
            (["-m", "m.jaspar", "--thresholds", "--strand", "plus"], "--thresholds and --strand conflict"),
        ]:
            with self.subTest(words=words):
                self.assertIn(message, self.bad(*words, "g.fa", code=2))
        self.assertIn("reads the input twice", self.bad("-m", "m.jaspar", "--background", "input", "-", code=2))
        self.assertIn("g.fa: the same file is input and output", self.bad("-m", "m.jaspar", "g.fa", "-o", "g.fa", code=2))

    def test_data(self):
        self.file("twice.jaspar", jaspar([counts(random.Random(1), 0, 6)]))
        message = self.bad("-m", "m.jaspar", "-m", "twice.jaspar", "g.fa")
        self.assertIn("twice.jaspar: line 1: the matrix 'M0' is in m.jaspar too, in line 1", message)
        self.assertIn("the probability of", self.bad("-m", self.file("zero", ">a\nA [ 1 2 ]\nC [ 1 0 ]\nG [ 1 2 ]\nT [ 1 2 ]\n"),
                                                     "--pseudocount", "0", "g.fa"))
        self.assertIn("bad: line 1: expected a file of", self.bad("-m", self.file("bad", "hello\n"), "g.fa").replace(
            str(self.folder) + "/", ""))
        self.assertEqual(self.bad("-m", "missing", "g.fa", code=4).count("missing"), 1)

    def test_names(self):
        rng = random.Random(SEED)
        matrices = [counts(rng, i, 5) for i in range(4)]
        self.file("all.jaspar", jaspar(matrices))
        lines = self.pwm("-m", "all.jaspar", "--names", "M2,name0", "--names", "M3", "-p", "1", "--count", "g.fa").splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines[1:]], ["M0", "M0", "M2", "M2", "M3", "M3"])
        self.assertIn("--names name7: no matrix has this identifier or name; did you mean 'name",
                      self.bad("-m", "all.jaspar", "--names", "M1,name7", "g.fa", code=2))
        comma = [matrices[0]._replace(id="RAR(NR),DR5/Homer"), matrices[1]]
        self.file("comma.jaspar", jaspar(comma))
        for names in (["--names", "RAR(NR),DR5/Homer"], ["--names", "name0"]):
            lines = self.pwm("-m", "comma.jaspar", *names, "-p", "1", "--count", "g.fa").splitlines()
            self.assertEqual([line.split("\t")[0] for line in lines[1:]], ["RAR(NR),DR5/Homer"] * 2)
