"""What several commands draw alike: bars of the names with most hits, and histograms as lines"""

import math
from typing import Any, Dict, List, Sequence, Tuple, cast

from multiqc import config
from multiqc.base_module import BaseMultiqcModule
from multiqc.plots import bargraph, linegraph

from .values import Histogram, Number, percent, shown

MOST_PATTERNS = 10  # as many as there are colours
WHOLE_SHARE = 0.995  # of the values of a sample that its line shows, each in its place
MOST_BINS = 400  # of a line: MultiQC would leave out some of 500 points
OTHERS = "\tothers"  # no name has a tab

BLUE, GREEN, ORANGE, RED, GREY = "#0072B2", "#009E73", "#E69F00", "#D55E00", "#999999"  # safe for the colour-blind
STRANDS = {"+": {"name": "+ strand", "color": BLUE}, "-": {"name": "- strand", "color": ORANGE}}
# Few to many edits, dark to light
EDIT_COLOURS = ("#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725")


def add_general_stats(
    module: BaseMultiqcModule, command: str, rows: Dict[str, Dict[str, Any]], headers: Dict[str, Any]
):
    """Columns of a command, as the user's configuration wants them."""
    wanted: Any = module.get_general_stats_headers(all_headers=headers)
    if wanted:
        module.general_stats_addcols(cast(Any, rows), wanted, namespace=command)


def most_patterns() -> int:
    return int(getattr(config, "basesweep_config", {}).get("most_patterns", MOST_PATTERNS))


def top(data: Dict[str, Dict[str, Number]]) -> Tuple[Dict[str, Dict[str, Number]], Dict[str, Dict[str, str]], int]:
    """{sample: {key: hits}} of the names with most hits, the categories of the bars, and how many names are added up.

    Each sample counts the same: the names are ranked by the sum of their shares in all samples.
    """
    totals: Dict[str, float] = {}
    for hits in data.values():
        whole_sample = sum(hits.values())
        for name, count in hits.items():
            totals[name] = totals.get(name, 0) + percent(count, whole_sample)
    ranked = sorted(totals, key=lambda name: -totals[name])  # stable: equal ones in the order of the reports
    named, left = ranked[: most_patterns()], set(ranked[most_patterns() :])
    cats: Dict[str, Dict[str, str]] = {name: {"name": shown(name)} for name in named}
    bars = {s_name: {name: hits[name] for name in named if name in hits} for s_name, hits in data.items()}
    if left:
        cats[OTHERS] = {"name": "all others", "color": GREY}
        for s_name, hits in data.items():
            bars[s_name][OTHERS] = sum(count for name, count in hits.items() if name in left)
    return bars, cats, len(left)


def top_alone(bars: Dict[str, Dict[str, Number]]) -> Tuple[str, Dict[str, Dict[str, Number]]]:
    """A label and the bars without what is added up; no bars where nothing is."""
    alone = {s_name: {name: hits for name, hits in row.items() if name != OTHERS} for s_name, row in bars.items()}
    return f"Top {most_patterns()}", {} if alone == bars else alone


def edit_bars(data: Dict[str, List[Number]]) -> Tuple[Dict[str, Dict[str, Number]], Dict[str, Dict[str, str]]]:
    """{sample: {edits: count}} of counts by edits, and the categories of the bars; many edits are added up."""
    bars: Dict[str, Dict[str, Number]] = {}
    most = max(map(len, data.values()), default=0)
    own = min(most, len(EDIT_COLOURS))
    step = (len(EDIT_COLOURS) - 1) / max(own - 1, 1)
    cats = {
        str(edits): {"name": f"{edits} edit{'s' * (edits != 1)}", "color": EDIT_COLOURS[round(edits * step)]}
        for edits in range(own)
    }
    if most > own:
        cats["more"] = {"name": f"{own} edits or more", "color": GREY}
    for s_name, counts in data.items():
        bars[s_name] = {str(edits): count for edits, count in enumerate(counts[:own])}
        if most > own:
            bars[s_name]["more"] = sum(counts[own:])
    return bars, cats


def any_above_0(row: Dict[str, Number]) -> bool:
    return any(value > 0 for value in row.values())


def bars_or_note(data: Any, cats: Any, pconfig: Dict[str, Any]) -> Dict[str, Any]:
    """What add_section() gets: the plot, or a sentence where all numbers are 0, of which MultiQC makes no plot."""
    datasets = data if isinstance(data, list) else [data]
    if any(any_above_0(row) for dataset in datasets for row in dataset.values()):
        return {"plot": bargraph.plot(data, cats, pconfig)}
    return {"content": "<p>No plot: all numbers are 0.</p>"}


def switched(datasets: Sequence[Tuple[str, str, Any, Any]]) -> Tuple[List[Any], List[Any], List[Dict[str, str]]]:
    """Data, categories and labels of a bar graph with a switch, of (label, label of the axis, data, categories).

    A dataset without a number is left out."""
    there = [dataset for dataset in datasets if any(map(any_above_0, dataset[2].values()))]
    labels = [{"name": name, "ylab": ylab, "cpswitch_counts_label": ylab} for name, ylab, _, _ in there]
    return [data for _, _, data, _ in there], [cats for _, _, _, cats in there], labels


def joined(data: Dict[str, Histogram], share: bool = True) -> Tuple[Dict[str, Dict[Number, Number]], Number, bool]:
    """{sample: {first value of a bin: percent, or count}} of histograms, the width of bins, and whether the last bin of
    a sample also has all that is above.

    Bins of reports are wider where values are larger. Joined to the widest, all counts stay exact. A few large values
    would make all bins wide: what is above WHOLE_SHARE of every sample is added to the bin after it.
    """
    limit, width = 0.0, 0.0
    for bins in data.values():
        left = WHOLE_SHARE * sum(count for _, _, count in bins)
        for begin, end, count in bins:
            limit, width = max(limit, end), max(width, end - begin)
            left -= count
            if left <= 0:
                break
    while limit > MOST_BINS * width:
        width *= 2
    last = math.ceil(limit / width) if width else 0
    lines: Dict[str, Dict[Number, Number]] = {}
    is_cut = False
    for s_name, bins in data.items():
        if not bins:
            continue
        counts: Dict[int, Number] = {}
        for begin, _, count in bins:
            place = int(begin // width)
            is_cut |= place > last
            counts[min(place, last)] = counts.get(min(place, last), 0) + count
        first, after = max(0, min(counts) - 1), max(counts) + (max(counts) < last)
        total = sum(counts.values())
        lines[s_name] = {
            whole(place * width): percent(counts.get(place, 0), total) if share else counts.get(place, 0)
            for place in range(first, after + 1)
        }
    return lines, whole(width), is_cut


def whole(value: float) -> Number:
    return int(value) if value == int(value) else value


def bins_said(unit: str, width: Number, is_cut: bool) -> str:
    """A sentence about joined bins, empty where each value has its own."""
    said = f" Bins of {width:,} {unit}." if width > 1 else ""
    return said + (" The last bin also has all above it." if is_cut else "")


def add_lengths(
    module: BaseMultiqcModule,
    command: str,
    description: str,
    histograms: Sequence[Tuple[str, Dict[str, Histogram]]],
    **pconfig: Any,
):
    """A section with the lengths of reads, of (label, {sample: histogram}); none where no sample has a histogram."""
    datasets, labels = [], []
    for name, data in histograms:
        lines, width, is_cut = joined({s_name: bins for s_name, bins in data.items() if bins})
        if lines:
            datasets.append(lines)
            bins = bins_said("bases", width, is_cut).strip()
            labels.append({"name": name, "xlab": f"Length in bases. {bins}".rstrip(". ")})
    if not datasets:
        return
    module.add_section(
        name=f"{command}: lengths",
        anchor=f"basesweep-{command}-lengths",
        description=description,
        plot=linegraph.plot(
            datasets,
            {
                "id": f"basesweep_{command}_lengths_plot",
                "title": f"basesweep {command}: lengths of reads",
                "xlab": labels[0]["xlab"],
                "ylab": "Reads (%)",
                "ymin": 0,
                "x_decimals": False,
                "xsuffix": " bases",
                "ysuffix": "%",
                "data_labels": labels,
                **pconfig,
            },
        ),
    )
