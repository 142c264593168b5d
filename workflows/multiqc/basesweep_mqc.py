#!/usr/bin/env python3
"""Turns basesweep's JSON reports into sections of a MultiQC report.

    basesweep_mqc.py [-o FOLDER] [--top N] REPORT.json...
    multiqc FOLDER

Reports are those of `--json` (docs/report.md), of chunks that of `basesweep merge --json`. A sample is named by its file: less
.json, and less .motif, .match, .pcr or .map before it, so that reports of several commands on one sample share a row.
Written to FOLDER (default: here), each where there are reports for it:

    basesweep_generalstats_mqc.json     columns of the general statistics
    basesweep_motif_mqc.json            hits by motif
    basesweep_match_mqc.json            hits by pattern of match
    basesweep_pcr_mqc.json              products by primer pair
    basesweep_map_mqc.json              reads mapped and not
    basesweep_motif_left_out.tsv        patterns that a section adds up as one, with their hits; also _match_ and _pcr_

Of many patterns a section shows the N with most hits (default 20). Python 3.8 or later, standard library only.
Exit codes: 0 done; 2 usage; 3 a report is not what it should be; 4 cannot read or write.
"""
import argparse
import html
import json
import os
import sys

SCHEMA = "basesweep-report/1"
OTHERS = "(all other patterns)"
NAMED = 20  # patterns left out that a section's text names

PARENT = {"parent_id": "basesweep", "parent_name": "basesweep",
          "parent_description": "sweeps nucleotide sequence for patterns."}
NOUN = {"motif": "motifs", "match": "patterns", "pcr": "pairs"}
RESULT = {"motif": "hits", "match": "hits", "pcr": "products"}
ABOUT = {"motif": "Hits of each motif, both strands together.",
         "match": "Places within the allowed edits of each pattern, both strands together.",
         "pcr": "Products of each primer pair, both strands together.",
         "map": "Reads with and without a place on the reference within the allowed edits."}
COLUMNS = {
    "motif_hits": {"title": "Motif hits", "description": "Hits of all motifs", "format": "{:,.0f}", "scale": "Blues"},
    "match_hits": {"title": "Match hits", "description": "Hits of all patterns, with edits", "format": "{:,.0f}",
                   "scale": "Purples"},
    "pcr_products": {"title": "Products", "description": "Products of all primer pairs", "format": "{:,.0f}",
                     "scale": "Oranges"},
    "reads": {"title": "Reads", "description": "Reads of basesweep map", "format": "{:,.0f}", "scale": "Greys"},
    "mapped_percent": {"title": "Mapped", "description": "Reads with a place on the reference", "suffix": "%",
                       "min": 0, "max": 100, "format": "{:,.1f}", "scale": "Greens"},
}
WHY_UNMAPPED = {"too_long": "not searched: too long", "too_short": "not searched: too short",
                "no_bases": "not searched: no A, C, G, T"}


class BadReport(Exception):
    pass


def sample_of(path, command):
    name = os.path.basename(path)
    for suffix in (".json", "." + command):
        if name.endswith(suffix) and name != suffix:
            name = name[:-len(suffix)]
    return name


def count(value, what):
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadReport(f"{what} should be a number, is {value!r}")
    return value


def read_report(path):
    """command, sample, and of motif and match {pattern: hits}, of pcr {pair: products}, of map {what: reads}."""
    with open(path, encoding="utf-8") as file:
        try:
            report = json.load(file)
        except ValueError as error:
            raise BadReport(f"not JSON: {error}") from None
    try:
        if report["schema"] != SCHEMA:
            raise BadReport(f"schema {report['schema']!r}, expected {SCHEMA!r}")
        if report.get("part"):
            raise BadReport("the report of one chunk; 'basesweep merge --json' writes that of all")
        command = report["command"]
        if command in NOUN:
            numbers = {str(pattern["name"]): sum(count(hits, f"counts of {pattern['name']}")
                                                 for hits in pattern["counts"].values())
                       for pattern in report["pairs" if command == "pcr" else "patterns"]}
        elif command == "map":
            numbers = {key: count(report["reads"][key], f"reads: {key}")
                       for key in ("total", "mapped", "unmapped", *WHY_UNMAPPED)}
        else:
            raise BadReport(f"command {command!r}, expected motif, match, pcr or map")
    except (KeyError, TypeError, AttributeError) as error:
        raise BadReport(f"not a report of basesweep: {type(error).__name__}: {error}") from None
    return command, sample_of(path, command), numbers


def read_all(paths):
    """{command: {sample: numbers}}, commands and samples in the order given."""
    reports, origin = {}, {}
    for path in paths:
        try:
            command, sample, numbers = read_report(path)
        except BadReport as error:
            raise BadReport(f"{path}: {error}") from None
        first = origin.setdefault((command, sample), path)
        if first is not path:
            raise BadReport(f"{path}: sample {sample} of {command} a second time, after {first}")
        reports.setdefault(command, {})[sample] = numbers
    return reports


def general_statistics(reports):
    rows = {}
    for command in NOUN:
        for sample, hits in reports.get(command, {}).items():
            rows.setdefault(sample, {})[f"{command}_{RESULT[command]}"] = sum(hits.values())
    for sample, reads in reports.get("map", {}).items():
        row = rows.setdefault(sample, {})
        row["reads"] = reads["total"]
        if reads["total"]:
            row["mapped_percent"] = 100 * reads["mapped"] / reads["total"]
    there = {column for row in rows.values() for column in row}
    return {"id": "basesweep_generalstats", "plot_type": "generalstats",
            "headers": {column: about for column, about in COLUMNS.items() if column in there}, "data": rows}


def section(command, data, description, label):
    return {"id": f"basesweep_{command}", **PARENT, "section_name": f"basesweep {command}", "description": description,
            "plot_type": "bargraph", "data": data,
            "pconfig": {"id": f"basesweep_{command}_plot", "title": f"basesweep: {command}", "ylab": label,
                        "cpswitch_counts_label": label}}


def hits_by_pattern(command, samples, top):
    """The section, and [(pattern, hits)] of those that it does not show one by one."""
    totals = {}
    for hits in samples.values():
        for name, number in hits.items():
            totals[name] = totals.get(name, 0) + number
    ranked = sorted(totals.items(), key=lambda pair: -pair[1])  # stable: equal ones in the order of the patterns
    shown, left = [name for name, _ in ranked[:top]], ranked[top:]
    data, text = {}, ABOUT[command]
    for sample, hits in samples.items():
        data[sample] = {html.escape(name): hits[name] for name in shown if name in hits}
        if left:
            data[sample][OTHERS] = sum(hits.get(name, 0) for name, _ in left)
    if left:
        named = ", ".join(html.escape(name) for name, _ in left[:NAMED])
        more = f" and {len(left) - NAMED:,} more" if len(left) > NAMED else ""
        text += (f" Shown are the {len(shown):,} {NOUN[command]} with most {RESULT[command]} of {len(totals):,}. Not shown one by one:"
                 f" {named}{more}, with {sum(number for _, number in left):,} {RESULT[command]} (basesweep_{command}_left_out.tsv).")
    return section(command, data, text, RESULT[command].capitalize()), left


def mapped_reads(samples):
    data = {}
    for sample, reads in samples.items():
        data[sample] = {"mapped": reads["mapped"],
                        "unmapped": reads["unmapped"] - sum(reads[key] for key in WHY_UNMAPPED),
                        **{words: reads[key] for key, words in WHY_UNMAPPED.items()}}
    return section("map", data, ABOUT["map"], "Reads")


def write_json(folder, content):
    with open(os.path.join(folder, content["id"] + "_mqc.json"), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")


def write_all(reports, folder, top):
    os.makedirs(folder, exist_ok=True)
    write_json(folder, general_statistics(reports))
    for command in NOUN:
        if command in reports:
            content, left = hits_by_pattern(command, reports[command], top)
            write_json(folder, content)
            if left:
                with open(os.path.join(folder, f"basesweep_{command}_left_out.tsv"), "w", encoding="utf-8") as file:
                    file.write("pattern\thits\n" + "".join(f"{name}\t{number}\n" for name, number in left))
                print(f"basesweep_mqc: {command}: {len(left)} patterns are added up as one; they are in {file.name}",
                      file=sys.stderr)
    if "map" in reports:
        write_json(folder, mapped_reads(reports["map"]))


def at_least_one(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def main(arguments):
    parser = argparse.ArgumentParser(description="Turns basesweep's JSON reports into sections of a MultiQC report.")
    parser.add_argument("reports", metavar="REPORT.json", nargs="+")
    parser.add_argument("-o", "--output", metavar="FOLDER", default=".", help="where to write (default: here)")
    parser.add_argument("--top", metavar="N", type=at_least_one, default=20,
                        help="patterns to show one by one (default: 20)")
    options = parser.parse_args(arguments)
    try:
        write_all(read_all(options.reports), options.output, options.top)
    except BadReport as error:
        print(f"basesweep_mqc: {error}", file=sys.stderr)
        return 3
    except (OSError, UnicodeDecodeError) as error:
        print(f"basesweep_mqc: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
