import json
import logging

import pytest
from multiqc import config, report
from multiqc.base_module import ModuleNoSamplesFound

from ..basesweep import MultiqcModule
from ..graphs import joined

PATTERNS = [
    {"name": "a", "sequence": "ACGTAC", "counts": {"+": 1, "-": 2}},
    {"name": "b", "sequence": "ACG", "counts": {"+": 0, "-": 0}},
]
SAMPLE = {
    "reads": 100,
    "counted": 80,
    "edits_0": 70,
    "edits_1": 10,
    "ambiguous": 5,
    "unmatched": 15,
    "guides_without_reads": 3,
    "gini": 0.25,
}
MATE = {
    "bases": 1000,
    "written_bases": 800,
    "with_adapter": 4,
    "quality_bases": 20,
    "adapter_bases": 100,
    "poly_a_bases": 0,
    "adapters": [{"name": "1", "sequence": "AGATC", "found": 3}, {"name": "tn5", "sequence": "CTGTC", "found": 1}],
}
# The least that a report of each command has: those of versions without `plots`
OLD = {
    "motif": {"hits": 3, "patterns": PATTERNS},
    "match": {"hits": 3, "patterns": PATTERNS},
    "pwm": {"hits": 3, "matrices": [{"id": "MA1", "name": "Runx", "counts": {"+": 3}}]},
    "pcr": {"products": 3, "pairs": PATTERNS},
    "guides": {"guides": 2, "guides_without_exact_copy": 1, "places": {"mismatches_0": 1, "bulge_1_mismatches_2": 5}},
    "map": {"reads": {"total": 10, "mapped": 7, "unmapped": 3, "too_long": 1, "too_short": 0, "no_bases": 0}},
    "demux": {"samples": [{"name": "liver", "reads": 6}], "unassigned": {"none": 4}, "reads": {"total": 10}},
    "trim": {"reads": 10, "written": 8, "filtered": {"too-short": 2}, "mates": [MATE]},
    "count": {"library": {"guides": 20}, "samples": [{"name": "plasmid", **SAMPLE}]},
}
PLOTS = {
    "motif": {"starts": [[0, 1, 2], [5, 6, 1]]},
    "match": {"edits": [2, 1], "edit_positions": {"all": {"hits": 4, "mismatches": [1, 0, 2], "deletions": [0, 1]}}},
    "pwm": {},
    "pcr": {
        "edits": [3],
        "sizes": [[128, 130, 3]],
        "primers": [{"hits": 3, "mismatches": [0, 3]}, {"hits": 3, "mismatches": [1]}],
    },
    "guides": {"specificity": {"mit": [[40, 41, 1], [100, 101, 3]], "cfd": []}},
    "map": {
        "edits": [5, 2],
        "identity": [[99.0, 99.1, 1], [99.5, 99.6, 1], [100.0, 100.1, 5]],
        "ambiguous": 2,
        "inserts": [[90, 91, 7]],
        "coverage": [
            {"name": "I", "length": 100, "hits": 150, "bin": 64, "counts": [128, 22]},
            {"name": "II", "length": 10, "hits": 0, "bin": 1, "counts": []},
        ],
    },
    "demux": {"edits": [5, 1], "lengths_before": [[100, 101, 10]], "lengths_after": [[70, 71, 6]]},
    "trim": {"lengths_before": [[[100, 101, 10]]], "lengths_after": [[[50, 51, 2], [100, 101, 6]]]},
    "count": {},
}
OLD_SECTIONS = {
    "motif": ["hits"],
    "match": ["hits"],
    "pwm": ["hits"],
    "pcr": ["products"],
    "guides": ["places"],
    "map": ["reads"],
    "demux": ["samples", "reasons"],
    "trim": ["reads", "bases", "adapters"],
    "count": ["reads", "guides"],
}
NEW_SECTIONS = {
    **OLD_SECTIONS,
    "motif": ["hits", "starts"],
    "match": ["hits", "edit-positions"],
    "pcr": ["products", "sizes", "mismatches"],
    "guides": ["places", "specificity"],
    "map": ["reads", "edits", "inserts", "depths", "coverage"],
    "demux": ["samples", "reasons", "edits", "lengths"],
    "trim": ["reads", "bases", "adapters", "lengths"],
    "count": ["reads", "guides", "counts", "lorenz"],
}


def content(command, new=False, **changes):
    found = {"schema": "basesweep-report/1", "version": "1.2.3", "command": command, **OLD[command]}
    if new:
        found["plots"] = PLOTS[command]
    if new and command == "count":
        found["samples"] = [{**found["samples"][0], "counts": [[0, 1, 3], [4, 5, 17]], "lorenz": [0, 0.2, 1]}]
    return {**found, **changes}


@pytest.fixture
def run(tmp_path):
    """Runs the module on files of {name: report}, or text."""
    folder = tmp_path / "reports"

    def run_module(files):
        for name, found in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found if isinstance(found, str) else json.dumps(found, indent=1))
        report.reset()
        report.analysis_files = [folder]
        report.search_files(["basesweep"])
        return MultiqcModule()

    config.preserve_module_raw_data = True
    yield run_module
    config.preserve_module_raw_data = False
    report.reset()


def stats():
    """{sample: numbers} of the general statistics."""
    rows = {}
    for section in report.general_stats_data.values():
        for sample, found in section.items():
            rows.setdefault(str(sample), {}).update(found[0].data)
    return rows


def bars(anchor, place=0):
    """{sample: {category: number}} of a bar graph."""
    dataset = report.plot_by_id[anchor].datasets[place]
    return {
        str(sample): {cat.name: cat.data[i] for cat in dataset.cats if cat.data[i] == cat.data[i]}
        for i, sample in enumerate(dataset.samples)
    }


def lines(anchor, place=0):
    """{sample: {x: y}} of a line graph."""
    return {line.name: dict(line.pairs) for line in report.plot_by_id[anchor].datasets[place].lines}


@pytest.mark.parametrize("command", OLD)
@pytest.mark.parametrize("plots", [False, True])
def test_sections(run, command, plots):
    module = run({f"s.{command}.json": content(command, plots)})
    wanted = (NEW_SECTIONS if plots else OLD_SECTIONS)[command]
    assert [section.anchor for section in module.sections] == [f"basesweep-{command}-{name}" for name in wanted]
    assert all(section.plot_anchor for section in module.sections)
    assert f"multiqc_basesweep_{command}" in module.saved_raw_data
    assert report.software_versions["basesweep"]["basesweep"] == ["1.2.3"]
    assert "s" in stats() or command == "count"


def test_hits(run):
    run({"s.match.json": content("match", True)})
    assert stats()["s"] == {"match_hits": 3, "match_without_hits": 1}
    assert bars("basesweep_match_hits_plot") == {"s": {"a": 3}}
    assert bars("basesweep_match_hits_plot", 1) == {"s": {"0 edits": 2, "1 edit": 1}}
    assert bars("basesweep_match_hits_plot", 2) == {"s": {"+ strand": 1, "- strand": 2}}
    mismatches = {1: 25.0, 2: 0, 3: 50.0, 4: 0, 5: 0, 6: 0}  # as long as the longest pattern
    assert lines("basesweep_match_edit_positions_plot") == {"s": mismatches}
    assert lines("basesweep_match_edit_positions_plot", 2) == {"s": {1: 0, 2: 25.0, 3: 0, 4: 0, 5: 0, 6: 0}}


def test_many_patterns(run):
    few = [{"name": f"p{i}", "sequence": "A", "counts": {"+": i}} for i in range(30)]
    many = [{"name": "q", "sequence": "A", "counts": {"+": 1000}}]
    module = run({"few.motif.json": content("motif", patterns=few), "many.motif.json": content("motif", patterns=many)})
    found = bars("basesweep_motif_hits_plot")
    assert list(found["few"]) == [f"p{i}" for i in range(29, 20, -1)] + ["all others"]
    assert found["few"]["all others"] == sum(range(21)) and found["many"]["q"] == 1000
    assert "all others" not in bars("basesweep_motif_hits_plot", 1)["few"]
    assert "The 10 motifs with the largest shares of hits are shown; 21 others" in module.sections[0].description
    config.basesweep_config = {"most_patterns": 40}
    try:
        run({})
    finally:
        del config.basesweep_config
    assert len(bars("basesweep_motif_hits_plot")["few"]) == 29  # p0 has no hit


def test_pcr(run):
    run({"s.pcr.json": content("pcr", True)})
    assert stats()["s"] == {"pcr_products": 3, "pcr_pairs_without_product": 1}
    assert lines("basesweep_pcr_sizes_plot") == {"s": {126: 0, 128: 3, 130: 0}}
    assert lines("basesweep_pcr_mismatches_plot") == {"s": {1: pytest.approx(100 / 6), 2: 50.0}}


def test_guides(run):
    run({"s.guides.json": content("guides", True)})
    assert stats()["s"] == {"guides": 2, "guides_without_exact_copy": 1, "guides_off_targets": 2.5}
    assert bars("basesweep_guides_places_plot") == {"s": {"0 mismatches": 1, "bulge of 1, 2 mismatches": 5}}
    found = lines("basesweep_guides_specificity_plot")["s"]
    assert (found[40], found[41], found[100], sum(found.values())) == (25, 0, 75, 100)


def test_map(run):
    run({"s.map.json": content("map", True)})
    assert stats()["s"]["map_mapped_percent"] == 70
    assert bars("basesweep_map_reads_plot") == {
        "s": {"Mapped": 5, "Mapped, ambiguous": 2, "Unmapped": 2, "Not searched: too long": 1}
    }
    assert lines("basesweep_map_edits_plot")["s"] == {0: pytest.approx(500 / 7), 1: pytest.approx(200 / 7)}
    assert lines("basesweep_map_edits_plot", 1)["s"] == {99: pytest.approx(200 / 7), 100: pytest.approx(500 / 7)}
    assert lines("basesweep_map_inserts_plot")["s"] == {89: 0, 90: 100, 91: 0}
    assert lines("basesweep_map_depths_plot")["s"] == {"I": 1.5, "II": 0}
    assert lines("basesweep_map_coverage_plot")["s"] == {0: 2, 64: pytest.approx(22 / 36)}


def test_demux(run):
    run(
        {
            "a.demux.json": content("demux", True),
            "b.demux.json": content("demux", samples=[{"name": "liver", "reads": 2}]),
        }
    )
    assert stats() == {
        "a": {"demux_assigned_percent": 60},
        "b": {"demux_assigned_percent": 20},
        "liver": {"demux_reads": 8},
    }
    assert bars("basesweep_demux_samples_plot") == {"liver": {"a": 6, "b": 2}}
    assert bars("basesweep_demux_reasons_plot")["a"] == {"Assigned": 6, "No barcode": 4}
    many = [{"name": f"s{i:04}", "reads": 1 + (i < 700)} for i in range(1300)]
    run({"a.demux.json": content("demux", samples=many), "b.demux.json": "{}"})
    found = bars("basesweep_demux_samples_plot")
    assert (len(found), found["all other samples"]) == (1001, {"a": 300})


def test_trim(run):
    overlap = {"overlap_and_adapter": 3, "overlap_alone": 1, "adapter_alone": 0, "differing": 1, "dimers": 2}
    pairs = {**content("trim", mates=[MATE, MATE], overlap=overlap, pairs=10)}
    del pairs["reads"]
    run({"one.trim.json": content("trim", True), "two.trim.json": pairs})
    assert stats()["two"] == {
        "trim_with_adapter_percent": 40,
        "trim_written_percent": 80,
        "trim_written_bases_percent": 80,
        "trim_dimers_percent": 20,
    }
    assert bars("basesweep_trim_bases_plot")["two"] == {
        "Written": 1600,
        "Cut with adapters": 200,
        "Cut by quality": 40,
        "Other": 160,
    }
    found = bars("basesweep_trim_adapters_plot")
    assert (found["one"]["AGATC"], found["one"]["tn5"], found["two"]["tn5 (read 2)"]) == (3, 1, 1)
    assert bars("basesweep_trim_overlap_plot") == {
        "two": {
            "Overlap and adapter": 3,
            "Overlap alone": 1,
            "Adapter, where the overlap differs": 1,
            "Not cut": 5,
        }
    }
    found = lines("basesweep_trim_lengths_plot")["one"]
    assert (found[50], found[100], sum(found.values())) == (25, 75, 100)


def test_count(run):
    run({"screen.json": content("count", True)})
    assert stats() == {
        "plasmid": {
            "count_counted": 80,
            "count_counted_percent": 80,
            "count_guides_without_reads": 3,
            "count_gini": 0.25,
        }
    }
    assert bars("basesweep_count_guides_plot") == {"plasmid": {"With reads": 17, "Without reads": 3}}
    assert lines("basesweep_count_counts_plot")["plasmid"] == {0: 15, 1: 0, 2: 0, 3: 0, 4: 85, 5: 0}
    assert lines("basesweep_count_lorenz_plot")["plasmid"] == {0: 0, 1: 20, 2: 100}


def test_names(run, caplog):
    files = {
        "a/liver.fastq.gz.motif.json": content("motif"),
        "b/kidney_motif.json": content("motif"),
        "b/motif.json": content("motif", hits=4),
        "lane.demux.json": content("demux", samples=[{"name": "x.fq.gz", "reads": 1}, {"name": "x", "reads": 2}]),
    }
    run(files)
    found = stats()
    assert sorted(found) == ["kidney", "lane", "liver", "motif", "x", "x.fq.gz"]
    assert (found["x"]["demux_reads"], found["x.fq.gz"]["demux_reads"]) == (2, 1)
    with caplog.at_level(logging.WARNING):
        run({"c/liver.motif.json": content("motif", hits=9)})
    assert "Overwriting liver of motif" in caplog.text
    config.prepend_dirs = True
    try:
        run({})
    finally:
        config.prepend_dirs = False
    assert len([name for name in stats() if name.endswith("liver")]) == 2


def test_ignored_samples(run):
    config.sample_names_ignore = ["s", "plasmid"]
    try:
        module = run({"s.motif.json": content("motif"), "t.motif.json": content("motif"), "u.json": content("count")})
        assert [section.anchor for section in module.sections] == ["basesweep-motif-hits"]
        assert list(stats()) == ["t"]
    finally:
        config.sample_names_ignore = []


def test_names_are_text(run):
    evil = "<img src=x onerror=alert(1)>\"'\n"
    patterns = [{"name": evil, "sequence": "A", "counts": {"+": 1}}]
    run(
        {
            "s.motif.json": content("motif", patterns=patterns),
            "s.json": content("demux", samples=[{"name": evil, "reads": 1}]),
        }
    )
    shown = "&lt;img src=x onerror=alert(1)&gt;&#34;&#39; "
    assert bars("basesweep_motif_hits_plot") == {"s": {shown: 1}}
    assert shown.strip() in {name.strip() for name in stats()}


@pytest.mark.parametrize(
    "wrong",
    [
        '{"schema": "basesweep-report/1", "command": "motif"',
        content("motif", schema="basesweep-report/9"),
        {**content("motif"), "command": "bench"},
        {**content("motif"), "command": ["motif"]},
        content("motif", patterns=None),
        content("motif", patterns=[{"name": "a", "counts": {"+": "1"}}]),
        content("motif", patterns=[{"name": "a", "counts": {"+": -1}}]),
        content("motif", hits=True),
        content("match", plots=[1]),
        content("match", plots={"edits": 3}),
        content("match", plots={"edits": [float("nan")]}),
        content("match", plots={"edits": [10**400]}),
        content("pcr", plots={"sizes": [[1, 2]]}),
        content("pcr", plots={"sizes": [[2, 1, 1]]}),
        content("pcr", plots={"primers": [3]}),
        content("map", plots={"coverage": [{"name": "I", "length": 3, "hits": 1, "bin": 0, "counts": [1]}]}),
        content("map", plots={"coverage": [{"name": "I", "length": 3, "hits": 1, "bin": 2, "counts": [1, 2, 3]}]}),
        content("trim", mates=None),
        content("demux", unassigned=3),
        content("count", samples=[{"name": "a"}]),
    ],
)
def test_wrong_reports_are_left_out(run, caplog, wrong):
    with caplog.at_level(logging.WARNING):
        module = run({"good.motif.json": content("motif"), "wrong.json": wrong})
    assert "wrong.json" in caplog.text
    assert list(stats()) == ["good"] and len(module.sections) == 1


def test_chunks_and_no_reports(run, caplog):
    with caplog.at_level(logging.WARNING), pytest.raises(ModuleNoSamplesFound):
        run({"1.json": content("motif", part="chunk 1/2"), "other.json": {"schema": "something-else/1"}})
    assert "Skipped 1 reports of single chunks" in caplog.text


@pytest.mark.parametrize("command", OLD)
def test_nothing_found(run, command):
    """Numbers of 0, and lists without elements, make no error and no empty plot."""

    def emptied(value):
        if isinstance(value, dict):
            return {
                key: emptied(item) if key not in ("name", "sequence", "length", "bin") else item
                for key, item in value.items()
            }
        return list(filter(None, map(emptied, value))) if isinstance(value, list) else 0

    module = run({"s.json": {**content(command, True), **emptied(OLD[command]), "plots": emptied(PLOTS[command])}})
    for section in module.sections:
        assert section.plot_anchor or "all numbers are 0" in section.content, section.anchor


def test_joined_bins():
    data = {"s": [(100, 101, 600), (300, 304, 395), (5000, 5064, 5)], "t": []}
    lines_of, width, is_cut = joined(data, share=False)
    assert (width, is_cut) == (4, True)
    assert {x: y for x, y in lines_of["s"].items() if y} == {100: 600, 300: 395, 304: 5}
    lines_of, width, _ = joined({"s": [(0, 1, 1), (10**15, 10**15 + 1, 1)]})
    assert len(lines_of["s"]) <= 402 and sum(lines_of["s"].values()) == 100
    assert joined({}) == ({}, 0, False)
