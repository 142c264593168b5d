// Compares the records of the input with those of its index.
#include "lib/pipeline/index_check.hpp"

#include "lib/base/error.hpp"
#include "lib/packer/packer.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_index_check {

namespace {

// Returns the warning about a text whose index has these records, or "".
std::string told(const std::string& text, const std::vector<RecordInfo>& known) {
  BatcherOptions options;
  options.keep_records = true;
  Batcher batcher(options, {"a.fa"}, [](std::unique_ptr<PackedBatch>) {});
  RawBlock block;
  block.bytes.assign(text.begin(), text.end());
  block.size = block.bytes.size();
  batcher.add(pack(block, {}));
  batcher.finish();
  IndexCheck check(known, {"a.fa"});
  try {
    check.check(batcher, true);
  } catch (const Error& error) {
    CHECK(error.exit_code() == kExitData);
    CHECK(dynamic_cast<const DataError*>(&error) == nullptr);
    return error.what();
  }
  return "";
}

const std::string kStale = "a.fa: its records are not those of its index a.fa.fai: index it again or remove the index";
const std::string kTwice =
    "a.fa: record 'a': the name is used twice, but the index a.fa.fai has it once: give each record a name of its own";

}  // namespace

TEST_CASE("an index that agrees with the records") {
  CHECK(told(">a\nACGT\n>b\n>c\nAC\n", {{"a", 4}, {"c", 2}}).empty());
  CHECK(told(">a\n>a\nAC\n", {{"a", 2}}).empty());
}

TEST_CASE("an index that disagrees with the records") {
  CHECK(told(">a\nACGT\n", {{"a", 5}}) == kStale);
  CHECK(told(">a\nACGT\n", {{"b", 4}}) == kStale);
  CHECK(told(">a\nACGT\n", {{"a", 4}, {"b", 4}}) == kStale);
  CHECK(told(">a\nACGT\n>b\nA\n", {{"a", 4}}) == kStale);
  CHECK(told(">a\n>b\nAC\n>a\nA\n", {{"b", 2}}) == kStale);  // record a has no bases at first
}

TEST_CASE("a duplicate name: samtools indexes the first record only") {
  CHECK(told(">a\nACGT\n>a\nAC\n", {{"a", 4}}) == kTwice);
  CHECK(told(">a\nACGT\n>a\nACGT\n>b\nAC\n", {{"a", 4}, {"b", 2}}) == kTwice);
  CHECK(told(">a\nACGT\n>b\nAC\n>a\nAC\n", {{"a", 4}, {"b", 2}}) == kTwice);
}

}  // namespace basesweep::test_index_check
