#include "lib/oracle/trial/generate.hpp"

#include <algorithm>

namespace trial {
namespace {

const std::string kBases = "ACGT";
const std::string kIupac = "ACGTURYSWKMBDHVN";

std::string repeat(Random& random, std::size_t length) {
  const std::string unit = random_letters(random, random.between(1, 4), random.chance(50) ? "AC" : kBases);
  std::string letters;
  while (letters.size() < length) letters += unit;
  letters.resize(length);
  return letters;
}

// Favours lengths at the borders of words, vectors and filters.
std::size_t pattern_length(Random& random) {
  if (random.chance(5)) return random.between(71, 300);
  if (random.chance(30))
    return random.pick(std::vector<std::size_t>{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65});
  return random.chance(60) ? random.between(1, 12) : random.between(1, 70);
}

std::string cut_out(Random& random, const std::vector<std::string>& records, std::size_t length) {
  if (records.empty()) return "";
  const std::string& record = random.pick(records);
  if (record.empty()) return "";
  std::string letters = record.substr(random.below(record.size()), length);
  std::transform(letters.begin(), letters.end(), letters.begin(), [](unsigned char c) { return std::toupper(c); });
  const bool clean = letters.find_first_not_of("ACGTU") == std::string::npos;
  return clean ? letters : "";
}

std::string with_iupac(Random& random, std::string pattern) {
  for (std::size_t i = random.between(1, 3); i-- > 0;) pattern[random.below(pattern.size())] = random.pick(kIupac);
  return pattern;
}

std::string random_pattern(Random& random, bool iupac, const std::vector<std::string>& records,
                           const std::vector<std::string>& earlier, std::size_t length) {
  std::string pattern;
  switch (random.below(7)) {
    case 0: pattern = repeat(random, length); break;
    case 1: {
      pattern = random_letters(random, (length + 1) / 2, iupac ? kIupac : kBases);
      pattern += oracle::reverse_complement(pattern);
      break;
    }
    case 2:
      if (!earlier.empty()) {
        const std::string& outer = random.pick(earlier);
        pattern = outer.substr(random.below(outer.size()), random.between(1, outer.size()));
      }
      break;
    case 3:
    case 4: pattern = cut_out(random, records, length); break;
    default: break;
  }
  if (pattern.empty()) pattern = random_letters(random, length, iupac && random.chance(30) ? kIupac : kBases);
  return iupac && random.chance(50) ? with_iupac(random, pattern) : pattern;
}

// A random text that the pattern matches.
std::string instance(Random& random, const std::string& pattern) {
  std::string letters;
  for (const char c : pattern) letters += random.pick(oracle::members(c));
  return letters;
}

std::string n_runs(Random& random) {
  std::string letters;
  for (std::size_t runs = random.between(1, 4); runs-- > 0;) {
    letters += random_letters(random, random.below(120), kBases);
    const std::size_t length =
        random.chance(40) ? random.between(253, 259) : random.between(1, random.chance(50) ? 20 : 600);
    letters += std::string(length, random.chance(90) ? 'N' : random.pick(std::string("n-*.RX")));
  }
  return letters + random_letters(random, random.below(120), kBases);
}

std::string with_lower_case(Random& random, std::string letters) {
  for (std::size_t i = 0; i < letters.size();) {
    const std::size_t end = std::min(letters.size(), i + random.between(1, 80));
    if (random.chance(50)) {
      for (std::size_t j = i; j < end; ++j) letters[j] = static_cast<char>(letters[j] | 0x20);
    }
    i = end;
  }
  return letters;
}

std::string with_other_letters(Random& random, std::string letters) {
  const auto percent = static_cast<unsigned>(random.between(1, 15));
  for (char& c : letters) {
    if (random.chance(percent)) c = random.pick(std::string("NRYSWKMBDHVnrykxXEZ-*.UuUu"));
  }
  return letters;
}

}  // namespace

const char* to_string(TextShape shape) {
  const char* names[] = {"random", "repeats", "runs of N", "lower case", "tiny records", "IUPAC text"};
  return names[static_cast<int>(shape)];
}

std::string random_letters(Random& random, std::size_t length, const std::string& alphabet) {
  std::string letters(length, ' ');
  for (char& c : letters) c = random.pick(alphabet);
  return letters;
}

std::vector<std::string> random_records(Random& random, TextShape shape) {
  std::vector<std::string> records;
  if (shape == TextShape::tiny_records) {
    for (std::size_t i = random.between(1, random.chance(20) ? 400 : 40); i-- > 0;) {
      records.push_back(random_letters(random, random.below(6), random.chance(50) ? "AC" : kBases));
    }
    return records;
  }
  for (std::size_t i = random.between(1, 3); i-- > 0;) {
    const std::size_t length = random.below(random.chance(10) ? 5000 : random.chance(50) ? 130 : 700);
    switch (shape) {
      case TextShape::repeats: records.push_back(repeat(random, length)); break;
      case TextShape::n_runs: records.push_back(n_runs(random)); break;
      case TextShape::lower_case:
        records.push_back(with_lower_case(random, random_letters(random, length, kBases)));
        break;
      case TextShape::iupac_text:
        records.push_back(with_other_letters(random, random_letters(random, length, kBases)));
        break;
      default: records.push_back(random_letters(random, length, random.chance(80) ? kBases : "AT")); break;
    }
  }
  return records;
}

namespace {

// Patterns of `min_length` to `max_length` letters, otherwise like those of random_pattern().
std::vector<std::string> fitting_patterns(Random& random, std::size_t count, std::size_t min_length,
                                          std::size_t max_length, const std::vector<std::string>& records) {
  std::vector<std::string> patterns;
  while (patterns.size() < count) {
    const std::size_t length = random.between(min_length, max_length);
    std::string pattern = random_pattern(random, false, records, patterns, length);
    pattern += random_letters(random, length - std::min(length, pattern.size()), kBases);
    patterns.push_back(pattern.substr(0, length));
    if (random.chance(5)) patterns.push_back(patterns.back());
  }
  return patterns;
}

}  // namespace

std::vector<std::string> random_patterns(Random& random, PatternKind kind, const std::vector<std::string>& records) {
  if (kind == PatternKind::long_acgt) {
    return fitting_patterns(random, random.between(1, 12), 16, random.chance(80) ? 70 : 300, records);
  }
  if (kind == PatternKind::equal_acgt) {
    const std::size_t length = random.pick(std::vector<std::size_t>{2, 3, 7, 8, 9, 10, 12, 15, 16, 17, 31, 32, 33, 64});
    return fitting_patterns(random, random.between(1, random.chance(60) ? 8 : 200), length, length, records);
  }
  const bool many = kind == PatternKind::many_acgt || kind == PatternKind::many_mixed;
  const bool iupac = kind == PatternKind::iupac || kind == PatternKind::many_mixed;
  std::vector<std::string> patterns;
  for (std::size_t i = many ? random.between(80, 200) : random.between(1, 8); i-- > 0;) {
    patterns.push_back(
        random_pattern(random, iupac && (!many || random.chance(10)), records, patterns, pattern_length(random)));
    if (random.chance(5)) patterns.push_back(patterns.back());
  }
  return patterns;
}

void plant(Random& random, const std::vector<std::string>& patterns, std::vector<std::string>& records) {
  for (std::size_t i = random.below(8); i-- > 0;) {
    std::string& record = records[random.below(records.size())];
    std::string letters = instance(random, random.pick(patterns));
    if (letters.size() > record.size()) continue;
    if (random.chance(40)) letters = oracle::reverse_complement(letters);
    if (random.chance(25)) letters[random.below(letters.size())] = random.pick(std::string("ACGTN"));
    const std::size_t last = record.size() - letters.size();
    const std::size_t at = random.chance(25) ? last : random.between(0, last);
    record.replace(at, letters.size(), letters);
  }
}

oracle::Question random_question(Random& random, std::vector<std::string> records, std::vector<std::string> patterns) {
  const auto strands = random.chance(70)   ? oracle::Strands::both
                       : random.chance(50) ? oracle::Strands::plus
                                           : oracle::Strands::minus;
  return {std::move(records), std::move(patterns), strands, random.chance(30), random.chance(30)};
}

bool has_iupac(const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [](const std::string& pattern) {
    return pattern.find_first_not_of("ACGTU") != std::string::npos;
  });
}

std::string literal(const oracle::Question& question) {
  const auto list = [](const std::vector<std::string>& all) {
    std::string text = "{";
    for (const std::string& one : all) text += (text.size() == 1 ? "\"" : ", \"") + one + "\"";
    return text + "}";
  };
  std::string circular;
  for (const bool one : question.circular)
    circular += circular.empty() ? (one ? "true" : "false") : (one ? ", true" : ", false");
  const char* strands[] = {"both", "plus", "minus"};
  return "oracle::Question{\n  .records = " + list(question.records) + ",\n  .patterns = " + list(question.patterns) +
         ",\n  .strands = oracle::Strands::" + strands[static_cast<int>(question.strands)] +
         ",\n  .palindromes_twice = " + (question.palindromes_twice ? "true" : "false") +
         ",\n  .skip_soft_masked = " + (question.skip_soft_masked ? "true" : "false") + ",\n  .circular = {" +
         circular + "}}";
}

}  // namespace trial
