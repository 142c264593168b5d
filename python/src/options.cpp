#include "options.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace nb = nanobind;

namespace basesweep::python {
namespace {

template <class Options>
using Setter = std::function<void(Options& options, nb::handle value)>;
template <class Options>
using Words = std::map<std::string, Setter<Options>>;

template <class T>
struct Plain {
  using Type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using Type = T;
};

// A value that an option cannot have.
struct WrongValue {
  std::string expected;
};

template <class T>
std::string kind_of() {
  if constexpr (std::is_same_v<T, bool>) return "True or False";
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? "a whole number" : "a whole number of at least 0";
  if constexpr (std::is_floating_point_v<T>) return "a number";
  if constexpr (std::is_same_v<T, std::string>) return "a str";
  return "";
}

// Sets a member to the value, whatever its type.
template <class Options, class Member>
Setter<Options> to(Member Options::*member) {
  return [member](Options& options, nb::handle value) {
    using Type = typename Plain<Member>::Type;
    try {
      options.*member = nb::cast<Type>(value);
    } catch (const nb::cast_error&) {
      throw WrongValue{kind_of<Type>()};
    }
  };
}

// Sets a member to what a word stands for; True is yes and False no.
template <class Options, class Value>
Setter<Options> one_of(Value Options::*member, std::vector<std::pair<std::string, Value>> meanings) {
  return [member, meanings = std::move(meanings)](Options& options, nb::handle value) {
    const bool text = nb::isinstance<nb::str>(value);
    std::string word = text ? nb::cast<std::string>(value) : "";
    if (PyBool_Check(value.ptr())) word = value.is(Py_True) ? "yes" : "no";
    std::string all;
    for (const auto& [name, meaning] : meanings) {
      if (name == word) {
        options.*member = meaning;
        return;
      }
      all += (all.empty() ? "" : ", ") + name;
    }
    if (!text) throw WrongValue{"one of: " + all};
    throw UsageError("'" + word + "' is none of: " + all);
  };
}

// True or False; or the names of circular records.
template <class Options>
Setter<Options> circular() {
  return [](Options& options, nb::handle value) {
    if (PyBool_Check(value.ptr())) {
      options.circular = nb::cast<bool>(value);
    } else {
      options.circular_records = nb::cast<std::vector<std::string>>(value);
    }
  };
}

template <class Options>
void add_edits(Words<Options>& words) {
  words["edits"] = to(&Options::edits);
  words["error_rate"] = to(&Options::error_rate);
  words["mismatches"] = [](Options& options, nb::handle value) {
    options.edits = nb::cast<typename Plain<decltype(options.edits)>::Type>(value);
    options.max_indels = 0;
  };
  words["max_mismatches"] = to(&Options::max_mismatches);
  words["max_indels"] = to(&Options::max_indels);
  words["max_dna_bulges"] = to(&Options::max_dna_bulges);
  words["max_rna_bulges"] = to(&Options::max_rna_bulges);
  words["clamp_5prime"] = to(&Options::clamp_5prime);
  words["clamp_3prime"] = to(&Options::clamp_3prime);
}

template <class Options>
void add_running(Words<Options>& words) {
  words["threads"] = to(&Options::threads);
  words["device"] = to(&Options::device);
}

template <class Options>
Setter<Options> soft_masked() {
  return one_of(&Options::skip_soft_masked, {{"use", false}, {"skip", true}});
}

template <class Options>
Setter<Options> strand() {
  using Strands = typename Options::Strands;
  return one_of(&Options::strands, {{"both", Strands::both}, {"plus", Strands::plus}, {"minus", Strands::minus}});
}

const Words<SearchOptions>& search_words() {
  using Options = SearchOptions;
  using Report = Options::Report;
  static const Words<Options> words = [] {
    Words<Options> all;
    add_edits(all);
    add_running(all);
    all["overhang"] = [](Options& options, nb::handle value) {
      options.overhang_5prime = options.overhang_3prime =
          nb::cast<typename Plain<decltype(options.overhang_5prime)>::Type>(value);
    };
    all["overhang_5prime"] = to(&Options::overhang_5prime);
    all["overhang_3prime"] = to(&Options::overhang_3prime);
    all["report"] = one_of(&Options::report, {{"sites", Report::sites},
                                              {"minima", Report::minima},
                                              {"best", Report::best},
                                              {"best-per-record", Report::best_per_record},
                                              {"all", Report::all}});
    all["best_of"] = one_of(&Options::best_of_record, {{"pattern", false}, {"record", true}});
    all["strand"] = strand<Options>();
    all["palindromes"] = one_of(&Options::both_strands_of_palindromes, {{"once", false}, {"both", true}});
    all["soft_masked"] = soft_masked<Options>();
    all["non_overlapping"] = to(&Options::non_overlapping);
    all["circular"] = circular<Options>();
    all["max_hits"] = to(&Options::max_hits);
    all["flank"] = to(&Options::flank);
    all["algorithm"] = to(&Options::algorithm);
    all["table_memory"] = to(&Options::table_bytes);
    return all;
  }();
  return words;
}

const Words<PcrOptions>& pcr_words() {
  using Options = PcrOptions;
  using Report = Options::Report;
  static const Words<Options> words = [] {
    Words<Options> all;
    add_edits(all);
    add_running(all);
    all["size"] = [](Options& options, nb::handle value) {
      if (nb::isinstance<nb::int_>(value)) {
        options.max_size = nb::cast<std::int64_t>(value);
        return;
      }
      const auto [least, most] = nb::cast<std::array<std::int64_t, 2>>(value);
      options.min_size = least;
      options.max_size = most;
    };
    all["single"] = to(&Options::single);
    all["pool"] = to(&Options::pool);
    all["report"] = one_of(
        &Options::report, {{"all", Report::all}, {"best", Report::best}, {"best-per-record", Report::best_per_record}});
    all["soft_masked"] = soft_masked<Options>();
    all["circular"] = circular<Options>();
    all["max_products"] = to(&Options::max_products);
    all["algorithm"] = to(&Options::algorithm);
    all["table_memory"] = to(&Options::table_bytes);
    return all;
  }();
  return words;
}

const Words<PwmOptions>& pwm_words() {
  using Options = PwmOptions;
  static const Words<Options> words = [] {
    Words<Options> all;
    add_running(all);
    all["p_value"] = to(&Options::p_value);
    all["score"] = to(&Options::score);
    all["relative"] = to(&Options::relative);
    all["pseudocount"] = to(&Options::pseudocount);
    all["background"] = to(&Options::background);
    all["strand"] = strand<Options>();
    all["soft_masked"] = soft_masked<Options>();
    all["non_overlapping"] = to(&Options::non_overlapping);
    all["max_hits"] = to(&Options::max_hits);
    return all;
  }();
  return words;
}

const Words<GuideOptions>& guide_words() {
  using Options = GuideOptions;
  static const Words<Options> words = [] {
    Words<Options> all;
    add_running(all);
    all["pam"] = [](Options& options, nb::handle value) {
      options.pams = nb::isinstance<nb::str>(value) ? std::vector{nb::cast<std::string>(value)}
                                                    : nb::cast<std::vector<std::string>>(value);
    };
    all["pam_side"] = one_of(&Options::pam_5prime, {{"3prime", false}, {"5prime", true}});
    all["pam_in_guide"] = one_of(
        &Options::pam_in_guide,
        {{"auto", std::optional<bool>()}, {"yes", std::optional<bool>(true)}, {"no", std::optional<bool>(false)}});
    all["mismatches"] = to(&Options::mismatches);
    all["max_dna_bulges"] = to(&Options::max_dna_bulges);
    all["max_rna_bulges"] = to(&Options::max_rna_bulges);
    all["seed"] = to(&Options::seed);
    all["seed_mismatches"] = to(&Options::seed_mismatches);
    all["soft_masked"] = soft_masked<Options>();
    return all;
  }();
  return words;
}

const Words<MapperOptions>& mapper_words() {
  using Options = MapperOptions;
  using Report = Options::Report;
  static const Words<Options> words = [] {
    Words<Options> all;
    add_running(all);
    all["edits"] = to(&Options::edits);
    all["error_rate"] = to(&Options::error_rate);
    all["report"] = one_of(&Options::report, {{"best", Report::best}, {"sites", Report::sites}, {"all", Report::all}});
    all["secondary"] = to(&Options::max_secondary);
    all["hits_only"] = [](Options& options, nb::handle value) { options.unmapped = !nb::cast<bool>(value); };
    all["strand"] = strand<Options>();
    all["algorithm"] = to(&Options::algorithm);
    return all;
  }();
  return words;
}

template <class Options>
Options read(const Words<Options>& words, const nb::dict& given, Options options = {}) {
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    const auto word = words.find(name);
    if (word == words.end()) throw nb::type_error(("there is no option '" + name + "'").c_str());
    if (value.is_none()) continue;
    std::string expected;
    try {
      word->second(options, value);
      continue;
    } catch (const UsageError& error) {
      throw UsageError(name + ": " + error.what());
    } catch (const WrongValue& wrong) {
      expected = wrong.expected;
    } catch (const nb::cast_error&) {
    }
    const nb::str shown = nb::repr(value);
    throw nb::type_error(
        (name + " cannot be " + shown.c_str() + (expected.empty() ? "" : ": expected " + expected)).c_str());
  }
  return options;
}

bool is_given(const nb::dict& words, const char* word) { return words.contains(word) && !words[word].is_none(); }

// Throws UsageError if one option is given with any of the others.
void refuse_together(const nb::dict& words, const char* one, std::initializer_list<const char*> others) {
  if (!is_given(words, one)) return;
  for (const char* const other : others) {
    if (is_given(words, other)) throw UsageError(std::string(one) + " and " + other + " conflict");
  }
}

void check_mismatches(const nb::dict& words) {
  refuse_together(words, "mismatches",
                  {"edits", "error_rate", "max_mismatches", "max_indels", "max_dna_bulges", "max_rna_bulges"});
}

template <class Options>
std::vector<std::string> names_of(const Words<Options>& words) {
  std::vector<std::string> names;
  for (const auto& [name, setter] : words) names.push_back(name);
  return names;
}

}  // namespace

SearchOptions search_options(const nb::dict& words) {
  check_mismatches(words);
  refuse_together(words, "overhang", {"overhang_5prime", "overhang_3prime"});
  return read(search_words(), words);
}
PcrOptions pcr_options(const nb::dict& words) {
  check_mismatches(words);
  return read(pcr_words(), words);
}
PwmOptions pwm_options(const nb::dict& words) { return read(pwm_words(), words); }
GuideOptions guide_options(const nb::dict& words) { return read(guide_words(), words); }
MapperOptions mapper_options(const nb::dict& words) {
  return read(mapper_words(), words, MapperOptions{.unmapped = true});
}

std::vector<std::string> option_names(const std::string& command) {
  if (command == "pcr") return names_of(pcr_words());
  if (command == "pwm") return names_of(pwm_words());
  if (command == "guides") return names_of(guide_words());
  if (command == "map") return names_of(mapper_words());
  return names_of(search_words());
}

}  // namespace basesweep::python
