"""What galaxy-tool-util, which has the linters of planemo, says of tools; and commands of their tests, as Galaxy would render them.

    galaxy_calls.py lint TOOL...               prints warnings and errors; exits 1 if there are any
    galaxy_calls.py commands DATA TOOL...      prints as JSON, for each tool, a list with an object for each test: its command, its
                                               outputs, and what is expected of them. DATA: the folder of the files of tests
"""
import json
import os
import pathlib
import re
import sys

from Cheetah.Template import Template
from galaxy.tool_util.lint import LintLevel, lint_tool_source
from galaxy.tool_util.loader import load_tool
from galaxy.tool_util.parser import get_tool_source


class Value:
    """A parameter as a template sees it. Text loses what its sanitizer removes; a boolean is the words that it stands for."""

    def __init__(self, parameter, given):
        self.text, kind = given, parameter.get("type")
        self.given = given is not None
        if kind == "boolean":
            self.given = str(given if given is not None else parameter.get("checked")).lower() == "true"
            self.text = parameter.get("truevalue" if self.given else "falsevalue", str(self.given).lower())
        elif kind == "select" and given is None:
            options = [option.get("value") for option in parameter.findall("option")]
            self.text = None if parameter.get("optional") == "true" else options[0]
        elif kind == "text" and given is not None:
            removed = [one.get("value") for one in parameter.findall("sanitizer/valid/remove")]
            self.text = "".join(letter for letter in given if letter not in removed)

    def __str__(self):
        return "" if self.text is None else str(self.text)

    def __bool__(self):
        return bool(self.given)

    def __eq__(self, other):
        return str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


class Dataset(Value):
    """A dataset: its path; false if it was not given."""

    def __init__(self, folder, name):
        self.text, self.given = str(pathlib.Path(folder, name)) if name else None, bool(name)
        self.element_identifier = name


class Group(dict):
    """A section, a conditional, an element of a repeat, or a pair: its members by name."""

    def __getattr__(self, name):
        return self[name]


class Datasets(list):
    """Several datasets; false if none was given."""


def name_of(parameter):
    return parameter.get("name") or parameter.get("argument").lstrip("-").replace("-", "_")


class Inputs:
    """Makes the values of the parameters of a tool from those of a test."""

    def __init__(self, data):
        self.data, self.given = data, []  # names of parameters that a test gives, to find those that the tool does not know

    def values(self, parameters, test):
        group = Group()
        for one in parameters:
            if one.tag == "param":
                group[name_of(one)] = self.value(one, test)
            elif one.tag == "section":
                group[one.get("name")] = self.values(one, self.child(test, "section", one.get("name")))
            elif one.tag == "repeat":
                group[one.get("name")] = [self.values(one, inner) for inner in self.children(test, "repeat", one.get("name"))]
            elif one.tag == "conditional":
                inner = self.child(test, "conditional", one.get("name"))
                choice = one.find("param")
                chosen = self.value(choice, inner)
                when = next(case for case in one.findall("when") if case.get("value") == str(chosen))
                group[one.get("name")] = Group({name_of(choice): chosen, **self.values(when, inner)})
        return group

    def children(self, test, tag, name):
        found = [] if test is None else [one for one in test.findall(tag) if one.get("name") == name]
        self.given += found
        return found

    def child(self, test, tag, name):
        found = self.children(test, tag, name)
        return found[0] if found else None

    def value(self, parameter, test):
        found = self.child(test, "param", name_of(parameter))
        given = None if found is None else found.get("value")
        kind = parameter.get("type")
        if kind == "data":
            names = given.split(",") if given else []
            if not names and parameter.get("optional") != "true":
                raise SystemExit(f"{name_of(parameter)}: no dataset is given")
            missing = [name for name in names if not pathlib.Path(self.data, name).is_file()]
            if missing:
                raise SystemExit(f"{name_of(parameter)}: no file {missing[0]} in {self.data}")
            if parameter.get("multiple") == "true":
                return Datasets(Dataset(self.data, name) for name in names)
            return Dataset(self.data, names[0] if names else None)
        if kind == "data_collection":
            return self.collection(found.find("collection"))
        return Value(parameter, given)

    def collection(self, given):
        """Returns a pair, or a list of pairs."""
        members = {}
        for one in given.findall("element"):
            inner = one.find("collection")
            members[one.get("name")] = Dataset(self.data, one.get("value")) if inner is None else self.collection(inner)
            if inner is not None:
                members[one.get("name")]["element_identifier"] = one.get("name")
        return Group(members) if given.get("type") == "paired" else list(members.values())


def passes(filters, values):
    """Returns whether an output is written: its filters are Python, with the values of the test. A boolean is one there."""
    plain = {name: plain_value(value) for name, value in values.items()}
    return all(eval(one.text, {}, plain) for one in filters)


def plain_value(value):
    if isinstance(value, dict):
        return {name: plain_value(one) for name, one in value.items()}
    if type(value) is Value and str(value) in ("true", "false", "") and value.text is not None:
        return bool(value)
    return None if type(value) is Value and value.text is None else str(value)


def checks_of(output):
    """Returns what a test expects of an output."""
    asserts = output.find("assert_contents")
    return {"file": output.get("file"), "type": output.get("ftype"),
            "asserts": [] if asserts is None else [[one.tag, dict(one.attrib)] for one in asserts]}


def type_of(output, values):
    """Returns Galaxy's type of an output: that of its format, or of the parameter that changes it."""
    kind = output.get("format")
    for when in output.findall("change_format/when"):
        if str(values.get(when.get("input"))) == when.get("value"):
            kind = when.get("format")
    return kind


def commands(tool, data):
    """Returns a list with an object for each test of the tool."""
    root = load_tool(tool).getroot()
    template = root.find("command").text
    tests = []
    for number, test in enumerate(root.findall("tests/test")):
        inputs = Inputs(data)
        values = inputs.values(root.find("inputs"), test)
        unknown = [one.get("name") for one in test.iter() if one.tag in ("param", "section", "repeat", "conditional") and one not in inputs.given]
        if unknown:
            raise SystemExit(f"{tool}: test {number}: the tool has no {', '.join(unknown)}")
        written, names = {}, dict(values)
        for output in root.find("outputs"):
            name = output.get("name")
            if output.tag == "collection":
                members = [one.get("name") for one in output.findall("data")]
                names[name] = Group({member: f"{name}.{member}" for member in members})
                found = [one.get("directory") for one in output.findall("discover_datasets")]
                entry = {"members": {one.get("name"): type_of(one, values) for one in output.findall("data")}, "directory": found[0] if found else None,
                         "patterns": {one.get("pattern"): one.get("format") for one in output.findall("discover_datasets")}}
            else:
                names[name] = f"{name}.dat"
                entry = {"type": type_of(output, values), "from": output.get("from_work_dir")}
            if passes(output.findall("filter"), values):
                written[name] = entry
        expected = {one.get("name"): checks_of(one) for one in test.findall("output")}
        for one in test.findall("output_collection"):
            expected[one.get("name")] = {"elements": {member.get("name"): checks_of(member) for member in one.findall("element")}}
        command = " ".join(str(Template(template, searchList=[names])).split("\n")).strip()
        tests.append({"command": re.sub(" +", " ", command), "written": written, "expected": expected, "count": int(test.get("expect_num_outputs"))})
    return tests


def main(words):
    if words[0] == "commands":
        print(json.dumps({tool: commands(tool, words[1]) for tool in words[2:]}))
        return 0
    sound = [lint_tool_source(get_tool_source(tool), level=LintLevel.WARN, fail_level=LintLevel.WARN, name=os.path.basename(tool)) for tool in words[1:]]
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
