// Advice about a command or an option that does not exist.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace basesweep {

// The end of the message about an option that the command does not have: "; did you mean '-m' (...)?", ": edits are for
// 'match'", or nothing. First by meaning (tools/meanings.hpp), then by spelling. `option`: "-k" or "--edits"; `value`:
// its value on the command line, if any.
std::string option_advice(const CLI::App& program, const CLI::App& command, const std::string& option,
                          const std::optional<std::string>& value);

// The same for an argument such as "in2=reads.fq", an option as BBTools write it; "" if it is none. `pairs`: others of
// the command line are of pairs.
std::string argument_advice(const CLI::App& program, const CLI::App& command, const std::string& word, bool pairs);

// The same for a command that is not one of `known`.
std::string command_advice(const std::string& word, const std::vector<std::string>& known);

// Whether a word with a single dash is meant as one option, as some programs have them: "-query", or "-count" for
// --count.
bool is_word_with_one_dash(const CLI::App& command, const std::string& word);

// The option of the command with this name, if it has one that help shows.
const CLI::Option* shown_option(const CLI::App& command, const std::string& name);

}  // namespace basesweep
