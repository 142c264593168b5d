table basesweep
"Hits of patterns, written by basesweep"
(
    string  chrom;       "Record: the first word of its title"
    uint    chromStart;  "First base of the hit, counted from 0"
    uint    chromEnd;    "Base behind the last one of the hit"
    string  name;        "Pattern"
    uint    score;       "1000 (1 - edits / length of the pattern), rounded"
    char[1] strand;      "+, or - when the reverse complement of the pattern matches"
)
