"""MultiQC submodule to parse reports of basesweep map"""

from typing import Any, Dict

from multiqc.base_module import BaseMultiqcModule
from multiqc.plots import linegraph

from .graphs import BLUE, GREY, ORANGE, RED, add_general_stats, bars_or_note, bins_said, joined
from .values import BadReport, histogram, number, numbers, numbers_of, percent, shares, shown

MOST_RECORDS = 8  # of the reference that have their coverage drawn along them


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    data: Dict[str, Any] = dict(
        numbers_of(report["reads"], "reads", "total", "mapped", "unmapped", "too_long", "too_short", "no_bases")
    )
    plots = report.get("plots") or {}
    data["edits"] = numbers(plots.get("edits", []), "edits")
    data["identity"] = histogram(plots.get("identity"), "identity")
    data["inserts"] = histogram(plots.get("inserts"), "inserts")
    data["ambiguous"] = number(plots["ambiguous"], "ambiguous") if "ambiguous" in plots else None
    data["coverage"] = {}
    for record in plots.get("coverage") or []:
        length = record.get("length")
        if length and number(length, "length of a record"):
            counts = numbers(record["counts"], "coverage")
            width = number(record["bin"], "bin")
            if width < 1 or width * (len(counts) - 1) >= length:
                raise BadReport(f"coverage has {len(counts)} bins of {width} on {length} bases")
            counts += [0] * (int(-(-length // width)) - len(counts))
            data["coverage"][str(record["name"])] = {
                "length": length,
                "depth": number(record["hits"], "coverage: hits") / length,
                "along": {
                    place * width: count / min(width, length - place * width) for place, count in enumerate(counts)
                },
            }
    return data


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    headers: Dict[str, Any] = {
        "map_reads": {
            "title": "Reads",
            "description": "Reads that were to be mapped",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Blues",
            "hidden": True,
        },
        "map_mapped_percent": {
            "title": "Mapped",
            "description": "Reads with a place on the reference",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "YlGn",
        },
        "map_ambiguous_percent": {
            "title": "Ambiguous",
            "description": "Mapped reads whose best place is not the only one",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "OrRd",
            "hidden": True,
        },
    }
    rows = {}
    for s_name, found in data.items():
        rows[s_name] = {"map_reads": found["total"]}
        if found["total"]:
            rows[s_name]["map_mapped_percent"] = percent(found["mapped"], found["total"])
        if found["mapped"] and found["ambiguous"] is not None:
            rows[s_name]["map_ambiguous_percent"] = percent(found["ambiguous"], found["mapped"])
    add_general_stats(module, command, rows, headers)
    add_mapped(module, data)
    add_edits(module, data)
    add_inserts(module, data)
    add_depths(module, data)
    add_coverage(module, data)
    module.write_data_file(
        {s_name: {**rows[s_name], "mapped": found["mapped"]} for s_name, found in data.items()}, "multiqc_basesweep_map"
    )


def add_mapped(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    bars = {}
    for s_name, found in data.items():
        bars[s_name] = {key: found[key] for key in ("mapped", "too_long", "too_short", "no_bases")}
        bars[s_name]["unmapped"] = found["unmapped"] - found["too_long"] - found["too_short"] - found["no_bases"]
        if found["ambiguous"] is not None:
            bars[s_name]["ambiguous"] = found["ambiguous"]
            bars[s_name]["mapped"] -= found["ambiguous"]
    module.add_section(
        name="map: mapped reads",
        anchor="basesweep-map-reads",
        description="Reads with and without a place on the reference within the allowed edits.",
        helptext="""
        Ambiguous reads are mapped, but another place is as good as theirs. Reads that are too long or too short for the
        limits of the search, or without A, C, G and T, were not searched for.
        """,
        **bars_or_note(
            bars,
            {
                "mapped": {"name": "Mapped", "color": BLUE},
                "ambiguous": {"name": "Mapped, ambiguous", "color": ORANGE},
                "unmapped": {"name": "Unmapped", "color": RED},
                "too_long": {"name": "Not searched: too long", "color": GREY},
                "too_short": {"name": "Not searched: too short"},
                "no_bases": {"name": "Not searched: no A, C, G, T"},
            },
            {
                "id": "basesweep_map_reads_plot",
                "title": "basesweep map: mapped reads",
                "ylab": "Reads",
                "cpswitch_counts_label": "Reads",
            },
        ),
    )


def add_edits(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    edits = {s_name: dict(enumerate(shares(found["edits"]))) for s_name, found in data.items() if any(found["edits"])}
    identity = {}
    for s_name, found in data.items():
        total = sum(count for _, _, count in found["identity"])
        if total:
            counts: Dict[int, float] = {}
            for begin, _, count in found["identity"]:
                counts[int(begin)] = counts.get(int(begin), 0) + count
            identity[s_name] = {value: percent(counts.get(value, 0), total) for value in range(min(counts), 101)}
    datasets, labels = [], []
    for name, xlab, lines in (
        ("Edits", "Edits of the alignment", edits),
        ("Identity", "Identity (%, whole percents)", identity),
    ):
        if lines:
            datasets.append(lines)
            labels.append({"name": name, "xlab": xlab})
    if not datasets:
        return
    module.add_section(
        name="map: edits and identity",
        anchor="basesweep-map-edits",
        description="Edits (mismatches, insertions and deletions) of the best alignment of each mapped read, and its identity.",
        plot=linegraph.plot(
            datasets,
            {
                "id": "basesweep_map_edits_plot",
                "title": "basesweep map: edits of reads",
                "xlab": labels[0]["xlab"],
                "ylab": "Mapped reads (%)",
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
                "data_labels": labels,
            },
        ),
    )


def add_inserts(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    lines, width, is_cut = joined({s_name: found["inserts"] for s_name, found in data.items() if found["inserts"]})
    if not lines:
        return
    module.add_section(
        name="map: insert sizes",
        anchor="basesweep-map-inserts",
        description=f"Sizes of the inserts of pairs.{bins_said('bp', width, is_cut)}",
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_map_inserts_plot",
                "title": "basesweep map: insert sizes",
                "xlab": "Insert size (bp)",
                "ylab": "Pairs (%)",
                "ymin": 0,
                "x_decimals": False,
                "xsuffix": " bp",
                "ysuffix": "%",
            },
        ),
    )


def add_depths(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    lines = {
        s_name: {shown(name): record["depth"] for name, record in found["coverage"].items()}
        for s_name, found in data.items()
        if len(found["coverage"]) > 1
    }
    if not lines:
        return
    module.add_section(
        name="map: depth of records",
        anchor="basesweep-map-depths",
        description="Mean depth of the mapped bases on each record of the reference.",
        helptext="Of many records the 50 longest are shown, in the order of the reference.",
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_map_depths_plot",
                "title": "basesweep map: depth of records",
                "xlab": "Record of the reference",
                "ylab": "Mean depth",
                "categories": True,
                "logswitch": True,
                "ymin": 0,
                "ysuffix": "x",
            },
        ),
    )


def add_coverage(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    most: Dict[str, float] = {}  # the largest share that a record has of the bases of a sample
    for found in data.values():
        total = sum(record["depth"] * record["length"] for record in found["coverage"].values())
        for name, record in found["coverage"].items():
            most[name] = max(most.get(name, 0), percent(record["depth"] * record["length"], total))
    drawn = set(sorted(most, key=lambda name: -most[name])[:MOST_RECORDS])
    datasets, labels = [], []
    for name in (name for name in most if name in drawn):
        datasets.append(
            {s_name: found["coverage"][name]["along"] for s_name, found in data.items() if name in found["coverage"]}
        )
        labels.append({"name": shown(name), "xlab": f"Position in {shown(name)} (bp)"})
    if not datasets:
        return
    about = "Mean depth of the mapped bases in bins along the reference."
    if len(most) > MOST_RECORDS:
        about += f" The {MOST_RECORDS} records with the largest shares of mapped bases are drawn."
    module.add_section(
        name="map: coverage",
        anchor="basesweep-map-coverage",
        description=about,
        helptext="Depth counts the bases that primary alignments span. Drops to 0 are parts without a read.",
        plot=linegraph.plot(
            datasets,
            {
                "id": "basesweep_map_coverage_plot",
                "title": "basesweep map: coverage",
                "xlab": labels[0]["xlab"],
                "ylab": "Mean depth",
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "x",
                "data_labels": labels,
            },
        ),
    )
