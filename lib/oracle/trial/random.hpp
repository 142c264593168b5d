// Random numbers that depend on the seed alone. (Those of std::uniform_int_distribution also depend on the standard
// library.)
#pragma once

#include <cstdint>
#include <random>

namespace trial {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // In [0, end); end must not be 0.
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  // In [first, last].
  std::uint64_t between(std::uint64_t first, std::uint64_t last) { return first + below(last - first + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Container>
  const auto& pick(const Container& from) {
    return *(from.begin() + static_cast<std::ptrdiff_t>(below(from.size())));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace trial
