"""MultiQC submodule to parse reports of basesweep demux"""

from typing import Any, Dict

from multiqc.base_module import BaseMultiqcModule
from multiqc.plots import linegraph

from .graphs import BLUE, GREY, add_general_stats, add_lengths, bars_or_note
from .values import histogram, number, numbers, numbers_of, percent, shares

MOST_SAMPLES = 1000  # that have a bar of their own
OTHERS = "all other samples"
REASONS = {
    "none": "No barcode",
    "ambiguous": "Ambiguous",
    "two-barcodes": "Two barcodes",
    "unexpected-pair": "Unexpected pair",
    "too-short": "Too short",
}


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    plots = report.get("plots") or {}
    return {
        "samples": {str(row["name"]): number(row["reads"], f"reads of {row['name']}") for row in report["samples"]},
        "assigned": sum(row["reads"] for row in report["samples"]),
        "unassigned": numbers_of(report["unassigned"], "unassigned"),
        "total": number(report["reads"]["total"], "reads: total"),
        "edits": numbers(plots.get("edits", []), "edits"),
        "before": histogram(plots.get("lengths_before"), "lengths_before"),
        "after": histogram(plots.get("lengths_after"), "lengths_after"),
    }


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    headers: Dict[str, Any] = {
        "demux_assigned_percent": {
            "title": "Assigned",
            "description": "Reads of the run that have a sample",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "YlGn",
        },
        "demux_reads": {
            "title": "Demultiplexed",
            "description": "Reads of the sample, by its barcodes",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Blues",
        },
    }
    rows: Dict[str, Dict[str, Any]] = {}
    for s_name, found in data.items():
        if found["total"]:
            rows.setdefault(s_name, {})["demux_assigned_percent"] = percent(found["assigned"], found["total"])
        for sample, reads in found["samples"].items():
            row = rows.setdefault(sample, {})
            row["demux_reads"] = row.get("demux_reads", 0) + reads
    add_general_stats(module, command, rows, headers)
    add_samples(module, data)
    add_reasons(module, data)
    add_edits(module, data)
    add_lengths(
        module,
        "demux",
        "Lengths of reads before barcodes are cut, and as they are written. Each mate of a pair counts.",
        [(key.capitalize(), {s_name: found[key] for s_name, found in data.items()}) for key in ("before", "after")],
    )
    module.write_data_file(
        {s_name: {**found["unassigned"], "assigned": found["assigned"]} for s_name, found in data.items()},
        "multiqc_basesweep_demux",
    )
    module.write_data_file(reads_by_sample(data), "multiqc_basesweep_demux_samples")


def reads_by_sample(data: Dict[str, Dict[str, Any]]) -> Dict[str, Dict[str, Any]]:
    """{sample: {run: reads}}; a sample may be in several runs."""
    samples: Dict[str, Dict[str, Any]] = {}
    for run, found in data.items():
        for sample, reads in found["samples"].items():
            samples.setdefault(sample, {})[run] = reads
    return samples


def add_samples(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    samples = reads_by_sample(data)
    if not samples:
        return
    about = "Reads of each sample, by the run that they are of. Each mate of a pair counts."
    ranked = sorted(samples, key=lambda sample: -sum(samples[sample].values()))
    bars = {sample: reads for sample, reads in samples.items() if sample in set(ranked[:MOST_SAMPLES])}
    if len(ranked) > MOST_SAMPLES:
        bars[OTHERS] = {}
        for sample in ranked[MOST_SAMPLES:]:
            for run, reads in samples[sample].items():
                bars[OTHERS][run] = bars[OTHERS].get(run, 0) + reads
        about += (
            f" The {MOST_SAMPLES:,} samples with most reads are shown; {len(ranked) - MOST_SAMPLES:,} are added up."
        )
    module.add_section(
        name="demux: reads by sample",
        anchor="basesweep-demux-samples",
        description=about,
        **bars_or_note(
            bars,
            list(data),
            {
                "id": "basesweep_demux_samples_plot",
                "title": "basesweep demux: reads by sample",
                "ylab": "Reads",
                "cpswitch_counts_label": "Reads",
            },
        ),
    )


def add_reasons(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    reasons = {reason: None for found in data.values() for reason in found["unassigned"]}
    module.add_section(
        name="demux: assigned reads",
        anchor="basesweep-demux-reasons",
        description="Reads of each run that have a sample, and why the others have none.",
        helptext="""
        - **No barcode**: no barcode of the sheet is found within the allowed edits
        - **Ambiguous**: two samples fit equally well
        - **Two barcodes**: barcodes of two samples are found
        - **Unexpected pair**: both ends have a barcode, but the sheet has no such pair
        - **Too short**: the read is shorter than a barcode
        """,
        **bars_or_note(
            {s_name: {"assigned": found["assigned"], **found["unassigned"]} for s_name, found in data.items()},
            {
                "assigned": {"name": "Assigned", "color": BLUE},
                **{reason: {"name": REASONS.get(reason, reason)} for reason in reasons if reason != "none"},
                "none": {"name": REASONS["none"], "color": GREY},
            },
            {
                "id": "basesweep_demux_reasons_plot",
                "title": "basesweep demux: assigned reads",
                "ylab": "Reads",
                "cpswitch_counts_label": "Reads",
            },
        ),
    )


def add_edits(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    lines = {s_name: dict(enumerate(shares(found["edits"]))) for s_name, found in data.items() if any(found["edits"])}
    if not lines:
        return
    module.add_section(
        name="demux: edits of barcodes",
        anchor="basesweep-demux-edits",
        description="Edits of the barcodes, with their flanks, in the reads that have a sample.",
        helptext="""
        A line that rises towards the largest number of edits says that barcodes are found by chance, or that more edits
        would find more of them.
        """,
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_demux_edits_plot",
                "title": "basesweep demux: edits of barcodes",
                "xlab": "Edits",
                "ylab": "Assigned reads (%)",
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
            },
        ),
    )
