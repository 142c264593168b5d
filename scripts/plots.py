#!/usr/bin/env python3
"""Makes the tables of docs/benchmarks.md, docs/comparison.md and docs/paper-tables.md and the plots of docs/pictures/ from docs/measurements/*.json.

    plots.py           write them
    plots.py --check   exit 1 if what is there is not what the measurements give

A measurement is one of
  a table        {"table", "date", "chip", "commit", "columns", "rows"}: as measured by the commit; cells are text
  a bench run    what `basesweep bench --json` writes, with "table" and "commit" added (scripts/measure.sh)
  runs of tools  {"table", "date", "chip", "commit", "conditions", "runs"}: of basesweep and its peers (tests/peers/compare.py)
  papers' tables  what `basesweep bench paper --table all --json` writes, with "commit" added; shown one by one, as NAME:ID
  genome         what scripts/measure_genome.py writes: a column for each number of threads, with and without a GPU
A page shows one between `<!-- table: NAME -->` and `<!-- end of table -->`.
"""
import json
import math
import pathlib
import re
import sys

from svg import Svg

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
PAGES = ("benchmarks.md", "comparison.md", "paper-tables.md")
MARKED = re.compile(r"(<!-- table: ([\w:.-]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def load(name):
    return json.loads((DOCS / "measurements" / f"{name}.json").read_text(encoding="utf-8"))


def markdown(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    return lines + ["| " + " | ".join(row).replace("  ", " ") + " |" for row in rows]


def digits(value):
    """Returns a number with three digits."""
    if value == 0:
        return "0"
    places = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(places, 3)}f}"


def bench_rows(measured):
    return (["case", "measured", "Gbase/s", "note"],
            [[row["what"], row["how"], digits(row["gbases_per_second"]), row["note"]]
             for part in measured["parts"] for row in part["rows"]])


def tool_rows(measured):
    return (["task", "tool", "CPU seconds", "hits", "command"],
            [[run["task"], run["tool"], digits(run["cpu_seconds"]), f"{run['hits']:,}", f"`{run['command']}`"] for run in measured["runs"]])


def time_of(value):
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s" if value < 10 else f"{value:.0f} s" if value < 120 else f"{value / 60:.1f} min"


def genome_rows(measured):
    """Returns a row for each job of scripts/measure_genome.py; a cell is empty where the job was not run."""
    runs = {(run["job"], run["device"] != "cpu", run["threads"]): run for run in measured["runs"]}
    kinds = sorted({key[1:] for key in runs})
    names = [f"{threads} thread{'s' * (threads > 1)}{' and GPU' * gpu}" for gpu, threads in kinds]
    if measured["shown"] == "cpu_seconds":
        names = [f"{name}, processor time" for name in names]
    rows = []
    for job in dict.fromkeys(key[0] for key in runs):
        of_job = [runs.get((job, *kind)) for kind in kinds]
        found = [run for run in of_job if run]
        rows.append([job, *(time_of(run[measured["shown"]]) if run else "" for run in of_job),
                     f"{max(run['megabytes'] for run in found):,.0f} MB", f"`{found[0]['command']}`"])
    return ["task", *names, "memory, at most", "command"], rows


def chip(measured):
    if "chip" in measured:
        return measured["chip"]
    machine = measured["machine"]
    return ", ".join(filter(None, [machine["cpu"], machine["instruction_set"], machine["gpu"]]))


def paper_cell(value):
    if value is None:
        return ""
    if isinstance(value, dict):
        return f"to {value['to']:g}" if value["from"] is None else f"{value['from']:g} - {value['to']:g}"
    return value if isinstance(value, str) else f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def paper_table(name, measured, table_id):
    """Returns the lines that show one of the papers' tables."""
    found = next(part for part in measured["tables"] if part["id"] == table_id)
    lines = ["", found["title"] + ".", "", f"- Paper: {found['paper']}."]
    lines += [f"- Ours: {found['ours']}."] if found["ours"] else []
    lines += [f"- {note}" for note in found["notes"]]
    if found["rows"]:
        rows = [[row["by"], row["label"], row["unit"], *map(paper_cell, row["values"])] for row in found["rows"]]
        lines += ["", *markdown(["", "", found["over"], *found["columns"]], rows)]
    return [*lines, "", f"{measured['gpu']}, {measured['cpu']}; {measured['date']}; commit {measured['commit']}; "
            f"[numbers](measurements/{name}.json).", ""]


def table(name):
    """Returns the lines that show a measurement, with when and where it was made."""
    if ":" in name:
        file, table_id = name.split(":")
        return paper_table(file, load(file), table_id)
    measured = load(name)
    if "parts" in measured:
        columns, rows = bench_rows(measured)
    elif "shown" in measured:
        columns, rows = genome_rows(measured)
    elif "runs" in measured:
        columns, rows = tool_rows(measured)
    else:
        columns, rows = measured["columns"], measured["rows"]
    conditions = f" {measured['conditions']}" if "conditions" in measured else ""
    return ["", *markdown(columns, rows), "",
            f"{chip(measured)}; {measured['date']}; commit {measured['commit']}; [numbers](measurements/{name}.json).{conditions}", ""]


def with_tables(text):
    return MARKED.sub(lambda found: found.group(1) + "\n".join(table(found.group(2))) + "\n" + found.group(3), text)


def numbers(cell):
    """Returns the numbers of a cell: '0.73 / 1.36' has two, '7.5 - 11.8 s' one, the mean."""
    found = []
    for part in cell.split(" / "):
        values = [float(value.replace(",", "")) for value in re.findall(r"\d[\d,]*\.?\d*", part.split("(")[0])]
        if values:
            found.append(sum(values[:2]) / len(values[:2]) if " - " in part else values[0])
    return found


def cell(name, row, column):
    """Returns the first number of the cell in the row that begins with `row`."""
    measured = load(name)
    found = [r for r in measured["rows"] if r[0].startswith(row)]
    return numbers(found[0][measured["columns"].index(column)])[0]


def seconds(value):
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"


def speed():
    """Three tasks, each with bars of its own scale."""
    reads = numbers(next(row for row in load("reads")["rows"] if row[0].startswith("razers3"))[2])[0]
    tasks = [("10 motifs of 12, exact, 100 Mb", [("basesweep motif", cell("end-to-end", "10 motifs of 12", "time")),
                                                 ("seqkit locate 2.3", cell("end-to-end", "the same, seqkit", "time"))]),
             ("100 primers of 23, up to 3 edits, 100 Mb", [("basesweep match", cell("sassy", "100", "basesweep, 2 threads / 1")),
                                                           ("sassy 0.3.0, its faster engine", cell("sassy", "100", "sassy --v2, 2 threads / 1"))]),
             ("1,000,000 reads of 150, up to 8 edits, on 5 Mb", [("basesweep map", cell("reads", "2 threads", "time")),
                                                                 ("razers3 3.5.8, full sensitivity", reads)])]
    left, width, y = 250, 420, 58
    svg = Svg(left + width + 90, y + len(tasks) * 92 + 14, "Seconds for three tasks",
              "; ".join(f"{task}: " + ", ".join(f"{tool} {seconds(value)}" for tool, value in bars) for task, bars in tasks))
    svg.text(20, 30, "Seconds from file to file, both strands, 2 threads (less is better)", "ink bold")
    for task, bars in tasks:
        svg.text(20, y + 10, task, "soft")
        longest = max(value for _, value in bars)
        for place, (tool, value) in enumerate(bars):
            top = y + 20 + place * 26
            svg.text(left - 10, top + 14, tool, "ink end")
            svg.rect(left, top, max(2, width * value / longest), 19, "main" if place == 0 else "other")
            svg.text(left + max(2, width * value / longest) + 8, top + 14, seconds(value), "ink")
        y += 92
    measured = load("sassy")
    svg.text(20, y + 2, f"{measured['chip']}, {measured['date']}; docs/benchmarks.md has the commands", "small soft")
    return svg.print()


def log_axes(svg, box, xs, ys, labels):
    """Draws a frame with logarithmic axes; returns functions from values to places."""
    left, top, width, height = box

    def at_x(value):
        return left + width * (math.log10(value) - math.log10(xs[0])) / (math.log10(xs[-1]) - math.log10(xs[0]))

    def at_y(value):
        return top + height - height * (math.log10(value) - math.log10(ys[0])) / (math.log10(ys[-1]) - math.log10(ys[0]))

    for value in ys:
        svg.line(left, at_y(value), left + width, at_y(value), "s-line")
        svg.text(left - 8, at_y(value) + 5, f"{value:g}", "small soft end")
    for value in xs:
        svg.line(at_x(value), top + height, at_x(value), top + height + 5, "s-line")
        svg.text(at_x(value), top + height + 20, f"{value:g}", "small soft middle")
    svg.text(left + width / 2, top + height + 42, labels[0], "small soft middle")
    svg.text(left - 40, top - 12, labels[1], "small soft start")
    return at_x, at_y


def many_primers():
    """Seconds by the number of patterns, beside sassy."""
    rows = load("sassy")["rows"]
    series = [("basesweep match", "main", 1), ("sassy 0.3.0", "other", 2), ("sassy 0.3.0 --v2", "minus", 3)]
    svg = Svg(720, 380, "Seconds by the number of patterns", "basesweep and both engines of sassy for 1 to 312 patterns of 23 with 3 edits.")
    svg.text(20, 30, "N patterns of 23, up to 3 edits, both strands, 100 Mb, 2 threads", "ink bold")
    at_x, at_y = log_axes(svg, (70, 76, 450, 240), (1, 10, 100, 1000), (0.01, 0.1, 1, 10, 100), ("number of patterns", "seconds"))
    for name, kind, column in series:
        points = [(at_x(float(row[0])), at_y(numbers(row[column])[0])) for row in rows]
        svg.path(points, f"s-{kind}")
        for x, y in points:
            svg.circle(x, y, 4, kind)
        svg.text(points[-1][0] + 12, points[-1][1] + 5, name, kind if kind != "other" else "soft")
    return svg.print()


def bars(title, description, rows, unit="", left=290):
    """Returns horizontal bars on one scale; rows are (label, value, kind)."""
    width = 380
    longest = max(value for _, value, _ in rows)
    svg = Svg(left + width + 120, 74 + 28 * (len(rows) - 1), title, description)
    svg.text(20, 30, title, "ink bold")
    for place, (says, value, kind) in enumerate(rows):
        top = 44 + 28 * place
        svg.text(left - 10, top + 14, says, "ink end")
        svg.rect(left, top, max(2, width * value / longest), 19, kind)
        svg.text(left + max(2, width * value / longest) + 8, top + 14, digits(value) + unit, "ink")
    return svg.print()


def gpu_rates():
    """What the kernels reach on the GPU, beside the rate at which it reads."""
    wanted = [("planes, 1 of 16", "one motif of 16"), ("drk2s, 1 of 16", "the same, drk2s"), ("qgrams, 1,000 of 12", "1,000 motifs of 12"),
              ("qgrams, 8,000 / 16,000 of 12", "8,000 motifs of 12, both strands"), ("qgrams, 1,000 of 8", "1,000 motifs of 8: a hit every 65 bases")]
    rows = [(says, cell("gpu-exact", row, "Gbase/s"), "main") for row, says in wanted]
    return bars("Exact search on one NVIDIA H200: Gbase/s of text, kernel alone", "Rates of five searches beside that of reading the text.",
                [("only reading the text", cell("gpu-exact", "read the two planes", "Gbase/s"), "other"), *rows], left=310)


def cpu_rates():
    """What one core reaches in memory."""
    wanted = [("planes 1 x 12 both", "1 motif of 12"), ("planes 10 x 12 both", "10 motifs of 12"), ("qgrams 1000 x 12 both", "1,000 motifs of 12"),
              ("bitsliced 100 x 23 one strand k=3", "100 primers of 23, 3 edits (x 100)"),
              ("hamming 100 x 20 one strand k=3", "100 guides of 20, 3 mismatches (x 100)"),
              ("pigeonhole 100 x 24 one strand k=2", "100 patterns of 24, 2 edits (x 100)")]
    measured = load("bench-epyc")
    rates = {row["what"]: row["gbases_per_second"] for part in measured["parts"] for row in part["rows"]}
    return bars("One core, text in memory: Gbase/s, of edits times patterns", f"Rates on {chip(measured)}.",
                [(says, rates[row], "main") for row, says in wanted], left=330)


def peers():
    """CPU seconds of basesweep and other tools on the same files."""
    measured = load("peers")
    rows = []
    for task in dict.fromkeys(run["task"] for run in measured["runs"] if not run["task"].startswith("index")):
        rows += [(run["tool"], run["cpu_seconds"], "main" if run["tool"].startswith("basesweep") else "other", task)
                 for run in measured["runs"] if run["task"] == task]
    tasks = list(dict.fromkeys(row[3] for row in rows))
    left, width, y = 210, 400, 54
    svg = Svg(left + width + 110, y + 34 * len(tasks) + 26 * len(rows), "CPU seconds beside other tools",
              "; ".join(f"{row[3]}, {row[0]}: {digits(row[1])} s" for row in rows))
    svg.text(20, 30, "CPU seconds on the same files (each task has its own scale)", "ink bold")
    for task in tasks:
        svg.text(20, y + 10, task, "soft")
        y += 20
        those = [row for row in rows if row[3] == task]
        longest = max(row[1] for row in those)
        for tool, value, kind, _ in those:
            svg.text(left - 10, y + 14, tool, "ink end")
            svg.rect(left, y, max(2, width * value / longest), 19, kind)
            svg.text(left + max(2, width * value / longest) + 8, y + 14, f"{digits(value)} s", "ink")
            y += 26
        y += 14
    return svg.print()


PLOTS = {"speed.svg": speed, "many-primers.svg": many_primers, "gpu-rates.svg": gpu_rates, "cpu-rates.svg": cpu_rates, "peers.svg": peers}


def main():
    made = {DOCS / "pictures" / name: plot() for name, plot in PLOTS.items()}
    for page in filter(lambda page: (DOCS / page).is_file(), PAGES):
        made[DOCS / page] = with_tables((DOCS / page).read_text(encoding="utf-8"))
    if "--check" in sys.argv[1:]:
        wrong = [path.name for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
        if wrong:
            sys.exit(f"plots: {', '.join(wrong)}: not what docs/measurements gives; run scripts/plots.py")
        return
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
