"""MultiQC submodule to parse reports of basesweep count"""

import logging
from typing import Any, Dict

from multiqc.base_module import BaseMultiqcModule
from multiqc.plots import linegraph

from .graphs import BLUE, GREY, ORANGE, RED, add_general_stats, bars_or_note, bins_said, joined
from .values import histogram, number, numbers, numbers_of, percent

log = logging.getLogger(__name__)

KEYS = ("reads", "counted", "edits_0", "edits_1", "ambiguous", "unmatched", "guides_without_reads")


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    samples = {}
    for row in report["samples"]:
        samples[str(row["name"])] = {
            **numbers_of(row, f"sample {row['name']}", *KEYS, "gini"),
            "guides": number(report["library"]["guides"], "library: guides"),
            "counts": histogram(row.get("counts"), "counts"),
            "lorenz": numbers(row.get("lorenz") or [], "lorenz"),
        }
    return {"samples": samples}


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    samples: Dict[str, Dict[str, Any]] = {}
    for s_name, found in data.items():
        for sample in found["samples"]:
            if sample in samples:
                log.warning(f"Duplicate sample name found! Overwriting {sample} of count by that of {s_name}")
        samples.update(found["samples"])
    if not samples:
        return
    headers: Dict[str, Any] = {
        "count_counted_percent": {
            "title": "Counted",
            "description": "Reads that count for a guide",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "YlGn",
        },
        "count_counted": {
            "title": "Counted",
            "description": "Reads that count for a guide",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Blues",
            "hidden": True,
        },
        "count_guides_without_reads": {
            "title": "Zero guides",
            "description": "Guides without a read",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Reds",
        },
        "count_gini": {
            "title": "Gini",
            "description": "Gini index of log(count + 1): 0 if all guides have as many reads",
            "min": 0,
            "max": 1,
            "format": "{:,.3f}",
            "scale": "Purples",
        },
    }
    rows: Dict[str, Dict[str, Any]] = {}
    for s_name, found in samples.items():
        rows[s_name] = {
            "count_counted": found["counted"],
            "count_guides_without_reads": found["guides_without_reads"],
            "count_gini": found["gini"],
        }
        if found["reads"]:
            rows[s_name]["count_counted_percent"] = percent(found["counted"], found["reads"])
    add_general_stats(module, command, rows, headers)
    add_reads(module, samples)
    add_guides(module, samples)
    add_counts(module, samples)
    add_lorenz(module, samples)
    module.write_data_file(
        {s_name: {key: found[key] for key in (*KEYS, "gini", "guides")} for s_name, found in samples.items()},
        "multiqc_basesweep_count",
    )


def add_reads(module: BaseMultiqcModule, samples: Dict[str, Dict[str, Any]]):
    module.add_section(
        name="count: reads counted",
        anchor="basesweep-count-reads",
        description="Reads, or pairs, that count for a guide. Ambiguous ones fit several guides equally well.",
        **bars_or_note(
            {
                s_name: {key: found[key] for key in ("edits_0", "edits_1", "ambiguous", "unmatched")}
                for s_name, found in samples.items()
            },
            {
                "edits_0": {"name": "Counted, without an edit", "color": BLUE},
                "edits_1": {"name": "Counted, with one edit", "color": "#56B4E9"},
                "ambiguous": {"name": "Ambiguous", "color": ORANGE},
                "unmatched": {"name": "Unmatched", "color": GREY},
            },
            {
                "id": "basesweep_count_reads_plot",
                "title": "basesweep count: reads counted",
                "ylab": "Reads",
                "cpswitch_counts_label": "Reads",
            },
        ),
    )


def add_guides(module: BaseMultiqcModule, samples: Dict[str, Dict[str, Any]]):
    module.add_section(
        name="count: guides found",
        anchor="basesweep-count-guides",
        description="Guides of the library with and without reads.",
        **bars_or_note(
            {
                s_name: {
                    "with": max(0, found["guides"] - found["guides_without_reads"]),
                    "without": found["guides_without_reads"],
                }
                for s_name, found in samples.items()
            },
            {"with": {"name": "With reads", "color": BLUE}, "without": {"name": "Without reads", "color": RED}},
            {
                "id": "basesweep_count_guides_plot",
                "title": "basesweep count: guides found",
                "ylab": "Guides",
                "cpswitch_counts_label": "Guides",
            },
        ),
    )


def add_counts(module: BaseMultiqcModule, samples: Dict[str, Dict[str, Any]]):
    lines, width, is_cut = joined({s_name: found["counts"] for s_name, found in samples.items() if found["counts"]})
    if not lines:
        return
    module.add_section(
        name="count: reads of guides",
        anchor="basesweep-count-counts",
        description=f"How many guides have so many reads.{bins_said('reads', width, is_cut)}",
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_count_counts_plot",
                "title": "basesweep count: reads of guides",
                "xlab": "Reads of a guide",
                "ylab": "Guides (%)",
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
            },
        ),
    )


def add_lorenz(module: BaseMultiqcModule, samples: Dict[str, Dict[str, Any]]):
    lines = {
        s_name: {place: 100 * share for place, share in enumerate(found["lorenz"])}
        for s_name, found in samples.items()
        if found["lorenz"]
    }
    if not lines:
        return
    module.add_section(
        name="count: Lorenz curve",
        anchor="basesweep-count-lorenz",
        description="Share of the reads that the guides with fewest reads have together.",
        helptext="""
        Were all guides as frequent, the line would be the diagonal. The further it hangs below, the more of the reads are
        of few guides. Libraries before selection are close to the diagonal; a screen bends away from it.
        """,
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_count_lorenz_plot",
                "title": "basesweep count: Lorenz curve",
                "xlab": "Guides with fewest reads (%)",
                "ylab": "Reads (%)",
                "xmin": 0,
                "xmax": 100,
                "ymin": 0,
                "ymax": 100,
                "xsuffix": "%",
                "ysuffix": "%",
                "extra_series": [
                    {
                        "name": "equal",
                        "pairs": [[0, 0], [100, 100]],
                        "dash": "dash",
                        "width": 1,
                        "color": "#999999",
                        "showlegend": False,
                    }
                ],
            },
        ),
    )
