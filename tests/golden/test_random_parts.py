"""Random chunks: however a run is cut, and whatever is only chosen when the parts are merged, its files are those of one run.

Environment: BASESWEEP_PART_CASES  number of cases, over all commands (default: 60)
             BASESWEEP_PART_CASE   one case to repeat, as a failure prints it: pcr:17
             BASESWEEP_TEST_SEED   seed of all random tests
"""
import collections
import gzip
import json
import os
import pathlib
import re
import shlex
import tempfile
import time

from map_support import SEED
from random_parts import FORMATS, make_case, words_of
from support import Case, run, without_origin

CASES = int(os.environ.get("BASESWEEP_PART_CASES") or 60)
ONE = os.environ.get("BASESWEEP_PART_CASE", "")
FITS = {"gff": "gff3", "fa": "fasta", "fna": "fasta"}
MOST = ("--max-hits", "--max-products")
TABLES = {"tsv", "csv", "jsonl"}
# The formats that have room for what an option asks for.
ROOM = {"--flank": TABLES | {"fasta"}, "--with-file": TABLES | {"fasta", "gff3"}, "--edit-columns": TABLES, "--aligned": TABLES,
        "--sequence": {"fasta"}, "--eqx": {"sam", "bam"}, "--no-PG": {"sam", "bam", "cram"}, "--rg": {"sam", "bam", "cram"}}


def has_room(format, option, value):
    if option == "--columns":
        return format in TABLES | {"count"} or (format in ("bed", "gff3", "fasta") and str(value).startswith("+"))
    return option not in ROOM or format in ROOM[option]


def names_format(name, format):
    """Whether an output of this name may have this format."""
    ending = (name[:-3] if name.endswith(".gz") else name).lstrip(".")
    return ending in ("", "-") or format == FITS.get(ending, ending) or (ending, format) == ("tsv", "fimo")


def number_of(value):
    return int(str(value).replace("k", "000")) if value is not None else None


def message_of(done, case):
    """Returns what was said, without the name of an output, and of an input, which merge does not see."""
    text = done.stderr.decode().replace("merged", "whole")
    return re.sub(r"(?<=\Abasesweep: )\w+\.\w+(\.\w+)?: ", lambda name: "" if name.group()[:-2] in case.files else name.group(), text)


class Whole:
    """The run that a merge stands for."""

    def __init__(self, case, merge):
        self.options = {**case.asked, **merge.given}
        form = merge.given.get("--format", case.asked.get("--format"))
        if form and "--format" not in merge.given and not names_format(merge.name, form):
            del self.options["--format"]
        self.leave_out(case, merge)
        self.report = self.options.get("--report", "all" if case.command in ("pcr", "pwm") else "best" if case.command == "map" else "sites")
        self.most = number_of(self.options.get(MOST[case.command == "pcr"]))
        self.chooses = self.report in ("best", "best-per-record") or "--non-overlapping" in self.options
        # HTSlib chooses the compression of CRAM by what it tried before, so several threads give other bytes each time.
        self.cram = "cram" in (self.options.get("--format"), merge.name[1:], (merge.hits or "")[1:])

    def leave_out(self, case, merge):
        """Drops what the chunks were asked for and the output of merge has no room for."""
        def is_new(name):
            return name in merge.given and name not in case.asked
        if "--count" in self.options:
            format = "count"
        elif case.command == "guides":
            format = (merge.hits or "").removesuffix(".gz").lstrip(".")
        else:
            ending = merge.name.removesuffix(".gz").lstrip(".-")
            format = self.options.get("--format") or FITS.get(ending, ending)
        for option, value in case.asked.items():
            if option in merge.given or option not in self.options:
                continue
            fits = not format or has_room(format, option, value)
            if is_new("--count") or is_new("--table"):
                fits &= option != "--columns" and (option != "--format" or value in TABLES)
            if is_new("--count"):
                fits &= option not in MOST
            if not fits:
                del self.options[option]
        self.words = list(case.words)
        if "--flank" in self.words and format and not has_room(format, "--flank", ""):
            at = self.words.index("--flank")
            del self.words[at:at + 2]


def refusal(case, whole, merge, stopped):
    """Returns what merge says where the parts cannot become what one run can write; None: they can."""
    asked = case.asked
    of_chunks = asked.get("--report")
    # Other places than those that the chunks looked for.
    if case.command == "match" and whole.report != of_chunks and (of_chunks in ("minima", "all") or whole.report in ("minima", "all")):
        return f"--report {whole.report}: the chunks looked for {of_chunks or 'sites'}"
    if case.command == "map" and whole.report != (of_chunks or "best"):
        return f"--report {whole.report}: the chunks looked for {of_chunks or 'best'}"
    # A chunk has one best hit of each record and matrix only.
    if case.command == "pwm" and of_chunks == "best-per-record" != whole.report:
        return "the chunks kept the best hits of each record only"
    # Which hits of a record overlap is only known from all of it.
    if case.command == "pwm" and "--table" in case.words and "--non-overlapping" in whole.options:
        return "--chunk, --table and --non-overlapping conflict"
    # Chunks that count keep no hits, unless merge has to choose among them.
    if "--count" in asked:
        kept = of_chunks in ("best", "best-per-record") or "--non-overlapping" in asked
        if not kept and whole.chooses:
            return "the chunks only counted"
        for option in ("--per-file", "--by-edits"):  # pcr counts products by file in any case
            if not kept and case.command != "pcr" and option in whole.options and option not in asked:
                return f"{option}: the chunks only counted"
    # A chunk that stopped at its first hits has no others.
    if stopped and (whole.most is None or whole.most > number_of(asked[MOST[case.command == "pcr"]]) or whole.chooses):
        return "a chunk stopped at its --max-"
    if merge.hits and not case.hits:
        return "the chunks kept no places"
    return None


class Random(Case):
    def setUp(self):
        super().setUp()
        self.log, self.counts = [], collections.Counter()

    def call(self, command, *words):
        words = [str(word) for word in words]
        self.log.append(shlex.join(["basesweep", command, *words]))
        return run(*words, command=command, cwd=self.folder)

    def succeed(self, command, *words):
        done = self.call(command, *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""), self.log[-1])
        return done

    def run_whole(self, case, merge):
        """One run without chunks."""
        whole = Whole(case, merge)
        words = [*whole.words, *case.regions, *words_of(whole.options), *self.outputs(merge, "whole")]
        if not merge.hits:  # merge need not write the places that chunks found with it
            words = [word for word in words if word != "--hits-all"]
        return whole, self.call(case.command, "-q", "-t", 1 if whole.cram else 2, *words, "--json", "whole.json")

    def outputs(self, merge, stem):
        words = ["-o", "-" if merge.name == "-" else stem + merge.name]
        return words + (["--hits", f"{stem}_hits{merge.hits}"] if merge.hits else [])

    def made(self, done, stem):
        """Returns the outputs by their names without the stem."""
        files = {path.name[len(stem):]: path.read_bytes() for path in self.folder.glob(f"{stem}*") if path.name != f"{stem}.json"}
        return {**files, "-": done.stdout}

    def chunks(self, case):
        """Runs all chunks. Returns whether one stopped at its first hits, or None where they are refused as one run is."""
        words, plan = [*case.words, *words_of(case.asked)], case.regions
        if case.hits:
            words += ["--hits", f"places{case.hits}"]
        if case.plan:
            self.succeed("plan", "-q", *case.planned, *case.regions, "-n", len(case.jobs), "-o", "plan.tsv")
            plan = ["--plan", "plan.tsv"]
        stopped = False
        for i, job in enumerate(case.jobs, 1):
            more = ["--chunk", f"{i}/{len(case.jobs)}", "-o", f"part.{i}.bsp", "--json", "part.json"]
            done = self.call(case.command, "-q", *words, *plan, *job, *more)
            if done.returncode != 0:
                same = self.call(case.command, "-q", *words, *case.regions)
                self.assertEqual(done.returncode, same.returncode, (self.log[-2], done.stderr, same.stderr))
                return None
            self.assertEqual(done.stderr, b"", self.log[-1])
            report = json.loads((self.folder / "part.json").read_text())
            stopped |= report.get("truncated_by_max_hits", False) or report.get("truncated_by_max_products", False)
        return stopped

    def check(self, case):
        for name, data in case.files.items():
            self.file(name, data)
        if case.compiled:
            done = self.call("compile", *case.compiled, "-o", "set.bsx")
            if done.returncode != 0:  # clamps longer than a pattern
                self.assertEqual(done.returncode, 3, done.stderr)
                self.counts["refused sets"] += 1
                return
        stopped = self.chunks(case)
        made = len(self.log)
        self.counts["parts"] += stopped is not None
        self.counts["refused chunks"] += stopped is None
        for merge in case.merges if stopped is not None else []:
            for path in [*self.folder.glob("whole*"), *self.folder.glob("merged*")]:
                path.unlink()
            del self.log[made:]
            self.check_merge(case, merge, stopped)

    def check_merge(self, case, merge, stopped):
        whole, one = self.run_whole(case, merge)
        parts = [f"part.{i + 1}.bsp" for i in case.order]
        threads = 1 if whole.cram else 1 + len(case.order) % 3
        done = self.call("merge", "-q", "-t", threads, *parts, *words_of(merge.given), *self.outputs(merge, "merged"), "--json", "merged.json")
        says = refusal(case, whole, merge, stopped)
        if one.returncode != 0:  # merge refuses what a run refuses
            self.counts["refused as one run"] += 1
            if says:
                self.assertIn(done.returncode, (one.returncode, 2))
            else:
                self.assertEqual(one.returncode, done.returncode, (one.stderr, done.stderr))
                self.assertEqual(message_of(one, case), message_of(done, case))
        elif says:
            self.counts["refused"] += 1
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(says, done.stderr.decode())
        else:
            self.counts["merged"] += 1
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.compare(self.made(one, "whole"), self.made(done, "merged"))
            self.compare_reports(case, whole)

    def compare(self, expected, found):
        self.assertEqual(sorted(found), sorted(expected))
        for name, data in expected.items():
            if found[name] == data:
                continue
            if data[:2] == b"\x1f\x8b":
                data, found[name] = gzip.decompress(data), gzip.decompress(found[name])
                self.assertNotEqual(found[name], data, f"{name}: only the compressed bytes differ")
            self.assert_same_text(found[name].decode("latin-1"), data.decode("latin-1"), name)

    def compare_reports(self, case, whole):
        """Compares the reports, apart from what docs/report.md says is not that of one run."""
        one, merged = (without_origin(json.loads((self.folder / f"{stem}.json").read_text())) for stem in ("whole", "merged"))
        if whole.most or any(name in case.asked for name in MOST):  # a run stops to read at its last hit
            del one["inputs"], merged["inputs"]
        elif not case.regions:
            for source, empty in zip(one["inputs"], case.empty):
                source["records"] -= empty
        for source, of_merge in zip(one.get("inputs", []), merged.get("inputs", [])):
            if case.regions and of_merge["format"] is None:  # no chunk reads a file without regions
                source["format"] = None
        self.assertEqual(merged, one)

    def repeat(self, command):
        chosen, _, number = ONE.partition(":")
        if ONE and chosen != command:
            self.skipTest(f"BASESWEEP_PART_CASE={ONE}")
        begin = time.monotonic()
        numbers = [int(number)] if ONE else range(-(-CASES // len(FORMATS)))
        for i in numbers:
            for path in self.folder.iterdir():
                path.unlink()
            if ONE:  # its files stay
                self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-parts."))
                print(f"\n{self.folder}")
            self.log.clear()
            with self.subTest(repeat_by=f"BASESWEEP_TEST_SEED={SEED} BASESWEEP_PART_CASE={command}:{i}"):
                try:
                    self.check(make_case(command, i))
                except AssertionError as failure:
                    raise AssertionError("\n".join([str(failure), *self.log])) from None
        if "BASESWEEP_PART_CASES" in os.environ:
            print(f"\n{command}: {len(numbers)} cases, {dict(self.counts)}, {time.monotonic() - begin:.1f} s")

    def test_motif(self):
        self.repeat("motif")

    def test_match(self):
        self.repeat("match")

    def test_pwm(self):
        self.repeat("pwm")

    def test_pcr(self):
        self.repeat("pcr")

    def test_guides(self):
        self.repeat("guides")

    def test_map(self):
        self.repeat("map")
