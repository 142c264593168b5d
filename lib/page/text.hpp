// Text of a page: escaped, and numbers as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/number_words.hpp"

namespace basesweep {

// The text for HTML and its attributes. Control characters and those that change the direction of text are shown as
// \x07 and \u202e; bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);
// The same of at most `most` characters; "..." takes the place of the middle of a longer text.
std::string shortened(std::string_view text, std::size_t most = 48);
// The same as text that is not escaped yet.
std::string cut(std::string_view text, std::size_t most = 48);
// The attribute that shows the whole text, up to 300 characters of it, where shortened(text, most) is shown; "" where
// nothing is cut.
std::string title_of(std::string_view text, std::size_t most = 48);

// At most four digits: 950, 4,564, 12.3k, 4.64M.
std::string rounded(double number);
// The number with this many digits: 0.0123, 12345. Only numbers from 1e15 on or below 1e-4 have an exponent.
std::string decimal(double number, int digits = 4);
// The share as a percentage: 0 %, 0.012 %, 12.3 %, 100 %; "-" where the whole is 0.
std::string percent(double part, double whole);
std::string bases(std::uint64_t number);                                // 950 bases, 4.64 Mb
std::string duration(double seconds);                                   // 0.53 s, 3 min 20 s, 2 h 5 min
std::string counted_noun(std::uint64_t number, std::string_view noun);  // 1 hit, 12,345 hits
std::string more_of(std::uint64_t number, std::string_view noun);       // 1 more hit, 12,345 more hits
// A number of an SVG: two decimals at most.
std::string coordinate(double number);

}  // namespace basesweep
