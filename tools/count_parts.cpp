#include "tools/count_parts.hpp"

#include <cstdint>
#include <span>

#include "lib/base/stream_names.hpp"
#include "lib/compiled/field_bytes.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {
namespace {

void write_window(const StartWindow& window, FieldWriter& to) {
  to.number(window.first);
  to.number(window.last);
}

StartWindow read_window(FieldReader& from) {
  StartWindow window;
  window.first = from.number<std::uint32_t>();
  window.last = from.number<std::uint32_t>();
  return window;
}

void write_starts(const InputStarts& input, FieldWriter& to) {
  to.number(input.sample);
  for (const StartWindow& window : input.windows) write_window(window, to);
  to.number(static_cast<std::uint8_t>(input.found.has_value()));
  if (!input.found) return;
  to.number(input.found->reads);
  for (const std::size_t strand : {0, 1}) {
    to.number(input.found->matching[strand]);
    to.number(static_cast<std::uint8_t>(input.found->windows[strand].has_value()));
    if (input.found->windows[strand]) write_window(*input.found->windows[strand], to);
  }
}

InputStarts read_starts(FieldReader& from) {
  constexpr std::uint8_t kFlag = 1;
  InputStarts input;
  input.sample = from.number<std::uint32_t>();
  for (StartWindow& window : input.windows) window = read_window(from);
  if (from.choice(kFlag) == 0) return input;
  FoundStarts& found = input.found.emplace();
  found.reads = from.number<std::uint64_t>();
  for (const std::size_t strand : {0, 1}) {
    found.matching[strand] = from.number<std::uint64_t>();
    if (from.choice(kFlag) != 0) found.windows[strand] = read_window(from);
  }
  return input;
}

}  // namespace

std::string print_count(const CountQuery& query) {
  FieldWriter to;
  to.number(static_cast<std::uint8_t>(query.second_mates));
  to.number(static_cast<std::uint8_t>(query.molecules));
  to.number(static_cast<std::uint8_t>(query.library.has_genes));
  to.number(std::uint64_t{query.library.merged});
  to.number(static_cast<std::uint32_t>(query.library.guides.size()));
  for (const LibraryGuide& guide : query.library.guides) {
    for (const std::string* text : {&guide.name, &guide.sequence, &guide.gene}) to.text(*text);
  }
  to.texts(query.samples);
  to.number(static_cast<std::uint32_t>(query.inputs.size()));
  for (const InputStarts& input : query.inputs) write_starts(input, to);
  return to.bytes();
}

CountQuery parse_count(const std::string& own, const PartSet& parts) {
  FieldReader from(std::as_bytes(std::span(own)));
  CountQuery query;
  query.second_mates = from.choice(std::uint8_t{1}) != 0;
  query.molecules = from.choice(std::uint8_t{1}) != 0;
  query.library.path = input_name(parts.head().reference);
  query.library.has_genes = from.choice(std::uint8_t{1}) != 0;
  query.library.merged = from.number<std::uint64_t>();
  const auto guides = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < guides && from.ok(); ++i) {
    LibraryGuide& guide = query.library.guides.emplace_back();
    for (std::string* text : {&guide.name, &guide.sequence, &guide.gene}) *text = from.text();
  }
  query.samples = from.texts();
  // Of pairs in two files each, all files of first mates come before those of second mates.
  const std::vector<std::string>& paths = parts.head().inputs;
  const auto inputs = from.number<std::uint32_t>();
  const bool in_two_files = paths.size() == 2 * std::size_t{inputs};
  bool valid = in_two_files || paths.size() == inputs;
  for (std::uint32_t i = 0; valid && i < inputs && from.ok(); ++i) {
    InputStarts& input = query.inputs.emplace_back(read_starts(from));
    input.path = input_name(paths[in_two_files && query.second_mates ? inputs + i : i]);
    valid = input.sample < query.samples.size();
  }
  if (!from.at_end() || !valid) throw damaged_query(parts);
  return query;
}

}  // namespace basesweep
