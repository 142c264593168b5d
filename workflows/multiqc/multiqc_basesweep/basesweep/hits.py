"""MultiQC submodule to parse reports of basesweep motif, match and pwm"""

from typing import Any, Dict

from multiqc.base_module import BaseMultiqcModule
from multiqc.plots import linegraph

from .graphs import (
    STRANDS,
    add_general_stats,
    bars_or_note,
    bins_said,
    edit_bars,
    joined,
    most_patterns,
    switched,
    top,
    top_alone,
)
from .values import histogram, number, numbers, percent

NOUNS = {"motif": "motifs", "match": "patterns", "pwm": "matrices"}
ABOUT = {
    "motif": "Exact hits of each motif.",
    "match": "Places within the allowed edits of each pattern.",
    "pwm": "Places at which the score of a weight matrix reaches its threshold.",
}
SCALES = {"motif": "Blues", "match": "Purples", "pwm": "BuGn"}
KINDS = {"mismatches": "Mismatches", "insertions": "Insertions", "deletions": "Deletions"}


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    data: Dict[str, Any] = {"hits": number(report["hits"], "hits"), "patterns": {}, "strands": {}}
    longest = 0
    for pattern in report["matrices" if report["command"] == "pwm" else "patterns"]:
        name = name_of(pattern)
        longest = max(longest, len(pattern.get("sequence", "")))
        for strand, count in pattern["counts"].items():
            number(count, f"counts of {name}")
            data["patterns"][name] = data["patterns"].get(name, 0) + count
            data["strands"][strand] = data["strands"].get(strand, 0) + count
    plots = report.get("plots") or {}
    data["edits"] = numbers(plots.get("edits", []), "edits")
    data["starts"] = histogram(plots.get("starts"), "starts")
    data["edit_positions"] = {}
    found = plots.get("edit_positions")
    if found and number(found["all"]["hits"], "edit_positions: hits"):
        for kind in KINDS:
            counts = numbers(found["all"].get(kind, []), f"edit_positions: {kind}")
            counts += [0] * (longest - len(counts))
            data["edit_positions"][kind] = [percent(count, found["all"]["hits"]) for count in counts]
    return data


def name_of(pattern: Dict[str, Any]) -> str:
    """The name of a pattern, or id and name of a matrix, whose name often has the id in it."""
    name, identifier = str(pattern["name"]), str(pattern.get("id") or "")
    return name if identifier in name else f"{identifier} {name}".strip()


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    headers: Dict[str, Any] = {
        f"{command}_hits": {
            "title": f"{command.capitalize() if command != 'pwm' else 'PWM'} hits",
            "description": f"Hits of all {NOUNS[command]}",
            "min": 0,
            "format": "{:,.0f}",
            "scale": SCALES[command],
        },
        f"{command}_without_hits": {
            "title": "Without hits",
            "description": f"{NOUNS[command].capitalize()} without a hit",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Reds",
            "hidden": True,
        },
    }
    rows = {
        s_name: {
            f"{command}_hits": found["hits"],
            f"{command}_without_hits": sum(count == 0 for count in found["patterns"].values()),
        }
        for s_name, found in data.items()
    }
    add_general_stats(module, command, rows, headers)
    add_hits(module, command, data)
    if command == "match":
        add_edit_positions(module, data)
    add_starts(module, command, data)
    written = {
        s_name: {**rows[s_name], **{f"strand {strand}": count for strand, count in found["strands"].items()}}
        for s_name, found in data.items()
    }
    module.write_data_file(written, f"multiqc_basesweep_{command}")


def add_hits(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    bars, cats, left = top({s_name: found["patterns"] for s_name, found in data.items()})
    label, alone = top_alone(bars)
    edits, edit_cats = edit_bars({s_name: found["edits"] for s_name, found in data.items() if found["edits"]})
    strands = {s_name: found["strands"] for s_name, found in data.items()}
    noun = NOUNS[command]
    datasets, categories, labels = switched(
        (
            (f"By {'matrix' if command == 'pwm' else noun[:-1]}", "Hits", bars, cats),
            (label, "Hits", alone, cats),
            ("By edits", "Hits", edits, edit_cats),
            ("By strand", "Hits", strands, STRANDS),
        )
    )
    about = ABOUT[command]
    if left:
        about += (
            f" The {most_patterns():,} {noun} with the largest shares of hits are shown; {left:,} others are added up."
        )
    module.add_section(
        name=f"{command}: hits",
        anchor=f"basesweep-{command}-hits",
        description=about,
        helptext="""
        The buttons above the plot group the same hits by what was searched for, by strand and, of `match`, by how many
        mismatches, insertions and deletions the hit has.
        """,
        **bars_or_note(
            datasets,
            categories,
            {
                "id": f"basesweep_{command}_hits_plot",
                "title": f"basesweep {command}: hits",
                "ylab": "Hits",
                "cpswitch_counts_label": "Hits",
                "data_labels": labels,
            },
        ),
    )


def add_edit_positions(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    datasets, labels = [], []
    for kind, name in KINDS.items():
        lines = {
            s_name: dict(enumerate(found["edit_positions"][kind], 1))
            for s_name, found in data.items()
            if found["edit_positions"]
        }
        if lines:
            datasets.append(lines)
            labels.append({"name": name, "ylab": f"{name} (% of hits)"})
    if not datasets:
        return
    module.add_section(
        name="match: edits by position",
        anchor="basesweep-match-edit-positions",
        description="Hits that have an edit at each position of the pattern, 5' to 3' in its own direction.",
        helptext="""
        Percent of all hits of all patterns. Of patterns of several lengths the longest alone reach the last positions.
        A peak at the 3' end of primers means sites at which they will hardly prime; a peak at either end of adapters
        means that the end of reads cuts them.
        """,
        plot=linegraph.plot(
            datasets,
            {
                "id": "basesweep_match_edit_positions_plot",
                "title": "basesweep match: edits by position",
                "xlab": "Position in the pattern, from its 5' end",
                "ylab": labels[0]["ylab"],
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
                "data_labels": labels,
            },
        ),
    )


def add_starts(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    lines, width, is_cut = joined({s_name: found["starts"] for s_name, found in data.items() if found["starts"]})
    if not lines:
        return
    module.add_section(
        name=f"{command}: place in reads",
        anchor=f"basesweep-{command}-starts",
        description=f"Where in their reads the hits start.{bins_said('bases', width, is_cut)}",
        plot=linegraph.plot(
            lines,
            {
                "id": f"basesweep_{command}_starts_plot",
                "title": f"basesweep {command}: place in reads",
                "xlab": "First base of the hit in the read, from 0",
                "ylab": "Hits (%)",
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
                "logswitch": True,
            },
        ),
    )
