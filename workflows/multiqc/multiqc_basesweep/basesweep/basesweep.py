"""MultiQC module to parse the JSON reports of basesweep"""

import json
import logging
import re
from collections import Counter
from typing import Any, Dict, Tuple

from multiqc.base_module import BaseMultiqcModule, ModuleNoSamplesFound

from . import count, demux, guides, hits, mapping, pcr, trim
from .values import BadReport, shown

log = logging.getLogger(__name__)

SCHEMA = "basesweep-report/1"
# Each has parse(report), which returns what is needed of a report or raises, and add_sections(module, command, data).
COMMANDS: Dict[str, Any] = {
    "motif": hits,
    "match": hits,
    "pwm": hits,
    "pcr": pcr,
    "guides": guides,
    "map": mapping,
    "demux": demux,
    "trim": trim,
    "count": count,
}


class MultiqcModule(BaseMultiqcModule):
    """
    The module reads the reports that the option `--json` writes. Supported commands:

    - `motif`, `match` and `pwm`: hits by pattern, edits and strand, edits by position
    - `pcr`: products by primer pair, sizes, mismatches of primers
    - `guides`: places by mismatches, distribution of specificity
    - `map`: mapped reads, edits, identity, insert sizes, coverage
    - `demux`: reads by sample, reasons of the others, lengths
    - `trim`: reads and bases kept, adapters found, overlap of mates, lengths
    - `count`: reads counted, guides without reads, Lorenz curve

    #### Sample names

    A sample is named by the file of its report, because one genome is often searched several times and reads may come
    from a pipe: `liver.map.json` and `liver.trim.json` are the sample `liver`. The command at the end of the name is
    left out. The samples of `demux` and `count` are those named in their reports. If two reports of one command have
    the same name, the later one is shown and a warning names both; use `--dirs` to keep them apart.

    #### Chunks

    Reports of single chunks (`--chunk`) are left out. `basesweep merge --json` writes the report of the whole run.

    #### Configuration

    Bar graphs show the 10 patterns, pairs or matrices with the largest shares, and add up the others. To show more:

    ```yaml
    basesweep_config:
      most_patterns: 20
    ```
    """

    def __init__(self) -> None:
        super().__init__(
            name="basesweep",
            anchor="basesweep",
            href="https://github.com/OWNER/basesweep",
            info="Sweeps nucleotide sequence for patterns: motifs, primers, matrices, CRISPR guides, reads.",
            # Can't find a DOI: nothing is published yet. // doi=
        )

        data_by_command: Dict[str, Dict[str, Any]] = {}
        sources: Dict[Tuple[str, str], str] = {}
        chunks = 0
        for f in self.find_log_files("basesweep"):
            path = f"{f['root']}/{f['fn']}"
            try:
                report = json.loads(f["f"])
                if report["schema"] != SCHEMA:
                    raise BadReport(f"schema {report['schema']!r}, expected {SCHEMA!r}")
                if report.get("part"):
                    chunks += 1
                    continue
                command = report["command"]
                if command not in COMMANDS:
                    raise BadReport(f"unknown command {command!r}")
                data = COMMANDS[command].parse(report)
            except (
                AttributeError,
                IndexError,
                KeyError,
                OverflowError,
                RecursionError,
                TypeError,
                ValueError,
            ) as error:
                log.warning(f"Could not parse {path}: {type(error).__name__}: {error}")
                continue
            s_name = self.sample_of(f, command)
            if self.is_ignore_sample(s_name):
                continue
            if command in ("demux", "count"):
                data["samples"] = self.inner_samples(data["samples"], f)
            if (command, s_name) in sources:
                log.warning(
                    f"Duplicate sample name found! Overwriting {s_name} of {command}, {sources[command, s_name]}, by {path}"
                )
            sources[command, s_name] = path
            data_by_command.setdefault(command, {})[s_name] = data
            self.add_data_source(f, s_name=s_name, section=command)
            self.add_software_version(report.get("version"), s_name)

        if chunks:
            log.warning(f"Skipped {chunks} reports of single chunks; 'basesweep merge --json' writes that of all")
        if not data_by_command:
            raise ModuleNoSamplesFound
        log.info(f"Found {len(sources)} reports")

        for command in COMMANDS:
            if command in data_by_command:
                COMMANDS[command].add_sections(self, command, data_by_command[command])
                # write_data_file() is called by add_sections()

    def sample_of(self, f, command: str) -> str:
        """The name of the file, less .json and the command before it, cleaned."""
        stem = re.sub(r"\.json$", "", f["fn"])
        stem = re.sub(rf"(?<=.)[._-]{command}$", "", stem)
        return shown(self.clean_s_name(stem, f, filename=stem))

    def inner_samples(self, samples: Dict[str, Any], f) -> Dict[str, Any]:
        """The samples that a report names, cleaned; two that would become one keep their names."""
        cleaned = {name: self.clean_s_name(name, f, filename=name) or name for name in samples}
        taken = Counter(cleaned.values())
        named = {shown(cleaned[name] if taken[cleaned[name]] == 1 else name): data for name, data in samples.items()}
        return self.ignore_samples(named)
