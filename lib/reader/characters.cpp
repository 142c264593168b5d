#include "lib/reader/characters.hpp"

#include <algorithm>
#include <array>

#include "lib/base/utf8.hpp"

namespace basesweep {
namespace {

struct Alias {
  std::string_view bytes;
  char plain;
};

// Longer ones come first.
constexpr std::array<Alias, 37> kAliases{{
    {"\xe2\x80\x98", '\''},
    {"\xe2\x80\x99", '\''},
    {"\xe2\x80\xb2", '\''},
    {"\xc2\xb4", '\''},
    {"\xca\xb9", '\''},
    {"\xca\xbc", '\''},
    {"\xe2\x80\x90", '-'},
    {"\xe2\x80\x91", '-'},
    {"\xe2\x80\x92", '-'},
    {"\xe2\x80\x93", '-'},
    {"\xe2\x80\x94", '-'},
    {"\xe2\x88\x92", '-'},
    {"\xef\xbb\xbf", ' '},
    {"\xe3\x80\x80", ' '},
    {"\xe2\x80\xaf", ' '},
    {"\xe2\x80\x80", ' '},
    {"\xe2\x80\x81", ' '},
    {"\xe2\x80\x82", ' '},
    {"\xe2\x80\x83", ' '},
    {"\xe2\x80\x84", ' '},
    {"\xe2\x80\x85", ' '},
    {"\xe2\x80\x86", ' '},
    {"\xe2\x80\x87", ' '},
    {"\xe2\x80\x88", ' '},
    {"\xe2\x80\x89", ' '},
    {"\xe2\x80\x8a", ' '},
    {"\xe2\x80\x8b", ' '},
    {"\xc2\xa0", ' '},
    {"\xc2\xad", ' '},
    {"\xa0", ' '},
    {"\x91", '\''},
    {"\x92", '\''},
    {"\xb4", '\''},
    {"\x96", '-'},
    {"\x97", '-'},
    {"\t", ' '},
    {"`", '\''},
}};

// Whether no alias begins with the byte, which is ASCII.
bool stands_for_itself(char byte) { return static_cast<unsigned char>(byte) < 0x80 && byte != '\t' && byte != '`'; }

}  // namespace

std::vector<Character> characters_of(std::string_view text) {
  std::vector<Character> characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); at += characters.back().bytes) {
    const std::string_view rest = text.substr(at);
    if (stands_for_itself(rest.front())) {
      characters.push_back({at, 1, rest.front()});
      continue;
    }
    const auto alias =
        std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& one) { return rest.starts_with(one.bytes); });
    if (alias != kAliases.end()) {
      characters.push_back({at, alias->bytes.size(), alias->plain});
    } else {
      characters.push_back({at, std::max<std::size_t>(utf8_bytes(rest), 1), '\0'});
    }
  }
  return characters;
}

}  // namespace basesweep
