#include "lib/parts/part_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/md5.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kLabel = "label";
constexpr std::string_view kWords = "words";
constexpr std::string_view kInputs = "inputs";
constexpr std::string_view kReference = "refer";
constexpr std::string_view kRecords = "records";
constexpr std::string_view kIndexed = "indexed";
constexpr std::string_view kQuery = "query";

std::string print_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(word).push_back('\0');
  return text;
}

std::vector<std::string> parse_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) words.emplace_back(take_to(text, '\0'));
  return words;
}

// Names cannot hold a NUL.
std::string print_records(const std::vector<RecordInfo>& records) {
  std::string text;
  for (const RecordInfo& record : records) text += fmt::format("{}{}{}{}", record.name, '\0', record.length, '\0');
  return text;
}

std::vector<RecordInfo> parse_records(std::string_view text, const std::string& path) {
  std::vector<RecordInfo> records;
  while (!text.empty()) {
    RecordInfo& record = records.emplace_back();
    record.name = take_to(text, '\0');
    if (!parse_place(take_to(text, '\0'), record.length)) {
      throw damaged_part(path, "a record has no length");
    }
  }
  return records;
}

// The digests of the sections before the rows, apart from the label and the words, by name.
using Digests = std::map<std::string, std::string, std::less<>>;

// The facts about a part that are compared with those of the others.
struct Known {
  std::string path;
  PartLabel label;
  std::string reference;
  Digests digests;
};

// Jobs may have their files in other folders, so of paths only the names are compared.
std::string digest_of(std::string_view section, std::string_view text) {
  Md5 md5;
  if (section == kInputs || section == kReference) {
    for (const std::string& path : parse_words(text)) md5.add(std::string(file_name(path)) + '\0');
  } else {
    md5.add(text);
  }
  return md5.take();
}

struct Opened {
  PartHead head;
  Digests digests;
  std::optional<PartSection> next;  // the first section after them
};

Opened read_head(PartReader& part) {
  Opened opened;
  bool labelled = false;
  while ((opened.next = part.next())) {
    const std::string& name = opened.next->name;
    if (name == kPartRows || name == kPartSummary) break;
    const Text content = part.unpack(*opened.next);
    const std::string_view text = content.view();
    if (name == kLabel) {
      const std::optional<PartLabel> label = parse_part(text);
      if (!label) break;
      opened.head.label = *label;
      labelled = true;
      continue;
    }
    if (name != kWords) opened.digests[name] = digest_of(name, text);
    if (name == kWords) opened.head.words = parse_words(text);
    if (name == kInputs) opened.head.inputs = parse_words(text);
    if (name == kReference) opened.head.reference = text.substr(0, text.find('\0'));
    if (name == kRecords) opened.head.records = parse_records(text, part.path());
    if (name == kIndexed) opened.head.indexed = true;
    if (name == kQuery) opened.head.query = text;
  }
  if (!labelled) throw damaged_part(part.path(), "it has no label");
  return opened;
}

// Says in which parameter two parts differ first.
std::string difference(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const std::string_view one = take_to(a, ' ');
    const std::string_view other = take_to(b, ' ');
    if (one == other) continue;
    const auto or_none = [](std::string_view text) { return text.empty() ? "none" : text; };
    return fmt::format("their parameters differ: {} and {}", or_none(one), or_none(other));
  }
  return "";
}

// What a command calls the file that PartHead::reference names.
std::string_view references_of(const PartLabel& label) {
  const std::string command = parameter(label, "command");
  if (command == "demux") return "sample sheets";
  if (command == "count") return "libraries of guides";
  return "references";
}

std::string name_or_none(const std::string& path) { return path.empty() ? "none" : std::string(file_name(path)); }

// The reason why two parts are not of one run; empty if they are.
std::string difference(const Known& a, const Known& b) {
  if (a.label.version != b.label.version) {
    return fmt::format("they were written by versions {} and {}", a.label.version, b.label.version);
  }
  if (a.label.parameters != b.label.parameters) return difference(a.label.parameters, b.label.parameters);
  if (a.label.chunks != b.label.chunks)
    return fmt::format("the first is one of {} chunks, the second one of {}", a.label.chunks, b.label.chunks);
  if (a.label.plan != b.label.plan) return "their plans differ: other inputs, or the same inputs cut in another way";
  if (a.digests == b.digests) return "";
  const auto digest = [](const Known& part, std::string_view section) {
    const auto found = part.digests.find(section);
    return found == part.digests.end() ? std::string() : found->second;
  };
  const auto differ = [&](std::string_view section) { return digest(a, section) != digest(b, section); };
  if (differ(kInputs)) return "the names of their inputs differ";
  if (differ(kReference))
    return fmt::format("the names of their {} differ: {} and {}", references_of(a.label), name_or_none(a.reference),
                       name_or_none(b.reference));
  if (differ(kRecords)) return "the records of their inputs differ";
  if (differ(kIndexed)) return "the inputs of one have indexes (.fai), those of the other have none";
  return "what they searched for differs";
}

// Throws DataError for a part that is missing or given twice. `parts`: by chunk.
void check_chunks(const std::vector<Known>& parts) {
  const std::uint32_t chunks = parts.front().label.chunks;
  constexpr std::uint32_t kMaxNamed = 10;
  std::string missing;
  std::uint32_t missing_count = 0;
  std::size_t next = 0;
  for (std::uint32_t chunk = 1; chunk <= chunks; ++chunk) {
    if (next == parts.size() || parts[next].label.chunk != chunk) {
      if (++missing_count <= kMaxNamed) missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", chunk, chunks);
      continue;
    }
    const Known& part = parts[next++];
    if (next < parts.size() && parts[next].label.chunk == chunk) {
      throw DataError(fmt::format("chunk {}/{} is given twice: {} and {}", chunk, chunks, input_name(part.path),
                                  input_name(parts[next].path)));
    }
  }
  if (missing_count > kMaxNamed) missing += fmt::format(" and {} more", missing_count - kMaxNamed);
  if (missing_count != 0) throw DataError("missing: chunk " + missing);
}

}  // namespace

void write_head(const PartHead& head, PartWriter& to) {
  to.add_section(kLabel, print_part(head.label));
  to.add_section(kWords, print_words(head.words));
  to.add_section(kInputs, print_words(head.inputs));
  if (!head.reference.empty()) to.add_section(kReference, print_words({head.reference}));
  if (head.records) to.add_section(kRecords, print_records(*head.records));
  if (head.indexed) to.add_section(kIndexed, "yes");
  to.add_section(kQuery, head.query);
}

bool PartHead::has_record(const PlacedRow& row) const {
  return row.source < inputs.size() && row.record >= 0 &&
         (!records || row.record < static_cast<std::int64_t>(records->size()));
}

bool PartHead::has_place(const PlacedRow& row) const {
  if (!has_record(row) || row.start < 0 || row.end <= row.start) return false;
  if (row.circular_length != 0 && row.start >= row.circular_length) return false;
  if (!records) return true;
  const std::int64_t length = (*records)[static_cast<std::size_t>(row.record)].length;
  return row.start < length && (row.circular_length == 0 ? row.end <= length : row.circular_length == length);
}

PartSet::PartSet(const std::vector<std::string>& paths) {
  std::vector<Known> parts;
  for (const std::string& path : paths) {
    PartReader part(path);
    Opened opened = read_head(part);
    const PartLabel label = opened.head.label;
    parts.push_back({path, label, opened.head.reference, std::move(opened.digests)});
    if (parts.size() == 1 || label.chunk < head_.label.chunk) head_ = std::move(opened.head);
  }
  for (const Known& part : parts) {
    if (const std::string what = difference(parts.front(), part); !what.empty()) {
      throw DataError(
          fmt::format("{} and {} are not of one run: {}", input_name(parts.front().path), input_name(part.path), what));
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Known& a, const Known& b) { return a.label.chunk < b.label.chunk; });
  check_chunks(parts);
  for (const Known& part : parts) paths_.push_back(part.path);
}

bool PartSet::open_next() {
  if (next_ == paths_.size()) return false;
  reader_ = std::make_shared<PartReader>(paths_[next_++]);
  return true;
}

std::optional<PartSet::Block> PartSet::next() {
  while (reader_ != nullptr || open_next()) {
    while (std::optional<PartSection> section = reader_->next()) {
      if (section->name == kPartRows) return Block{reader_, std::move(*section)};
      if (section->name == kPartSummary) add_once(*section, summaries_);
      if (section->name == kPartTotals) add_once(*section, totals_);
    }
    if (summaries_.size() != next_) throw damaged_part(reader_->path(), "it has no summary");
    totals_.resize(next_);
    reader_.reset();
  }
  return std::nullopt;
}

// Keeps a section that each part has once.
void PartSet::add_once(const PartSection& section, std::vector<std::string>& of_parts) const {
  if (of_parts.size() >= next_)
    throw damaged_part(reader_->path(), fmt::format("it has section '{}' twice", section.name));
  of_parts.emplace_back(reader_->unpack(section).view());
}

void PartSet::rewind() {
  next_ = 0;
  reader_.reset();
  summaries_.clear();
  totals_.clear();
}

const std::vector<std::string>& PartSet::totals() const {
  const auto without = std::find(totals_.begin(), totals_.end(), "");
  if (without != totals_.end()) {
    throw damaged_part(paths_[static_cast<std::size_t>(without - totals_.begin())], "it has no totals");
  }
  return totals_;
}

}  // namespace basesweep
