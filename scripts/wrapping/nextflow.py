"""What the modules of Nextflow say of themselves: meta.yml of each, in the form of nf-core, and parameters of the example.

Which channels a module has, main.nf says. What stands in them is said below, with the texts and formats of the program where it has them.
"""
import json
import re
import sys

MODULES = "modules/local/basesweep"
TOOL = "Sweeps nucleotide sequence for patterns on CPU and GPU"
KEYWORDS = {
    "motif": ("motif", "restriction site", "iupac", "pattern matching", "gpu"),
    "match": ("primer", "adapter", "approximate matching", "edit distance", "gpu"),
    "pcr": ("primer", "pcr", "in-silico pcr", "amplicon", "gpu"),
    "pwm": ("motif", "position weight matrix", "transcription factor", "binding site", "gpu"),
    "guides": ("crispr", "guide", "off-target", "library", "gpu"),
    "map": ("read mapping", "alignment", "edit distance", "fastq", "gpu"),
    "demux": ("demultiplexing", "barcode", "fastq", "nanopore", "gpu"),
    "trim": ("trimming", "adapter", "quality", "fastq", "primer"),
    "count": ("crispr", "screen", "guide", "count", "mageck"),
    "plan": ("scatter", "chunk", "fasta", "fastq"),
    "merge": ("gather", "merge", "chunk"),
}
EDAM = {"fasta": "format_1929", "fastq": "format_1930", "bam": "format_2572", "sam": "format_2573", "cram": "format_3462", "bed": "format_3003",
        "tsv": "format_3475", "csv": "format_3752", "gff3": "format_1975", "json": "format_3464", "2bit": "format_3009"}
FORMATS_OF_ENDINGS = {"fa": "fasta", "fna": "fasta", "fq": "fastq", "mageck": "tsv", "fimo": "tsv"}

SEQUENCES = "*.{fa,fasta,fna,fq,fastq,sam,bam,cram,2bit}{,.gz,.bz2,.xz,.zst}"
READS = "*.{fq,fastq,fa,fasta,sam,bam,cram}{,.gz,.bz2,.xz,.zst}"
PAIRS = "files are the two mates of pairs unless single_end is true or there is one"
MAPS = {  # of a module's reads, and of its second input
    "map": f"Groovy Map of the sample, for example [ id:'reads', single_end:true ]; {PAIRS}",
    "demux": f"Groovy Map of the reads, for example [ id:'lane1', single_end:true ]; {PAIRS}",
    "trim": f"Groovy Map of the reads, for example [ id:'lane1', single_end:true ]; {PAIRS}",
    "count": "Groovy Map of the samples, for example [ id:'screen', single_end:true ]; the files are the samples, of pairs those of first mates",
}
SECOND_MAPS = {"motif": "motifs", "match": "primers", "pcr": "pairs", "pwm": "matrices", "guides": "library", "map": "reference", "demux": "sheet",
               "count": "library"}
# What a module does beyond the summary of its command.
MORE_OF_SUMMARIES = {"pwm": ", with exact p-values", "demux": ", one file for each sample", "trim": ", and filter them",
                     "merge": "; the output and the report are those of one run"}
OR_A_CHUNK = "; search all of the input or a chunk of it"
# Input: its option, "" for the files that stand after the options, or a text where the program has none; what the module adds to the text of
# the program; endings, if it is a file.
INPUTS = {
    "text": ("", "", SEQUENCES),
    "reads": ("", "", READS),
    "parts": ("", "", "*.bsp"),
    "plan": ("--plan", "; [] for none", "*.plan.tsv"),
    "chunk": ("--chunk", "; for example '3/17', or '' for all of it", ""),
    "patterns": ("--pattern-file", "", "*.{fa,fasta,tsv,csv,bed,txt}"),
    "pairs": ("--pair-file", "", "*.{tsv,csv,bed,fa,fasta}"),
    "matrices": ("--matrices", "; one file or several", "*.{jaspar,pfm,meme,motif,transfac,txt}"),
    "guides": ("--pattern-file", "; [] with --design in ext.args", "*.{tsv,csv,fa,fasta,txt}"),
    "reference": ("--reference", "", "*.{fa,fasta,fna,2bit}{,.gz,.bz2,.xz,.zst}"),
    "sheet": ("--sheet", "", "*.{tsv,csv}"),
    "library": ("--library", "", "*.{tsv,csv,txt,fa,fasta}"),
    "index": ("Its .fai, and its .gzi if it is BGZF; [] for none", "", "*.{fai,gzi}"),
    "samples": ("The names of the samples in the order of the files; [] for the names of the files", "", ""),
    "regions": ("BED of the regions to sweep; [] for all", "", "*.bed"),
    "chunks": ("--chunks", "", ""),
}
TYPES = {"samples": "list", "chunks": "integer"}
# What the input `suffix` chooses; {formats}: those of the command.
OF_PARTS = "; what merge writes of the parts, unless it is told another"
SUFFIXES = {
    "motif": "The format, one of {formats}, also with .gz, or counts.tsv" + OF_PARTS,
    "match": "The format, one of {formats}, also with .gz, or counts.tsv" + OF_PARTS,
    "pcr": "The format, one of {formats}, also with .gz, or counts.tsv, or table.tsv" + OF_PARTS,
    "pwm": "The format, one of {formats}, also with .gz, or counts.tsv, or a table of records and matrices, score.tsv or count.tsv" + OF_PARTS,
    "guides": "The ending of the file of places, which chooses its format, for example bed.gz; '' for the table of guides only",
    "map": "The format, one of {formats}" + OF_PARTS,
    "demux": "The format of the reads, one of {formats}",
    "trim": "The ending of the files of reads, which chooses the format: one of {formats}, and fq and fa for short, also with .gz; in sam and bam mates "
            "are in one file",
    "count": "The ending of the table, which chooses the format: tsv or csv, or count.txt for that of MAGeCK",
    "merge": "The ending of the file, which chooses the format, for example bed.gz: any that the command of the chunks writes, or counts.tsv or "
             "guides.tsv",
}
PART = "; of a chunk a part (.bsp), of which basesweep merge makes "
# Output: what it is, and its endings; {formats}: those of the command.
OUTPUTS = {
    ("motif", "hits"): (f"Places of the motifs, or how many there are of each{PART}them", "*.{bsp,{formats}}{,.gz}"),
    ("match", "hits"): (f"Places of the primers, or how many there are of each{PART}them", "*.{bsp,{formats}}{,.gz}"),
    ("pcr", "products"): (f"Products of the pairs, or how many there are of each{PART}them", "*.{bsp,{formats}}{,.gz}"),
    ("pwm", "sites"): (f"Sites of the matrices, or how many there are of each{PART}them", "*.{bsp,{formats}}{,.gz}"),
    ("guides", "table"): (f"A row for each guide, with its places by mismatches and bulges, and its specificity{PART}it and the places",
                          "*.{bsp,guides.tsv}"),
    ("guides", "places"): ("All places of the guides, if a form was named; those of a chunk are in its part",
                           "*.{tsv,csv,jsonl,bed,sam,bam,cram}{,.gz}"),
    ("guides", "index"): ("The index of the places, where ext.args holds --write-index", "*.{bai,crai,csi,tbi}"),
    ("map", "alignments"): (f"All reads with their alignments, in the order of the input{PART}them", "*.{bsp,{formats}}"),
    ("demux", "reads"): ("A file for each sample, of pairs two (_R1, _R2), and those of reads without a sample (unassigned)",
                         "*.{fastq,fasta,bam,sam}{,.gz}"),
    ("demux", "summary"): ("The reads and bases of each sample", "summary.tsv"),
    ("demux", "reasons"): ("Why reads have no sample", "reasons.tsv"),
    ("trim", "reads"): ("The reads that were kept; of pairs two files (_1, _2)", "*.trim.{fq,fa,{formats}}{,.gz}"),
    ("count", "counts"): ("A row for each guide and a column for each sample", "*.{txt,tsv,csv}{,.gz}"),
    ("count", "summary"): ("The totals of each sample", "*.samples.tsv"),
    ("plan", "plan"): ("Chunk, record, start, end and length of each piece", "*.plan.tsv"),
    ("merge", "merged"): ("What one run without chunks writes", "*.{{formats}}{,.gz}"),
    ("merge", "places"): ("The places of guides, where ext.args holds --hits with such a name", "*.places.*"),
    ("merge", "index"): ("The index, where ext.args holds --write-index", "*.{bai,csi,tbi}"),
}

HEAD = """# yaml-language-server: $schema=https://raw.githubusercontent.com/nf-core/modules/master/modules/meta-schema.json
# scripts/wrappers.py made this of `basesweep help --json` and main.nf.
name: basesweep_{name}
description: {description}
keywords:
{keywords}
tools:
  - basesweep:
      description: {tool}
      doi: "no DOI available"
      licence: ["MIT"]
      identifier: ""
"""
VERSIONS = """    - - ${task.process}:
          type: string
          description: The process the versions were collected from
      - basesweep:
          type: string
          description: The tool name
      - "basesweep --version | sed 's/.* //'":
          type: eval
          description: The command used to generate the version of the tool
"""
FOOT = """topics:
  versions:
""" + VERSIONS + """authors:
  - "the basesweep authors"
maintainers:
  - "the basesweep authors"
"""


def scalar(text):
    """Returns a text as YAML: plain where that is the same text, else in quotes."""
    if re.search(r": |:$| #|[{}]|^[\W\d]", text) or text in ("", "true", "false", "null", "yes", "no"):
        return json.dumps(text, ensure_ascii=False)
    return text


def listed(words):
    """Returns words as a list in a sentence."""
    return ", ".join(words[:-1]) + f" or {words[-1]}"


def ontologies_of(pattern):
    """Returns EDAM's terms of the formats that the endings of a pattern stand for."""
    endings = re.findall(r"(?<=[.{,])\w+(?=[,}]|$)", pattern)
    formats = dict.fromkeys(FORMATS_OF_ENDINGS.get(ending, ending) for ending in endings)
    return {name: EDAM[name] for name in formats if name in EDAM}


def entry(name, kind, description, pattern, indent, first):
    """Returns the lines of a channel's element; `first`: what stands before its name."""
    blank = " " * indent
    lines = [f"{first}{name}:", f"{blank}type: {kind}", f"{blank}description: {scalar(description)}"]
    if pattern:
        lines.append(f"{blank}pattern: {json.dumps(pattern)}")
        terms = ontologies_of(pattern)
        lines.append(f"{blank}ontologies:" + ("" if terms else " []"))
        lines += [f'{blank}  - edam: "http://edamontology.org/{term}" # {name.upper()}' for name, term in terms.items()]
    return lines


def once(option):
    """Returns the text of an option that is given once."""
    return option.sentence.rstrip(".").replace("; may be repeated", "")


def channels(text):
    """Returns what main.nf has: [names of each input], whether each is a tuple, and {output: glob}."""
    inputs = re.search(r"(?ms)^    input:\n(.*?)^    output:", text)[1].splitlines()
    inputs = [line.strip() for line in inputs if line.strip() and not line.strip().startswith("//")]
    outputs = re.search(r"(?ms)^    output:\n(.*?)^    when:", text)[1]
    return ([re.findall(r"\b(?:val|path)[( ](\w+)", line) for line in inputs], [line.startswith("tuple") for line in inputs],
            {name: glob for glob, name in re.findall(r'path\("([^"]+)"\), emit: (\w+)', outputs)})


def input_of(command, name):
    """Returns type, description and pattern of an input."""
    if name == "meta":
        return "map", MAPS.get(command.name, "Groovy Map of the sample, for example [ id:'lambda' ]"), ""
    if name == "meta2":
        return "map", f"Groovy Map of the {SECOND_MAPS[command.name]}", ""
    if name == "suffix":
        return "string", SUFFIXES[command.name].format(formats=listed(command.formats)), ""
    if name not in INPUTS:
        sys.exit(f"wrappers.py: the module {command.name} has the input {name}: say in scripts/wrapping/nextflow.py what it is")
    text, more, pattern = INPUTS[name]
    if not text:
        text = once(command.arguments[0])
    elif text.startswith("--"):
        text = once(command[text])
    return TYPES.get(name, "file" if pattern else "string"), text + more, pattern


def output_of(command, name):
    """Returns description and pattern of an output."""
    if name == "json":
        return command["--json"].sentence.rstrip(".").replace("Write a report", "Report").replace(" as JSON", ""), "*.json"
    if (command.name, name) not in OUTPUTS:
        sys.exit(f"wrappers.py: the module {command.name} has the output {name}: say in scripts/wrapping/nextflow.py what it is")
    description, pattern = OUTPUTS[command.name, name]
    return description, pattern.replace("{formats}", ",".join(one for one in command.formats if "." not in one))


def meta(command, text):
    """Returns meta.yml of the module whose main.nf is this text."""
    inputs, tuples, outputs = channels(text)
    more = MORE_OF_SUMMARIES.get(command.name, "") + (OR_A_CHUNK if any("chunk" in names for names in inputs) else "")
    lines = ["input:"]
    for names, is_tuple in zip(inputs, tuples):
        for name in names:
            first = ("  - - " if name == names[0] else "    - ") if is_tuple else "  - "
            lines += entry(name, *input_of(command, name), 8 if is_tuple else 6, first)
    lines.append("output:")
    of_meta = input_of(command, "meta")[1].partition(";")[0]
    for name, glob in outputs.items():
        lines += [f"  {name}:", *entry("meta", "map", of_meta, "", 10, "    - - "),
                  *entry(json.dumps(glob), "file", *output_of(command, name), 10, "      - ")]
    head = HEAD.format(name=command.name, description=scalar(command.summary + more), tool=TOOL,
                       keywords="\n".join(f"  - {word}" for word in KEYWORDS[command.name]))
    return head + "\n".join(lines) + "\n  versions_basesweep:\n" + VERSIONS + FOOT


SEARCHES = ("motif", "match", "guides", "map")  # what the example runs
PATTERNS = {"motifs": "motif", "primers": "match", "guides": "guides"}  # parameter -> command that takes it as --pattern-file
MORE_OF_PATTERNS = {"guides": "; without it guides designs those of the genome"}


def with_parameters(commands, schema):
    """Returns the schema of the example's parameters with what the program says of them."""
    known = {}
    for group in schema["$defs"].values():
        known.update(group["properties"])
    words = "|".join(SEARCHES)
    known["command"]["pattern"] = f"^({words})(,({words}))*$"
    known["command"]["description"] = f"{', '.join(SEARCHES)}, or several with commas between them."
    for name, command in PATTERNS.items():
        text = once(commands[command]["--pattern-file"])
        known[name]["description"] = f"For {command}: {text[0].lower()}{text[1:]}{MORE_OF_PATTERNS.get(name, '')}."
    for command in ("motif", "match", "guides"):
        counts = "" if command == "guides" else r"|^counts\.tsv$"
        known[f"{command}_format"]["pattern"] = f"^({'|'.join(commands[command].formats)})(\\.gz)?${counts}"
    return schema


def write(commands, pipeline, folder):
    """Writes meta.yml of each module of the pipeline, and the schema of its parameters, into the folder."""
    for path in sorted((pipeline / MODULES).iterdir()):
        target = folder / MODULES / path.name / "meta.yml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(meta(commands[path.name], (path / "main.nf").read_text(encoding="utf-8")), encoding="utf-8")
    schema = with_parameters(commands, json.loads((pipeline / "nextflow_schema.json").read_text(encoding="utf-8")))
    (folder / "nextflow_schema.json").write_text(json.dumps(schema, indent=4, ensure_ascii=False) + "\n", encoding="utf-8")
