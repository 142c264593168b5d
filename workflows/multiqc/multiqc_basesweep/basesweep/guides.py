"""MultiQC submodule to parse reports of basesweep guides"""

import re
from typing import Any, Dict

from multiqc.base_module import BaseMultiqcModule
from multiqc.plots import linegraph

from .graphs import add_general_stats, bars_or_note
from .values import histogram, number, numbers_of, percent

SCORES = {"mit": "MIT", "cfd": "CFD"}
EXACT = "mismatches_0"


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    data: Dict[str, Any] = {
        "guides": number(report["guides"], "guides"),
        "without_exact_copy": number(report["guides_without_exact_copy"], "guides_without_exact_copy"),
        "places": numbers_of(report["places"], "places"),
    }
    specificity = (report.get("plots") or {}).get("specificity") or {}
    data["specificity"] = {score: histogram(specificity.get(score), f"specificity: {score}") for score in SCORES}
    return data


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    headers: Dict[str, Any] = {
        "guides": {
            "title": "Guides",
            "description": "Guides that were searched for",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Blues",
            "hidden": True,
        },
        "guides_off_targets": {
            "title": "Off-targets",
            "description": "Places with a mismatch or a bulge, for each guide",
            "min": 0,
            "format": "{:,.2f}",
            "scale": "OrRd",
        },
        "guides_without_exact_copy": {
            "title": "Without copy",
            "description": "Guides that have no place without mismatch and bulge",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Purples",
            "hidden": True,
        },
    }
    rows = {}
    for s_name, found in data.items():
        rows[s_name] = {"guides": found["guides"], "guides_without_exact_copy": found["without_exact_copy"]}
        if found["guides"]:
            others = sum(found["places"].values()) - found["places"].get(EXACT, 0)
            rows[s_name]["guides_off_targets"] = others / found["guides"]
    add_general_stats(module, command, rows, headers)
    add_places(module, data)
    add_specificity(module, data)
    module.write_data_file(
        {s_name: {**rows[s_name], **found["places"]} for s_name, found in data.items()}, "multiqc_basesweep_guides"
    )


def class_said(place: str) -> str:
    """mismatches_2 and bulge_1_mismatches_0 in words."""
    found = re.fullmatch(r"(?:bulge_(\d+)_)?mismatches_(\d+)", place)
    if not found:
        return place
    bulge, mismatches = found.groups()
    said = f"{mismatches} mismatch{'es' * (mismatches != '1')}"
    return f"bulge of {bulge}, {said}" if bulge else said


def add_places(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    classes = {place: None for found in data.values() for place in found["places"]}
    if not classes:
        return
    module.add_section(
        name="guides: places by mismatches",
        anchor="basesweep-guides-places",
        description="Places of all guides in the text, by how much they differ from the guide.",
        helptext="""
        Places without mismatch are the targets and their exact copies; all others are potential off-targets. Click a
        class in the legend to leave it out.
        """,
        **bars_or_note(
            {s_name: found["places"] for s_name, found in data.items()},
            {place: {"name": class_said(place)} for place in classes},
            {
                "id": "basesweep_guides_places_plot",
                "title": "basesweep guides: places by mismatches",
                "ylab": "Places",
                "cpswitch_counts_label": "Places",
            },
        ),
    )


def add_specificity(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    datasets, labels = [], []
    for score, name in SCORES.items():
        lines = {}
        for s_name, found in data.items():
            bins = found["specificity"][score]
            if bins:
                total = sum(count for _, _, count in bins)
                counts = {int(begin): count for begin, _, count in bins}
                lines[s_name] = {value: percent(counts.get(value, 0), total) for value in range(101)}
        if lines:
            datasets.append(lines)
            labels.append({"name": name, "xlab": f"Specificity by {name}"})
    if not datasets:
        return
    module.add_section(
        name="guides: specificity",
        anchor="basesweep-guides-specificity",
        description="Distribution of the specificity of guides, 0 (many close off-targets) to 100 (none found).",
        helptext="""
        Guides that are not of 20 bases before NGG have no scores and are not shown. Each point is the percent of guides
        from this score up to the next.
        """,
        plot=linegraph.plot(
            datasets,
            {
                "id": "basesweep_guides_specificity_plot",
                "title": "basesweep guides: specificity",
                "xlab": labels[0]["xlab"],
                "ylab": "Guides (%)",
                "xmin": 0,
                "xmax": 100,
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
                "logswitch": True,
                "data_labels": labels,
            },
        ),
    )
