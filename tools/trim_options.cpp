#include "tools/trim_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "lib/base/error.hpp"
#include "tools/help.hpp"
#include "tools/trim_files.hpp"

namespace basesweep {
namespace {

using Choices = std::vector<std::pair<std::string, AdapterAction>>;

// Parses a whole number, which may be below 0.
std::optional<std::int64_t> whole_number(std::string_view text) {
  constexpr std::int64_t kMost = 0xffffffff;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || std::abs(number) > kMost)
    return std::nullopt;
  return number;
}

std::optional<double> decimal(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0))
    throw UsageError(fmt::format("{} {}: expected a number of at least 0", option, text));
  return number;
}

// "LENGTH" or "LENGTH:LENGTH2", of which one may be left out.
void take_lengths(const char* option, const std::string& text, bool paired,
                  std::optional<std::uint64_t> (&lengths)[2]) {
  if (text.empty()) return;
  const std::size_t colon = text.find(':');
  const std::string_view parts[2] = {
      std::string_view(text).substr(0, colon),
      colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1)};
  const auto fail = [&] {
    throw UsageError(fmt::format("{} {}: expected a length, or LENGTH:LENGTH2 of pairs", option, text));
  };
  if (colon != std::string::npos && parts[0].empty() && parts[1].empty()) fail();
  if (colon != std::string::npos && !paired)
    throw UsageError(fmt::format("{} {}: two lengths are given, but reads are no pairs", option, text));
  for (std::size_t i = 0; i < 2; ++i) {
    if (parts[i].empty()) continue;
    const std::optional<std::int64_t> number = whole_number(parts[i]);
    if (!number || *number < 0) return fail();
    lengths[i] = static_cast<std::uint64_t>(*number);
  }
  if (colon == std::string::npos) lengths[1] = lengths[0];
}

void take_cuts(const char* option, const std::vector<std::string>& words, MateSettings& mate) {
  for (const std::string& word : words) {
    const std::optional<std::int64_t> number = whole_number(word);
    if (!number) throw UsageError(fmt::format("{} {}: expected a whole number of bases", option, word));
    std::uint32_t& end = *number < 0 ? mate.cut_back : mate.cut_front;
    if (*number != 0 && end != 0) throw UsageError(fmt::format("{} cuts the same end of reads twice", option));
    if (*number != 0) end = static_cast<std::uint32_t>(std::abs(*number));
  }
}

std::optional<QualityLimits> quality_limits(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t comma = text.find(',');
  const std::optional<std::int64_t> first = whole_number(std::string_view(text).substr(0, comma));
  const std::optional<std::int64_t> second =
      comma == std::string::npos ? first : whole_number(std::string_view(text).substr(comma + 1));
  const auto is_limit = [](const std::optional<std::int64_t>& limit) { return limit && *limit >= 0 && *limit <= 93; };
  if (!is_limit(first) || !is_limit(second))
    throw UsageError(
        fmt::format("{} {}: expected a quality, or two with a comma: of the 5' and the 3' end", option, text));
  if (*first == 0 && *second == 0) return std::nullopt;
  if (comma == std::string::npos) return QualityLimits{0, static_cast<int>(*first)};
  return QualityLimits{static_cast<int>(*first), static_cast<int>(*second)};
}

void add_adapters(CLI::App& command, TrimArguments& o) {
  begin_group(command, group::kPatterns);
  struct Letter {
    const char* first;
    const char* second;
    AdapterKind kind;
    const char* help;
  };
  constexpr Letter kLetters[] = {
      {"-a,--adapter", "-A", AdapterKind::three_prime,
       "A 3' adapter: it is cut with all that comes after it; ADAPTER$ and ADAPTERX are at the end of reads"},
      {"-g,--front", "-G", AdapterKind::five_prime,
       "A 5' adapter: it is cut with all that comes before it; ^ADAPTER and XADAPTER are at the start of reads"},
      {"-b,--anywhere", "-B", AdapterKind::either,
       "An adapter that is cut as a 5' adapter if it begins with the first base of a read, else as a 3' adapter"}};
  for (const std::size_t mate : {0, 1}) {
    for (const Letter& letter : kLetters) {
      add_parsed_texts(
          command, mate == 0 ? letter.first : letter.second, "ADAPTER",
          [&o, mate, kind = letter.kind](const std::string& word) { o.adapters[mate].emplace_back(kind, word); },
          mate == 0 ? letter.help : fmt::format("As {} of second mates", std::string_view(letter.first).substr(0, 2)));
    }
  }
}

// The adapters of a mate as options: "-a ACGT -g CCGT".
std::string adapter_words(const std::vector<std::pair<AdapterKind, std::string>>& adapters, std::size_t mate) {
  constexpr const char* kLetters[2] = {"agb", "AGB"};
  std::string all;
  for (const auto& [kind, word] : adapters) {
    if (!all.empty()) all += ' ';
    all.append("-").append(1, kLetters[mate][static_cast<std::size_t>(kind)]).append(" ").append(word);
  }
  return all;
}

std::string with_blank(const std::string& words) { return words.empty() ? words : " " + words; }

bool gives_pairs(const TrimArguments& o) {
  return !o.second_output.empty() || !o.adapters[1].empty() || !o.cuts[1].empty() || !o.quality[1].empty() ||
         !o.length[1].empty() || !o.untrimmed[1].empty() || !o.too_short[1].empty() || !o.too_long[1].empty();
}

// How adapters are found, and what becomes of them.
OptionTable<TrimArguments> adapter_search_options() {
  return TableMaker<TrimArguments>()
      .begin(group::kHits)
      .decimal("-e,--error-rate", &TrimArguments::errors, 0,
               "Errors that an adapter may have per base, or if N is at least 1, in a whole adapter (default: 0.1)")
      .reported("error_rate")
      .in_program()
      .number("-O,--overlap", &TrimArguments::overlap, {.min = 1, .max = 1U << 20},
              "Least bases of an adapter at an end of a read (default: 3)")
      .reported("overlap")
      .in_program()
      .flag("--no-indels", &TrimArguments::no_indels, "Errors are mismatches only")
      .reported("no_indels")
      .in_program()
      .number("-n,--times", &TrimArguments::times, {.min = 1, .max = 1000},
              "Cut up to N adapters from a read, one after another (default: 1)")
      .reported("times")
      .in_program()
      .flag("--match-read-wildcards", &TrimArguments::read_wildcards, "IUPAC letters of reads match their bases")
      .reported("match_read_wildcards")
      .in_program()
      .choice("--action", &TrimArguments::action,
              Choices{{"trim", AdapterAction::trim},
                      {"retain", AdapterAction::retain},
                      {"mask", AdapterAction::mask},
                      {"lowercase", AdapterAction::lowercase},
                      {"crop", AdapterAction::crop},
                      {"none", AdapterAction::none}},
              "Where an adapter is found, cut it with all on its side (trim, default), cut what is on its side only "
              "(retain), write N (mask) or lower case in place of cutting, keep the adapter only (crop), or change "
              "nothing")
      .reported("action")
      .in_program()
      .flag("--revcomp,--rc", &TrimArguments::revcomp,
            "Look for adapters in the reverse complement of reads too, and write it, with ' rc' after its title, where "
            "they match better; of pairs the mates are exchanged")
      .reported("revcomp")
      .in_program()
      .flag(
          "--pair-adapters", &TrimArguments::pair_adapters,
          "Cut the first adapters of -a, -g, -b and -A, -G, -B from both mates or from none, the second ones likewise")
      .reported_if_given("pair_adapters")
      .in_program()
      .row({"--by-overlap",
            [](CLI::App& command, TrimArguments& o) {
              add_words(
                  command, "--by-overlap", {"yes", "no"}, 2, [&o](std::size_t word) { o.by_overlap = word == 0; },
                  "Cut pairs where their fragment ends by the overlap of mates, together with adapters (default: "
                  "yes if no adapter is given; else it needs 3' adapters)");
            }})
      .words([](const TrimArguments& o) {
        return o.by_overlap ? fmt::format(" --by-overlap {}", *o.by_overlap ? "yes" : "no") : std::string();
      })
      .take();
}

// The options that cut reads for other reasons than adapters. --help lists them under the same heading as those of
// adapter_search_options().
OptionTable<TrimArguments> cutting_options() {
  const auto of = [](auto member, std::size_t mate) {
    return [=](auto& o) -> auto& { return (o.*member)[mate]; };
  };
  const auto cuts = [](std::size_t mate) {
    return [mate](const TrimArguments& o) { return parameter_of(fmt::format("{}", fmt::join(o.cuts[mate], " "))); };
  };
  const auto cut_words = [](const char* option, std::size_t mate) {
    return [=](const TrimArguments& o) {
      std::string words;
      for (const std::string& word : o.cuts[mate]) words.append(" ").append(option).append(" ").append(word);
      return words;
    };
  };
  return TableMaker<TrimArguments>()
      .texts("-u,--cut", "N", of(&TrimArguments::cuts, 0),
             "Before all else, cut N bases from the start of reads, or if N is below 0, from the end; may be given for "
             "both ends")
      .reported_as("cut", cuts(0))
      .words(cut_words("-u", 0))
      .texts("-U", "N", of(&TrimArguments::cuts, 1), "As -u of second mates")
      .reported_as("second_cut", cuts(1))
      .words(cut_words("-U", 1))
      .number("--nextseq-trim", &TrimArguments::nextseq, {.max = 93},
              "Cut 3' ends by quality, where G counts as less than N (two-colour instruments)")
      .reported_if_given("nextseq_trim")
      .in_program()
      .text("-q,--quality-cutoff", "[N5,]N3", of(&TrimArguments::quality, 0),
            "Cut ends with qualities below N, before adapters; two numbers: of the 5' and the 3' end")
      .reported("quality_cutoff")
      .in_program()
      .text("-Q", "[N5,]N3", of(&TrimArguments::quality, 1), "As -q of second mates (default: as -q)")
      .reported("second_quality_cutoff")
      .in_program()
      .number("--quality-base", &TrimArguments::quality_base, {.min = 33, .max = 64},
              "The character of quality 0, 33 or 64 (default: 33)")
      .reported_if_given("quality_base")
      .in_program()
      .flag("--poly-a", &TrimArguments::poly_a, "Cut poly-A tails after adapters; of second mates poly-T heads")
      .reported("poly_a")
      .in_program()
      .text("-l,--length", "N", of(&TrimArguments::length, 0),
            "Shorten reads to their first N bases, or if N is below 0, to the last ones", {.is_number = true})
      .reported("length")
      .in_program()
      .text("-L", "N", of(&TrimArguments::length, 1), "As -l of second mates (default: as -l)", {.is_number = true})
      .reported("second_length")
      .in_program()
      .flag("--trim-n", &TrimArguments::trim_n, "Cut N and . from the ends of reads, last of all")
      .reported("trim_n")
      .in_program()
      .take();
}

// The options that leave out reads, under the same heading.
OptionTable<TrimArguments> filter_options() {
  return TableMaker<TrimArguments>()
      .text("-m,--minimum-length,--min-length", "N[:N2]", &TrimArguments::min_length,
            "Leave out reads with fewer bases; of pairs, N2 is of second mates (default: 0; 1 with --by-overlap)")
      .reported("minimum_length")
      .in_program()
      .text("-M,--maximum-length,--max-length", "N[:N2]", &TrimArguments::max_length, "Leave out reads with more bases")
      .reported("maximum_length")
      .in_program()
      .text("--max-n", "N", &TrimArguments::max_n,
            "Leave out reads with more unknown bases; below 1: with a greater share")
      .reported("max_n")
      .in_program()
      .text("--max-expected-errors,--max-ee", "N", &TrimArguments::max_errors,
            "Leave out reads whose qualities let expect more errors")
      .reported("max_expected_errors")
      .in_program()
      .text("--max-aer", "N", &TrimArguments::max_error_rate,
            "Leave out reads whose qualities let expect more errors per base")
      .reported("max_average_error_rate")
      .in_program()
      .flag("--discard-trimmed,--discard", &TrimArguments::discard_trimmed, "Leave out reads with an adapter")
      .reported("discard_trimmed")
      .in_program()
      .flag("--discard-untrimmed", &TrimArguments::discard_untrimmed, "Leave out reads without an adapter")
      .reported("discard_untrimmed")
      .in_program()
      .choice("--pair-filter", &TrimArguments::pair_filter,
              std::vector<std::pair<std::string, PairFilter>>{
                  {"any", PairFilter::any}, {"both", PairFilter::both}, {"first", PairFilter::first}},
              "A pair is left out if any mate would be (default), both, or the first")
      .reported("pair_filter")
      .in_program()
      .take();
}

}  // namespace

OptionTable<TrimArguments> trim_options() {
  const auto all = [](auto& o) -> auto& { return o; };
  return TableMaker<TrimArguments>()
      .value("adapters", [](const TrimArguments& o) { return parameter_of(adapter_words(o.adapters[0], 0)); })
      .words([](const TrimArguments& o) { return with_blank(adapter_words(o.adapters[0], 0)); })
      .value("second_adapters", [](const TrimArguments& o) { return parameter_of(adapter_words(o.adapters[1], 1)); })
      .words([](const TrimArguments& o) { return with_blank(adapter_words(o.adapters[1], 1)); })
      .table(&TrimArguments::primers, primer_options())
      .table(all, adapter_search_options())
      .table(all, cutting_options())
      .table(all, filter_options())
      .take();
}

void add_trim_options(CLI::App& command, TrimArguments& o) {
  add_reads_input(command, o);
  add_adapters(command, o);
  add_trim_files(command, o);
  add_options(command, trim_options(), o);
  add_reads_running(command, o, "--quiet");
}

namespace {

void check_pair_adapters(const TrimArguments& o) {
  if (o.revcomp && o.by_overlap.value_or(false)) throw UsageError("--revcomp and --by-overlap yes conflict");
  if (!o.pair_adapters) return;
  if (o.times > 1) throw UsageError("--pair-adapters cuts one pair of adapters: leave --times out");
  if (o.revcomp) throw UsageError("--pair-adapters and --revcomp conflict");
  if (o.by_overlap.value_or(false)) throw UsageError("--pair-adapters and --by-overlap yes conflict");
  if (o.action == AdapterAction::crop) throw UsageError("--pair-adapters and --action crop conflict");
}

}  // namespace

void check_trim_options(TrimArguments& o) {
  if (o.output.empty()) o.output = "-";
  if (o.device != "auto" && o.device != "cpu")
    throw UsageError(fmt::format("--device {}: trim searches on the CPU", o.device));
  if (o.first_mates.empty() && !o.interleaved && o.inputs.size() == 2 && gives_pairs(o)) {
    o.first_mates = {o.inputs[0]};
    o.second_mates = {o.inputs[1]};
    o.inputs.clear();
  }
  if (o.quality_base != 33 && o.quality_base != 64)
    throw UsageError(fmt::format("--quality-base {}: there are 33 and 64", o.quality_base));
  const bool filters_untrimmed = !o.untrimmed[0].empty() || !o.untrimmed[1].empty();
  if (int{o.discard_trimmed} + int{o.discard_untrimmed} + int{filters_untrimmed} > 1)
    throw UsageError("use one of --discard-trimmed, --discard-untrimmed and --untrimmed-output");
  if (!o.too_short[0].empty() && o.min_length.empty()) throw UsageError("--too-short-output needs a length: -m");
  if (!o.too_long[0].empty() && o.max_length.empty()) throw UsageError("--too-long-output needs a length: -M");
  const bool one_place = o.action == AdapterAction::retain || o.action == AdapterAction::crop;
  if (one_place && o.times > 1) throw UsageError("--action retain and crop are for one adapter: leave --times out");
  if (one_place && o.by_overlap.value_or(false))
    throw UsageError("--action retain and crop need adapters: leave --by-overlap out");
  check_pair_adapters(o);
  check_primer_options(o);
  check_trim_files(o);
  check_reads_options(o, "trim", files_of(o.primers), trim_written_files(o));
}

bool has_options_of_pairs(const TrimArguments& o) {
  return gives_pairs(o) || o.is_given("--pair-filter") || o.by_overlap.value_or(false) || o.pair_adapters;
}

TrimSettings trim_settings(const TrimArguments& o, bool paired) {
  if (!paired && has_options_of_pairs(o)) {
    throw UsageError(
        "options of second mates (-A, -G, -B, -U, -Q, -L, -p, --pair-filter, --pair-adapters, --by-overlap) need "
        "pairs: -1 and -2, two files, or --interleaved");
  }
  TrimSettings settings;
  settings.paired = paired;
  settings.quality_base = static_cast<int>(o.quality_base);
  if (o.nextseq) settings.nextseq = static_cast<int>(*o.nextseq);
  settings.times = o.times;
  settings.action = o.action;
  settings.revcomp = o.revcomp;
  settings.pair_adapters = o.pair_adapters;
  settings.read_wildcards = o.read_wildcards;
  settings.by_overlap = paired && o.by_overlap.value_or(!o.has_adapters() && !o.revcomp);
  settings.poly_a = o.poly_a;
  settings.trim_n = o.trim_n;
  std::optional<std::uint64_t> least[2];
  std::optional<std::uint64_t> most[2];
  take_lengths("-m", o.min_length, paired, least);
  take_lengths("-M", o.max_length, paired, most);
  for (const std::size_t mate : {0, 1}) {
    MateSettings& own = settings.mates[mate];
    take_cuts(mate == 0 ? "-u" : "-U", o.cuts[mate], own);
    const std::size_t with_quality = o.quality[mate].empty() ? 0 : mate;
    own.quality = quality_limits(with_quality == 0 ? "-q" : "-Q", o.quality[with_quality]);
    const std::size_t with_length = o.length[mate].empty() ? 0 : mate;
    if (!o.length[with_length].empty()) {
      own.length = whole_number(o.length[with_length]);
      if (!own.length) throw UsageError(fmt::format("-l {}: expected a whole number", o.length[with_length]));
    }
    own.min_length = o.min_length.empty() && settings.by_overlap ? std::optional<std::uint64_t>(1) : least[mate];
    own.max_length = most[mate];
  }
  settings.max_n = decimal("--max-n", o.max_n);
  settings.max_expected_errors = decimal("--max-expected-errors", o.max_errors);
  settings.max_error_rate = decimal("--max-aer", o.max_error_rate);
  settings.pair_filter = o.pair_filter;
  settings.discard_trimmed = o.discard_trimmed;
  settings.filter_untrimmed = o.discard_untrimmed || !o.untrimmed[0].empty();
  // Where one mate has no adapters, pairs would all be untrimmed.
  const bool one_sided = o.adapters[0].empty() != o.adapters[1].empty();
  settings.untrimmed_filter = one_sided ? PairFilter::both : o.pair_filter;
  settings.rows = !o.table.empty();
  return settings;
}

}  // namespace basesweep
