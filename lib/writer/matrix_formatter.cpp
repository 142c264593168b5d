#include "lib/writer/matrix_formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/writer/gff3.hpp"
#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBitsBytes = 24;    // the most that a score takes
constexpr std::size_t kPValueBytes = 16;  // the most that a p-value takes

char* put_bits(char* to, std::int64_t score) {
  constexpr std::int64_t kSteps = static_cast<std::int64_t>(kScoreSteps);
  const std::int64_t thousandths = ((score < 0 ? -score : score) * 1000 + kSteps / 2) / kSteps;
  if (score < 0 && thousandths != 0) *to++ = '-';
  to = put(to, thousandths / 1000);
  *to++ = '.';
  for (std::int64_t unit = 100; unit != 0; unit /= 10) *to++ = static_cast<char>('0' + thousandths / unit % 10);
  return to;
}

char* put_p_value(char* to, double p) { return fmt::format_to(to, "{:.3g}", p); }

// What all formats share.
class MatrixFormatter : public Formatter {
 public:
  MatrixFormatter(const MatrixSet& matrices, const HitDetails& details) : matrices_(matrices), merge_(details.merge) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  bool needs_letters() const override { return true; }

 protected:
  const Query& query(const PlacedHit& hit) const { return matrices_.patterns().queries()[hit.hit.query]; }
  const SearchedMatrix& matrix(const PlacedHit& hit) const { return matrices_.of_query(hit.hit.query); }
  std::int32_t score(const PlacedHit& hit) const { return matrices_.score_of(hit.hit.query, hit.letters); }
  void append_end(const PlacedHit& hit, Text& text) const {
    append_merge_columns(hit, query(hit), merge_, text);
    if (merge_.points) text.append(fmt::format("\t{}", score(hit)));
    text.append("\n");
  }

  std::string end_of_header() const {
    return fmt::format("{}{}\n", merge_.number ? "\tnumber" : "", merge_.points ? "\tpoints" : "");
  }

  const MatrixSet& matrices_;
  const MergeColumns merge_;
};

class MatrixBed final : public MatrixFormatter {
 public:
  MatrixBed(const MatrixSet& matrices, const HitDetails& details) : MatrixFormatter(matrices, details) {
    constexpr double kMost = 1000;
    for (const SearchedMatrix& one : matrices.matrices()) {
      std::vector<std::uint16_t>& scores = scores_.emplace_back();
      for (std::int64_t deficit = 0; deficit <= one.tail.max_deficit(); ++deficit) {
        const double score = one.tail.has_word(deficit) ? std::round(-100 * std::log10(one.tail.at(deficit))) : 0;
        scores.push_back(static_cast<std::uint16_t>(std::min(score, kMost)));
      }
    }
    for (const Query& query : matrices.patterns().queries()) {
      names_.push_back(fmt::format("\t{}\t", matrices.patterns().patterns()[query.pattern].name));
    }
  }

  NameRule names() const override { return NameRule::bed; }

  void append(const PlacedHit& hit, Text& text) const override {
    constexpr std::size_t kStrandBytes = 2;
    const std::string_view name = names_[hit.hit.query];
    char* to = put_place(text.reserve(place_bytes(hit) + name.size() + kNumberDigits + kStrandBytes), hit);
    to = put(to, name);
    const auto deficit = static_cast<std::size_t>(matrix(hit).matrix.max_score - score(hit));
    to = put(to, std::int64_t{scores_[query(hit).pattern][deficit]});
    *to++ = '\t';
    *to++ = strand_letter(query(hit).strand);
    text.advance(to);
    if (merge_.edits) text.append("\t0");
    append_end(hit, text);
  }

 private:
  std::vector<std::vector<std::uint16_t>> scores_;  // of each matrix, by deficit
  std::vector<std::string> names_;                  // of each query, with tabs around it
};

class MatrixTsv final : public MatrixFormatter {
 public:
  MatrixTsv(const MatrixSet& matrices, const HitDetails& details) : MatrixFormatter(matrices, details) {
    for (const Query& query : matrices.patterns().queries()) {
      const ScoreMatrix& matrix = matrices.matrices()[query.pattern].matrix;
      middles_.push_back(fmt::format("\t{}\t{}\t{}\t", matrix.id, matrix.name.empty() ? "." : matrix.name,
                                     strand_letter(query.strand)));
    }
  }

  std::string header(std::span<const RecordInfo>) const override {
    return "record\tstart\tend\tmatrix\tname\tstrand\tscore\tp_value\tmatched" + end_of_header();
  }
  NameRule names() const override { return NameRule::text; }

  void append(const PlacedHit& hit, Text& text) const override {
    const std::string_view middle = middles_[hit.hit.query];
    const std::int32_t points = score(hit);
    char* to = put_place(
        text.reserve(place_bytes(hit) + middle.size() + kBitsBytes + kPValueBytes + hit.letters.size() + 2), hit);
    to = put_bits(put(to, middle), points);
    *to++ = '\t';
    to = put_p_value(to, matrix(hit).p_value(points));
    *to++ = '\t';
    text.advance(put_matched(to, hit.letters, query(hit).strand));
    append_end(hit, text);
  }

 private:
  std::vector<std::string> middles_;  // of each query: its columns between end and score, with tabs around them
};

class MatrixFimo final : public MatrixFormatter {
 public:
  MatrixFimo(const MatrixSet& matrices, const HitDetails& details) : MatrixFormatter(matrices, details) {}

  std::string header(std::span<const RecordInfo>) const override {
    return "motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp-value\tq-value\tmatched_sequence" +
           end_of_header();
  }
  NameRule names() const override { return NameRule::text; }

  void append(const PlacedHit& hit, Text& text) const override {
    const ScoreMatrix& of = matrix(hit).matrix;
    const std::int32_t points = score(hit);
    text.append(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t\t", of.id, of.name, hit.record_name, hit.start + 1,
                            hit.end(), strand_letter(query(hit).strand), print_bits(points),
                            print_p_value(matrix(hit).p_value(points))));
    text.advance(put_matched(text.reserve(hit.letters.size()), hit.letters, query(hit).strand));
    append_end(hit, text);
  }
};

class MatrixGff3 final : public MatrixFormatter {
 public:
  MatrixGff3(const MatrixSet& matrices, const HitDetails& details) : MatrixFormatter(matrices, details) {
    for (const SearchedMatrix& one : matrices.matrices()) {
      ids_.push_back(gff3_attribute(one.matrix.id));
      aliases_.push_back(one.matrix.name.empty() ? "" : ";Alias=" + gff3_attribute(one.matrix.name));
    }
  }

  NameRule names() const override { return NameRule::named; }
  bool lists_records() const override { return true; }
  std::string header(std::span<const RecordInfo> records) const override { return gff3_header(records, {}); }

  void append(const PlacedHit& hit, Text& text) const override {
    const std::uint32_t pattern = query(hit).pattern;
    const std::string record = gff3_seqid(hit.record_name);
    const char strand = strand_letter(query(hit).strand);
    const std::int32_t points = score(hit);
    text.append(
        fmt::format("{0}\tbasesweep\tnucleotide_motif\t{1}\t{2}\t{3}\t{4}\t.\tID={5}:{0}:{1}-{2}:{4};Name={5}{6}"
                    ";p_value={7}",
                    record, hit.start + 1, hit.end(), print_bits(points), strand, ids_[pattern], aliases_[pattern],
                    print_p_value(matrix(hit).p_value(points))));
    append_end(hit, text);
  }

 private:
  std::vector<std::string> ids_;      // of each matrix, escaped
  std::vector<std::string> aliases_;  // the attribute of its name
};

}  // namespace

std::string print_bits(std::int64_t score) {
  char bytes[kBitsBytes];
  return {bytes, put_bits(bytes, score)};
}

std::string print_p_value(double p) { return fmt::format("{:.3g}", p); }

std::unique_ptr<Formatter> make_matrix_bed(const MatrixSet& matrices, const HitDetails& details) {
  return std::make_unique<MatrixBed>(matrices, details);
}
std::unique_ptr<Formatter> make_matrix_tsv(const MatrixSet& matrices, const HitDetails& details) {
  return std::make_unique<MatrixTsv>(matrices, details);
}
std::unique_ptr<Formatter> make_matrix_fimo(const MatrixSet& matrices, const HitDetails& details) {
  return std::make_unique<MatrixFimo>(matrices, details);
}
std::unique_ptr<Formatter> make_matrix_gff3(const MatrixSet& matrices, const HitDetails& details) {
  return std::make_unique<MatrixGff3>(matrices, details);
}

}  // namespace basesweep
