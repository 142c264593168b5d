// The file of a part is read as it was written, and refused when a byte of it is not as it was.
#include <unistd.h>

#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/parts/part_reader.hpp"
#include "lib/parts/part_writer.hpp"
#include "lib/reader/crc64.hpp"
#include "lib/rows/hit_codec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_part_reader {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

struct StringSink final : ByteSink {
  void write(std::string_view text) override { bytes += text; }
  std::string bytes;
};

CompressedBlock hits(std::int64_t record, std::size_t count) {
  RowBlockBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    builder.add(place_hit("chr1", record, static_cast<std::int64_t>(7 * i), {0, 6, 1, 0, 0, 0}));
  }
  return compress(builder.take());
}

// A part with a label, two blocks of rows and counts. `label`: differs from part to part.
std::string make_part(const std::string& label, std::int64_t record = 3) {
  StringSink sink;
  PartWriter writer(sink);
  writer.add_section("label", label);
  writer.add_rows(hits(record, 5));
  writer.add_rows(hits(record + 1, 4));
  writer.add_section("counts", "1\t2\n");
  writer.add_section("empty", "");
  writer.finish();
  return sink.bytes;
}

// All that a part says.
struct Content {
  std::vector<std::string> sections;  // name=bytes; of rows: record:start of each
  bool operator==(const Content&) const = default;
};

Content read(PartReader& reader) {
  Content content;
  while (const std::optional<PartSection> section = reader.next()) {
    std::string text = section->name + "=";
    if (section->content.rows == 0) {
      text += reader.unpack(*section).view();
    } else {
      const DecodedRows<PlacedHit> decoded = reader.decode<PlacedHit>(*section);
      for (const PlacedHit& hit : decoded.rows()) {
        text += std::string(hit.record_name) + ":" + std::to_string(hit.record) + ":" + std::to_string(hit.start) + " ";
      }
    }
    content.sections.push_back(text);
  }
  CHECK_FALSE(reader.next());
  return content;
}

Content read(const std::string& path) {
  PartReader reader(path);
  return read(reader);
}

const Content kExpected{{"label=first", "rows=chr1:3:0 chr1:3:7 chr1:3:14 chr1:3:21 chr1:3:28 ",
                         "rows=chr1:4:0 chr1:4:7 chr1:4:14 chr1:4:21 ", "counts=1\t2\n", "empty="}};

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

// The part's head, and its sections with their heads.
std::vector<std::string> split(const std::string& part) {
  std::vector<std::string> pieces{part.substr(0, sizeof(PartFileHead))};
  for (std::size_t at = pieces.front().size(); at < part.size(); at += pieces.back().size()) {
    PartSectionHead head;
    std::memcpy(&head, part.data() + at, sizeof head);
    pieces.push_back(part.substr(at, sizeof head + head.stored_bytes));
  }
  return pieces;
}

std::string join(const std::vector<std::string>& pieces) {
  std::string part;
  for (const std::string& piece : pieces) part += piece;
  return part;
}

// Changes a head, and makes it fit its checksum.
template <class Head, class Change>
std::string with_head(const std::string& piece, Change change) {
  Head head;
  std::memcpy(&head, piece.data(), sizeof head);
  change(head);
  head.checksum = crc64(std::as_bytes(std::span(&head, 1)).first(offsetof(Head, checksum)));
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + piece.substr(sizeof head);
}

// Writes bytes to a file, and says why they are refused.
class Refusals {
 public:
  std::string of(const std::string& bytes) {
    support::write_file(path_, bytes);
    try {
      read(path_);
    } catch (const DataError& error) {
      const std::string message = error.what();
      CHECK_THAT(message, StartsWith(path_ + ": "));
      return message;
    }
    return "not refused";
  }

 private:
  support::ScratchFolder folder_;
  std::string path_ = folder_.path("p.bsp");
};

}  // namespace

TEST_CASE("part: read as it was written") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("p.bsp");
  support::write_file(path, make_part("first"));
  CHECK((read(path) == kExpected));
  CHECK(PartReader::is_one(make_part("first")));
  CHECK_FALSE(PartReader::is_one("#basesweep-part"));
}

TEST_CASE("part: without sections") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("p.bsp");
  StringSink sink;
  PartWriter(sink).finish();
  support::write_file(path, sink.bytes);
  CHECK(read(path).sections.empty());
}

TEST_CASE("part: through a pipe") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const std::string part = make_part("first");
  std::jthread writer([&] {
    for (const char byte : part) (void)!::write(ends[1], &byte, 1);
    close(ends[1]);
  });
  PartReader reader("/dev/fd/" + std::to_string(ends[0]));
  CHECK((read(reader) == kExpected));
  close(ends[0]);
}

TEST_CASE("part: many blocks, decoded by many threads") {
  constexpr std::size_t kBlocks = 300;
  const support::ScratchFolder folder;
  const std::string path = folder.path("p.bsp");
  StringSink sink;
  PartWriter writer(sink);
  for (std::size_t i = 0; i < kBlocks; ++i) writer.add_rows(hits(static_cast<std::int64_t>(i), 100));
  writer.finish();
  support::write_file(path, sink.bytes);
  PartReader reader(path);
  std::vector<PartSection> sections;
  while (std::optional<PartSection> section = reader.next()) sections.push_back(std::move(*section));
  REQUIRE(sections.size() == kBlocks);
  std::vector<std::int64_t> records(kBlocks);
  parallel_for(4, kBlocks,
               [&](std::size_t i) { records[i] = reader.decode<PlacedHit>(sections[i]).rows()[99].record; });
  for (std::size_t i = 0; i < kBlocks; ++i) REQUIRE(records[i] == static_cast<std::int64_t>(i));
}

TEST_CASE("part: any byte changed, any length") {
  Refusals refusals;
  const std::string part = make_part("first");
  REQUIRE(part.size() > 500);
  for (std::size_t i = 0; i < part.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string changed = part;
      changed[i] = static_cast<char>(changed[i] ^ change);
      INFO("byte " << i);
      REQUIRE(refusals.of(changed) != "not refused");
    }
  }
  for (std::size_t size = 0; size < part.size(); ++size) {
    INFO("cut after " << size);
    const std::string why = refusals.of(part.substr(0, size));
    REQUIRE_THAT(why, ContainsSubstring(size < kPartMagic.size() ? "not a part of a run" : "is not complete"));
  }
  CHECK_THAT(refusals.of(part + '\0'), ContainsSubstring("more bytes after its end"));
  CHECK_THAT(refusals.of(part + part), ContainsSubstring("more bytes after its end"));
  CHECK_THAT(refusals.of("x" + part), ContainsSubstring("not a part of a run"));
}

TEST_CASE("part: a byte taken out or put in") {
  Refusals refusals;
  const std::string part = make_part("first");
  for (std::size_t i = 0; i < part.size(); ++i) {
    INFO("byte " << i);
    REQUIRE(refusals.of(part.substr(0, i) + part.substr(i + 1)) != "not refused");
    REQUIRE(refusals.of(part.substr(0, i) + "x" + part.substr(i)) != "not refused");
  }
}

TEST_CASE("part: sections swapped, lost, doubled, or of another part") {
  Refusals refusals;
  const std::vector<std::string> pieces = split(make_part("first"));
  REQUIRE(pieces.size() == 7);
  REQUIRE(join(pieces) == make_part("first"));
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    for (std::size_t j = i + 1; j < pieces.size(); ++j) {
      std::vector<std::string> changed = pieces;
      std::swap(changed[i], changed[j]);
      INFO("sections " << i << " and " << j);
      CHECK_THAT(refusals.of(join(changed)), ContainsSubstring("comes where section"));
    }
    std::vector<std::string> changed = pieces;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_THAT(refusals.of(join(changed)), ContainsSubstring(i == 6 ? "is not complete" : "comes where section"));
    changed = pieces;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), pieces[i]);
    CHECK_THAT(refusals.of(join(changed)), ContainsSubstring(i == 6 ? "more bytes" : "comes where section"));
  }
  // Sections are exchanged with those of parts that differ only in their label, or only in the first rows.
  for (const std::string& other : {make_part("other"), make_part("first", 8)}) {
    const std::vector<std::string> others = split(other);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      if (pieces[i] == others[i]) continue;
      std::vector<std::string> changed = pieces;
      changed[i] = others[i];
      INFO("section " << i);
      CHECK_THAT(refusals.of(join(changed)), ContainsSubstring("does not belong to the sections before it"));
      changed = pieces;  // all from there on
      std::copy(others.begin() + static_cast<std::ptrdiff_t>(i), others.end(),
                changed.begin() + static_cast<std::ptrdiff_t>(i));
      if (join(changed) != other) CHECK(refusals.of(join(changed)) != "not refused");
    }
  }
}

TEST_CASE("part: of another version") {
  Refusals refusals;
  const std::string part = make_part("first");
  const auto changed = [&](auto change) { return refusals.of(with_head<PartFileHead>(part, change)); };
  const std::string version = changed([](PartFileHead& head) { std::strcpy(head.version, "0.0.9"); });
  CHECK_THAT(version, ContainsSubstring("written by basesweep 0.0.9 (layout 2), this is basesweep " BASESWEEP_VERSION));
  const std::string layout = changed([](PartFileHead& head) { head.layout = 3; });
  CHECK_THAT(layout, ContainsSubstring("written by basesweep " BASESWEEP_VERSION " (layout 3)"));
}

TEST_CASE("part: heads that fit their checksums but are not valid") {
  Refusals refusals;
  const std::vector<std::string> pieces = split(make_part("first"));
  const auto changed = [&](std::size_t section, auto change) {
    std::vector<std::string> other = pieces;
    other[section] = with_head<PartSectionHead>(other[section], change);
    return refusals.of(join(other));
  };
  for (const std::size_t section : {1, 2}) {
    CHECK_THAT(changed(section, [](auto& head) { head.stored_bytes = kHuge; }), ContainsSubstring("is too large"));
    CHECK_THAT(changed(section, [](auto& head) { head.raw_bytes = kHuge; }), ContainsSubstring("is too large"));
    CHECK_THAT(changed(section, [](auto& head) { head.rows = kHuge; }), ContainsSubstring("is too large"));
  }
  CHECK_THAT(changed(2, [](auto& head) { ++head.rows; }),
             ContainsSubstring("section 1 ('rows'): its rows are not valid"));
  CHECK_THAT(changed(1, [](auto& head) { ++head.raw_bytes; }),
             ContainsSubstring("section 0 ('label'): it holds fewer"));
  CHECK_THAT(changed(6, [](auto& head) { ++head.rows; }), ContainsSubstring("it has 9 rows instead of 10"));
  CHECK_THAT(changed(6, [](auto& head) { ++head.raw_bytes; }), ContainsSubstring("its end has content"));
}

TEST_CASE("part: names that the writer refuses") {
  StringSink sink;
  PartWriter writer(sink);
  for (const char* name : {"", "end", "nine char"})
    CHECK_THROWS_AS(writer.add_section(name, ""), std::invalid_argument);
  CHECK_NOTHROW(writer.add_section("8 letter", ""));
}

TEST_CASE("part: a missing file") {
  const support::ScratchFolder folder;
  CHECK_THROWS_AS(PartReader(folder.path("missing")), IoError);
}

}  // namespace basesweep::test_part_reader
