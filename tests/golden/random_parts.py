"""Random cases of chunks and merging: which options the chunks have, which ones merge, how outputs are named."""
import functools
import random
from typing import Dict, List, NamedTuple, Optional

import random_searches
from map_support import SEED
from random_texts import random_regions, random_text
from support import run

TABLES = ("tsv", "csv", "jsonl")
ALIGNED = ("sam", "bam", "cram")
TEXTS = (*TABLES, "bed", "gff3", "fasta")  # that --columns adds to
FORMATS = {"motif": TEXTS, "match": (*TEXTS, "sam", "bam"), "pwm": (*TABLES, "bed", "gff3", "fimo"), "pcr": (*TEXTS, "sam", "bam"),
           "map": ALIGNED, "guides": (*TABLES, "bed", *ALIGNED)}
ENDINGS = {"gff3": ["gff3", "gff"], "fasta": ["fa", "fasta"], "fimo": ["tsv"]}
SITES = ("sites", "best", "best-per-record")
REPORTS = {"match": SITES, "pwm": ("all", "best-per-record"), "pcr": ("all", "best", "best-per-record")}
NO_INDEX = {"--columns", "--with-file", "--count", "--table", "--edit-columns", "--aligned"}
READ_GROUPS = (r"@RG\tID:x\tPL:ILLUMINA", r"@RG\tID:other")


class Merge(NamedTuple):
    given: Dict[str, object]  # options and their values; True: a flag
    name: str  # what follows "merged" or "whole" in the name of the output; "-": stdout
    hits: Optional[str] = None  # the same for the places of guides; None: none


class Case(NamedTuple):
    command: str
    files: Dict[str, bytes]
    words: List[object]  # of the search, with its inputs
    regions: List[str]
    planned: List[object]  # what a plan is made of
    compiled: List[object]  # what a compiled set is made of; empty: there is none
    asked: Dict[str, object]  # options of the output that the chunks have
    hits: Optional[str]  # the name of the places that the chunks of guides keep
    plan: bool
    jobs: List[List[object]]  # for each chunk, options that no result depends on
    order: List[int]
    merges: List[Merge]
    empty: List[int]  # records without bases of each input


def words_of(options):
    return [word for name, value in options.items() for word in ([name] if value is True else [name, value])]


@functools.lru_cache(None)
def columns_of(command, *words):
    lines = run(*words, "--columns", "help", command=command).stdout.decode().splitlines()
    return [line.split("\t")[0] for line in lines[1:] if not line.startswith("#")]


class Chooser:
    """Chooses options of the output that go with those of the search and of the chunks, mostly."""

    def __init__(self, rng, command, search, fastq, had):
        self.rng, self.command, self.search, self.fastq, self.had, self.own = rng, command, set(map(str, search)), fastq, had, {}
        self.circular = any(word.startswith("--circular") for word in self.search)

    def has(self, *names):
        return any(name in self.had or name in self.own for name in names)

    def value(self, name):
        return self.own.get(name, self.had.get(name))

    def may(self, share, name, value=True):
        if self.rng.random() < share:
            self.own[name] = value

    def choose(self):
        """Returns options, and the format; None where they ask for none."""
        self.rows()
        formats = self.formats()
        format = self.rng.choice(formats or FORMATS[self.command])
        self.details(format)
        return self.own, format

    def rows(self):
        """What is written: the choice of hits, counts, tables."""
        if self.command in ("map", "guides") or "--table" in self.search:
            return
        reports, report = REPORTS.get(self.command), self.had.get("--report")
        if reports and report in (None, *reports):
            self.may(0.35, "--report", self.rng.choice(reports))
        elif reports:
            self.may(0.06, "--report", self.rng.choice(reports))  # which the chunks did not look for
        if self.command == "match" and self.value("--report") == "best-per-record":
            self.may(0.4, "--best-of", self.rng.choice(["pattern", "record"]))
        best = self.value("--report") == "best-per-record"
        if self.command != "pcr" and not (self.command == "pwm" and best):
            self.may(0.15, "--non-overlapping")
        most = "--max-products" if self.command == "pcr" else "--max-hits"
        if not self.has("--count"):
            self.may(0.15, most, self.rng.choice([1, 2, 5, 30, "1k"]))
        if self.command == "pcr" and not self.has("--count"):
            self.may(0.15, "--table")
        if not self.has(most, "--table") and not (self.command == "pwm" and best):
            self.may(0.12, "--count")
        if self.has("--count") and self.command != "pwm":
            self.may(0.3, "--per-file")
            self.may(0.4 * (self.command == "match"), "--by-edits")

    def formats(self):
        """The formats that go with all of this."""
        allowed = set(FORMATS[self.command])
        if self.has("--count", "--table") or "--table" in self.search or self.has("--edit-columns", "--aligned"):
            allowed &= set(TABLES)
        if self.has("--with-file"):
            allowed &= {*TABLES, "gff3", "fasta"}
        if "--flank" in self.search:
            allowed &= {*TABLES, "fasta"}
        if self.has("--columns"):
            allowed &= set(TEXTS if str(self.value("--columns")).startswith("+") else TABLES)
        if self.command != "map" and self.has("--eqx", "--no-PG", "--rg"):
            allowed &= set(ALIGNED)
        if self.has("--eqx"):
            allowed.discard("cram")
        if self.has("--sequence"):
            allowed &= {"fasta"}
        if self.fastq and self.command != "map":  # their headers list all records
            allowed -= {*ALIGNED, *(["gff3"] if self.circular else [])}
        if self.circular and self.command == "pcr":
            allowed -= {"bed", "sam", "bam"}
        return sorted(allowed)

    def details(self, format):
        """How it is written."""
        if format in ALIGNED:
            self.may(0.15 * (format != "cram"), "--eqx")
            self.may(0.15, "--no-PG")
            self.may(0.15 * ("--keep-tags" not in self.search), "--rg", self.rng.choice(READ_GROUPS))
            return
        if self.has("--count") or self.command == "map" or format == "fimo":
            return
        self.columns(format)
        if self.command in ("motif", "match", "pcr") and format != "bed":
            self.may(0.12, "--with-file")
        if self.command == "match" and format in TABLES:
            self.may(0.15, "--edit-columns")
            self.may(0.15, "--aligned")
        if self.command == "pcr" and format == "fasta":
            self.may(0.4, "--sequence", self.rng.choice(["product", "amplified", "insert"]))

    def columns(self, format):
        if format not in TEXTS or "--table" in self.search:
            return
        words = []
        if "--flank" in self.search:
            words += ["--flank", 3]
        if self.command == "match" and self.value("--report") == "best-per-record":
            words += ["--report", "best-per-record"]
        known = columns_of(self.command, *(["--table"] if self.has("--table") else []), *words)
        if "--probe" not in self.search:
            known = [name for name in known if not name.startswith("probe_")]
        chosen = self.rng.sample(known, min(len(known), self.rng.choice([1, 2, 3, 5, 40])))
        exact = format in TABLES and self.rng.random() < 0.5
        self.may(0.3, "--columns", ",".join(chosen if exact else [f"+{name}" for name in chosen]))


def name_of(rng, options, had, format, counts):
    """Returns the name of an output of this format; it or the options say the format."""
    endings = ["txt", "tsv"] if counts and format == "tsv" else ENDINGS.get(format, [format])
    ending = "." + rng.choice(endings) + (".gz" if format not in ("bam", "cram") and rng.random() < 0.25 else "")
    way = rng.random()
    if had.get("--format") == format and way < 0.4:
        return rng.choice(["", ending])
    if way > 0.6 or format == "fimo":
        options["--format"] = format
    return ending if way < 0.75 else rng.choice(["", "-"]) if format != "cram" else ""


def index_for(rng, options, had, name):
    """Adds --write-index where the output may have an index."""
    if name.endswith(("bed.gz", "tsv.gz", "gff3.gz", "sam.gz", ".bam")) and not NO_INDEX & {*options, *had} and rng.random() < 0.3:
        options["--write-index"] = True


def asked_of_chunks(rng, command, search, fastq):
    """Returns options of the output that the chunks have."""
    asked = {}
    if command == "match" and rng.random() < 0.25:
        asked["--report"] = rng.choice(["minima", "all"])
    if command == "map" and rng.random() < 0.4:
        asked["--report"] = rng.choice(["best", "sites", "all"])
    if rng.random() < 0.55:
        return asked
    options, format = Chooser(rng, command, search, fastq, asked).choose()
    if rng.random() < 0.5 and command != "guides":
        options["--format"] = format
    if rng.random() < 0.5:
        keep = rng.choice(sorted(options) or [""])
        options = {name: value for name, value in options.items() if name == keep}
    return {**asked, **options}


def merge_of(rng, command, search, fastq, asked):
    if command == "guides":
        return merge_of_guides(rng, search, fastq, asked)
    options, format = Chooser(rng, command, search, fastq, asked).choose()
    counts = "--count" in {**asked, **options}
    if command == "map" and rng.random() < 0.05:
        options["--report"] = rng.choice(["best", "sites", "all"])
    name = name_of(rng, options, asked, format, counts)
    if command != "map" and "--table" not in search:
        index_for(rng, options, asked, name)
    return Merge(options, name)


def merge_of_guides(rng, search, fastq, asked):
    """The table and the places each have a format."""
    had = {name: value for name, value in asked.items() if name != "--hits"}
    keeps = "--hits" in asked
    name = rng.choice(["-", ".tsv", ".tsv", ".csv", ".jsonl", ".tsv.gz", ".csv.gz", ""])
    if rng.random() < (0.2 if keeps else 0.95):
        return Merge({}, name)
    options, format = Chooser(rng, "guides", search, fastq, had).choose()
    hits = "." + format + (".gz" if format not in ("bam", "cram") and rng.random() < 0.3 else "")
    index_for(rng, options, had, hits)
    return Merge(options, name, hits)


def job_of(rng, command):
    """Returns options of a chunk that its result does not depend on."""
    words = ["-t", rng.choice([1, 1, 1, 2, 3])]
    if rng.random() < 0.5:
        size = rng.choice([1, 7, 40, 200, 3000])
        words += ["--batch-bytes", 50 * size] if command == "map" else ["--batch-bases", size]
    if command == "match" and rng.random() < 0.2:
        words += ["--algorithm", rng.choice(["myers", "hmm", "bitsliced"])]
    return words


def case_of_reads(rng):
    """Returns words of a search, its files and inputs, regions, what a plan and a compiled set are made of, whether the
    input is of reads, and the numbers of records without bases."""
    search, files, (_, records), inputs, planned = random_searches.map_search(rng)
    named = [(name, len(letters)) for name, letters in records if letters]
    if named and rng.random() < 0.2:  # regions of the reference, which a plan of the reads does not have
        name, length = rng.choice(named)
        begin = rng.randint(1, length)
        search += ["--region", f"{{{name}}}:{begin}-{rng.randint(begin, length)}"]
    return search, files, inputs, [], planned, [], True, []


def case_of_text(rng, command):
    """The same for a search of a text."""
    search, files, text, compiled = getattr(random_searches, command)(rng, functools.partial(random_text, rng))
    regions, more = random_regions(rng, text)
    if "--table" in search and "--regions-file" in regions and rng.random() < 0.5:
        search += ["--per-region"]
    empty = [0 if text.fastq else sum(not letters for _, letters in records) for records in text.records]
    return search, {**text.files, **files, **more}, text.inputs, regions, text.inputs, compiled, text.fastq, empty


def make_case(command, number):
    """Returns a case; the same for the same seed and number."""
    rng = random.Random(f"{SEED} parts of {command} {number}")
    made = case_of_reads(rng) if command == "map" else case_of_text(rng, command)
    search, files, inputs, regions, planned, compiled, fastq, empty = made
    chunks = rng.choice([1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 6, rng.randint(5, 12)])
    plan = rng.random() < 0.4 and "--per-region" not in search
    hits = rng.choice([None, ".tsv", ".bed", ".sam", ".csv.gz"]) if command == "guides" else None
    if hits and rng.random() < 0.25:
        search += ["--hits-all"]
    asked = asked_of_chunks(rng, command, search, fastq) if command != "guides" or hits else {}
    had = {**asked, **({"--hits": hits} if hits else {})}
    merges = [merge_of(rng, command, search, fastq, had) for _ in range(rng.choice([2, 3, 3, 4]))]
    jobs = [job_of(rng, command) for _ in range(chunks)]
    order = rng.sample(range(chunks), chunks)
    return Case(command, files, [*search, *inputs], regions, planned, compiled, asked, hits, plan, jobs, order, merges, empty)
