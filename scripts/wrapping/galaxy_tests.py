"""The tests of the tools of Galaxy: parameters, and what is expected of outputs. Files are in workflows/galaxy/test-data.

A dict is a section or the choice of reads, a list a repeat, a tuple a collection.
"""


def has(**properties):
    return "has_text", properties


REPORT = [("has_json_property_with_text", {"property": "schema", "text": "basesweep-report/1"})]
GENOME, READS = "genome.fasta", "barcoded.fastq"
TESTS = {
    "motif": [
        {"inputs": {"sequences": GENOME, "pattern_file": "motifs.fasta", "pattern": [{"value": "GANTC"}, {"value": "site=TTGACA"}],
                    "write_report": "true"},
         "outputs": {"output": {"file": "motif.bed", "ftype": "bed"}, "report": {"ftype": "json", "asserts": REPORT}}},
        {"inputs": {"sequences": GENOME, "pattern_file": "motifs.fasta", "format": "count", "limits": {"strand": "plus"}},
         "outputs": {"output": {"file": "motif_counts.tabular", "ftype": "tabular"}}},
        {"inputs": {"sequences": GENOME, "pattern": [{"value": "CGAATTCGG"}], "format": "fasta",
                    "limits": {"circular_names": [{"name": "one"}, {"name": "two"}]}, "regions": {"region": [{"value": "one:1-300"}]}},
         "outputs": {"output": {"file": "motif.fasta", "ftype": "fasta"}}},
    ],
    "match": [
        {"inputs": {"sequences": GENOME, "pattern_file": "primers.fasta", "edits": "2", "format": "sam", "limits": {"report": "minima"},
                    "sam": {"no_PG": "true", "eqx": "true", "read_group": "@RG\\tID:a b\\tSM:it"}},
         "outputs": {"output": {"file": "match.sam", "ftype": "sam"}}},
        {"inputs": {"sequences": GENOME, "pattern_file": "primers.fasta", "error_rate": "0.1", "format": "bam"},
         "outputs": {"output": {"ftype": "bam", "asserts": [("has_size", {"min": "100"})]}}},
    ],
    "pcr": [
        {"inputs": {"sequences": GENOME, "pair_file": "pairs.tabular", "edits": "2", "size": "50,1000"},
         "outputs": {"output": {"file": "pcr.tabular", "ftype": "tabular"}}},
        {"inputs": {"sequences": GENOME, "forward": "CTGTGTCCACGAATTCGGAC", "reverse": "TCCGAATTCGGTCGTGTGCA", "mismatches": "1", "format": "table"},
         "outputs": {"output": {"ftype": "tabular", "asserts": [has(text="fewest_edits")]}}},
    ],
    "pwm": [
        {"inputs": {"sequences": GENOME, "matrices": "matrices.txt", "p_value": "1e-3"}, "outputs": {"output": {"file": "pwm.bed", "ftype": "bed"}}},
        {"inputs": {"sequences": GENOME, "matrices": "matrices.txt", "format": "scores"},
         "outputs": {"output": {"file": "pwm_scores.tabular", "ftype": "tabular"}}},
        {"inputs": {"sequences": GENOME, "matrices": "matrices.txt", "relative": "0.8", "format": "fimo", "patterns": {"background": "0.3,0.2,0.2,0.3"}},
         "outputs": {"output": {"ftype": "tabular", "asserts": [has(text="motif_id")]}}},
    ],
    "guides": [
        {"inputs": {"sequences": GENOME, "pattern_file": "guide_list.tabular", "max_mismatches": "3", "places": "bed", "limits": {"max_dna_bulges": "1"}},
         "outputs": {"output": {"file": "guides.tabular", "ftype": "tabular"}, "hits": {"file": "guides.bed", "ftype": "bed"}}},
        {"inputs": {"sequences": GENOME, "design": "true", "format": "csv", "pam": [{"value": "NGG"}]},
         "outputs": {"output": {"ftype": "csv", "asserts": [has(text="cfd_specificity")]}}},
    ],
    "map": [
        {"inputs": {"source": {"kind": "single", "reads": "reads.fastq"}, "reference": GENOME, "edits": "3", "format": "sam", "sam": {"no_PG": "true"}},
         "outputs": {"output": {"file": "map.sam", "ftype": "sam"}}},
        {"inputs": {"source": {"kind": "paired", "first": "mates_1.fastq", "second": "mates_2.fastq"}, "reference": GENOME, "error_rate": "0.1",
                    "limits": {"insert": "50,400"}},
         "outputs": {"output": {"ftype": "unsorted.bam", "asserts": [("has_size", {"min": "100"})]}}},
    ],
    "demux": [
        {"inputs": {"source": {"kind": "single", "reads": READS}, "sheet": "samples.tabular", "edits": "2", "format": "fastq"},
         "count": 3,
         "outputs": {"samples": {"type": "list", "elements": {"liver": {"file": "demux_liver.fastq", "ftype": "fastqsanger"}}},
                     "summary": {"file": "demux.tabular", "ftype": "tabular"}, "reasons": {"ftype": "tabular", "asserts": [has(text="reason")]}}},
        {"inputs": {"source": {"kind": "single", "reads": READS}, "structure": [{"value": "12B+T"}], "sheet": "samples.tabular", "format": "fastq.gz"},
         "count": 3,
         "outputs": {"samples": {"type": "list", "elements": {"brain": {"ftype": "fastqsanger.gz", "asserts": [("has_size", {"min": "20"})]}}}}},
    ],
    "trim": [
        {"inputs": {"source": {"kind": "single", "reads": READS}, "adapter": [{"value": "AGATCGGAAGAGC"}], "minimum_length": "50", "format": "fastq",
                    "write_table": "true", "write_report": "true"},
         "outputs": {"output": {"file": "trim.fastq", "ftype": "fastqsanger"}, "table": {"ftype": "tabular", "asserts": [has(text="read")]},
                     "report": {"ftype": "json", "asserts": REPORT}}},
        {"inputs": {"source": {"kind": "collection", "pair": ("paired", {"forward": "mates_1.fastq", "reverse": "mates_2.fastq"})},
                    "adapter_file": "adapters.fasta", "format": "fastq", "limits": {"length": "-40"}},
         "count": 3,
         "outputs": {"pairs": {"type": "paired", "elements": {"forward": {"file": "trim_1.fastq", "ftype": "fastqsanger"},
                                                              "reverse": {"file": "trim_2.fastq", "ftype": "fastqsanger"}}}}},
        {"inputs": {"source": {"kind": "paired", "first": "mates_1.fastq", "second": "mates_2.fastq"}, "second_adapter": [{"value": "CTGTCTCTTATA"}],
                    "format": "fastq.gz"},
         "count": 3,
         "outputs": {"pairs": {"type": "paired", "elements": {"forward": {"ftype": "fastqsanger.gz", "asserts": [("has_size", {"min": "20"})]}}}}},
    ],
    "count": [
        {"inputs": {"source": {"kind": "single", "reads": "plasmid.fastq,treated.fastq"}, "library": "library.tabular", "mismatches": "1",
                    "write_summary": "true"},
         "outputs": {"output": {"file": "count.tabular", "ftype": "tabular"}, "summary": {"file": "count_samples.tabular", "ftype": "tabular"}}},
        {"inputs": {"source": {"kind": "pairs", "pairs": ("list:paired", {"day 14": ("paired", {"forward": "mates_1.fastq", "reverse": "mates_2.fastq"})})},
                    "library": "pair_library.tabular", "limits": {"at": "5"}, "format": "csv"},
         "outputs": {"output": {"file": "count.csv", "ftype": "csv"}}},
    ],
}
