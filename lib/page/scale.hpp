// Scales of axes, and classes of colours.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace basesweep {

// 1, 2 or 5 times a power of ten, at least `width`.
double nice_width(double width);

struct Tick {
  double value;
  std::string label;
};

// Maps values to places in a picture. A logarithmic scale shows log10(value + shift): `shift` 1 for axes from 0 on, and
// 0 for bars, which begin at 0.5 so that 1 can be seen.
class Scale {
 public:
  Scale(double low, double high, double first, double last) : low_(low), high_(high), first_(first), last_(last) {}
  static Scale logarithmic(double low, double high, double first, double last, double shift);
  double place(double value) const;
  // At most about `most` ticks on round numbers.
  std::vector<Tick> ticks(int most) const;

 private:
  double low_, high_, first_, last_;
  bool logarithmic_ = false;
  double shift_ = 0;
};

// A colour and the numbers it stands for: "1-3".
struct LevelName {
  int level;
  std::string label;
};

// Five classes of positive numbers, for colours; each reaches from its bound to before the next.
class Levels {
 public:
  static constexpr std::size_t kLevels = 5;
  // Of counts up to `most`: equal steps, or a geometric series where the counts differ much.
  static Levels of_counts(double most);
  // Of rates, which need not be whole: equal steps, or a geometric series where they differ much. Classes begin near
  // the least rates, so that these and the greatest have different colours. Values that are not positive are left out.
  static Levels of_rates(std::vector<double> values);
  static Levels of_shares();  // 0 to 1, with more classes for small ones
  // The colour of the value's class, 1 to 5, and 0 for values that are not positive. Few classes have colours that
  // differ much.
  int level(double value) const;
  // The classes that can occur.
  std::vector<LevelName> names() const;

 private:
  std::size_t used() const;  // classes that can occur
  int color_of(std::size_t number) const;

  std::array<double, kLevels> bounds_{};
  double most_ = 0;
  bool shares_ = false;
  bool rates_ = false;
};

}  // namespace basesweep
