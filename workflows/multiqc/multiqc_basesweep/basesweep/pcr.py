"""MultiQC submodule to parse reports of basesweep pcr"""

from typing import Any, Dict, List

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
from .values import Number, histogram, number, numbers, percent


def parse(report: Dict[str, Any]) -> Dict[str, Any]:
    data: Dict[str, Any] = {"products": number(report["products"], "products"), "pairs": {}, "strands": {}}
    for pair in report["pairs"]:
        name = str(pair["name"])
        for strand, count in pair["counts"].items():
            number(count, f"counts of {name}")
            data["pairs"][name] = data["pairs"].get(name, 0) + count
            data["strands"][strand] = data["strands"].get(strand, 0) + count
    plots = report.get("plots") or {}
    data["edits"] = numbers(plots.get("edits", []), "edits")
    data["sizes"] = histogram(plots.get("sizes"), "sizes")
    sites: Number = 0
    mismatches: List[Number] = []
    for primer in plots.get("primers") or []:
        sites += number(primer["hits"], "primers: hits")
        counts = numbers(primer["mismatches"], "primers: mismatches")
        mismatches += [0] * (len(counts) - len(mismatches))
        for place, count in enumerate(counts):
            mismatches[place] += count
    data["mismatches"] = [percent(count, sites) for count in mismatches] if sites else []
    return data


def add_sections(module: BaseMultiqcModule, command: str, data: Dict[str, Dict[str, Any]]):
    headers: Dict[str, Any] = {
        "pcr_products": {
            "title": "Products",
            "description": "Products of all primer pairs",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "GnBu",
        },
        "pcr_pairs_without_product": {
            "title": "Pairs without",
            "description": "Primer pairs without a product",
            "min": 0,
            "format": "{:,.0f}",
            "scale": "Reds",
        },
    }
    rows = {
        s_name: {
            "pcr_products": found["products"],
            "pcr_pairs_without_product": sum(count == 0 for count in found["pairs"].values()),
        }
        for s_name, found in data.items()
    }
    add_general_stats(module, command, rows, headers)
    add_products(module, data)
    add_sizes(module, data)
    add_mismatches(module, data)
    module.write_data_file(rows, "multiqc_basesweep_pcr")


def add_products(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    bars, cats, left = top({s_name: found["pairs"] for s_name, found in data.items()})
    label, alone = top_alone(bars)
    edits, edit_cats = edit_bars({s_name: found["edits"] for s_name, found in data.items() if found["edits"]})
    datasets, categories, labels = switched(
        (
            ("By pair", "Products", bars, cats),
            (label, "Products", alone, cats),
            ("By edits", "Products", edits, edit_cats),
            (
                "By strand",
                "Products",
                {s_name: found["strands"] for s_name, found in data.items()},
                STRANDS,
            ),
        )
    )
    about = "Products of each primer pair."
    if left:
        about += f" The {most_patterns():,} pairs with the largest shares of products are shown; {left:,} others are added up."
    module.add_section(
        name="pcr: products",
        anchor="basesweep-pcr-products",
        description=about,
        helptext="""
        The buttons above the plot group the same products by pair, by the edits of both primers together, and by the
        strand that the forward primer reads like. How many pairs have no product is in the general statistics.
        """,
        **bars_or_note(
            datasets,
            categories,
            {
                "id": "basesweep_pcr_products_plot",
                "title": "basesweep pcr: products",
                "ylab": "Products",
                "cpswitch_counts_label": "Products",
                "data_labels": labels,
            },
        ),
    )


def add_sizes(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    lines, width, is_cut = joined(
        {s_name: found["sizes"] for s_name, found in data.items() if found["sizes"]}, share=False
    )
    if not lines:
        return
    module.add_section(
        name="pcr: sizes",
        anchor="basesweep-pcr-sizes",
        description=f"Sizes of products, primers included.{bins_said('bp', width, is_cut)}",
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_pcr_sizes_plot",
                "title": "basesweep pcr: sizes of products",
                "xlab": "Size (bp)",
                "ylab": "Products",
                "ymin": 0,
                "x_decimals": False,
                "y_decimals": False,
                "xsuffix": " bp",
            },
        ),
    )


def add_mismatches(module: BaseMultiqcModule, data: Dict[str, Dict[str, Any]]):
    lines = {s_name: dict(enumerate(found["mismatches"], 1)) for s_name, found in data.items() if found["mismatches"]}
    if not lines:
        return
    module.add_section(
        name="pcr: mismatches of primers",
        anchor="basesweep-pcr-mismatches",
        description="Sites of primers in products that have a mismatch at each position from the 3' end of the primer.",
        helptext="""
        Percent of all sites of primers. Mismatches in the last three to five bases, on the left, hinder priming most.
        """,
        plot=linegraph.plot(
            lines,
            {
                "id": "basesweep_pcr_mismatches_plot",
                "title": "basesweep pcr: mismatches of primers",
                "xlab": "Position in the primer, from its 3' end",
                "ylab": "Sites with mismatch (%)",
                "ymin": 0,
                "x_decimals": False,
                "ysuffix": "%",
            },
        ),
    )
