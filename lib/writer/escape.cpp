#include "lib/writer/escape.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "lib/base/utf8.hpp"

namespace basesweep {
namespace {

using Plain = std::array<bool, 256>;  // whether each byte stands for itself

template <class Is>
constexpr Plain plain_bytes(Is is) {
  Plain plain{};
  for (std::size_t byte = 0; byte < plain.size(); ++byte) plain[byte] = is(static_cast<char>(byte));
  return plain;
}

constexpr bool has(std::string_view letters, char c) { return letters.find(c) != std::string_view::npos; }
constexpr bool is_low_control(char c) { return static_cast<unsigned char>(c) < ' '; }
constexpr bool is_control(char c) { return is_low_control(c) || c == '\x7f'; }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

constexpr Plain kSeqid = plain_bytes([](char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || has(".:^*$@!+_?-|", c);
});
constexpr Plain kAttribute = plain_bytes([](char c) { return !is_control(c) && !has("%;=&,", c); });
constexpr Plain kField = plain_bytes([](char c) { return !is_control(c) && c != ' ' && c != '%'; });
constexpr Plain kCsv = plain_bytes([](char c) { return !has(",\"\r\n", c); });
constexpr Plain kJson = plain_bytes([](char c) { return is_ascii(c) && !is_low_control(c) && c != '"' && c != '\\'; });

bool all_plain(std::string_view text, const Plain& plain) {
  return std::all_of(text.begin(), text.end(), [&plain](char c) { return plain[static_cast<unsigned char>(c)]; });
}

constexpr std::string_view kDigits = "0123456789ABCDEF";

char* put_hex(char* to, unsigned byte) {
  *to++ = kDigits[byte >> 4];
  *to++ = kDigits[byte & 15];
  return to;
}

char* put_percent(char* to, std::string_view text, const Plain& plain) {
  if (all_plain(text, plain)) return put(to, text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain[byte]) {
      *to++ = c;
      continue;
    }
    *to++ = '%';
    to = put_hex(to, byte);
  }
  return to;
}

char* put_csv(char* to, std::string_view text) {
  if (all_plain(text, kCsv)) return put(to, text);
  *to++ = '"';
  for (const char c : text) {
    if (c == '"') *to++ = '"';
    *to++ = c;
  }
  *to++ = '"';
  return to;
}

char* put_json(char* to, std::string_view text) {
  *to++ = '"';
  if (all_plain(text, kJson)) {
    to = put(to, text);
    *to++ = '"';
    return to;
  }
  while (!text.empty()) {
    const char c = text.front();
    std::size_t bytes = 1;
    if (c == '"' || c == '\\') {
      *to++ = '\\';
      *to++ = c;
    } else if (is_low_control(c)) {
      to = put_hex(put(to, "\\u00"), static_cast<unsigned char>(c));
    } else if (is_ascii(c)) {
      *to++ = c;
    } else if (const std::size_t character = utf8_bytes(text); character != 0) {
      bytes = character;
      to = put(to, text.substr(0, bytes));
    } else {
      to = put(to, "\xef\xbf\xbd");
    }
    text.remove_prefix(bytes);
  }
  *to++ = '"';
  return to;
}

}  // namespace

char* put_changed(char* to, std::string_view text, Escape escape) {
  switch (escape) {
    case Escape::none: break;
    case Escape::lower:
      return std::transform(text.begin(), text.end(), to,
                            [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    case Escape::seqid: return put_percent(to, text, kSeqid);
    case Escape::attribute: return put_percent(to, text, kAttribute);
    case Escape::field: return put_percent(to, text, kField);
    case Escape::csv: return put_csv(to, text);
    case Escape::json: return put_json(to, text);
  }
  return put(to, text);
}

std::string escaped(std::string_view text, Escape escape) {
  std::string to(most_escaped(text.size(), escape), '\0');
  to.resize(static_cast<std::size_t>(put_escaped(to.data(), text, escape) - to.data()));
  return to;
}

}  // namespace basesweep
