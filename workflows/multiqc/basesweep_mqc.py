#!/usr/bin/env python3
"""Turns basesweep's JSON reports into sections of a MultiQC report.

    basesweep_mqc.py [-o FOLDER] [--top N] REPORT.json...
    multiqc FOLDER

Reports are those of `--json` (docs/report.md), of chunks that of `basesweep merge --json`. A sample is named by its file: less
.json, and less .motif, .match, .pcr, .map, .demux or .trim before it, so that reports of several commands on one sample share a
row. The samples of `demux` and `count` are named in their reports; a row of its file has what was not assigned by `demux`.
Written to FOLDER (default: here), each where there are reports for it:

    basesweep_generalstats_mqc.json     columns of the general statistics
    basesweep_motif_mqc.json            hits by motif
    basesweep_match_mqc.json            hits by pattern of match
    basesweep_pcr_mqc.json              products by primer pair
    basesweep_map_mqc.json              reads mapped and not
    basesweep_demux_mqc.json            reads by sample; also _demux_reasons_: why reads have none
    basesweep_trim_mqc.json             reads written and left out; also _trim_bases_, and of pairs _trim_overlap_
    basesweep_count_mqc.json            reads counted, ambiguous and unmatched by sample
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
MOST_SAMPLES = 1000  # of demux that have a bar of their own

PARENT = {"parent_id": "basesweep", "parent_name": "basesweep",
          "parent_description": "sweeps nucleotide sequence for patterns."}
NOUN = {"motif": "motifs", "match": "patterns", "pcr": "pairs"}
RESULT = {"motif": "hits", "match": "hits", "pcr": "products"}
ABOUT = {"motif": "Hits of each motif, both strands together.",
         "match": "Places within the allowed edits of each pattern, both strands together.",
         "pcr": "Products of each primer pair, both strands together.",
         "map": "Reads with and without a place on the reference within the allowed edits.",
         "demux": "Reads of each sample; each mate of a pair counts.",
         "demux_reasons": "Reads with a sample, and why the others have none.",
         "trim": "Reads, or pairs, that were written, and why the others were not.",
         "trim_bases": "Bases of all reads: what was written, and what was cut. 'other' are fixed cuts, N and reads that were left out.",
         "trim_overlap": "What the end of each fragment is known by: the overlap of the mates, the adapter, or both.",
         "count": "Reads, or pairs, that count for a guide. Ambiguous ones fit several guides equally well."}
PERCENT = {"suffix": "%", "min": 0, "max": 100, "format": "{:,.1f}"}
COLUMNS = {
    "motif_hits": {"title": "Motif hits", "description": "Hits of all motifs", "format": "{:,.0f}", "scale": "Blues"},
    "match_hits": {"title": "Match hits", "description": "Hits of all patterns, with edits", "format": "{:,.0f}",
                   "scale": "Purples"},
    "pcr_products": {"title": "Products", "description": "Products of all primer pairs", "format": "{:,.0f}",
                     "scale": "Oranges"},
    "reads": {"title": "Reads", "description": "Reads of basesweep map", "format": "{:,.0f}", "scale": "Greys"},
    "mapped_percent": {"title": "Mapped", "description": "Reads with a place on the reference", **PERCENT,
                       "scale": "Greens"},
    "demux_reads": {"title": "Demultiplexed", "description": "Reads of the sample, by its barcodes", "format": "{:,.0f}",
                    "scale": "Blues"},
    "assigned_percent": {"title": "Assigned", "description": "Reads that have a sample", **PERCENT, "scale": "Greens"},
    "with_adapter_percent": {"title": "With adapter", "description": "Reads from which an adapter was cut", **PERCENT,
                             "scale": "Oranges"},
    "written_percent": {"title": "Kept", "description": "Reads, or pairs, that trim wrote", **PERCENT, "scale": "Greens"},
    "dimers_percent": {"title": "Dimers", "description": "Pairs without a base before the adapter", **PERCENT,
                       "scale": "Reds"},
    "counted_reads": {"title": "Counted", "description": "Reads that count for a guide", "format": "{:,.0f}",
                      "scale": "Blues"},
    "counted_percent": {"title": "Counted", "description": "Reads that count for a guide", **PERCENT, "scale": "Greens"},
    "guides_without_reads": {"title": "Zero guides", "description": "Guides without a read", "format": "{:,.0f}",
                             "scale": "Reds"},
    "gini": {"title": "Gini", "description": "Gini index of log(count + 1): 0 if all guides have as many reads", "min": 0,
             "max": 1, "format": "{:,.3f}", "scale": "Oranges"},
}
WHY_UNMAPPED = {"too_long": "not searched: too long", "too_short": "not searched: too short",
                "no_bases": "not searched: no A, C, G, T"}
OVERLAP = {"overlap_and_adapter": "overlap and adapter", "overlap_alone": "overlap alone", "adapter_alone": "adapter alone",
           "differing": "adapter, where the overlap differs"}
COUNTED = {"edits_0": "without an edit", "edits_1": "with one edit", "ambiguous": "ambiguous", "unmatched": "unmatched"}


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


def numbers_of(found, keys, what):
    """{key: number} of these keys, or of all, of an object of a report."""
    return {key: count(found[key], f"{what}: {key}") for key in keys or found}


def read_hits(report):
    """{pattern: hits}, of pcr {pair: products}."""
    return {str(pattern["name"]): sum(count(hits, f"counts of {pattern['name']}") for hits in pattern["counts"].values())
            for pattern in report["pairs" if report["command"] == "pcr" else "patterns"]}


def read_map(report):
    return numbers_of(report["reads"], ("total", "mapped", "unmapped", *WHY_UNMAPPED), "reads")


def read_demux(report):
    """`samples`, {sample: reads}; `unassigned`, {reason: reads}; `total`."""
    return {"samples": {str(row["name"]): count(row["reads"], f"reads of {row['name']}") for row in report["samples"]},
            "unassigned": numbers_of(report["unassigned"], None, "unassigned"),
            "total": count(report["reads"]["total"], "reads: total")}


def read_trim(report):
    """`total`, `written`, `filtered` and `overlap`, which is empty where it was not looked at; `bases` of all mates."""
    mates = [numbers_of(mate, ("bases", "written_bases", "with_adapter", "quality_bases", "adapter_bases", "poly_a_bases"),
                        "mates") for mate in report["mates"]]
    return {"total": count(report["pairs" if "pairs" in report else "reads"], "reads"),
            "written": count(report["written"], "written"), "filtered": numbers_of(report["filtered"], None, "filtered"),
            "overlap": numbers_of(report.get("overlap", {}), None, "overlap"), "mates": len(mates),
            "bases": {key: sum(mate[key] for mate in mates) for key in mates[0]} if mates else {}}


def read_count(report):
    """{sample: its numbers}."""
    samples = {}
    for row in report["samples"]:
        samples[str(row["name"])] = {**numbers_of(row, ("reads", "counted", *COUNTED, "guides_without_reads"), "samples"),
                                     "gini": float(row["gini"])}
    return samples


READERS = {"motif": read_hits, "match": read_hits, "pcr": read_hits, "map": read_map, "demux": read_demux,
           "trim": read_trim, "count": read_count}


def read_report(path):
    """The command, the name of the sample by the file, and what the reader of the command finds."""
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
        if command not in READERS:
            raise BadReport(f"command {command!r}, expected one of {', '.join(READERS)}")
        return command, sample_of(path, command), READERS[command](report)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadReport(f"not a report of basesweep: {type(error).__name__}: {error}") from None


def read_all(paths):
    """{command: {sample: numbers}}, commands and samples in the order given."""
    reports, origin = {}, {}
    for path in paths:
        try:
            command, sample, numbers = read_report(path)
        except BadReport as error:
            raise BadReport(f"{path}: {error}") from None
        for name, own in (numbers if command == "count" else {sample: numbers}).items():
            first = origin.setdefault((command, name), path)
            if first is not path:
                raise BadReport(f"{path}: sample {name} of {command} a second time, after {first}")
            reports.setdefault(command, {})[name] = own
    return reports


def percent(part, whole):
    """As a row of the general statistics; none without a whole."""
    return 100 * part / whole if whole else None


def general_statistics(reports):
    rows = {}

    def add(sample, **numbers):
        rows.setdefault(sample, {}).update({key: number for key, number in numbers.items() if number is not None})

    for command in NOUN:
        for sample, hits in reports.get(command, {}).items():
            add(sample, **{f"{command}_{RESULT[command]}": sum(hits.values())})
    for sample, reads in reports.get("map", {}).items():
        add(sample, reads=reads["total"], mapped_percent=percent(reads["mapped"], reads["total"]))
    for run, found in reports.get("demux", {}).items():
        add(run, assigned_percent=percent(sum(found["samples"].values()), found["total"]))
    for sample, runs in reads_by_sample(reports.get("demux", {})).items():
        add(html.escape(sample), demux_reads=sum(runs.values()))
    for sample, found in reports.get("trim", {}).items():
        add(sample, with_adapter_percent=percent(found["bases"].get("with_adapter", 0), found["total"] * found["mates"]),
            written_percent=percent(found["written"], found["total"]),
            dimers_percent=percent(found["overlap"].get("dimers", 0), found["total"]) if found["overlap"] else None)
    for sample, found in reports.get("count", {}).items():
        add(html.escape(sample), counted_reads=found["counted"], counted_percent=percent(found["counted"], found["reads"]),
            guides_without_reads=found["guides_without_reads"], gini=found["gini"])
    there = {column for row in rows.values() for column in row}
    return {"id": "basesweep_generalstats", "plot_type": "generalstats",
            "headers": {column: about for column, about in COLUMNS.items() if column in there}, "data": rows}


def section(command, data, description, label):
    name = command.replace("_", ": ")
    return {"id": f"basesweep_{command}", **PARENT, "section_name": f"basesweep {name}", "description": description,
            "plot_type": "bargraph", "data": data,
            "pconfig": {"id": f"basesweep_{command}_plot", "title": f"basesweep: {name}", "ylab": label,
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


def reads_by_sample(runs):
    """{sample: {run: reads}} of demux; a sample may be in several runs."""
    samples = {}
    for run, found in runs.items():
        for name, reads in found["samples"].items():
            samples.setdefault(name, {})[run] = reads
    return samples


def demultiplexed(runs):
    """Reads by sample, and the reasons of those without one."""
    samples, text = reads_by_sample(runs), ABOUT["demux"]
    ranked = sorted(samples, key=lambda name: -sum(samples[name].values()))
    shown = set(ranked[:MOST_SAMPLES])
    data = {html.escape(name): reads for name, reads in samples.items() if name in shown}
    if len(ranked) > len(shown):
        others = {}
        for name in ranked[MOST_SAMPLES:]:
            for run, reads in samples[name].items():
                others[run] = others.get(run, 0) + reads
        data["(all other samples)"] = others
        text += f" Shown are the {len(shown):,} samples with most reads of {len(ranked):,}."
    data["unassigned"] = {run: sum(found["unassigned"].values()) for run, found in runs.items()}
    yield section("demux", data, text, "Reads")
    reasons = {run: {"assigned": sum(found["samples"].values()), **found["unassigned"]} for run, found in runs.items()}
    yield section("demux_reasons", reasons, ABOUT["demux_reasons"], "Reads")


def trimmed(samples):
    """What happened to reads, to their bases, and of pairs what their overlap says."""
    yield section("trim", {sample: {"written": found["written"], **found["filtered"]} for sample, found in samples.items()},
                  ABOUT["trim"], "Reads")
    data = {}
    for sample, found in samples.items():
        bases = found["bases"]
        cut = {"written": bases.get("written_bases", 0), "adapters": bases.get("adapter_bases", 0),
               "quality": bases.get("quality_bases", 0), "poly-A": bases.get("poly_a_bases", 0)}
        data[sample] = {**cut, "other": max(0, bases.get("bases", 0) - sum(cut.values()))}
    yield section("trim_bases", data, ABOUT["trim_bases"], "Bases")
    data = {}
    for sample, found in samples.items():
        if found["overlap"]:
            data[sample] = {words: found["overlap"].get(key, 0) for key, words in OVERLAP.items()}
            data[sample]["not cut"] = found["total"] - sum(data[sample].values())
    if data:
        yield section("trim_overlap", data, ABOUT["trim_overlap"], "Pairs")


def counted_guides(samples):
    data = {html.escape(sample): {words: found[key] for key, words in COUNTED.items()} for sample, found in samples.items()}
    return section("count", data, ABOUT["count"], "Reads")


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
    for command, sections in (("demux", demultiplexed), ("trim", trimmed)):
        if command in reports:
            for content in sections(reports[command]):
                write_json(folder, content)
    if "count" in reports:
        write_json(folder, counted_guides(reports["count"]))


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
