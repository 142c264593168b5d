"""Tasks in the Workflow Description Language, version 1.0, which all of its engines know: one for each command."""
import json

from wrapping.commands import OF_ENGINE
from wrapping.cwl import FIRST, INDEXES

HEAD = """version 1.0

# scripts/wrappers.py made these tasks of `basesweep help --json`. Import the file, and call the task of a command.
"""
# A number is text: engines write a Float with six decimals, and 1e-7 would be 0.
TYPES = {"flag": "Boolean", "integer": "Int", "number": "String", "choice": "String", "text": "String", "file": "File", "folder": "File"}


def quoted(text):
    """Returns the text as a string of WDL, in which ~{ and ${ would be expressions."""
    return json.dumps(text, ensure_ascii=True).replace("~{", "~ {").replace("${", "$ {")


def each(option, name):
    """Returns the words of an option for each of the values, in apostrophes."""
    return f"~{{if length({name}) > 0 then \"{option} '\" else \"\"}}~{{sep=\"' {option} '\" {name}}}~{{if length({name}) > 0 then \"'\" else \"\"}}"


def one(option, name):
    """Returns the words of an option if its input has a value."""
    return f"~{{\"{option} '\" + {name} + \"'\"}}"


class Task:
    """Gathers the inputs, words, outputs and meanings of a task."""

    def __init__(self, command):
        self.command = command
        self.inputs, self.words, self.outputs, self.meanings = [], [], [], []

    def add_input(self, kind, name, meaning, default=""):
        self.inputs.append(f"    {kind} {name}{default}")
        self.meanings.append(f"    {name}: {quoted(meaning)}")

    def add_arguments(self):
        for argument in self.command.arguments:
            name = self.command.argument
            self.add_input("Array[File]", name, argument.sentence, "" if argument.required else " = []")
            self.words.append(f"~{{if length({name}) > 0 then \"'\" else \"\"}}~{{sep=\"' '\" {name}}}~{{if length({name}) > 0 then \"'\" else \"\"}}")

    def add_written(self, option):
        if option.option == "--output":
            self.add_input("String", "output_name", "Name of what is written; it chooses the format.", f" = \"{FIRST[self.command.name]}\"")
            self.words.append("--output '~{output_name}'")
            if option.kind == "folder":
                self.outputs.append("    Array[File] written = glob(\"~{output_name}/*\")")
            else:
                self.outputs.append("    File written = output_name")
            return
        name = option.identifier + "_name"
        if option.bare:
            self.add_input("Boolean", option.identifier, option.sentence, " = false")
            self.words.append(f"~{{if {option.identifier} then \"{option.option}\" else \"\"}}")
            self.add_input("String?", name, "Name of a file. " + option.sentence)
            self.words.append(f"~{{\"{option.option}='\" + {name} + \"'\"}}")
            self.outputs.append(f"    File? {option.identifier}_file = {name}")
        elif option.repeated:
            self.add_input("Array[String]", name + "s", "Names of files. " + option.sentence, " = []")
            self.words.append(each(option.option, name + "s"))
            self.outputs.append(f"    Array[File] {option.identifier} = {name}s")
        else:
            self.add_input("String?", name, "Name of a file. " + option.sentence)
            self.words.append(one(option.option, name))
            self.outputs.append(f"    File? {option.identifier} = {name}")

    def add_option(self, option):
        name, kind = option.identifier, TYPES[option.kind]
        if option.bare:
            self.add_input("Boolean", name, option.sentence, " = false")
            self.add_input("Array[String]", name + "_names", f"The names that {option.option} takes: the records of these names alone.", " = []")
            self.words.append(f"~{{if {name} then \"{option.option}\" else \"\"}}")
            self.words.append(each(option.option + "=", name + "_names").replace("= '", "='"))
        elif option.kind == "flag":
            self.add_input(kind, name, option.sentence, " = false")
            self.words.append(f"~{{if {name} then \"{option.option}\" else \"\"}}")
        elif option.repeated:
            self.add_input(f"Array[{kind}]", name, option.sentence, "" if option.required else " = []")
            self.words.append(each(option.option, name))
        else:
            meaning = option.sentence if option.kind != "choice" else f"{option.sentence} One of {', '.join(option.words)}."
            self.add_input(kind if option.required else f"{kind}?", name, meaning)
            self.words.append(one(option.option, name))
        if option.file_prefix is not None:
            meaning = "The same from a file. " + option.sentence
            if option.repeated:
                self.add_input("Array[File]", name + "_file", meaning, " = []")
                self.words.append(each(option.option, name + "_file").replace(" '", f" '{option.file_prefix}"))
            else:
                self.add_input("File?", name + "_file", meaning)
                self.words.append(one(option.option, name + "_file"))

    def text(self):
        """Returns the text of the task."""
        for option in self.command.options:
            if option.option in OF_ENGINE:
                continue
            if option.is_written:
                self.add_written(option)
            else:
                self.add_option(option)
        if "--write-index" in self.command and self.command.name != "plan":
            globs = ", ".join(f"glob(\"*{ending}\")" for ending in INDEXES)
            self.outputs.append(f"    Array[File] indexes = flatten([{globs}])")
        if "--threads" in self.command:
            self.words.append("--threads ~{threads}")
            self.add_input("Int", "threads", "Number of threads.", " = 1")
        self.add_arguments()
        self.add_input("String", "memory", "Memory of the task.", " = \"4 GB\"")
        self.add_input("String", "docker", "Image with basesweep.", f" = \"{self.command.image}\"")
        runtime = ["    docker: docker", "    memory: memory", *(["    cpu: threads"] if "--threads" in self.command else [])]
        words = " \\\n".join(f"      {word}" for word in self.words)
        return "\n".join([
            "", f"task basesweep_{self.command.name} {{", "  meta {", f"    description: {quoted(self.command.summary + '.')}", "  }", "",
            "  parameter_meta {", *self.meanings, "  }", "", "  input {", *self.inputs, "  }", "",
            "  command <<<", "    set -e", f"    basesweep {self.command.name} \\", words, "  >>>", "", "  output {", *self.outputs, "  }", "",
            "  runtime {", *runtime, "  }", "}", ""])


def write(commands, folder):
    """Writes the tasks of all commands into one file of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "basesweep.wdl").write_text(HEAD + "".join(Task(command).text() for command in commands.values()), encoding="ascii")
