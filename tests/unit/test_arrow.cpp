// Batches as Arrow arrays, against the specification of Arrow's C data interface.
#include <basesweep/arrow.hpp>
#include <basesweep/basesweep.hpp>
#include <basesweep/guides.hpp>
#include <cstring>
#include <string>

#include "tests/support/catch.hpp"

namespace basesweep::test_arrow {

namespace {

// Both structs of a batch, released at the end.
struct Exported {
  explicit Exported(const Batch& batch) { export_batch(batch, &schema, &array); }
  ~Exported() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;

  ArrowSchema schema{};
  ArrowArray array{};
};

std::string text_at(const ArrowArray& array, std::int64_t i) {
  const auto* const offsets = static_cast<const std::int32_t*>(array.buffers[1]);
  const auto* const bytes = static_cast<const char*>(array.buffers[2]);
  return {bytes + offsets[i], bytes + offsets[i + 1]};
}

Batch batch_of(const Searcher& searcher, std::string_view name, std::string_view bases,
               const std::vector<std::string>& columns) {
  const NamedSequence record{name, bases};
  Batch kept;
  searcher.search({&record, 1}, {.columns = columns}, [&kept](const Batch& batch) { kept = batch; });
  return kept;
}

}  // namespace

TEST_CASE("arrays share the memory of a batch and outlive it", "[arrow]") {
  const Searcher searcher({{"EcoRI", "GAATTC"}, {"n", "GGA"}});
  Batch batch = batch_of(searcher, "r", "GAATTCGGAA", {"record", "start", "pattern", "cigar"});
  REQUIRE(batch.rows() == 2);
  const void* const starts = batch.integers("start").data();
  const Exported exported(batch);
  batch = Batch();

  const ArrowSchema& schema = exported.schema;
  CHECK(std::string(schema.format) == "+s");
  REQUIRE(schema.n_children == 4);
  CHECK(schema.dictionary == nullptr);
  const auto type = [&](int i) { return std::string(schema.children[i]->name) + ":" + schema.children[i]->format; };
  CHECK(type(0) == "record:i");
  CHECK(type(1) == "start:l");
  CHECK(type(2) == "pattern:i");
  CHECK(type(3) == "cigar:u");
  CHECK(std::string(schema.children[0]->dictionary->format) == "u");
  CHECK(schema.children[1]->dictionary == nullptr);
  CHECK((schema.children[1]->flags & ARROW_FLAG_NULLABLE) != 0);

  const ArrowArray& array = exported.array;
  CHECK(array.length == 2);
  CHECK(array.null_count == 0);
  CHECK(array.n_buffers == 1);
  CHECK(array.buffers[0] == nullptr);
  REQUIRE(array.n_children == 4);
  for (int i = 0; i < 4; ++i) {
    const ArrowArray& child = *array.children[i];
    CHECK(child.length == 2);
    CHECK(child.offset == 0);
    CHECK(child.null_count == 0);
    CHECK(child.buffers[0] == nullptr);
    CHECK(child.n_buffers == (i == 3 ? 3 : 2));
    CHECK((child.dictionary != nullptr) == (i == 0 || i == 2));
  }
  CHECK(array.children[1]->buffers[1] == starts);
  CHECK(static_cast<const std::int64_t*>(starts)[1] == 6);
  CHECK(array.children[2]->dictionary->length == 2);
  CHECK(text_at(*array.children[2]->dictionary, 1) == "n");
  CHECK(static_cast<const std::int32_t*>(array.children[2]->buffers[1])[1] == 1);
  CHECK(text_at(*array.children[3], 1) == "3=");
}

TEST_CASE("a child that was moved out outlives its parent", "[arrow]") {
  const Searcher searcher({{"x", "ACG"}});
  ArrowArray moved{};
  {
    const Exported exported(batch_of(searcher, "r", "TTACGG", {"start", "strand"}));
    moved = *exported.array.children[1];
    exported.array.children[1]->release = nullptr;
  }
  CHECK(moved.length == 1);
  CHECK(text_at(*moved.dictionary, 0) == "+");
  moved.release(&moved);
  CHECK(moved.release == nullptr);
}

TEST_CASE("absent values are bits of 0", "[arrow]") {
  const std::string guide = "GACGTTACCATGGCATTGCA";
  const std::string bases = guide + "TGG" + "C" + guide.substr(0, 10) + "A" + guide.substr(10) + "AGG";
  const NamedSequence record{"r", bases};
  Guides({{"g", guide}}, {.mismatches = 0, .max_dna_bulges = 1})
      .search({&record, 1}, {.columns = {"mit", "start"}}, [](const Batch& batch) {
        const Exported exported(batch);
        const ArrowArray& mit = *exported.array.children[0];
        REQUIRE(mit.length == 2);
        CHECK(std::string(exported.schema.children[0]->format) == "g");
        CHECK(mit.null_count == 1);
        CHECK((*static_cast<const std::uint8_t*>(mit.buffers[0]) & 3) == 1);
        CHECK(*static_cast<const double*>(mit.buffers[1]) == 1);
        CHECK(exported.array.children[1]->buffers[0] == nullptr);
      });
}

TEST_CASE("bytes that are not UTF-8 become question marks", "[arrow]") {
  const Searcher searcher({{"x", "ACG"}});
  const auto shown = [&](std::string_view name) {
    const Exported exported(batch_of(searcher, name, "ACG", {"record"}));
    return text_at(*exported.array.children[0]->dictionary, 0);
  };
  CHECK(shown("plain") == "plain");
  CHECK(shown("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(shown("a\xe9z") == "a?z");
  CHECK(shown("\xc0\x80") == "??");            // too long a form
  CHECK(shown("\xed\xa0\x80x") == "???x");     // half of a pair of UTF-16
  CHECK(shown("\xf4\x90\x80\x80") == "????");  // past the last character
  CHECK(shown("x\xe2\x82") == "x??");          // cut off
}

TEST_CASE("batches without rows and without columns", "[arrow]") {
  const Exported none{Batch()};
  CHECK(none.schema.n_children == 0);
  CHECK(none.array.length == 0);
  const Exported empty(batch_of(Searcher({{"x", "ACG"}}), "r", "TTT", {"record", "cigar"}));
  CHECK(empty.array.length == 0);
  REQUIRE(empty.array.n_children == 2);
  CHECK(empty.array.children[0]->dictionary->length == 0);
  CHECK(static_cast<const std::int32_t*>(empty.array.children[1]->buffers[1])[0] == 0);
}

}  // namespace basesweep::test_arrow
