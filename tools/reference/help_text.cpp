#include "tools/reference/help_text.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace basesweep {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kTextColumn = 30;  // where the text of options and terms begins

std::vector<std::string> split(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

// Appends the text to a line of length `column`, wrapped at kWidth. Further lines begin with `indent` spaces.
void fill(std::string& page, std::size_t column, std::size_t indent, const std::string& text) {
  bool first = true;
  for (const std::string& word : split(text)) {
    if (!first && column + 1 + word.size() > kWidth) {
      page += '\n' + std::string(indent, ' ');
      column = indent;
      first = true;
    }
    page += (first ? "" : " ") + word;
    column += word.size() + (first ? 0 : 1);
    first = false;
  }
  page += '\n';
}

void add_paragraph(std::string& page, std::size_t indent, const std::string& text) {
  page += std::string(indent, ' ');
  fill(page, indent, indent, text);
}

// A name and its meaning, which begins at `column`, on the same line if there is room.
void add_term(std::string& page, const std::string& name, const std::string& meaning, std::size_t column) {
  page += "  " + name;
  std::size_t at = 2 + name.size();
  if (at + 2 > column) {
    page += '\n';
    at = 0;
  }
  page += std::string(column - at, ' ');
  fill(page, column, column, meaning);
}

// Meanings start at the same column, after the longest name, but not beyond kTextColumn.
void add_terms(std::string& page, const std::vector<Term>& terms) {
  std::size_t column = 0;
  for (const Term& term : terms) column = std::max(column, 2 + term.name.size() + 2);
  for (const Term& term : terms) add_term(page, term.name, term.meaning, std::min(column, kTextColumn));
}

void add_option(std::string& page, const OptionInfo& option) {
  const bool is_long = !option.is_argument() && option.names.front().starts_with("--");
  std::string name = is_long ? "    " : "";
  for (const std::string& one : option.names) name += (&one == &option.names.front() ? "" : ", ") + one;
  add_term(page, name + option.shown_value(), option.shown_text(), kTextColumn);
}

void add_commands(std::string& page, const CommandInfo& command) {
  std::size_t column = 0;
  for (const CommandInfo& below : command.commands) column = std::max(column, 2 + below.path.back().size() + 2);
  std::vector<std::string> groups;
  for (const CommandInfo& below : command.commands) {
    if (std::find(groups.begin(), groups.end(), below.group) == groups.end()) groups.push_back(below.group);
  }
  for (const std::string& group : groups) {
    page += "\n" + group + ":\n";
    for (const CommandInfo& below : command.commands) {
      if (below.group == group) add_term(page, below.path.back(), below.summary, column);
    }
  }
}

// The first examples, at most `count`.
void add_examples(std::string& page, const std::vector<Example>& examples, std::size_t count) {
  if (examples.empty()) return;
  page += "\nExamples:\n";
  for (std::size_t i = 0; i < std::min(count, examples.size()); ++i) {
    const Example& example = examples[i];
    page += "  # " + example.caption + "\n";
    for (const std::string& line : example.lines) page += "  " + line + "\n";
  }
}

// Adds the summary of the command and how it is called.
void add_head(std::string& page, const CommandInfo& command) {
  add_paragraph(page, 0, command.summary);
  page += '\n';
  for (const std::string& way : command.help.synopsis) {
    const std::string begin = (&way == &command.help.synopsis.front() ? "Usage: " : "       ") + command.name() + " ";
    page += begin;
    fill(page, begin.size(), begin.size(), way);
  }
  if (command.help.synopsis.empty()) page += "Usage: " + command.name() + " [OPTIONS]\n";
  for (const std::string& paragraph : command.help.about) {
    page += '\n';
    add_paragraph(page, 0, paragraph);
  }
  add_commands(page, command);
  if (!command.arguments.empty()) page += "\nArguments:\n";
  for (const OptionInfo& argument : command.arguments) add_option(page, argument);
}

// The options that the usage lines name: "-k" and "-e" of "{-k N | -e RATE}".
std::vector<std::string> options_of_usage(const CommandInfo& command) {
  std::vector<std::string> options;
  for (const std::string& way : command.help.synopsis) {
    for (const std::string& word : split(way)) {
      const std::size_t dash = word.find_first_not_of("{[(");
      if (dash == std::string::npos || word[dash] != '-') continue;
      options.push_back(word.substr(dash, word.find_first_of("}])", dash) - dash));
    }
  }
  return options;
}

// Whether -h shows the option: it is one of the most used, or the usage lines name it.
bool is_most_used(const OptionInfo& option, const CommandInfo& command) {
  std::vector<std::string> shown = command.help.most_used;
  if (shown.empty()) return true;
  const std::vector<std::string> of_usage = options_of_usage(command);
  shown.insert(shown.end(), of_usage.begin(), of_usage.end());
  return std::any_of(option.names.begin(), option.names.end(), [&shown](const std::string& name) {
    return std::find(shown.begin(), shown.end(), name) != shown.end();
  });
}

}  // namespace

std::string print_short_help(const CommandInfo& command) {
  std::string page;
  add_head(page, command);
  page += "\nOptions:\n";
  for (const OptionInfo& option : command.options()) {
    if (is_most_used(option, command)) add_option(page, option);
  }
  add_examples(page, command.help.examples, 2);
  page += '\n';
  add_paragraph(page, 0, "'" + command.name() + " --help' shows everything.");
  return page;
}

std::string print_help(const CommandInfo& command) {
  std::string page;
  add_head(page, command);
  for (const OptionGroup& group : command.groups) {
    page += "\n" + group.title + ":\n";
    for (const OptionInfo& option : group.options) add_option(page, option);
  }
  for (const HelpSection& section : command.help.sections) {
    page += "\n" + section.title + ":\n";
    for (const std::string& paragraph : section.paragraphs) add_paragraph(page, 2, paragraph);
    add_terms(page, section.terms);
  }
  add_examples(page, command.help.examples, command.help.examples.size());
  if (!command.help.exit_codes.empty()) page += "\nExit codes:\n";
  add_terms(page, command.help.exit_codes);
  return page;
}

}  // namespace basesweep
