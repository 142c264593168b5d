"""The tables of docs/*.md that say what `help --json` says: exit codes, variables of the environment, formats and columns.

A line `<!-- scripts/wrappers.py makes this table: NAME -->` stands above such a table. What the program does not say of itself, such as
what makes a retry succeed, stands below.
"""
import re
import subprocess
import sys

MARK = "<!-- scripts/wrappers.py makes this table: {} -->\n\n"
MARKED_TABLE = re.compile(re.escape(MARK).replace(r"\{\}", "(.+)") + r"(?:\|.*\n)*")

RETRIES = {"0": "", "1": "more memory", "2": "nothing helps", "3": "nothing helps", "4": "nothing helps",
           "75": "no GPU: the bytes are the same"}
MORE_OF_CODES = {"1": ", also for lack of memory", "3": ", or parts that do not belong together"}
KILLED = ("137", "killed by the system, mostly for memory", "more memory")  # the system's code

MORE_OF_VARIABLES = {
    "BASESWEEP_BATCH_HITS": " and more time. If it is not set: 131,072; with a GPU 4,194,304; for `guides` 2,097,152 places",
    "BASESWEEP_GZIP_THREADS": ". From 1 to 4096. If it is not set, the size of the file, `-t` and the number of processors decide",
}
VARIABLES_OF_OTHERS = (
    ("`REF_PATH`, `REF_CACHE`", "Of HTSlib: where references of CRAM input are looked for by their digest (M5), without `--cram-reference`. "
     "If `REF_PATH` is not set, HTSlib does not use the network"),
    ("`CUDA_VISIBLE_DEVICES`", "Of NVIDIA's driver: the GPUs that basesweep sees, and their order; numbers, or the names of GPUs and of parts "
     "of them (MIG)"),
)

FORMATS = (  # endings, name, words of --format
    (".bed", "BED", ("bed",)),
    (".tsv", "TSV", ("tsv",)),
    (".csv", "CSV", ("csv",)),
    (".jsonl, .ndjson", "JSON lines", ("jsonl",)),
    (".gff3, .gff", "GFF3", ("gff3",)),
    (".fa, .fasta, .fna", "FASTA", ("fasta",)),
    (".fq, .fastq", "FASTQ", ("fastq.gz", "fastq")),
    (".sam", "SAM", ("sam",)),
    (".bam", "BAM", ("bam",)),
    (".cram", "CRAM", ("cram",)),
    (".txt", "table with the columns of MAGeCK", ("mageck",)),
    (".tsv", "FIMO's TSV", ("fimo",)),
)
NOTES_ON_FORMATS = {("guides", "bed"): "its table with `--design`", ("pwm", "fimo"): "`--format fimo`"}
ALSO = {"csv": "also with `--count` and `--table`", "jsonl": "also with `--count` and `--table`"}
OTHER_FILES = (  # endings, what is written, by which command
    (".tsv", "tables of matrices", "`pwm` with `--table`, `--thresholds`"),
    (".tsv, .txt", "table of counts", "`motif`, `match`, `pcr` and `pwm` with `--count`"),
    (".tsv, .txt, .plan", "plan", "`plan`"),
    (".2bit", ".2bit", "`pack`"),
    (".bsx", "compiled set", "`compile`"),
    (".bsp", "part", "all searches with `--chunk`"),
)

# Commands whose hits have more columns with some options.
OPTIONS_OF_COLUMNS = {"motif": ("--flank", "1"), "match": ("--report", "best-per-record", "--flank", "1")}
# When a command writes a column, if not always, and its meaning does not say so. Other unusual ones are asked for by --columns.
ASKED_BY = {
    **dict.fromkeys((("match", name) for name in ("mismatches", "insertions", "deletions")), "with `--edit-columns`"),
    **dict.fromkeys((("match", name) for name in ("pattern_start", "pattern_end")),
                    "with `--overhang`, also where clamps let no pattern hang over"),
    **dict.fromkeys((("match", name) for name in ("best", "next_edits")), "with `--report best-per-record`"),
    **dict.fromkeys((("match", name) for name in ("aligned_pattern", "aligned_text")), "with `--aligned`"),
    **dict.fromkeys((("pcr", f"probe_{name}") for name in ("start", "end", "strand", "edits")), "if a pair has a probe"),
}
MORE_OF_COLUMNS = {
    ("match", "cigar"): " (`--overhang`)",
    ("match", "best"): ", see [meaning](meaning.md#the-best-of-each-record)",
    ("match", "mate"): "; `.` where the text is not [pairs](meaning.md#pairs-of-reads)",
    ("match", "upstream"): ", in upper case; N is at most 10,000",
    ("match", "matched"): "; for `-` the reverse complement, IUPAC letters too",
    ("pcr", "end"): "; it exceeds the record's length over the origin of a circular record",
    **{("pcr", f"{primer}_mismatches"): "; `.` if there are none" for primer in ("forward", "reverse")},
    **{("pcr", f"{primer}_tm"): "; `.` for fewer than two bases" for primer in ("forward", "reverse")},
    ("pcr", "probe_start"): "; `.` if there is no site between the primers",
    ("pwm", "name"): "; `.` if there is none",
}
MORE_COLUMNS = {"guides": (("features", "text", "the features that the place overlaps, as kind:name", "with `--annotate FILE`"),)}


def marked(text):
    """Returns a sentence of the program as Markdown: options, placeholders and lone signs as code."""
    text = text.replace("|", "\\|")
    text = re.sub(r"<[a-z]+>", r"`\g<0>`", text)
    text = re.sub(r"(?<![\w`-])--[a-z][\w-]*(?: [A-Z]+\b)?", r"`\g<0>`", text)
    text = re.sub(r"(?<![^ ])[-+=.](?= (?:for|when|match)\b)", r"`\g<0>`", text)
    return re.sub(r"(?<=, )[XIDS](?= (?:mismatch|a base|one)\b)|(?<=, )[ID](?= in CIGAR)", r"`\g<0>`", text)


def exit_codes(program):
    """Returns the rows of all exit codes, and of the one of a process that was killed."""
    meanings = {}
    for command in program.told["commands"]:  # the first is the program itself
        for code, meaning in command["exit_codes"].items():
            meanings.setdefault(code, meaning)
    unknown = meanings.keys() - RETRIES.keys()
    if unknown:
        sys.exit(f"wrappers.py: exit code {min(unknown)}: say in scripts/wrapping/documents.py what makes a retry succeed")
    rows = [(code, meanings[code] + MORE_OF_CODES.get(code, ""), RETRIES[code]) for code in sorted(meanings, key=int)]
    return [("code", "meaning", "what makes a retry succeed"), *rows, KILLED]


def variables(program):
    """Returns the rows of the environment's variables."""
    rows = []
    for name, text in program.told["commands"][0]["environment"].items():
        words = re.sub(r"(?<!\w)(?:sse42|avx2|avx512|neon|/tmp)(?!\w)", r"`\g<0>`", text)
        rows.append((f"`{name}`", words.rstrip(".") + MORE_OF_VARIABLES.get(name, "")))
    return [("variable", "does"), *rows, *VARIABLES_OF_OTHERS]


def defaults_of(command):
    """Returns {word: when it is the default} of --format, as its text says: else sam for FASTA, tsv for FASTQ."""
    said = re.search(r"\(default: [^)]*\belse ([^)]*)\)", command["--format"].text)
    words = (part.partition(" ") for part in said[1].split(", ")) if said else ()
    return {word: f"default {when}".strip() for word, _, when in words if word in command.formats}


def formats(program):
    """Returns the rows of the formats that commands write, and of the other files."""
    rows, known = [], set()
    writers = [command for command in program.commands.values() if command.formats and command.name != "merge"]
    for endings, name, words in FORMATS:
        said = []
        for command in writers:
            word = next((word for word in words if word in command.formats), None)
            if word:
                note = NOTES_ON_FORMATS.get((command.name, word)) or defaults_of(command).get(word)
                said.append(f"`{command.name}`" + (f" ({note})" if note else ""))
        also = [ALSO[word] for word in words if word in ALSO]
        rows.append((coded(endings), name, "; ".join([", ".join(said), *also])))
        known.update(words)
    for command in writers:
        if set(command.formats) - known:
            sys.exit(f"wrappers.py: basesweep {command.name}: say in scripts/wrapping/documents.py how files of the format "
                     f"{min(set(command.formats) - known)} end")
    return [("ending", "format", "written by"), *rows, *((coded(endings), name, writer) for endings, name, writer in OTHER_FILES)]


def coded(endings):
    """Returns endings as code."""
    return ", ".join(f"`{ending}`" for ending in endings.split(", ") if ending)


def columns(program, name):
    """Returns the rows of a command's columns, in the order of tables. The columns of `match` are also those of `motif`."""
    command = program.commands[name]
    usual = {column["name"]: column["usual"] for column in command.columns}
    told = all_columns(program, name)
    of_both = all_columns(program, "motif") if name == "match" else told
    rows = []
    for column, (kind, meaning) in told.items():
        option, _, rest = meaning.rpartition(": ") if meaning.startswith("with --") else ("", "", meaning)
        when = "" if usual.get(column) else f"with `--columns +{column}`"
        if column == "file" and "--with-file" in command:
            when = "with `--with-file`"
        when = marked(option) or ASKED_BY.get((name, column), when)
        only = "" if column in of_both else "`match` only"
        rows.append((f"`{column}`", kind, marked(rest) + MORE_OF_COLUMNS.get((name, column), ""), "; ".join(filter(None, (only, when)))))
    rows += [(f"`{column}`", *cells) for column, *cells in MORE_COLUMNS.get(name, ())]
    return [("column", "type", "is", "when"), *rows]


def all_columns(program, name):
    """Returns {column: (type, meaning)} of a command, with those that it has with some options only."""
    if name not in OPTIONS_OF_COLUMNS:
        return {column["name"]: (column["type"], column["meaning"]) for column in program.commands[name].columns}
    words = [program.path, name, *OPTIONS_OF_COLUMNS[name], "--columns", "help"]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    cells = [line.split("\t") for line in lines if not line.startswith("#")]
    return {column: (kind, meaning) for column, kind, _, meaning in cells}


TABLES = {
    "exit codes": exit_codes,
    "variables": variables,
    "formats": formats,
    "columns of motif and match": lambda program: columns(program, "match"),
    "columns of pcr": lambda program: columns(program, "pcr"),
    "columns of pwm": lambda program: columns(program, "pwm"),
    "columns of guides": lambda program: columns(program, "guides"),
}


def table(rows):
    """Returns the lines of a table, whose first row is its head."""
    head, *body = rows
    return "".join("| " + " | ".join(cells) + " |\n" for cells in (head, ["---"] * len(head), *body)).replace("|  |", "| |")


def with_tables(page, tables, used):
    """Returns the text of a page with its tables made anew, and adds their names to `used`. A name that is not known is an error."""
    def replaced(mark):
        if mark[1] not in tables:
            sys.exit(f"wrappers.py: a page names the table '{mark[1]}', which scripts/wrapping/documents.py does not have")
        used.add(mark[1])
        return MARK.format(mark[1]) + tables[mark[1]]
    return MARKED_TABLE.sub(replaced, page)


def write(program, pages, folder):
    """Writes those of the pages that have such tables into the folder. A table that no page has is an error."""
    folder.mkdir(parents=True, exist_ok=True)
    tables, used = {name: table(rows(program)) for name, rows in TABLES.items()}, set()
    for page in sorted(pages.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if MARKED_TABLE.search(text):
            (folder / page.name).write_text(with_tables(text, tables, used), encoding="utf-8")
    if tables.keys() - used:
        sys.exit(f"wrappers.py: no page of docs has the table '{min(tables.keys() - used)}'")
