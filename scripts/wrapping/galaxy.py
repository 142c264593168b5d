"""Tools of Galaxy: an XML file for each command that searches or takes reads, and macros.xml with what they share.

Options become parameters, in sections named by the groups of the help. What Galaxy decides, or has other ways for, is left out: threads,
chunks, indices, names of files. What a command writes is a choice of its parameter `format`.
"""
import dataclasses
import textwrap
from xml.sax.saxutils import escape, quoteattr

from wrapping.commands import OF_ENGINE
from wrapping.galaxy_tests import TESTS

LEFT_OUT = OF_ENGINE | {"--chunk", "--plan", "--fai", "--gzi", "--write-index", "--output", "--format", "--count", "--table", "--thresholds",
                        "--json", "--html", "--hits", "--summary", "--device", "--algorithm", "--table-memory", "--compression", "--reads1", "--reads2",
                        "--interleaved", "--matching-reads", "--other-reads", "--pairs", "--per-file", "--with-file", "--name", "--force",
                        "--sample", "--samples", "--paired-output", "--untrimmed-output", "--untrimmed-paired-output", "--too-short-output",
                        "--too-short-paired-output", "--too-long-output", "--too-long-paired-output", "--cram-reference", "--md5"}
SECTIONS = {"Patterns": "patterns", "Input": "input", "What is a hit": "limits", "Regions and chunks": "regions", "Output": "shown",
            "SAM, BAM, CRAM": "sam"}
TITLES = {"regions": "Regions"}  # that differ from those of the groups
SEQUENCES = "fasta,fasta.gz,fastq,fastq.gz,twobit,bam,sam"
READS = "fastq,fastq.gz,fasta,fasta.gz,bam,unsorted.bam,sam"
DATA = {  # of an option with a file: the types of data that it takes
    "--pattern-file": "fasta,fasta.gz,tabular,csv,bed,txt,fastq,genbank", "--pair-file": "tabular,csv,bed,fasta,txt",
    "--matrices": "txt,tabular", "--background": "txt", "--reference": "fasta,fasta.gz,twobit", "--sheet": "tabular,csv,txt",
    "--list": "txt,tabular", "--library": "tabular,csv,fasta,txt", "--annotate": "bed,gff,gff3,gtf", "--primers": "bed,tabular",
    "--regions-file": "bed"}


@dataclasses.dataclass
class Kind:
    """What a command may write: a value of the parameter `format`, its words, the ending of the file and Galaxy's type of it."""
    value: str
    label: str
    words: str
    ending: str
    type: str


def formatted(value, label, ending="", type_=""):
    return Kind(value, label, f"--format {value}", ending or value, type_ or value)


BED, GFF3, FASTA = formatted("bed", "BED"), formatted("gff3", "GFF3"), formatted("fasta", "FASTA")
TSV, CSV = formatted("tsv", "Table, tab-separated", "tsv", "tabular"), formatted("csv", "Table, with commas")
SAM, BAM = formatted("sam", "SAM"), formatted("bam", "BAM")
READS_BAM = formatted("bam", "BAM", "bam", "unsorted.bam")
FASTQ_GZ = Kind("fastq.gz", "FASTQ, compressed", "--format fastq", "fastq.gz", "fastqsanger.gz")
FASTQ = formatted("fastq", "FASTQ", "fastq", "fastqsanger")


def table(value, label, words):
    return Kind(value, label, words, "tsv", "tabular")


COUNTS = table("count", "Table of the number of hits", "--count")


@dataclasses.dataclass
class Tool:
    """What a tool of Galaxy is beyond the options of its command."""
    description: str
    operation: str  # of EDAM
    first: tuple  # options that are shown before the sections
    kinds: tuple
    reads: str = ""  # of a command that takes reads: single (one library) or samples


SEARCHED = ("--edits", "--error-rate", "--mismatches")
TOOLS = {
    "motif": Tool("finds exact and IUPAC motifs", "operation_0239", ("--pattern-file", "--pattern"), (BED, TSV, CSV, GFF3, FASTA, COUNTS)),
    "match": Tool("finds primers, adapters and barcodes with edits", "operation_0239", ("--pattern-file", "--pattern", *SEARCHED),
                  (BED, TSV, CSV, GFF3, FASTA, SAM, BAM, COUNTS)),
    "pcr": Tool("finds the products of primer pairs: in-silico PCR", "operation_0307", ("--pair-file", "--forward", "--reverse", *SEARCHED, "--size"),
                (TSV, CSV, BED, GFF3, FASTA, SAM, BAM, table("count", "Table of the number of products of each pair", "--count"),
                 table("table", "Table of the products and sizes of each record and pair", "--table"))),
    "pwm": Tool("finds the sites of weight matrices", "operation_0445", ("--matrices", "--p-value", "--score", "--relative"),
                (BED, TSV, CSV, GFF3, Kind("fimo", "Table as FIMO writes it", "--format fimo", "tsv", "tabular"), COUNTS,
                 table("scores", "Table of the best score of each record and matrix", "--table score"),
                 table("counts", "Table of the number of hits of each record and matrix", "--table count"))),
    "guides": Tool("finds the off-targets of CRISPR guides", "operation_0239", ("--design", "--pattern-file", "--pattern", "--pam", "--max-mismatches"),
                   (TSV, CSV)),
    "map": Tool("places short reads on a reference, each aligned whole", "operation_3198", ("--reference", "--edits", "--error-rate"),
                (READS_BAM, SAM), "single"),
    "demux": Tool("sorts reads by the barcodes of samples", "operation_3933", ("--sheet", "--kit", "--structure", "--edits", "--error-rate"),
                  (dataclasses.replace(FASTQ_GZ, words="--format fastq.gz"), FASTQ, FASTA, READS_BAM), "single"),
    "trim": Tool("cuts adapters and bad ends from reads", "operation_3192",
                 ("--adapter", "--front", "--anywhere", "-A", "-G", "-B", "--quality-cutoff", "--minimum-length"),
                 (FASTQ_GZ, FASTQ, FASTA, READS_BAM), "single"),
    "count": Tool("counts the reads of guides or barcodes", "operation_3798", ("--library", "--mismatches"),
                  (TSV, CSV, Kind("mageck", "Table as MAGeCK reads it", "--format mageck", "txt", "tabular")), "samples"),
}
PLACES = (BED, TSV, CSV, SAM, BAM)  # of guides
EXTRA_SEQUENCES = {"guides": "Genome", "pcr": "Sequences that are amplified"}


def element(tag, content=None, /, **attributes):
    """Returns an XML element; attributes that are None are left out, and those that end in _ are words of Python."""
    given = "".join(f" {key.rstrip('_')}={quoteattr(str(value))}" for key, value in attributes.items() if value is not None)
    return f"<{tag}{given}/>" if content is None else f"<{tag}{given}>{content}</{tag}>"


def indented(lines, depth):
    return [" " * 4 * depth + line for line in lines]


class Parameter:
    """The parameter of an option: its XML, and the lines of Cheetah that make words of it."""

    def __init__(self, option, section=""):
        self.option, self.section = option, section
        self.name = option.identifier
        self.variable = f"${section}.{self.name}" if section else f"${self.name}"

    @property
    def label(self):
        words = self.name.replace("_", " ")
        return words[0].upper() + words[1:]

    def attributes(self, **more):
        argument = self.option.option if self.option.option.startswith("--") else None
        return {"argument": argument, "name": self.name if argument is None or self.name != argument.lstrip("-").replace("-", "_") else None,
                "label": self.label, "help": self.option.sentence, **more}

    def text(self, **attributes):
        """Returns the lines of a parameter of text."""
        return ["<param" + element("", **attributes)[1:-2] + ">", *indented(['<expand macro="any_text"/>'], 1), "</param>"]

    def repeat(self, name, title, sentence, inner, label):
        """Returns a repeat of one text, whose name is `inner`."""
        return [f"<repeat name={quoteattr(name)} title={quoteattr(title)} help={quoteattr(sentence)}>",
                *indented(self.text(name=inner, type="text", label=label), 1), "</repeat>"]

    def xml(self):
        """Returns the lines of the parameter, or of several."""
        option = self.option
        if option.bare:
            return [element("param", **self.attributes(type="boolean", truevalue=option.option, falsevalue="", checked="false")),
                    *self.repeat(self.name + "_names", f"{self.label}: a name", f"With names, {option.option} holds for the records of these names.",
                                 "name", "Name")]
        if option.kind == "flag":
            return [element("param", **self.attributes(type="boolean", truevalue=option.option, falsevalue="", checked="false"))]
        if option.kind in ("integer", "number"):
            kind = "integer" if option.kind == "integer" else "float"
            return [element("param", **self.attributes(type=kind, optional="true", min=self.limit(option.least), max=self.limit(option.most)))]
        if option.kind == "choice":
            return ["<param" + element("", **self.attributes(type="select", optional="true"))[1:-2] + ">",
                    *(f"    <option value={quoteattr(word)}>{escape(word)}</option>" for word in option.words), "</param>"]
        if option.kind == "file":
            multiple = "true" if option.repeated else None
            return [element("param", **self.attributes(type="data", format=DATA[option.option], multiple=multiple,
                                                       optional=None if option.required else "true"))]
        if option.repeated:
            lines = self.repeat(self.name, self.label, option.sentence, "value", self.label)
        else:
            lines = self.text(**self.attributes(type="text", optional="true"))
        if option.file_prefix is not None:
            multiple = "true" if option.repeated else None
            format_ = DATA.get(option.option, "fasta")
            lines.append(element("param", name=self.name + "_file", type="data", format=format_, multiple=multiple, optional="true",
                                 label=self.label + ", from a file", help="The same from a file. " + option.sentence))
        return lines

    def limit(self, value):
        return None if value is None else int(value) if float(value).is_integer() else value

    def cheetah(self):
        """Returns the lines of the template that become the words of the option."""
        option, word, variable = self.option, self.option.option, self.variable
        if option.bare:
            return [variable, *self.each(f"{variable}_names", f"'{word}=${{one.name}}'")]
        if option.kind == "flag":
            return [variable]
        if option.kind in ("integer", "number", "choice"):
            return self.given(variable, f"{word} {variable}")
        if option.kind == "file":
            return self.files(variable, word)
        if option.repeated:
            lines = self.each(variable, f"{word} '${{one.value}}'")
        else:
            lines = self.given(variable, f"{word} '{variable}'")
        return lines + (self.files(f"{variable}_file", word, option.file_prefix) if option.file_prefix is not None else [])

    def files(self, variable, word, before=""):
        if self.option.repeated:
            return [f"#if {variable}", *self.each(variable, f"{word} '{before}$one'"), "#end if"]
        return [f"{word} '{before}{variable}'"] if self.option.required else [f"#if {variable}", f"{word} '{before}{variable}'", "#end if"]

    @staticmethod
    def each(variable, words):
        return [f"#for $one in {variable}", words, "#end for"]

    @staticmethod
    def given(variable, words):
        return [f"#if str({variable}) not in ('', 'None')", words, "#end if"]


class Maker:
    """Makes the tool of a command, part by part; each part is a list of lines."""

    def __init__(self, command):
        self.command, self.tool = command, TOOLS[command.name]
        shown = [option for option in command.options if option.option not in LEFT_OUT]
        self.first = [Parameter(command[option]) for option in self.tool.first]
        self.sections = {}
        for option in shown:
            if option.option not in self.tool.first and option.group in SECTIONS:
                section = SECTIONS[option.group]
                self.sections.setdefault(section, []).append(Parameter(option, section))

    def inputs(self):
        name = self.command.name
        lines = []
        if not self.tool.reads:
            lines.append(element("param", name="sequences", type="data", format=SEQUENCES, multiple="true",
                                 label=EXTRA_SEQUENCES.get(name, "Sequences to search"), help=self.command.arguments[0].sentence))
        else:
            lines.append(f'<expand macro="{"samples" if self.tool.reads == "samples" else "reads"}"/>')
        for parameter in self.first:
            lines += parameter.xml()
        lines += ['<param name="format" type="select" label="Output">',
                  *(f"    <option value={quoteattr(kind.value)}>{escape(kind.label)}</option>" for kind in self.tool.kinds), "</param>"]
        if name == "guides":
            lines += ['<param name="places" type="select" optional="true" label="All places too" help="Write all places of all guides.">',
                      *(f"    <option value={quoteattr(kind.value)}>{escape(kind.label)}</option>" for kind in PLACES), "</param>"]
        for section, parameters in self.sections.items():
            title = TITLES.get(section, next(group for group, one in SECTIONS.items() if one == section))
            lines += [f"<section name={quoteattr(section)} title={quoteattr(title)} expanded=\"false\">",
                      *indented([line for parameter in parameters for line in parameter.xml()], 1), "</section>"]
        for flag, what in self.more_outputs():
            lines.append(element("param", name="write_" + flag, type="boolean", checked="false", label=f"Write {what}"))
        return lines

    def more_outputs(self):
        """Returns the outputs that are left out unless they are asked for, and what they are."""
        tables = {"trim": [("table", "a table with a row for each read")], "demux": [("table", "a table with a row for each read")],
                  "count": [("summary", "the totals of each sample")]}
        return [*tables.get(self.command.name, []), ("report", "a report of the run (JSON)"), ("page", "a report of the run as a page (HTML)")]

    def sets(self):
        """Returns the lines of Cheetah that name the words and the ending of the chosen format."""
        words = ", ".join(f"'{kind.value}': '{kind.words}'" for kind in self.tool.kinds)
        endings = ", ".join(f"'{kind.value}': '{kind.ending}'" for kind in self.tool.kinds)
        return [f"#set $words = {{{words}}}[str($format)]", f"#set $ending = {{{endings}}}[str($format)]"]

    def cheetah(self):
        name = self.command.name
        lines = [*self.sets(), f"basesweep {name}"]
        for parameter in [*self.first, *(one for parameters in self.sections.values() for one in parameters)]:
            lines += parameter.cheetah()
        lines += ["$words", '--threads "\\${GALAXY_SLOTS:-1}"']
        if "--device" in self.command and name not in ("trim", "count"):
            lines.append('--device "\\${BASESWEEP_DEVICE:-cpu}"')
        for flag, _ in self.more_outputs():
            option = {"report": "--json report.json", "page": "--html report.html", "table": "--table reads.tsv", "summary": "--summary samples.tsv"}[flag]
            lines += [f"#if $write_{flag}", option, "#end if"]
        if name == "guides":
            lines += ["#if str($places) not in ('', 'None')", "--hits places.$places", "#end if"]
        lines += self.words_of_input()
        return lines + self.words_of_output()

    def words_of_input(self):
        if not self.tool.reads:
            return ["#for $one in $sequences", "'$one'", "#end for"]
        if self.tool.reads == "samples":
            return ["#import re", "#if $source.kind == 'single'", "#for $one in $source.reads",
                    "--sample '${re.sub('[^A-Za-z0-9_. -]', '_', str($one.element_identifier))}'", "#end for",
                    "#for $one in $source.reads", "'$one'", "#end for", "#else", "#for $one in $source.pairs",
                    "--sample '${re.sub('[^A-Za-z0-9_. -]', '_', str($one.element_identifier))}' -1 '$one.forward' -2 '$one.reverse'", "#end for",
                    "#end if"]
        return ["#if $source.kind == 'single'", "$source.interleaved '$source.reads'", "#elif $source.kind == 'paired'",
                "-1 '$source.first' -2 '$source.second'", "#else", "-1 '$source.pair.forward' -2 '$source.pair.reverse'", "#end if"]

    def words_of_output(self):
        name = self.command.name
        if name == "demux":
            return ["-o samples"]
        if name == "trim":
            return ["-o first.$ending", "#if $source.kind != 'single' and str($format) != 'bam'", "-p second.$ending",
                    "&& mv first.$ending '$pairs.forward' && mv second.$ending '$pairs.reverse'", "#else", "&& mv first.$ending '$output'", "#end if"]
        lines = ["-o result.$ending", "&& mv result.$ending '$output'"]
        if name == "guides":
            lines += ["#if str($places) not in ('', 'None')", "&& mv places.$places '$hits'", "#end if"]
        return lines

    def data(self, name, kinds, label, filter_="", parameter="format", **attributes):
        usual = kinds[0].type
        lines = [f"<data name={quoteattr(name)} format={quoteattr(usual)} label={quoteattr('${tool.name} on ${on_string}' + label)}"
                 + "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items()) + ">"]
        if filter_:
            lines.append("    " + element("filter", escape(filter_)))
        others = [element("when", input=parameter, value=kind.value, format=kind.type) for kind in kinds if kind.type != usual]
        if others:
            lines += ["    <change_format>", *indented(others, 2), "    </change_format>"]
        return [*lines, "</data>"]

    def outputs(self):
        name, kinds = self.command.name, self.tool.kinds
        lines = []
        if name == "demux":
            lines += ['<collection name="samples" type="list" label="${tool.name} on ${on_string}: reads of samples">']
            for kind in kinds:
                pattern = "(?P<designation>.+)\\." + kind.ending.replace(".", "\\.") + "$"  # Galaxy compares the begin of names
                lines.append("    " + element("discover_datasets", pattern=pattern, directory="samples", format=kind.type))
            lines += ["</collection>",
                      element("data", name="summary", format="tabular", from_work_dir="samples/summary.tsv", label="${tool.name} on ${on_string}: reads by sample"),
                      element("data", name="reasons", format="tabular", from_work_dir="samples/reasons.tsv",
                              label="${tool.name} on ${on_string}: why reads have no sample")]
        elif name == "trim":
            pairs = "source['kind'] != 'single' and format != 'bam'"
            lines += self.data("output", kinds, ": reads", f"not ({pairs})")
            lines += ['<collection name="pairs" type="paired" label="${tool.name} on ${on_string}: pairs">', "    " + element("filter", escape(pairs)),
                      *indented([line for mate in ("forward", "reverse") for line in self.data(mate, kinds, f": {mate}")], 1), "</collection>"]
        else:
            lines += self.data("output", kinds, "")
        if name == "guides":
            lines += self.data("hits", PLACES, ": places", "places", "places")
        for flag, what in self.more_outputs():
            file, type_ = {"report": ("report.json", "json"), "page": ("report.html", "html"), "table": ("reads.tsv", "tabular"), "summary": ("samples.tsv", "tabular")}[flag]
            lines += [f"<data name=\"{flag}\" format=\"{type_}\" from_work_dir=\"{file}\" label=\"${{tool.name}} on ${{on_string}}: {what}\">",
                      f"    <filter>write_{flag}</filter>", "</data>"]
        return lines

    def test(self, test):
        outputs = test["outputs"]
        lines = [f"<test expect_num_outputs=\"{test.get('count', len(outputs))}\">", *indented(self.values(test["inputs"]), 1)]
        for name, checks in outputs.items():
            lines += indented(checked(name, checks), 1)
        return [*lines, "</test>"]

    def values(self, given):
        """Returns the parameters of a test, each within its section, conditional or repeat."""
        lines = []
        for name, value in given.items():
            if isinstance(value, dict):
                tag = "conditional" if name == "source" else "section"
                lines += [f'<{tag} name="{name}">', *indented(self.values(value), 1), f"</{tag}>"]
            elif isinstance(value, list):
                for one in value:
                    lines += [f'<repeat name="{name}">', *indented(self.values(one), 1), "</repeat>"]
            elif isinstance(value, tuple):  # a collection: its kind, and its elements
                lines += [f'<param name="{name}">', *indented(collection(*value), 1), "</param>"]
            else:
                lines.append(element("param", name=name, value=value))
        return lines

    def help(self):
        usage = f"``basesweep {self.command.name} --help`` says more: what a hit is, the forms of its files, and the columns of its tables."
        words = [f"**basesweep {self.command.name}**", "", *textwrap.wrap(self.command.summary + ". " + usage, 100), "",
                 *textwrap.wrap("Parameters are the options of the command. Without a value, the default in the option's text applies. "
                                "The job runs on the CPU; an administrator may set BASESWEEP_DEVICE to gpu where jobs have a GPU.", 100)]
        return "\n".join(words)

    def text(self):
        name = self.command.name
        return "\n".join([
            f'<tool id="basesweep_{name}" name="basesweep {name}" version="@TOOL_VERSION@+galaxy@VERSION_SUFFIX@" profile="@PROFILE@">',
            *indented([
                f"<description>{escape(self.tool.description)}</description>",
                "<macros>", "    <import>macros.xml</import>", "</macros>",
                '<expand macro="edam">', f"    <edam_operation>{self.tool.operation}</edam_operation>", "</expand>",
                '<expand macro="requirements"/>', "<version_command>basesweep --version</version_command>",
                '<command detect_errors="exit_code"><![CDATA['], 1),
            *self.cheetah(),
            *indented(["]]></command>", "<inputs>", *indented(self.inputs(), 1), "</inputs>", "<outputs>", *indented(self.outputs(), 1), "</outputs>",
                       "<tests>", *indented([line for test in TESTS[name] for line in self.test(test)], 1), "</tests>"], 1),
            "    <help><![CDATA[", self.help(), "    ]]></help>", '    <expand macro="citations"/>', "</tool>", ""])


def collection(kind, elements):
    lines = [f'<collection type="{kind}">']
    for name, value in elements.items():
        if isinstance(value, tuple):
            lines += [f'    <element name="{name}">', *indented(collection(*value), 2), "    </element>"]
        else:
            lines.append("    " + element("element", name=name, value=value))
    return [*lines, "</collection>"]


def checked(name, checks):
    """Returns the XML of a check of an output: a file, or words of assertions; of a collection, those of its elements."""
    if "elements" in checks:
        lines = [f'<output_collection name="{name}" type="{checks["type"]}">']
        for one, of_one in checks["elements"].items():
            lines += indented([line.replace("<output ", "<element ").replace("</output>", "</element>") for line in checked(one, of_one)], 1)
        return [*lines, "</output_collection>"]
    attributes = {key: value for key, value in checks.items() if key != "asserts"}
    if "asserts" not in checks:
        return [element("output", name=name, **attributes)]
    asserts = [element(assertion, **given) for assertion, given in checks["asserts"]]
    return ["<output" + element("", name=name, **attributes)[1:-2] + ">", "    <assert_contents>", *indented(asserts, 2), "    </assert_contents>", "</output>"]


MACROS = """<macros>
    <token name="@TOOL_VERSION@">{version}</token>
    <token name="@CONDA_VERSION@">{conda_version}</token>
    <token name="@VERSION_SUFFIX@">0</token>
    <token name="@PROFILE@">24.0</token>
    <xml name="edam">
        <edam_topics>
            <edam_topic>topic_0080</edam_topic>
        </edam_topics>
        <edam_operations>
            <yield/>
        </edam_operations>
    </xml>
    <xml name="requirements">
        <requirements>
            <requirement type="package" version="@CONDA_VERSION@">basesweep</requirement>
        </requirements>
    </xml>
    <xml name="any_text">
        <sanitizer invalid_char="">
            <valid initial="string.printable">
                <remove value="&apos;"/>
            </valid>
        </sanitizer>
    </xml>
    <xml name="reads">
        <conditional name="source">
            <param name="kind" type="select" label="Reads">
                <option value="single">Single reads, or pairs in one dataset</option>
                <option value="paired">Pairs in two datasets</option>
                <option value="collection">Pairs in a collection</option>
            </param>
            <when value="single">
                <param name="reads" type="data" format="{reads}" label="Reads" help="FASTQ, FASTA, SAM or BAM"/>
                <param argument="--interleaved" type="boolean" truevalue="--interleaved" falsevalue="" checked="false" label="Interleaved" help="Consecutive reads are mates; SAM and BAM say it themselves (FLAG 1)."/>
            </when>
            <when value="paired">
                <param name="first" type="data" format="{reads}" label="First mates"/>
                <param name="second" type="data" format="{reads}" label="Second mates"/>
            </when>
            <when value="collection">
                <param name="pair" type="data_collection" collection_type="paired" format="{reads}" label="Pairs"/>
            </when>
        </conditional>
    </xml>
    <xml name="samples">
        <conditional name="source">
            <param name="kind" type="select" label="Reads" help="Each dataset, or pair of them, is a sample and becomes a column.">
                <option value="single">Single reads, a dataset for each sample</option>
                <option value="pairs">Pairs, a collection with a pair for each sample</option>
            </param>
            <when value="single">
                <param name="reads" type="data" format="{reads}" multiple="true" label="Reads of samples" help="FASTQ, FASTA, SAM or BAM; names of datasets are those of samples"/>
            </when>
            <when value="pairs">
                <param name="pairs" type="data_collection" collection_type="list:paired" format="{reads}" label="Pairs of samples"/>
            </when>
        </conditional>
    </xml>
    <xml name="citations">
        <citations>
            <citation type="bibtex">
@misc{{basesweep,
  author = {{{{the basesweep authors}}}},
  title = {{{{basesweep}}}},
  note = {{Version @TOOL_VERSION@}}
}}
            </citation>
        </citations>
    </xml>
</macros>
"""


def write(commands, folder):
    """Writes the tools and macros.xml into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TOOLS:
        (folder / f"basesweep_{name}.xml").write_text(Maker(commands[name]).text(), encoding="ascii")
    motif = commands["motif"]
    (folder / "macros.xml").write_text(MACROS.format(version=motif.version, conda_version=motif.conda_version, reads=READS), encoding="ascii")
