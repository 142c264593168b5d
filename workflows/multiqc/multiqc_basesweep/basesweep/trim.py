"""MultiQC submodule to parse reports of basesweep trim"""

from typing import Any, Dict, List, Tuple

from multiqc.base_module import BaseMultiqcModule

from .graphs import BLUE, GREY, ORANGE, add_general_stats, add_lengths, bars_or_note, most_patterns, top
from .values import histogram, number, numbers_of, percent

BASES = ("bases", "written_bases", "with_adapter", "quality_bases", "adapter_bases", "poly_a_bases")
FILTERS = {
    "too-short": "Too short",
    "too-long": "Too long",
    "too-many-n": "Too many N",
    "too-many-errors": "Too many errors",
    "trimmed": "With adapter",
    "untrimmed": "Without adapter",
}
OVERLAPS = {
    "overlap_and_adapter": "Overlap and adapter",
    "overlap_alone": "Overlap alone",
    "adapter_alone": "Adapter alone",
    "differing": "Adapter, where the overlap differs",
}


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    plots = report.get("plots") or {}
    mates = [numbers_of(mate, "mates", *BASES) for mate in report["mates"]]
    adapters: Dict[str, Any] = {}
    for place, mate in enumerate(report["mates"], 1):
        for adapter in mate.get("adapters") or []:
            name = str(adapter["name"])
            if name.isdigit():  # it has no name
                name = str(adapter["sequence"])
            if len(mates) == 2:
                name += f" (read {place})"
            adapters[name] = adapters.get(name, 0) + number(adapter["found"], f"found of {name}")
    lengths = {}
    for key in ("lengths_before", "lengths_after"):
        for place, bins in enumerate(plots.get(key) or [], 1):
            lengths[key, place] = histogram(bins, key)
    return {
        "total": number(report["pairs" if "pairs" in report else "reads"], "reads"),
        "written": number(report["written"], "written"),
        "filtered": numbers_of(report["filtered"], "filtered"),
        "overlap": numbers_of(report.get("overlap") or {}, "overlap"),
        "mates": len(mates),
        "bases": {key: sum(mate[key] for mate in mates) for key in BASES},
        "adapters": adapters,
        "lengths": lengths,
    }


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    headers: Dict[str, Any] = {
        "trim_with_adapter_percent": {
            "title": "With adapter",
            "description": "Reads from which an adapter was cut",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "OrRd",
        },
        "trim_written_percent": {
            "title": "Kept",
            "description": "Reads, or pairs, that trim wrote",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "YlGn",
        },
        "trim_written_bases_percent": {
            "title": "Kept bases",
            "description": "Bases that trim wrote",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "BuGn",
            "hidden": True,
        },
        "trim_dimers_percent": {
            "title": "Dimers",
            "description": "Pairs without a base before the adapter",
            "min": 0,
            "max": 100,
            "suffix": "%",
            "scale": "Reds",
            "hidden": True,
        },
    }
    rows: Dict[str, Dict[str, Any]] = {}
    for s_name, found in data.items():
        rows[s_name] = {}
        bases = found["bases"]
        if found["total"]:
            with_adapter = percent(bases["with_adapter"], found["total"] * found["mates"])
            rows[s_name]["trim_with_adapter_percent"] = with_adapter
            rows[s_name]["trim_written_percent"] = percent(found["written"], found["total"])
            if "dimers" in found["overlap"]:
                rows[s_name]["trim_dimers_percent"] = percent(found["overlap"]["dimers"], found["total"])
        if bases["bases"]:
            rows[s_name]["trim_written_bases_percent"] = percent(bases["written_bases"], bases["bases"])
    add_general_stats(module, command, rows, headers)
    add_reads(module, data)
    add_bases(module, data)
    add_adapters(module, data)
    add_overlap(module, data)
    add_lengths(
        module,
        "trim",
        "Lengths of reads as they are written, and before they are cut.",
        lengths_of(data),
        logswitch=True,
    )
    written = {
        s_name: {"reads": found["total"], "written": found["written"], **found["filtered"], **found["bases"]}
        for s_name, found in data.items()
    }
    module.write_data_file(written, "multiqc_basesweep_trim")


def add_reads(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    reasons = {reason: None for found in data.values() for reason in found["filtered"]}
    module.add_section(
        name="trim: reads kept",
        anchor="basesweep-trim-reads",
        description="Reads, or pairs, that were written, and why the others were not.",
        **bars_or_note(
            {s_name: {"written": found["written"], **found["filtered"]} for s_name, found in data.items()},
            {
                "written": {"name": "Written", "color": BLUE},
                **{reason: {"name": FILTERS.get(reason, reason)} for reason in reasons},
            },
            {
                "id": "basesweep_trim_reads_plot",
                "title": "basesweep trim: reads kept",
                "ylab": "Reads, or pairs",
                "cpswitch_counts_label": "Reads",
            },
        ),
    )


def add_bases(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    bars = {}
    for s_name, found in data.items():
        bases = found["bases"]
        bars[s_name] = {key: bases[key] for key in ("written_bases", "adapter_bases", "quality_bases", "poly_a_bases")}
        bars[s_name]["other"] = max(0, bases["bases"] - sum(bars[s_name].values()))
    module.add_section(
        name="trim: bases kept",
        anchor="basesweep-trim-bases",
        description="Bases of all reads: what was written, and what was cut.",
        helptext="Other bases are fixed cuts, N at the ends, primers, and the bases of reads that were not written.",
        **bars_or_note(
            bars,
            {
                "written_bases": {"name": "Written", "color": BLUE},
                "adapter_bases": {"name": "Cut with adapters", "color": ORANGE},
                "quality_bases": {"name": "Cut by quality", "color": "#CC79A7"},
                "poly_a_bases": {"name": "Cut as poly-A", "color": "#56B4E9"},
                "other": {"name": "Other", "color": GREY},
            },
            {
                "id": "basesweep_trim_bases_plot",
                "title": "basesweep trim: bases kept",
                "ylab": "Bases",
                "cpswitch_counts_label": "Bases",
            },
        ),
    )


def add_adapters(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    bars, cats, left = top({s_name: found["adapters"] for s_name, found in data.items() if found["adapters"]})
    if not bars:
        return
    about = "Reads from which each adapter was cut."
    if left:
        about += f" The {most_patterns():,} adapters with the largest shares are shown; {left:,} others are added up."
    module.add_section(
        name="trim: adapters found",
        anchor="basesweep-trim-adapters",
        description=about,
        **bars_or_note(
            bars,
            cats,
            {
                "id": "basesweep_trim_adapters_plot",
                "title": "basesweep trim: adapters found",
                "ylab": "Reads",
                "cpswitch_counts_label": "Reads",
            },
        ),
    )


def add_overlap(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    bars = {}
    for s_name, found in data.items():
        if found["overlap"]:
            bars[s_name] = {key: found["overlap"].get(key, 0) for key in OVERLAPS}
            bars[s_name]["not_cut"] = max(0, found["total"] - sum(bars[s_name].values()))
    if not bars:
        return
    module.add_section(
        name="trim: overlap of mates",
        anchor="basesweep-trim-overlap",
        description="What the end of each fragment is known by: the overlap of the mates, the adapter, or both.",
        **bars_or_note(
            bars,
            {
                **{key: {"name": name} for key, name in OVERLAPS.items()},
                "not_cut": {"name": "Not cut", "color": GREY},
            },
            {
                "id": "basesweep_trim_overlap_plot",
                "title": "basesweep trim: overlap of mates",
                "ylab": "Pairs",
                "cpswitch_counts_label": "Pairs",
            },
        ),
    )


def lengths_of(data: Dict[str, Dict[str, Any]]) -> List[Tuple[str, Dict[str, Any]]]:
    """Labels and histograms of lengths, of each mate."""
    pairs = any(found["mates"] == 2 for found in data.values())
    return [
        (
            f"Read {place} {name}" if pairs else name.capitalize(),
            {s_name: found["lengths"].get((f"lengths_{name}", place), []) for s_name, found in data.items()},
        )
        for place in (1, 2)
        for name in ("after", "before")
    ]
