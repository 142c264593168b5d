#include "lib/page/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lib/base/utf8.hpp"

namespace basesweep {
namespace {

constexpr char32_t kNoCharacter = 0xFFFD;

// Takes the first character off the text. A byte that is no part of one counts as kNoCharacter.
char32_t next_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = utf8_bytes(text);
  char32_t character = bytes == 0 ? kNoCharacter : bytes == 1 ? first : first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  text.remove_prefix(std::max<std::size_t>(bytes, 1));
  return character;
}

void append_utf8(char32_t character, std::string& text) {
  const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0 | character >> 6U);
  } else if (character < 0x10000) {
    add(0xE0 | character >> 12U);
    add(0x80 | (character >> 6U & 0x3FU));
  } else {
    add(0xF0 | character >> 18U);
    add(0x80 | (character >> 12U & 0x3FU));
    add(0x80 | (character >> 6U & 0x3FU));
  }
  add(0x80 | (character & 0x3FU));
}

// Characters that turn the direction of the text that follows, and marks that nobody sees.
bool is_hidden(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0x061C ||
         c == 0x2028 || c == 0x2029 || c == 0xFEFF;
}

void append_escaped(char32_t c, std::string& text) {
  switch (c) {
    case '&': text += "&amp;"; return;
    case '<': text += "&lt;"; return;
    case '>': text += "&gt;"; return;
    case '"': text += "&quot;"; return;
    case '\'': text += "&#39;"; return;
    case '\t': text += "\\t"; return;
    case '\n': text += "\\n"; return;
    case '\r': text += "\\r"; return;
    default: break;
  }
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) {
    text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
  } else if (is_hidden(c)) {
    text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  } else {
    const bool none = (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
    append_utf8(none ? kNoCharacter : c, text);
  }
}

std::string noun_for(std::uint64_t number, std::string_view noun) {
  return number == 1 ? std::string(noun) : plural_of(noun);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) append_escaped(next_character(text), safe);
  return safe;
}

std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::vector<char32_t> characters;
  while (!text.empty()) characters.push_back(next_character(text));
  std::string kept;
  const std::size_t behind = most / 3;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (characters.size() > most && i == most - behind - 1) {
      kept += "\u2026";
      i = characters.size() - behind;
    }
    append_utf8(characters[i], kept);
  }
  return kept;
}

std::string shortened(std::string_view text, std::size_t most) { return escaped(cut(text, most)); }

std::string title_of(std::string_view text, std::size_t most) {
  constexpr std::size_t kMostShown = 300;
  if (text.size() <= most || cut(text, most) == text) return "";
  return " title=\"" + shortened(text, kMostShown) + "\"";
}

std::string decimal(double number, int digits) {
  if (std::abs(number) >= 1e15 || (number != 0 && std::abs(number) < 1e-4))
    return fmt::format("{:.{}g}", number, digits);
  if (number == 0) return "0";
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  std::string text = fmt::format("{:.{}f}", number, std::clamp(digits - whole, 0, 12));
  if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string rounded(double number) {
  constexpr std::array<const char*, 7> kUnits{"", "k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  while (std::abs(number) >= (unit == 0 ? 10000 : 999.5) && unit + 1 < kUnits.size()) {
    number /= 1000;
    ++unit;
  }
  const bool whole = unit == 0 && number >= 1000 && number == std::floor(number);
  return (whole ? grouped(static_cast<std::uint64_t>(number)) : decimal(number, unit == 0 ? 4 : 3)) + kUnits[unit];
}

std::string percent(double part, double whole) {
  if (whole <= 0) return "-";
  const double share = 100 * part / whole;
  if (part > 0 && part < whole && share > 99.9) return "> 99.9 %";
  return decimal(share, share < 0.1 ? 2 : 3) + " %";
}

std::string bases(std::uint64_t number) {
  if (number == 1) return "1 base";
  if (number < 10000) return grouped(number) + " bases";
  constexpr std::array<const char*, 5> kUnits{"kb", "Mb", "Gb", "Tb", "Pb"};
  double size = static_cast<double>(number) / 1000;
  std::size_t unit = 0;
  while (size >= 999.5 && unit + 1 < kUnits.size()) {
    size /= 1000;
    ++unit;
  }
  return decimal(size, 3) + " " + kUnits[unit];
}

std::string duration(double seconds) {
  if (seconds < 0 || seconds >= 1e12) return "-";
  if (seconds < 60) return decimal(seconds, seconds < 1 ? 2 : 3) + " s";
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", grouped(whole / 3600), whole % 3600 / 60);
}

std::string counted_noun(std::uint64_t number, std::string_view noun) {
  return grouped(number) + " " + noun_for(number, noun);
}

std::string more_of(std::uint64_t number, std::string_view noun) {
  return grouped(number) + " more " + noun_for(number, noun);
}

std::string coordinate(double number) {
  std::string text = fmt::format("{:.2f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace basesweep
