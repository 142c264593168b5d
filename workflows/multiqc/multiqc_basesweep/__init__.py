"""Plugin of MultiQC: the module `basesweep` in the form of MultiQC's own, and its search pattern.

MultiQC calls add_search_pattern() before it looks for files. A pattern of the user's configuration (`sp: basesweep:`) stays.
"""

from pathlib import Path

import yaml


def add_search_pattern():
    from multiqc import config  # not above: MultiQC loads this function while it is imported itself

    patterns = yaml.safe_load((Path(__file__).parent / "search_patterns.yaml").read_text(encoding="utf-8"))
    for key, pattern in patterns.items():
        config.sp.setdefault(key, pattern)
