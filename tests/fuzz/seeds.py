#!/usr/bin/env python3
"""Writes inputs that fuzzing begins with: small ones of every format, most of them made by the program itself.

    seeds.py BASESWEEP FOLDER     makes FOLDER/TARGET/*
"""
import ctypes
import ctypes.util
import gzip
import hashlib
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

GENOME = ">chr1 first\nACGTNACGTTGACCATGATTACA\nGATTACAacgtnnRYK\n>empty\n\n>chr2\tsecond\r\nGATTACAGATTACA\r\n"
READS = "@r1/1 x\nGATTACA\n+\nIIIIIII\n@r1/2\nTGTAATC\n+r1/2\n!~IIIII\n@r2\nACGT\nACGT\n+\n@@@@\n++++\n@r2\n\n+\n\n"
PATTERNS = (
    ">a one\nGATT\nACA\n>b\nNRYI\n", "name\tsequence\tedits\na\tGATTACA\t2\nb\tACGT\t\n", "a,GATTACA\nb,ACGT\n", "GATTACA\nACGTT\n",
    "#x\nEcoRI\tG^AATTC\n", "a GATT|ACGT\n", "chr1\t10\t20\tp_LEFT\t1\t+\tGATTACA\n", "@p\nGATTACA\n+\nIIIIIII\n",
    "ID   X; SV 1; linear; DNA; STD; PRO; 7 BP.\nSQ   Sequence 7 BP;\n     gattaca   7\n//\n",
    "LOCUS       X 7 bp DNA\nACCESSION   X\nORIGIN\n        1 gattaca\n//\n", "name\tguide\tclamp_3prime\ng1\tGATTACANGG\t3\n")
MATRICES = (
    ">MA0004.1\tArnt\nA  [ 4 19 0 ]\nC  [ 16 0 20 ]\nG  [ 0 1 0 ]\nT  [ 0 0 0 ]\n", ">a\n1 2 3\n4 5 6\n7 8 9\n1 0 1\n>b c\n1\n2\n3\n4\n",
    "MEME version 4\n\nALPHABET= ACGT\n\nBackground letter frequencies\nA 0.3 C 0.2\nG 0.2 T 0.3\n\nMOTIF crp CRP\n"
    "letter-probability matrix: alength= 4 w= 2 nsites= 17 E= 4.1e-009\n 0.5 0.1 0.1 0.3\n 0.25 0.25 0.25 0.25\nURL x\n",
    ">ATG\tAP-1(bZIP)/Homer\t6.049537\t-1.782996e+03\n0.419\t0.275\t0.277\t0.029\n0.001\t0.001\t0.001\t0.997\n",
    "AC  M00001\nXX\nID  V$MYOD_01\nNA  MyoD\nP0      A      C      G      T\n01      1      2      2      0      S\nXX\n//\n",
    "# x\n>one first\n1 2 3 4\n5 6 7 8.5\n>two\n0\t0\t0\t1\n", "# order 0\nA 0.3\nC 0.2\nG 2e-1\nT 0.3\nAA 0.1\n")
REGIONS = ("chr1:1-100\n{a:1-2}:3-\nchr2\nchr2:1,000-2,000\n", "chr1\t0\t10\nchr1\t5\t20\tx\ntrack a\n#b\nchr2\t3\t4\n",
           "##gff-version 3\nchr1\tx\tgene\t3\t20\t.\t+\t.\tID=g1;Name=a%2Cb\nchr1\tx\texon\t5\t9\t.\t+\t.\tParent=t1,t2; gene=a\n"
           "chr2\tx\texon\t1\t1\t.\t-\t0\t.\n##FASTA\n>chr1\nACGT\n")
ANNOTATIONS = (REGIONS[1], REGIONS[2], "chr1\t0\t10\tx\nchr1\t5\t20\tx\nchr2\t3\t4\ty z\n",
               "".join(f"chr{1 + i % 2}\tx\t{('gene', 'exon', 'mRNA')[i % 3]}\t{1 + i * 7 % 50}\t{60 + i * 5 % 40}\t.\t+\t.\tName=n{i % 4}\n" for i in range(9)))
GUIDES = "name\tguide\ng1\tGATTACAGATTACATGG\ng2\tACGTTGACCATGATTACA\n"
PAIRS = (
    "name\tforward\treverse\tprobe\tmin_size\tmax_size\tedits\tpool\na\tACGTNN\tTTGACC\tGGG\t5\t90\t1\tA\nb\tACGTT\tTTGAC\t.\t\t\t.\tB\n",
    "name,sequence,pool\nx_LEFT,ACGTT,1\ny_LEFT,GGACG,1\ny_RIGHT,TTGAC,1\nx_RIGHT_alt1,TTGAA,1\nx_RIGHT_alt2,TTGAT,1\n",
    "a ACGTT TTGAC 900\nb ACGAA TTGCC 1000\n", "a ACGTT TTGAC 10 900\n", ">a_F\nACGTT\n>a_R x\nTTGAC\nAC\n>b/1\nACIT\n>b/2\nTTRAC\n",
    "chr1\t10\t30\tp_1_LEFT\tpool_1\t+\tACGTT\nchr1\t90\t110\tp_1_RIGHT\tpool_1\t-\tTTGAC\n", "primer_set_name;fwd_seq;rev_seq\na;ACGTT;TTGAC\n")
SHEETS = ("sample\tbarcode\tbarcode2\tleft\tright\tedits\na\tACGTACGTAC\tTTGACCATGG\tGATT\tACCA\t2\nb\tTTGGCCAATT\tCCATGATTAC\t\t\t\n",
          "#x\nsample,barcode\na,ACGTACGTAC-GGTTAACCAA\nb,TTGGCCAATN-CCATGATTAC\n", "sample\tbarcode\na\tBC01\nb\tbarcode02\n",
          "[Header],,\nx,1,\n[Data],,\nSample_ID,index,index2,Lane\na,ACGTAC,TTGACC,1\na,ACGTAC,TTGACC,2\nb,GGTTAA,CCATGA,1\n")
LIBRARIES = ("id,sequence,gene\ng1,GATTACAGATTACATGGACA,A\ng2,ACGTTGACCATGATTACACC,B\n", "g1\tGATTACAGATTACATGGACA\tA\ng2\tACGTTGACCATGATTACACC\n",
             ">g1\nGATTACA\n>g2 x\nACGTTGACC\n", "GATTACA\nACGTTGA\n", "id\tname\tread\tpattern\tsequence\tfeature_type\nx\ty\tR2\t(BC)\tGATTACA\tz\n")
BARCODE_LIST = "ACGTACGTACGTACGT\nTTGACCATGATTACAC-1\nGATTACAGATTACAGA\tx\n\nGATTACA\n"
ADAPTERS = ("AGATCGGAAGAGC", "a=^ACGT;e=0.2;o=3", "ACGTNACG$", "ACGTX", "XACGT;rightmost", "^ACGT...TTTACAG;required", "A{10};noindels", "ACG...GAG$;optional")
STRUCTURES = ("8B12M+T", "3S+T5M", "1{b[9-10]f[CAGAGC]u[8]x[0-3]r:}", "1{b<list>[16]u[12]}2{f[ACGTN]{1}r:}", "+T")
CAS_OFFINDER = ("/genome\nNNNNNNNNNNNNNNNNNNNNNGG 1 1\nGATTACAGATTACATGGACANNN 3\nACGTTGACCATGATTACAGANNN 3 b\n",
                "g\nTTTVNNNNNNNNNNNNNNNNN\nNNNNACGTTGACCATGATTAC 1\n")
SECTION_NAMES = ("label", "words", "inputs", "records", "indexed", "query", "rows", "summary", "totals")
MERGE_WORDS = 32  # that fuzz_merge.cpp gives to `merge`
FAI = "chr1\t39\t12\t23\t24\nchr2\t14\t70\t14\t16\nempty\t0\t60\t0\t0\n"


def hash_letters(number):
    """Letters that do not repeat, so that blocks have many codes."""
    return "".join("ACGT"[b % 4] for b in hashlib.sha256(str(number).encode()).digest())


def deflated(text, level, flush):
    """gzip with a block for about every 500 bytes."""
    deflate = zlib.compressobj(level, zlib.DEFLATED, 31, 1)
    parts = [deflate.compress(text[at:at + 500]) + (deflate.flush(flush) if flush != zlib.Z_FINISH else b"") for at in range(0, len(text), 500)]
    return b"".join(parts) + deflate.flush()


def sections_of(part):
    """The sections of a part as fuzz_merge.cpp has them. The layout is that of lib/parts/part_format.hpp."""
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd"))
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    whole, at = b"", 64
    while at < len(part):
        name, _, rows, stored, raw, *_ = struct.unpack_from("<8s7Q", part, at)
        content = ctypes.create_string_buffer(max(1, raw))
        at += 64 + stored
        if name.startswith(b"end\0"):
            break
        done = zstd.ZSTD_decompress(content, ctypes.c_size_t(raw), part[at - stored:at], ctypes.c_size_t(stored))
        assert done == raw and raw < 1 << 16 and rows < 256
        whole += struct.pack("<BBH", SECTION_NAMES.index(name.rstrip(b"\0").decode()), rows, raw) + content.raw[:raw]
    return whole


def main():
    binary, to = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
    count = {}

    def seed(target, data, choices=(None,)):
        for choice in choices:
            folder = to / target
            folder.mkdir(parents=True, exist_ok=True)
            count[target] = count.get(target, 0) + 1
            first = b"" if choice is None else bytes([choice])
            (folder / f"seed{count[target]}").write_bytes(first + (data.encode() if isinstance(data, str) else data))

    text = "".join(f">r{i}\n{GENOME[12:36] * (1 + i % 5)}\n{hash_letters(i)}\n" for i in range(60)).encode()
    members = gzip.compress(text[:900], 1) + gzip.compress(b"") + gzip.compress(text[900:], 6)
    for packed in (*(deflated(text, level, flush) for level in (0, 1, 6, 9) for flush in (zlib.Z_FINISH, zlib.Z_SYNC_FLUSH)), members):
        seed("gzip", packed, (0, 12, 70, 200))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        genome = folder / "g.fa"
        genome.write_text(GENOME)
        subprocess.run(["bgzip", "-kf", str(genome)], check=True)
        for text in (GENOME, READS):
            for packed in (text.encode(), gzip.compress(text.encode()), gzip.compress(text[:9].encode()) + gzip.compress(text[9:].encode())):
                seed("reader", packed, (3, 40, 131, 200))
                seed("reads", packed, (3, 40, 131, 200))
        seed("reader", (folder / "g.fa.gz").read_bytes(), (3, 40, 131))
        seed("reads", "@RG\tID:a\tSM:b\n", (0,))
        for text in PATTERNS:
            seed("patterns", text, range(4))
        for text in MATRICES:
            seed("matrices", text, range(6))
        for text in REGIONS:
            seed("regions", text)
        for text in ANNOTATIONS:
            seed("guides", text, (0,))
        for text in (GUIDES, *CAS_OFFINDER, *PATTERNS):
            seed("guides", text, (128, 133))
        for text in PAIRS:
            seed("pairs", text, range(4))
        for texts, choices in ((SHEETS, range(3)), (LIBRARIES, (3, 4)), ((BARCODE_LIST,), (5,)), (ADAPTERS, (6, 7)), (STRUCTURES, (8,))):
            for text in texts:
                seed("sheets", text, choices)
        seed("index", FAI, (0, 100))
        subprocess.run(["bgzip", "-r", str(folder / "g.fa.gz")], check=True)
        seed("index", (folder / "g.fa.gz.gzi").read_bytes(), (0, 100))
        seed("index", (1).to_bytes(8, "little") + (60).to_bytes(8, "little") + (300).to_bytes(8, "little"), (0, 200))

        def run(*words):
            done = subprocess.run(["basesweep", *words], executable=binary, cwd=folder, stdout=subprocess.PIPE, check=True)
            return done.stdout

        def seed_part(*words):
            part = run(*words)
            seed("part", part)
            seed("merge", sections_of(part), [word | (word + count["part"]) % 8 << 5 for word in range(MERGE_WORDS)])

        (folder / "guides.tsv").write_text(GUIDES)
        (folder / "pool.tsv").write_text("name\tforward\treverse\npool1\tGATTACAGATT\tTGTAATC\nq\tACGTTGACC\tACGTTTG\n")
        (folder / "short.tsv").write_text("name\tguide\na\tGATTACAGGATTACA\n")
        (folder / "r.bed").write_text("chr1\t0\t10\ta\nchr1\t5\t20\tb\nchr2\t3\t4\tc\n")
        (folder / "m.jaspar").write_text(MATRICES[0])
        (folder / "p.tsv").write_text("name\tsequence\tedits\tclamp_3prime\na\tGATTACAGATTACA\t\t2\nb\tACGTNNRYACGT|ACGTTTACG\t1\t\n")
        (folder / "pairs.tsv").write_text("name\tforward\treverse\tprobe\tmin_size\np\tGATTACAGATT\tACGTTTGACG\tACCAT\t20\n")
        for words in (("-p", "GATNAC"), ("-f", "p.tsv", "-e", "0.1", "--max-indels", "1"), ("--pairs", "-f", "pairs.tsv", "-k", "2")):
            seed("compiled", run("compile", *words))
        for chunks in (1, 2):
            plan = f"plan{chunks}"
            (folder / plan).write_bytes(run("plan", "-n", str(chunks), "g.fa"))
            seed("plan", (folder / plan).read_bytes())
            chunk = ("--chunk", f"1/{chunks}", "--plan", plan, "g.fa")
            for more in (("-m", "3"), ("-m", "2", "--max-dna-bulges", "1", "--max-rna-bulges", "2"), ("-m", "0", "--pam-side", "5prime", "--hits", "-")):
                seed_part("guides", "-f", "guides.tsv", "--pam", "NGG,NNN", "--pam-in-guide", "no", *more, *chunk)
            for more in (("-m", "2"), ("-m", "4", "--top", "2")):
                seed_part("guides", "--design", "--pam", "NGG", *more, *chunk)
            for more in ((), ("--max-hits", "3"), ("--count",), ("--circular",), ("--flank", "4", "--with-file"), ("--non-overlapping", "--count")):
                seed_part("motif", "-p", "GATTACA", "-p", "ACG", *more, *chunk)
            for more in ((), ("--report", "best-per-record"), ("--count", "--by-edits", "--per-file"), ("--overhang", "3"),
                         ("--report", "best", "--max-hits", "4"), ("--report", "all", "--circular")):
                seed_part("match", "-p", "GATTACA", "-p", "ACGN", "-k", "2", *more, *chunk)
            for more in ((), ("--table", "count"), ("--table", "score"), ("--count",), ("--report", "best-per-record")):
                seed_part("pwm", "-m", "m.jaspar", "-p", "0.1", *more, *chunk)
            for more in ((), ("--max-products", "2"), ("--count",), ("--table",), ("--single", "--circular", "--report", "best-per-record")):
                seed_part("pcr", "-f", "pairs.tsv", "-k", "2", *more, *chunk)
        for chunk in ("1/1", "2/3"):
            seed_part("pwm", "-m", "m.jaspar", "-p", "0.1", "--table", "score", "--per-region", "--regions-file", "r.bed", "--chunk", chunk, "g.fa")
        reads = folder / "r.fq"
        reads.write_text(READS.replace("@r2\n\n+\n\n", ""))
        seed("plan", run("plan", "-n", "2", "r.fq"))
        (folder / "one.fa").write_text(">one\nGATTACAGGATTACACATCA\n")
        for more in ((), ("--hits-only",), ("--report", "all"), ("--format", "bam", "--read-group", "@RG\\tID:a")):
            seed_part("map", "-k", "1", "-r", "one.fa", *more, "--chunk", "1/1", "r.fq")
        (folder / "mates.fq").write_text("@p/1\nGATTACA\n+\nIIIIIII\n@p/2\nTGTAATC\n+\nIIIIIII\n@q/1\nGATTACA\n+\nIIIIIII\n@q/2\nCCCCCCC\n+\nIIIIIII\n")
        seed_part("map", "-k", "1", "-r", "one.fa", "--interleaved", "--chunk", "1/1", "mates.fq")
        run("plan", "-n", "1", "--write-index", "one.fa")
        seed_part("pcr", "-f", "pool.tsv", "-k", "2", "--pool", "--chunk", "1/1", "g.fa")
        for words in (("motif", "-p", "GATNACA", "--circular"), ("match", "-p", "GATTACA", "-k", "1"), ("pwm", "-m", "m.jaspar", "-p", "0.1"),
                      ("pcr", "--forward", "GATTAC", "--reverse", "TGTAATC", "-k", "1"), ("guides", "-f", "short.tsv", "--pam", "CNT", "-m", "4", "--hits", "-")):
            seed_part(*words, "--chunk", "1/1", "one.fa")


if __name__ == "__main__":
    main()
