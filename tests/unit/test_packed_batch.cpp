// Batches whose planes are copied only when they are filled.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/oracle/trial/batches.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/search/append_bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_packed_batch {

TEST_CASE("batches that are filled later are those that are filled at once") {
  const std::uint64_t seed = support::test_seed();
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < support::test_cases(400); ++round) {
    std::vector<std::string> records(1 + random() % 30);
    for (std::string& record : records) {
      for (std::size_t left = random() % (random() % 4 == 0 ? 2000 : 100); left != 0; --left)
        record += random() % 40 == 0 ? "Nacgt"[random() % 5] : "ACGT"[random() % 4];
      if (random() % 5 == 0) record.insert(random() % (record.size() + 1), 300, 'N');
    }
    trial::Cuts cuts;
    cuts.max_block_bytes = 1 + random() % 400;
    BatcherOptions options{.batch = {.batch_positions = static_cast<std::uint32_t>(1 + random() % 500),
                                     .max_length = 4,
                                     .halo_left = static_cast<std::uint32_t>(random() % 2 * (random() % 70)),
                                     .halo_right = static_cast<std::uint32_t>(random() % 70),
                                     .approximate = random() % 2 == 0,
                                     .max_name_bytes = random() % 4 == 0 ? std::size_t{20} : std::size_t{1} << 22}};
    if (random() % 3 == 0) options.circular.names = {"r0", "r2"};
    const std::vector<RawBlock> blocks = trial::cut_blocks(trial::fasta_text(records, cuts), cuts);
    const auto batches = [&](bool late) {
      std::vector<std::unique_ptr<PackedBatch>> made;
      Batcher batcher(options, {"text.fa"},
                      [&](std::unique_ptr<PackedBatch> batch) { made.push_back(std::move(batch)); });
      for (const RawBlock& raw : blocks) {
        auto block = std::make_shared<PackedBlock>(pack(raw, {.soft_masked = true, .letters = true}));
        late ? batcher.add(std::shared_ptr<const PackedBlock>(std::move(block))) : batcher.add(*block);
      }
      batcher.finish();
      std::string all;
      for (const auto& batch : made) {
        if (late) batch->fill();
        const PackedView view = batch->view();
        for (std::uint32_t p = 0; p < view.positions; ++p) all += "ACTG"[batch->code(p)];
        for (std::size_t word = view.positions / 64; word < batch->plane_words(); ++word)
          all += fmt::format(" {:x} {:x}", view.lo[word], view.hi[word]);
        all += fmt::format(" {} {}\n", view.own_begin, view.own_end);
        for (std::uint32_t i = 0; i < view.blocked_count; ++i)
          all += fmt::format("{}-{} ", view.blocked[i].begin, view.blocked[i].end);
        for (const Segment& s : batch->segments())
          all += fmt::format("{} {}-{} {} {} {} {} {}\n", batch->name(s), s.position, s.end, s.record, s.offset,
                             s.reference, s.circular_length, s.ends_record);
      }
      return all;
    };
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    CHECK((batches(true) == batches(false)));
  }
}

namespace {

// Describes a position of a batch: its base, its record and offset, and whether lists hold it.
std::string describe(const PackedBatch& batch, std::uint32_t position) {
  const Segment& segment = batch.segments()[batch.segment_at(position)];
  const bool filler = position >= segment.end;
  const auto in = [position](const auto& runs) {
    return std::any_of(runs.begin(), runs.end(),
                       [position](const auto& run) { return run.begin <= position && position < run.end; });
  };
  return fmt::format("{} {} {} {} {} {} {} {}", batch.code(position), filler ? "filler" : batch.name(segment),
                     filler ? 0 : segment.offset + (position - segment.position), segment.circular_length,
                     in(batch.blocked()), in(batch.letters()), in(batch.soft_masked()),
                     segment.ends_record && position + 1 == segment.end);
}

}  // namespace

TEST_CASE("the parts of a batch own its positions, each with the text around it") {
  const std::uint64_t seed = support::test_seed();
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < support::test_cases(400); ++round) {
    std::vector<std::string> records(1 + random() % 8);
    for (std::string& record : records) {
      for (std::size_t left = 1 + random() % 60; left != 0; --left)
        record += random() % 20 == 0 ? "Nacgt"[random() % 5] : "ACGT"[random() % 4];
    }
    BatcherOptions options{.batch = {.batch_positions = static_cast<std::uint32_t>(20 + random() % 500),
                                     .max_length = 4,
                                     .halo_left = static_cast<std::uint32_t>(random() % 10),
                                     .halo_right = static_cast<std::uint32_t>(random() % 10),
                                     .approximate = random() % 2 == 0}};
    if (random() % 3 == 0) options.circular.all = true;
    std::vector<std::unique_ptr<PackedBatch>> batches;
    Batcher batcher(options, {"text.fa"},
                    [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
    const trial::Cuts cuts;
    for (const RawBlock& raw : trial::cut_blocks(trial::fasta_text(records, cuts), cuts))
      batcher.add(pack(raw, {.soft_masked = true, .letters = true}));
    batcher.finish();
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    for (const auto& batch : batches) {
      const PackedView whole = batch->view();
      BatchPlace place = batch->place();
      for (std::uint32_t begin = whole.own_begin; begin != whole.own_end;) {
        const std::uint32_t end = begin + 1 + static_cast<std::uint32_t>(random() % (whole.own_end - begin));
        const auto part = batch->part({begin, end}, options.batch.halo_left, options.batch.halo_right);
        const PackedView view = part->view();
        CHECK(part->place() == place);
        place = part->next_place();
        REQUIRE(view.own_end - view.own_begin == end - begin);
        CHECK(view.own_begin == std::min(begin, options.batch.halo_left));
        CHECK(view.positions - view.own_end == std::min(whole.positions - end, options.batch.halo_right));
        for (std::uint32_t p = 0; p != view.positions; ++p)
          CHECK(describe(*part, p) == describe(*batch, begin - view.own_begin + p));
        begin = end;
      }
      CHECK(place == batch->next_place());
    }
  }
}

TEST_CASE("a batch that is not filled yet cannot be read") {
  const trial::Cuts cuts;
  std::unique_ptr<PackedBatch> last;
  Batcher batcher({}, {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) { last = std::move(batch); });
  for (const RawBlock& raw : trial::cut_blocks(">r\nACGT\n", cuts))
    batcher.add(std::make_shared<const PackedBlock>(pack(raw, {})));
  batcher.finish();
  CHECK_THROWS_WITH(last->view(), "a batch is read before it is filled");
  last->fill();
  CHECK(last->view().lo[0] == 0b0110);
}

TEST_CASE("append_bits copies any stretch of a plane to any place") {
  const std::uint64_t seed = support::test_seed();
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < support::test_cases(20'000); ++round) {
    const auto from = static_cast<std::uint32_t>(random() % 200), to = static_cast<std::uint32_t>(random() % 200);
    const auto count = static_cast<std::uint32_t>(random() % 300);
    std::vector<std::uint64_t> source(words_for(from + count)), target(words_for(to + count) + 1, ~std::uint64_t{0});
    for (std::uint64_t& word : source) word = random();
    if (to % 64 != 0) target[to / 64] = random() & ((std::uint64_t{1} << to % 64) - 1);
    const std::vector<std::uint64_t> before = target;
    append_bits(target.data(), to, source.data(), from, count);
    const auto bit = [](const std::vector<std::uint64_t>& plane, std::size_t i) { return plane[i / 64] >> i % 64 & 1; };
    INFO("from " << from << ", to " << to << ", count " << count << ", BASESWEEP_TEST_SEED=" << seed);
    bool right = target.back() == before.back();
    for (std::size_t i = 0; i < 64 * words_for(to + count); ++i) {
      const bool copied = i >= to && i < to + count;
      right &= bit(target, i) == (copied ? bit(source, from + i - to) : i < to + count ? bit(before, i) : 0);
    }
    CHECK(right);
  }
}

TEST_CASE("the letters of any stretch of a batch") {
  std::string text;
  for (std::size_t i = 0; i < 200; ++i) text += i % 71 == 70 ? 'N' : "GATTACACC"[i * i % 9];
  std::unique_ptr<PackedBatch> batch;
  BatcherOptions options;
  options.batch.letters = true;
  Batcher batcher(options, {"text.fa"}, [&](std::unique_ptr<PackedBatch> made) { batch = std::move(made); });
  for (const RawBlock& raw : trial::cut_blocks(">r\n" + text + "\n", trial::Cuts{}))
    batcher.add(std::make_shared<const PackedBlock>(pack(raw, {.letters = true})));
  batcher.finish();
  batch->fill();
  for (std::uint32_t begin = 0; begin < text.size(); ++begin) {
    for (std::uint32_t end = begin; end <= text.size(); ++end) {
      std::string letters(end - begin + 1, '#');
      batch->copy_letters(begin, end, letters.data());
      if (letters != text.substr(begin, end - begin) + "#") FAIL(begin << "-" << end << ": " << letters);
    }
  }
}

}  // namespace basesweep::test_packed_batch
