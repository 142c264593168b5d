// Formats hits of weight matrices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lib/matrices/matrix_set.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Of HitDetails, these formats write the columns for merging. `matrices` must outlive the formatter, and hits are of
// matrices.patterns().

// BED: record, start, end, matrix, score, strand; score = min(1000, round(-100 log10 p)).
std::unique_ptr<Formatter> make_matrix_bed(const MatrixSet& matrices, const HitDetails& details = {});
// TSV with a header line: record, start, end, matrix, name, strand, score in bits, p-value, matched text as the hit's
// strand reads it. A matrix without a name has ".".
std::unique_ptr<Formatter> make_matrix_tsv(const MatrixSet& matrices, const HitDetails& details = {});
// The columns of FIMO's TSV: places are counted from 1, q-values are left empty.
std::unique_ptr<Formatter> make_matrix_fimo(const MatrixSet& matrices, const HitDetails& details = {});
// GFF3: a feature nucleotide_motif for each hit, with the matrix as Name and the score in bits.
std::unique_ptr<Formatter> make_matrix_gff3(const MatrixSet& matrices, const HitDetails& details = {});

// Scores in bits with 3 decimals, rounded half away from zero; p-values with 3 digits.
std::string print_bits(std::int64_t score);
std::string print_p_value(double p);

}  // namespace basesweep
