#include "lib/trim/adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/iupac_letters.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxRepeats = 10000;

std::string_view without_blanks(std::string_view text) { return trimmed(text, " \t"); }

// The parameters that come after ';'.
struct Parameters {
  std::optional<double> max_errors{};
  std::optional<std::uint32_t> min_overlap{};
  std::optional<bool> required{};
  std::optional<bool> indels{};
  bool anywhere = false;
  bool rightmost = false;
};

// Parses one adapter, or one of two that are linked.
class PartParser {
 public:
  PartParser(std::string_view word, std::string_view text, AdapterKind kind) : word_(word) {
    part_.kind = kind;
    const std::size_t semicolon = text.find(';');
    if (semicolon != std::string_view::npos) parse_parameters(text.substr(semicolon + 1));
    std::string_view sequence = text.substr(0, semicolon);
    const std::size_t equals = sequence.find('=');
    if (equals != std::string_view::npos) {
      name_ = without_blanks(sequence.substr(0, equals));
      sequence.remove_prefix(equals + 1);
    }
    parse_sequence(expand(without_blanks(sequence)));
  }

  const std::string& name() const { return name_; }
  const Parameters& parameters() const { return parameters_; }

  AdapterPart part(const AdapterDefaults& defaults) {
    const auto letters = static_cast<std::uint32_t>(part_.sequence.size());
    const auto wild = static_cast<std::uint32_t>(std::count(part_.sequence.begin(), part_.sequence.end(), 'N'));
    part_.max_error_rate = parameters_.max_errors.value_or(defaults.max_errors);
    if (part_.max_error_rate >= 1) part_.max_error_rate /= letters - wild;
    if (part_.max_error_rate > 1) fail(fmt::format("it has {} bases, fewer than errors are allowed", letters - wild));
    part_.indels = parameters_.indels.value_or(defaults.indels);
    part_.min_overlap = part_.placement == AdapterPlacement::anchored
                            ? letters
                            : std::min(parameters_.min_overlap.value_or(defaults.min_overlap), letters);
    part_.rightmost = parameters_.rightmost;
    part_.over_both_ends = parameters_.anywhere && part_.placement == AdapterPlacement::anywhere;
    return part_;
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw UsageError(fmt::format("adapter '{}': {}", word_, what));
  }

 private:
  void parse_parameters(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(';'), text.size());
      const std::string_view field = without_blanks(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (field.empty()) continue;
      const std::size_t equals = field.find('=');
      parse_parameter(
          without_blanks(field.substr(0, equals)),
          equals == std::string_view::npos ? std::nullopt : std::optional(without_blanks(field.substr(equals + 1))));
    }
  }

  void parse_parameter(std::string_view key, std::optional<std::string_view> value) {
    if (key == "e" || key == "error_rate" || key == "max_error_rate" || key == "max_errors") {
      set(key, parameters_.max_errors, number(key, value));
    } else if (key == "o" || key == "min_overlap") {
      const double overlap = number(key, value);
      if (overlap < 1 || overlap != std::floor(overlap) || overlap > 1e9)
        fail(fmt::format("'{}' is not a whole number of at least 1", key));
      set(key, parameters_.min_overlap, static_cast<std::uint32_t>(overlap));
    } else if (key == "required" || key == "optional") {
      set(key, parameters_.required, key == "required");
    } else if (key == "indels" || key == "noindels") {
      set(key, parameters_.indels, key == "indels");
    } else if (key == "anywhere") {
      parameters_.anywhere = true;
    } else if (key == "rightmost") {
      parameters_.rightmost = true;
    } else {
      fail(fmt::format("unknown parameter '{}' (there are e, o, required, optional, anywhere, rightmost, noindels)",
                       key));
    }
  }

  template <class T>
  void set(std::string_view key, std::optional<T>& value, T given) const {
    if (value) fail(fmt::format("parameter '{}' is given twice or contradicts another", key));
    value = given;
  }

  double number(std::string_view key, std::optional<std::string_view> value) const {
    double parsed = 0;
    const std::string_view text = value.value_or("");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc() || end != text.data() + text.size() || !(parsed >= 0) || parsed > 1e9)
      fail(fmt::format("'{}' needs a number, as in {}=3", key, key));
    return parsed;
  }

  // Writes out repetitions: TGA{5}CT is TGAAAAACT.
  std::string expand(std::string_view text) const {
    std::string all;
    while (!text.empty()) {
      if (text.front() != '{') {
        all += text.front();
        text.remove_prefix(1);
        continue;
      }
      const std::size_t close = text.find('}');
      std::size_t count = 0;
      const char* const begin = text.data() + 1;
      const char* const end = text.data() + std::min(close, text.size());
      const auto [parsed, error] = std::from_chars(begin, end, count);
      if (all.empty() || close == std::string_view::npos || begin == end || error != std::errc() || parsed != end ||
          count > kMaxRepeats) {
        fail("braces hold the number of times that the letter before them is repeated, as in A{10}");
      }
      const char letter = all.back();
      all.pop_back();
      all.append(count, letter);
      text.remove_prefix(close + 1);
    }
    return all;
  }

  void parse_sequence(std::string text) {
    const auto is_x = [](char letter) { return letter == 'X' || letter == 'x'; };
    bool front[2] = {text.starts_with('^'), false};
    if (front[0]) text.erase(0, 1);
    while (!text.empty() && is_x(text.front())) {
      front[1] = true;
      text.erase(0, 1);
    }
    bool back[2] = {text.ends_with('$'), false};
    if (back[0]) text.pop_back();
    while (!text.empty() && is_x(text.back())) {
      back[1] = true;
      text.pop_back();
    }
    if (text.empty()) fail("it has no bases");
    const int restrictions = front[0] + front[1] + back[0] + back[1];
    if (restrictions > 1) fail("only one of ^ADAPTER, XADAPTER, ADAPTER$ and ADAPTERX is possible");
    if (part_.kind == AdapterKind::either && restrictions > 0)
      fail("an adapter of -b cannot be tied to an end of reads");
    if (part_.kind == AdapterKind::five_prime && (back[0] || back[1]))
      fail("a 5' adapter is tied to the start of reads by ^ADAPTER or XADAPTER, not to their end");
    if (part_.kind == AdapterKind::three_prime && (front[0] || front[1]))
      fail("a 3' adapter is tied to the end of reads by ADAPTER$ or ADAPTERX, not to their start");
    if (front[0] || back[0]) part_.placement = AdapterPlacement::anchored;
    if (front[1] || back[1]) part_.placement = AdapterPlacement::non_internal;
    if (part_.placement == AdapterPlacement::anchored && parameters_.min_overlap)
      fail("an anchored adapter always matches whole: min_overlap does not apply to it");
    if (parameters_.rightmost && (part_.kind == AdapterKind::either || restrictions > 0))
      fail("'rightmost' is for adapters of -a and -g that are not tied to an end of reads");
    for (char& letter : text) {
      const BaseSet set = pattern_letter_set(letter);
      if (set == 0) fail(fmt::format("'{}' is not an IUPAC letter of a base", letter));
      letter = iupac_letter(set);
    }
    if (std::all_of(text.begin(), text.end(), [](char letter) { return letter == 'N'; }))
      fail("it consists of N only, which match everywhere");
    part_.sequence = std::move(text);
  }

  std::string_view word_;
  AdapterPart part_;
  std::string name_;
  Parameters parameters_;
};

Adapter link(std::string_view word, std::string_view front, std::string_view back, AdapterKind kind,
             const AdapterDefaults& defaults) {
  PartParser first(word, front, AdapterKind::five_prime);
  PartParser second(word, back, AdapterKind::three_prime);
  if (kind == AdapterKind::either) first.fail("adapters of -b cannot be linked");
  Adapter adapter{first.name(), {first.part(defaults), second.part(defaults)}};
  PartParser* const parsers[2] = {&first, &second};
  for (std::size_t i = 0; i < 2; ++i) {
    // -g requires both parts, -a only those that are tied to an end.
    const bool usual = kind == AdapterKind::five_prime || adapter.parts[i].placement != AdapterPlacement::anywhere;
    adapter.required[i] = parsers[i]->parameters().required.value_or(usual);
  }
  return adapter;
}

}  // namespace

std::string AdapterFile::word_of(std::string_view sequence) const {
  std::string word = anchored_front ? "^" : "";
  word.append(sequence);
  if (anchored_back) word += '$';
  if (parameters.empty()) return word;
  // Both parts of a linked adapter get the parameters.
  const std::size_t dots = word.find("...");
  if (dots != std::string::npos && dots > 0) word.insert(dots, ";" + parameters);
  return word.append(";").append(parameters);
}

std::optional<AdapterFile> adapter_file_of(std::string_view word) {
  AdapterFile file;
  if (word.starts_with("^file:")) {
    file.anchored_front = true;
    word.remove_prefix(6);
  } else if (word.starts_with("file$:")) {
    file.anchored_back = true;
    word.remove_prefix(6);
  } else if (word.starts_with("file:")) {
    word.remove_prefix(5);
  } else {
    return std::nullopt;
  }
  const std::size_t semicolon = std::min(word.find(';'), word.size());
  file.path = word.substr(0, semicolon);
  if (semicolon < word.size()) file.parameters = word.substr(semicolon + 1);
  return file;
}

Adapter parse_adapter(std::string_view word, AdapterKind kind, const AdapterDefaults& defaults) {
  const std::size_t dots = word.find("...");
  std::string_view text = word;
  if (dots != std::string_view::npos) {
    const std::string_view front = word.substr(0, dots);
    const std::string_view back = word.substr(dots + 3);
    if (!front.empty() && !back.empty()) return link(word, front, back, kind, defaults);
    const bool useful = kind == AdapterKind::three_prime || (kind == AdapterKind::five_prime && back.empty());
    if (front.empty() == back.empty() || !useful)
      throw UsageError(fmt::format("adapter '{}': '...' stands between two adapters, as in FRONT...BACK", word));
    if (back.empty()) kind = AdapterKind::five_prime;
    text = back.empty() ? front : back;
  }
  PartParser parser(word, text, kind);
  if (parser.parameters().required) parser.fail("'required' and 'optional' are for linked adapters");
  return {parser.name(), {parser.part(defaults)}};
}

}  // namespace basesweep
