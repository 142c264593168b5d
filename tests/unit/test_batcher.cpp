// The batcher on random texts: checks for each place, that is each base of a record, what batches promise to matchers.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/packer/batcher.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_batcher {

using Catch::Matchers::Equals;

namespace {

struct Place {
  std::int64_t record, offset;  // -1, -1: before the first segment
};

bool is_acgtu(char c) { return std::string_view("ACGTUacgtu").find(c) != std::string_view::npos; }

// The place of each position of a batch.
std::vector<Place> places_of(const PackedBatch& batch) {
  std::vector<Place> places(batch.view().positions, {-1, -1});
  const auto& segments = batch.segments();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::size_t end = i + 1 < segments.size() ? segments[i + 1].position : places.size();
    for (std::size_t p = segments[i].position; p < end; ++p) {
      places[p] = {segments[i].record, segments[i].offset + static_cast<std::int64_t>(p) - segments[i].position};
    }
  }
  return places;
}

// The places that some batch owns: hits may start there.
class Owned {
 public:
  explicit Owned(const std::vector<std::string>& records) {
    for (const std::string& record : records) owned_.emplace_back(record.size());
  }
  // False when the place is owned already.
  bool insert(const Place& place) {
    std::vector<bool>& record = owned_.at(static_cast<std::size_t>(place.record));
    const auto offset = static_cast<std::size_t>(place.offset);
    if (record.at(offset)) return false;
    return record[offset] = true;
  }
  const std::vector<bool>& of_record(std::size_t record) const { return owned_[record]; }

 private:
  std::vector<std::vector<bool>> owned_;
};

// Returns the first fault of a batch, or ""; adds the places that the batch owns to `owned`.
std::string fault_of(const PackedBatch& batch, const std::vector<std::string>& records, bool soft_masked,
                     const BatchOptions& options, Owned& owned) {
  const PackedView view = batch.view();
  if (view.own_begin > options.halo_left || view.own_begin >= view.own_end ||
      view.own_end > view.own_begin + options.batch_positions || view.own_end > view.positions) {
    return "own positions";
  }
  if (view.positions > view.own_begin + options.batch_positions + options.halo_right + 1) return "too many positions";
  if (view.blocked_count == 0 || view.blocked[view.blocked_count - 1].end != 0xFFFFFFFFU) return "last interval";
  std::vector<bool> blocked(view.positions);
  for (std::uint32_t i = 0; i < view.blocked_count; ++i) {
    if (view.blocked[i].begin >= view.blocked[i].end) return "empty interval";
    if (i != 0 && view.blocked[i].begin <= view.blocked[i - 1].end) return "intervals out of order";
    for (std::uint32_t c = view.blocked[i].begin; c < std::min(view.blocked[i].end, view.positions); ++c)
      blocked[c] = true;
  }
  const std::vector<Place> places = places_of(batch);
  Place before{-1, -1};
  for (std::uint32_t c = 0; c < view.positions; ++c) {
    const Place& at = places[c];
    if (at.record < 0) return "a position before the first segment";
    const std::string& record = records[static_cast<std::size_t>(at.record)];
    const auto offset = static_cast<std::size_t>(at.offset);
    const bool open = offset < record.size() && is_acgtu(record[offset]) &&
                      !(soft_masked && std::islower(static_cast<unsigned char>(record[offset])));
    if (open == blocked[c]) return "blocked at position " + std::to_string(c);
    if (!open) continue;
    if (batch.code(c) != base_code(record[offset])) return "code at position " + std::to_string(c);
    const bool next_position = c != 0 && !blocked[c - 1];
    if (next_position && (before.record != at.record || before.offset + 1 != at.offset))
      return "no filler between segments";
    before = at;
    if (c < view.own_begin || c >= view.own_end) continue;
    if (!owned.insert(at)) return "a place is owned twice";
    // A pattern that starts here must find all its positions, and those it may look at before.
    for (std::uint32_t i = 1; i <= options.halo_right && offset + i < record.size() && is_acgtu(record[offset + i]);
         ++i) {
      if (c + i >= view.positions) return "halo too short at position " + std::to_string(c);
    }
    for (std::uint32_t i = 1; i <= options.halo_left && i <= offset && is_acgtu(record[offset - i]); ++i) {
      if (i > c) return "left halo too short at position " + std::to_string(c);
    }
  }
  for (const Segment& segment : batch.segments()) {
    if (batch.name(segment) != trial::record_name(static_cast<std::size_t>(segment.record))) return "name";
  }
  for (std::size_t w = (view.positions + 63) / 64; w < batch.plane_words(); ++w) {
    if (view.lo[w] != 0 || view.hi[w] != 0) return "padding is not clear";
  }
  if (batch.plane_words() < (view.positions + options.max_length + 63) / 64) return "too little padding";
  return "";
}

// `shared`: batches hold the block, and get its planes later.
void add_block(Batcher& batcher, PackedBlock block, bool shared) {
  if (shared) {
    batcher.add(std::make_shared<const PackedBlock>(std::move(block)));
  } else {
    batcher.add(block);
  }
}

std::string fault(const std::vector<std::string>& records, const trial::Cuts& cuts, bool soft_masked,
                  std::uint32_t max_length, std::uint32_t halo_left, bool shared_blocks) {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  std::vector<std::string> named;
  const BatchOptions options{.batch_positions = cuts.batch_positions,
                             .max_length = max_length,
                             .halo_left = halo_left,
                             .halo_right = max_length - 1};
  Batcher batcher(
      {.batch = options}, {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); },
      [&](const PackedBlock&, std::string_view name) { named.emplace_back(name); });
  for (const RawBlock& raw : trial::cut_blocks(trial::fasta_text(records, cuts), cuts)) {
    add_block(batcher, pack(raw, {.soft_masked = soft_masked}), shared_blocks);
  }
  batcher.finish();
  for (const std::unique_ptr<PackedBatch>& batch : batches) batch->fill();

  Owned owned(records);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if (batches[b]->number != b) return "number";
    const std::string found = fault_of(*batches[b], records, soft_masked, options, owned);
    if (!found.empty()) return "batch " + std::to_string(b) + ": " + found;
  }
  SourceCounts counts;
  for (std::size_t r = 0; r < records.size(); ++r, ++counts.records) {
    if (named.at(r) != trial::record_name(r)) return "record names";
    counts.bases += static_cast<std::int64_t>(records[r].size());
    counts.not_acgt += std::count_if(records[r].begin(), records[r].end(), [](char c) { return !is_acgtu(c); });
    for (std::size_t i = 0; i < records[r].size(); ++i) {
      const bool open =
          is_acgtu(records[r][i]) && !(soft_masked && std::islower(static_cast<unsigned char>(records[r][i])));
      if (open && !owned.of_record(r)[i])
        return "base " + std::to_string(i) + " of record " + std::to_string(r) + " is lost";
    }
  }
  const SourceCounts& counted = batcher.counts().at(0);
  if (counted.records != counts.records || counted.bases != counts.bases || counted.not_acgt != counts.not_acgt)
    return "counts";
  return "";
}

// The same for approximate search: letters and lower case are those of the record, and of a long run of N the batches
// keep what an alignment can reach with its edits.
std::string approximate_fault(const std::vector<std::string>& records, const trial::Cuts& cuts,
                              std::uint32_t max_length, std::uint32_t margin, bool keep_records, bool shared_blocks) {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  const std::uint32_t halo = max_length + margin - 1;
  Batcher batcher({.batch = {.batch_positions = cuts.batch_positions,
                             .max_length = max_length,
                             .halo_left = halo,
                             .halo_right = halo,
                             .approximate = true,
                             .run_margin = margin},
                   .keep_records = keep_records},
                  {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  for (const RawBlock& raw : trial::cut_blocks(trial::fasta_text(records, cuts), cuts)) {
    add_block(batcher, pack(raw, {.soft_masked = true, .letters = true}), shared_blocks);
  }
  batcher.finish();
  for (const std::unique_ptr<PackedBatch>& batch : batches) batch->fill();
  Owned owned(records);
  for (const std::unique_ptr<PackedBatch>& batch : batches) {
    const PackedView view = batch->view();
    for (const Segment& segment : batch->segments()) {
      const std::string& record = records[static_cast<std::size_t>(segment.record)];
      const auto with_bases = std::count_if(records.begin(), records.begin() + segment.record,
                                            [](const std::string& r) { return !r.empty(); });
      if (segment.reference != with_bases) return "reference";
      std::string letters(segment.end - segment.position, ' ');
      batch->copy_letters(segment.position, segment.end, letters.data());
      for (std::uint32_t i = 0; i < letters.size(); ++i) {
        const auto offset = static_cast<std::size_t>(segment.offset) + i;
        if (offset >= record.size()) return "a segment goes on past its record";
        const auto letter = static_cast<unsigned char>(record[offset]);
        const char upper = letter == 'u' || letter == 'U' ? 'T' : static_cast<char>(std::toupper(letter));
        if (letters[i] != upper) return "letter at position " + std::to_string(segment.position + i);
        const std::uint32_t position = segment.position + i;
        if (batch->touches_soft_masked(position, position + 1) != (std::islower(letter) != 0)) return "lower case";
        if (position < view.own_begin || position >= view.own_end) continue;
        if (!owned.insert({segment.record, segment.offset + i})) return "a place is owned twice";
      }
    }
  }
  if (keep_records && batcher.records().size() != records.size()) return "records";
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (keep_records &&
        batcher.records()[r] != RecordInfo{trial::record_name(r), static_cast<std::int64_t>(records[r].size())}) {
      return "record " + std::to_string(r);
    }
    const auto size = static_cast<std::int64_t>(records[r].size());
    for (std::int64_t i = 0; i < size; ++i) {
      if (!is_acgtu(records[r][static_cast<std::size_t>(i)])) continue;
      // The base before this one has covered all places but the last.
      const bool follows = i != 0 && is_acgtu(records[r][static_cast<std::size_t>(i) - 1]);
      const std::int64_t first = follows ? i + margin : i - margin;
      for (std::int64_t near = std::max<std::int64_t>(0, first); near <= std::min(size - 1, i + margin); ++near) {
        if (!owned.of_record(r)[static_cast<std::size_t>(near)]) {
          return "position " + std::to_string(near) + " of record " + std::to_string(r) + " is lost";
        }
      }
    }
  }
  return "";
}

void add_text(Batcher& batcher, const std::string& text, std::uint32_t source = 0, std::int64_t file_offset = 0) {
  RawBlock raw;
  raw.source = source;
  raw.file_offset = file_offset;
  raw.bytes.assign(text.begin(), text.end());
  raw.size = text.size();
  batcher.add(pack(raw, {}));
}

}  // namespace

TEST_CASE("random texts in random segments") {
  const std::uint64_t rounds = support::test_cases(20'000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + rounds; ++seed) {
    trial::Random random(seed);
    const auto shape = static_cast<trial::TextShape>(random.below(trial::kTextShapes));
    const std::vector<std::string> records = trial::random_records(random, shape);
    std::size_t bases = 0;
    for (const std::string& record : records) bases += record.size();
    const trial::Cuts cuts = trial::random_cuts(random, bases);
    const bool soft_masked = random.chance(40);
    const auto max_length = static_cast<std::uint32_t>(random.between(1, random.chance(20) ? 300 : 40));
    const auto halo_left = static_cast<std::uint32_t>(random.chance(50) ? 0 : random.between(1, 60));
    const bool shared_blocks = random.chance(50), keep_records = random.chance(50);
    std::string found = fault(records, cuts, soft_masked, max_length, halo_left, shared_blocks);
    if (found.empty()) found = approximate_fault(records, cuts, max_length, halo_left, keep_records, shared_blocks);
    if (found.empty()) continue;
    FAIL(found << "\nsoft_masked " << soft_masked << ", max_length " << max_length << ", halo_left " << halo_left
               << ", shared_blocks " << shared_blocks << ", keep_records " << keep_records << ", "
               << trial::literal(cuts) << '\n'
               << trial::literal({records, {}}) << "\nBASESWEEP_TEST_SEED=" << seed);
  }
}

TEST_CASE("records are numbered across files, and a record ends with its file") {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  Batcher batcher({.batch = {.batch_positions = 1000, .max_length = 5, .halo_right = 4}},
                  {"one.fa", "two.fa", "three.fa"},
                  [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  add_text(batcher, ">a\nACGT\n>b\nAC\n", 0);
  add_text(batcher, ">c\nGGG\n", 1);
  CHECK_THROWS_WITH(add_text(batcher, "ACGT\n", 2), Equals("three.fa: sequence before the first header"));
  batcher.finish();
  REQUIRE(batches.size() == 1);
  REQUIRE(batches[0]->segments().size() == 3);
  CHECK(batches[0]->segments()[2].record == 2);
  CHECK(batches[0]->name(batches[0]->segments()[2]) == "c");
  CHECK(batcher.counts()[0].records == 2);
  CHECK(batcher.counts()[0].bases == 6);
  CHECK(batcher.counts()[1].bases == 3);
}

TEST_CASE("errors name path, record, position and byte") {
  Batcher batcher({.batch = {.batch_positions = 10, .max_length = 3, .halo_right = 2}}, {"one.fa"},
                  [](std::unique_ptr<PackedBatch>) {});
  add_text(batcher, ">a\n" + std::string(400, 'N') + "\nACGT");
  CHECK_THROWS_WITH(
      add_text(batcher, "AC1GT\n", 0, 408),
      Equals("one.fa: record 'a', position 407 (byte 410): '1' is not sequence (expected letters, '-', '*' "
             "or '.')"));
  Batcher second({.batch = {.batch_positions = 10, .max_length = 3, .halo_right = 2}}, {"one.fa"},
                 [](std::unique_ptr<PackedBatch>) {});
  CHECK_THROWS_WITH(
      add_text(second, "1\n", 0, 0),
      Equals("one.fa: before the first record (byte 0): '1' is not sequence (expected letters, '-', '*' or "
             "'.')"));
}

TEST_CASE("no text, no batch") {
  int batches = 0;
  Batcher batcher({.batch = {.batch_positions = 10, .max_length = 3, .halo_right = 2}}, {"one.fa"},
                  [&](std::unique_ptr<PackedBatch>) { ++batches; });
  add_text(batcher, ">a\n>b\n\n");
  add_text(batcher, ">c\n" + std::string(300, 'N') + "\n");
  batcher.finish();
  CHECK(batches == 0);
  CHECK(batcher.counts()[0].records == 3);
  CHECK(batcher.counts()[0].not_acgt == 300);
}

TEST_CASE("many long names end a batch, and no result depends on it") {
  std::vector<std::string> records(300, "ACGTACGTAC");
  std::string text;
  for (std::size_t r = 0; r < records.size(); ++r)
    text += ">" + std::to_string(r) + std::string(100, 'n') + "\nACGTACGTAC\n";
  const trial::Cuts cuts;
  std::vector<std::string> names;
  std::size_t batches = 0;
  std::size_t max_name_bytes = 0;
  Batcher batcher({.batch = {.max_length = 4, .halo_left = 7, .halo_right = 3, .max_name_bytes = 1000}}, {"text.fa"},
                  [&](std::unique_ptr<PackedBatch> batch) {
                    ++batches;
                    max_name_bytes = std::max(max_name_bytes, batch->name_bytes());
                    const PackedView view = batch->view();
                    for (const Segment& segment : batch->segments()) {
                      if (segment.position < view.own_begin) continue;  // in the halo
                      names.emplace_back(batch->name(segment));
                      CHECK(segment.end - segment.position == 10);
                    }
                  });
  for (const RawBlock& raw : trial::cut_blocks(text, cuts)) batcher.add(pack(raw, {}));
  batcher.finish();
  REQUIRE(names.size() == records.size());
  for (std::size_t r = 0; r < names.size(); ++r) CHECK(names[r] == std::to_string(r) + std::string(100, 'n'));
  CHECK(batches > 20);
  CHECK(max_name_bytes < 1300);
}

TEST_CASE("a circular record goes on at both ends with itself") {
  const auto letters_of = [](const std::vector<std::string>& records, std::uint32_t halo_left,
                             std::uint32_t halo_right) {
    std::string all;
    Batcher batcher({.batch = {.max_length = halo_right + 1, .halo_left = halo_left, .halo_right = halo_right},
                     .circular = {.names = {"r0", "r1"}}},
                    {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) {
                      for (const Segment& segment : batch->segments()) {
                        std::string letters(segment.end - segment.position, ' ');
                        batch->copy_letters(segment.position, segment.end, letters.data());
                        all += std::to_string(segment.offset) + "/" + std::to_string(segment.circular_length) +
                               letters + " ";
                      }
                    });
    const trial::Cuts cuts;
    for (const RawBlock& raw : trial::cut_blocks(trial::fasta_text(records, cuts), cuts)) batcher.add(pack(raw, {}));
    batcher.finish();
    return all;
  };
  CHECK(letters_of({"ACGTA", "C", "GGT"}, 0, 3) == "0/5ACGTAACG 0/1CCCC 0/0GGT ");
  CHECK(letters_of({"ACGTA", "C", "GGT"}, 2, 3) == "-2/5TAACGTAACG -2/1CCCCCC 0/0GGT ");
  CHECK(letters_of({"ACGTA"}, 7, 6) == "-7/5TAACGTAACGTAACGTAA ");
}

TEST_CASE("a circular record that is too long to be held is an error") {
  const trial::Cuts cuts;
  Batcher batcher({.batch = {.max_length = 4, .halo_left = 3, .halo_right = 3, .approximate = true},
                   .circular = {.all = true},
                   .max_circular = 10},
                  {"text.fa"}, [](const std::unique_ptr<PackedBatch>&) {});
  const auto add = [&] {
    for (const RawBlock& raw : trial::cut_blocks(trial::fasta_text({"ACGTACGTAC", "ACGTACGTACG"}, cuts), cuts)) {
      batcher.add(pack(raw, {}));
    }
  };
  CHECK_THROWS_WITH(
      add(), "text.fa: record 'r1' has more than 10 bases, too many for a circular record in a search with edits");
}

}  // namespace basesweep::test_batcher
