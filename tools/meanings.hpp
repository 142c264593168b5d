// The meanings of words of a command line, in this program and in others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// The kind of value that a word is given with, where its meaning depends on that: -m is a number of mismatches or a
// file of matrices.
enum class ValueKind { any, number, text };

// Advice for one command, or for all that search ("").
struct CommandAdvice {
  std::string_view command;
  std::string_view text;
};

// One thing that options are about.
struct Meaning {
  // The words that people write for it: options of this program by their long names, which include the short ones, and
  // options of other programs (seqkit, cutadapt, bowtie, BBDuk, BLAST, FIMO, CRISPRitz and more). Words of more than a
  // letter are in lower case here, with - in place of _.
  std::vector<std::string_view> words;
  // The options of this program that mean it, each by its long name, with a value where one is needed. The first that
  // a command has is suggested.
  std::vector<std::string_view> options{};
  ValueKind value = ValueKind::any;
  // For commands that have none of the options.
  std::vector<CommandAdvice> advice{};
};

std::span<const Meaning> meanings();

// The option that a word `key=value` without dashes means, as BBTools write them: "--adapters" of "ref".
std::string option_meant(std::string_view key);

// The command that does what others call by this word; "" if none is known.
std::string_view command_meant(std::string_view word);

}  // namespace basesweep
