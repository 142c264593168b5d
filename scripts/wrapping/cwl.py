"""Descriptions of commands in the Common Workflow Language, version 1.2: a CommandLineTool for each command."""
import json

from wrapping.commands import OF_ENGINE

HEAD = """#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: {label}
doc: {doc}
baseCommand: [basesweep, {name}]
hints:
  SoftwareRequirement:
    packages:
      basesweep:
        version: ["{version}"]
  DockerRequirement:
    dockerPull: {image}
"""
THREADS = """requirements:
  ResourceRequirement:
    coresMin: $(inputs.threads)
arguments: [{prefix: --threads, valueFrom: $(runtime.cores)}]
"""
# Usual name of each command's first output.
FIRST = {"motif": "hits.bed", "match": "hits.bam", "pcr": "products.tsv", "pwm": "sites.bed", "guides": "guides.tsv", "map": "reads.bam",
         "demux": "samples", "trim": "trimmed.fastq.gz", "count": "counts.tsv", "plan": "plan.tsv", "merge": "hits.bed"}
INDEXES = (".tbi", ".csi", ".bai", ".crai")
PRIMITIVES = {"flag": "boolean", "integer": "long", "number": "double", "text": "string", "file": "File", "folder": "Directory"}


def quoted(text):
    return json.dumps(text, ensure_ascii=True)


def listed(words):
    return "[" + ", ".join(quoted(word) for word in words) + "]"


def lines_of(identifier, kind, doc, binding="", default=None):
    """Returns the lines of an input; `binding`: what stands between the braces of its inputBinding."""
    lines = [f"  {identifier}:", f"    type: {kind}", f"    doc: {quoted(doc)}"]
    if default is not None:
        lines.append(f"    default: {json.dumps(default)}")
    if binding:
        lines.append(f"    inputBinding: {{{binding}}}")
    return lines


def input_of(option):
    """Returns the lines of the inputs that an option becomes."""
    prefix = f"prefix: {quoted(option.option)}"
    if option.bare:  # one input for all records, and one for those that are named
        named = f"{{type: array, items: string, inputBinding: {{prefix: {quoted(option.option + '=')}, separate: false}}}}"
        return [*lines_of(option.identifier, "boolean?", option.sentence, prefix),
                f"  {option.identifier}_names:", f"    type: [\"null\", {named}]",
                f"    doc: {quoted('The names that ' + option.option + ' takes: the records of these names alone.')}"]
    if option.file_prefix is not None:
        return [*plain_input_of(option), *file_input_of(option)]
    return plain_input_of(option)


def file_input_of(option):
    """Returns the lines of a second input, for text that may be a file too."""
    binding = f"prefix: {quoted(option.option)}" + (f", valueFrom: \"{option.file_prefix}$(self.path)\"" if option.file_prefix else "")
    kind = f"[\"null\", {{type: array, items: File, inputBinding: {{{binding}}}}}]" if option.repeated else "File?"
    return lines_of(option.identifier + "_file", kind, "The same from a file. " + option.sentence, "" if option.repeated else binding)


def plain_input_of(option):
    """Returns the lines of the input of an option with one meaning."""
    prefix = f"prefix: {quoted(option.option)}"
    kind = PRIMITIVES.get(option.kind)
    if option.kind == "choice":
        kind = f"{{type: enum, symbols: {listed(option.words)}}}"
    if option.repeated and option.kind != "flag":
        items = f"{{type: array, items: {kind}, inputBinding: {{{prefix}}}}}"
        kind = items if option.required else f"[\"null\", {items}]"
        return lines_of(option.identifier, kind, option.sentence)
    if not option.required:
        kind = f"[\"null\", {kind}]" if option.kind == "choice" else f"{kind}?"
    return lines_of(option.identifier, kind, option.sentence, prefix)


def inputs_of(command):
    """Returns the lines of all inputs of a command."""
    lines = []
    for argument in command.arguments:
        lines += lines_of(command.argument, "File[]" if argument.required else "File[]?", argument.sentence, "position: 1")
    for option in command.options:
        if option.option in OF_ENGINE:
            continue
        if option.option == "--output":
            what = "Name of the folder that is written." if option.kind == "folder" else "Name of the file that is written; it chooses the format."
            lines += lines_of("output_name", "string", what, f"prefix: {quoted(option.option)}", FIRST[command.name])
        elif option.is_written and option.bare:
            lines += lines_of(option.identifier, "boolean?", option.sentence, f"prefix: {quoted(option.option)}")
            lines += lines_of(option.identifier + "_name", "string?", "Name of a file. " + option.sentence,
                              f"prefix: {quoted(option.option + '=')}, separate: false")
        elif option.is_written and option.repeated:
            items = f"{{type: array, items: string, inputBinding: {{prefix: {quoted(option.option)}}}}}"
            lines += lines_of(option.identifier + "_name", f"[\"null\", {items}]", "Names of files. " + option.sentence)
        elif option.is_written:
            lines += lines_of(option.identifier + "_name", "string?", "Name of a file. " + option.sentence, f"prefix: {quoted(option.option)}")
        else:
            lines += input_of(option)
    if "--threads" in command:
        lines += lines_of("threads", "int", "Number of threads.", "", 1)
    return lines


def output_of(identifier, kind, glob, doc, indexed=False):
    """Returns the lines of an output; `indexed`: an index may stand beside its file."""
    lines = [f"  {identifier}:", f"    type: {kind}", f"    doc: {quoted(doc)}"]
    if indexed:
        lines.append("    secondaryFiles: [" + ", ".join(f"{{pattern: {one}, required: false}}" for one in INDEXES) + "]")
    return [*lines, f"    outputBinding: {{glob: {glob}}}"]


def outputs_of(command):
    """Returns the lines of all outputs of a command."""
    indexed = "--write-index" in command and command.name != "plan"
    lines = []
    for option in command.options:
        if option.option == "--output":
            folder = option.kind == "folder"
            own = indexed and command.name != "guides"
            kind = "[File, Directory]" if command.name == "merge" else "Directory" if folder else "File"  # parts of demux merge to a folder
            lines += output_of("output", kind, "$(inputs.output_name)", "What the command writes.", own)
            if folder:
                lines += output_of("reads_of_samples", "File[]", quoted("$(inputs.output_name)/*.[fbs]a*"), "The reads of each sample.")
        elif option.is_written:
            kind = "File[]?" if option.repeated else "File?"
            lines += output_of(option.identifier + ("_file" if option.bare else ""), kind, f"$(inputs.{option.identifier}_name)", option.sentence,
                               indexed and option.option == "--hits")
    return lines


def description(command):
    """Returns the text of a command's file."""
    head = HEAD.format(label=f"basesweep {command.name}", doc=quoted(command.summary + "."), name=command.name, version=command.version,
                       image=command.image)
    head += THREADS if "--threads" in command else ""
    temporary = "temporaryFailCodes: [75]\n" if "75" in command.exit_codes else ""  # no usable GPU: another machine may have one
    body = ["inputs:", *inputs_of(command), "outputs:", *outputs_of(command)]
    return head + temporary + "\n".join(body) + "\n"


def write(commands, folder):
    """Writes a file for each command into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in commands.items():
        (folder / f"{name}.cwl").write_text(description(command), encoding="ascii")
