#include "lib/reads/modified_bases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "lib/base/fields.hpp"
#include "lib/base/iupac_letters.hpp"

namespace basesweep {
namespace {

// One of the lists of MM: "C+mh?,5,12".
struct ModificationList {
  char base = 'N';
  char strand = '+';
  std::string_view codes;       // and ? or . after them
  std::size_t values = 1;       // of ML for each base
  std::vector<std::size_t> at;  // the modified bases, by their places in the read
  std::size_t first_value = 0;  // in ML
};

[[noreturn]] void fail(std::string_view what) { throw std::runtime_error(std::string(what)); }

char upper(char letter) { return static_cast<char>(letter & ~0x20); }

// Whether a base of the read is counted by a list of this base; N counts all, U and T are the same.
bool counts(char of_list, char base) {
  if (of_list == 'N') return true;
  const auto same = [](char letter) { return upper(letter) == 'U' ? 'T' : upper(letter); };
  return same(of_list) == same(base);
}

char complement_of(char base) { return base == 'N' ? 'N' : complement_letter(base); }

// Parses one list, up to its semicolon.
ModificationList parse_list(std::string_view text, std::string_view bases) {
  ModificationList list;
  if (text.size() < 3 || std::string_view("ACGTUN").find(text[0]) == std::string_view::npos ||
      (text[1] != '+' && text[1] != '-'))
    fail(fmt::format("tag MM: expected a list such as 'C+m,0', found '{}'", text.substr(0, 20)));
  list.base = text[0];
  list.strand = text[1];
  const std::size_t comma = std::min(text.find(','), text.size());
  list.codes = text.substr(2, comma - 2);
  std::string_view codes = list.codes;
  if (codes.ends_with('?') || codes.ends_with('.')) codes.remove_suffix(1);
  if (codes.empty()) fail("tag MM: a list has no modification");
  const bool number = codes[0] >= '0' && codes[0] <= '9';
  list.values = number ? 1 : codes.size();
  std::size_t place = 0;  // in the bases
  for (std::string_view rest = text.substr(comma); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view field = rest.substr(0, rest.find(','));
    rest.remove_prefix(field.size());
    std::uint64_t skipped = 0;
    if (!parse_number(field, skipped)) fail(fmt::format("tag MM: expected a number of bases, found '{}'", field));
    while (place < bases.size() && (!counts(list.base, bases[place]) || skipped != 0)) {
      if (counts(list.base, bases[place])) --skipped;
      ++place;
    }
    if (place == bases.size()) fail(fmt::format("tag MM: the read has fewer {} than it names", list.base));
    list.at.push_back(place++);
  }
  return list;
}

std::vector<ModificationList> parse_lists(std::string_view text, std::string_view bases) {
  std::vector<ModificationList> lists;
  std::size_t values = 0;
  while (!text.empty()) {
    if (text.find(';') == std::string_view::npos) fail("tag MM: a list does not end with a semicolon");
    ModificationList list = parse_list(take_to(text, ';'), bases);
    list.first_value = values;
    values += list.values * list.at.size();
    lists.push_back(std::move(list));
  }
  return lists;
}

// The values of ML, which are numbers after commas.
std::vector<std::string_view> parse_values(std::string_view text) {
  std::vector<std::string_view> values;
  if (!text.starts_with('C')) fail("tag ML: expected an array of type C");
  text.remove_prefix(1);
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view value = text.substr(0, text.find(','));
    text.remove_prefix(value.size());
    values.push_back(value);
  }
  return values;
}

// Appends a list as it is in the written bases, and its values.
void append_list(const ModificationList& list, const WrittenBases& written, const std::vector<std::string_view>& values,
                 std::string& mm, std::string& ml) {
  const char base = written.turned ? complement_of(list.base) : list.base;
  const char strand = written.turned ? (list.strand == '+' ? '-' : '+') : list.strand;
  mm.append({base, strand}).append(list.codes);
  const std::string_view bases = written.replaced.empty() ? written.bases : written.replaced;
  const auto is_written = [&](std::size_t place) {
    return place >= written.begin && place < written.end && upper(bases[place]) == upper(written.bases[place]);
  };
  const auto append_values = [&](std::size_t index) {
    for (std::size_t i = 0; i < list.values && !values.empty(); ++i)
      ml.append(",").append(values[list.first_value + index * list.values + i]);
  };
  // Skipped bases are counted in the written order.
  std::size_t next = written.turned ? written.end : written.begin;
  const auto skip_to = [&](std::size_t place) {
    std::size_t skipped = 0;
    if (written.turned) {
      for (; next > place + 1; --next) skipped += counts(list.base, bases[next - 1]) ? 1 : 0;
      next = place;
    } else {
      for (; next < place; ++next) skipped += counts(list.base, bases[next]) ? 1 : 0;
      next = place + 1;
    }
    fmt::format_to(std::back_inserter(mm), ",{}", skipped);
  };
  for (std::size_t i = 0; i < list.at.size(); ++i) {
    const std::size_t index = written.turned ? list.at.size() - 1 - i : i;
    if (!is_written(list.at[index])) continue;
    skip_to(list.at[index]);
    append_values(index);
  }
  mm += ';';
}

bool speaks_of_all_bases(std::string_view tag) {
  constexpr std::array<std::string_view, 12> kTags{"mv", "ns", "ts", "pt", "ip", "pw",
                                                   "fi", "fp", "ri", "rp", "E2", "U2"};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

void append_modifications(std::string_view mm, std::string_view ml, const WrittenBases& written, std::string& to) {
  const std::vector<ModificationList> lists = parse_lists(mm, written.bases);
  const std::vector<std::string_view> values = ml.empty() ? std::vector<std::string_view>() : parse_values(ml);
  std::size_t needed = 0;
  for (const ModificationList& list : lists) needed += list.values * list.at.size();
  if (!ml.empty() && needed != values.size())
    fail(fmt::format("tag ML has {} values, MM names {}", values.size(), needed));
  std::string new_mm = "\tMM:Z:", new_ml = "\tML:B:C";
  for (const ModificationList& list : lists) append_list(list, written, values, new_mm, new_ml);
  to += new_mm;
  if (!ml.empty()) to += new_ml;
  fmt::format_to(std::back_inserter(to), "\tMN:i:{}", written.end - written.begin);
}

}  // namespace

bool append_cut_tags(std::string_view tags, const WrittenBases& written, std::string& to) {
  constexpr std::size_t kValueAt = 5;  // of "MM:Z:x"
  std::string_view mm, ml;
  bool has_mm = false, left_out = false;
  while (!tags.empty()) {
    tags.remove_prefix(1);
    const std::string_view field = tags.substr(0, tags.find('\t'));
    tags.remove_prefix(field.size());
    const bool is_tag = field.size() >= kValueAt && field[2] == ':' && field[4] == ':';
    const std::string_view tag = is_tag ? field.substr(0, 2) : std::string_view();
    const std::string_view value = is_tag ? field.substr(kValueAt) : std::string_view();
    if (tag == "MM" || tag == "Mm") {
      mm = value;
      has_mm = true;
    } else if (tag == "ML" || tag == "Ml") {
      ml = value;
    } else if (tag == "MN") {
      std::uint64_t length = 0;
      if (!parse_number(value, length) || length != written.bases.size())
        fail(fmt::format("tag MN says that it has {} bases, but it has {}", value, written.bases.size()));
    } else if (tag == "OQ" && value.size() == written.bases.size() && !written.whole()) {
      std::string quality(value.substr(written.begin, written.end - written.begin));
      if (written.turned) std::reverse(quality.begin(), quality.end());
      to.append("\t").append(field.substr(0, kValueAt)).append(quality);
    } else if (!written.whole() && speaks_of_all_bases(tag)) {
      left_out = true;
    } else {
      to.append("\t").append(field);
    }
  }
  if (has_mm) append_modifications(mm, ml, written, to);
  return left_out;
}

}  // namespace basesweep
