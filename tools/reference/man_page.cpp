#include "tools/reference/man_page.hpp"

#include <fmt/format.h>

#include <cctype>

#include "lib/base/letter_case.hpp"

namespace basesweep {
namespace {

// Escapes text for roff. Dashes and quotes that can be typed into a shell stay ASCII.
std::string roff(const std::string& text) {
  std::string escaped;
  if (text.starts_with('.') || text.starts_with('\'')) escaped = "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\': escaped += "\\e"; break;
      case '-': escaped += "\\-"; break;
      case '\'': escaped += "\\(aq"; break;
      case '`': escaped += "\\(ga"; break;
      case '^': escaped += "\\(ha"; break;
      case '~': escaped += "\\(ti"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }

bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// Ends text that begins like a sentence with a full stop.
std::string with_full_stop(const std::string& text) {
  return text + (text.empty() || text.ends_with('.') || is_lower(text.front()) ? "" : ".");
}

void add_section(std::string& page, const std::string& title) {
  page += fmt::format(".SH {}\n", roff(upper_case(title)));
}

// The first paragraph after a heading needs no macro.
void add_paragraphs(std::string& page, const std::vector<std::string>& paragraphs) {
  for (const std::string& paragraph : paragraphs) {
    page += (&paragraph == &paragraphs.front() ? "" : ".PP\n") + roff(paragraph) + "\n";
  }
}

void add_terms(std::string& page, const std::vector<Term>& terms) {
  for (const Term& term : terms)
    page += fmt::format(".TP\n{}\n{}\n", bold(term.name), roff(with_full_stop(term.meaning)));
}

void add_section_of_terms(std::string& page, const char* title, const std::vector<Term>& terms) {
  if (terms.empty()) return;
  add_section(page, title);
  add_terms(page, terms);
}

void add_option(std::string& page, const OptionInfo& option) {
  page += ".TP\n";
  for (const std::string& name : option.names) page += (&name == &option.names.front() ? "" : ", ") + bold(name);
  const std::string value = option.shown_value();
  if (!value.empty()) page += "\\fI" + roff(value) + "\\fR";
  page += "\n" + roff(with_full_stop(option.shown_text())) + "\n";
}

void add_synopsis(std::string& page, const CommandInfo& command) {
  add_section(page, "Synopsis");
  std::vector<std::string> ways = command.help.synopsis;
  if (ways.empty()) ways.emplace_back("[OPTIONS]");
  for (const std::string& way : ways) {
    if (&way != &ways.front()) page += ".br\n";
    page += bold(command.name()) + " " + roff(way) + "\n";
  }
}

void add_commands(std::string& page, const CommandInfo& command) {
  if (command.commands.empty()) return;
  add_section(page, "Commands");
  for (const CommandInfo& below : command.commands) {
    page += fmt::format(".TP\n{}(1)\n{}\n", bold(below.name("-")), roff(with_full_stop(below.summary)));
  }
}

void add_options(std::string& page, const CommandInfo& command) {
  add_section(page, "Options");
  for (const OptionInfo& argument : command.arguments) add_option(page, argument);
  for (const OptionGroup& group : command.groups) {
    page += fmt::format(".SS {}\n", roff(group.title));
    for (const OptionInfo& option : group.options) add_option(page, option);
  }
}

void add_examples(std::string& page, const std::vector<Example>& examples) {
  if (examples.empty()) return;
  add_section(page, "Examples");
  for (const Example& example : examples) {
    if (&example != &examples.front()) page += ".PP\n";
    page += roff(example.caption) + ":\n.PP\n.RS 4\n.nf\n";
    for (const std::string& line : example.lines) page += roff(line) + "\n";
    page += ".fi\n.RE\n";
  }
}

void add_see_also(std::string& page, const CommandInfo& command) {
  std::vector<std::string> pages;
  if (command.path.size() > 1) pages.push_back(command.path.front());
  for (const std::string& other : command.help.see_also) pages.push_back(command.path.front() + "-" + other);
  for (const CommandInfo& below : command.commands) pages.push_back(below.name("-"));
  if (pages.empty()) return;
  add_section(page, "See also");
  for (const std::string& other : pages) {
    page += fmt::format(".BR {} (1){}\n", roff(other), &other == &pages.back() ? "" : ",");
  }
}

}  // namespace

std::string print_man_page(const CommandInfo& command) {
  std::string page = fmt::format(
      ".\\\" Made by 'basesweep man' from the definitions of the options.\n"
      ".TH {} 1 {} \"basesweep {}\" \"User Commands\"\n",
      roff(upper_case(command.name("-"))), BASESWEEP_DATE, BASESWEEP_VERSION);
  add_section(page, "Name");
  std::string summary = command.summary;
  summary.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(summary.front())));
  page += roff(command.name("-")) + " \\- " + roff(summary) + "\n";
  add_synopsis(page, command);
  add_section(page, "Description");
  std::vector<std::string> paragraphs = {with_full_stop(command.summary)};
  paragraphs.insert(paragraphs.end(), command.help.about.begin(), command.help.about.end());
  add_paragraphs(page, paragraphs);
  add_commands(page, command);
  add_options(page, command);
  for (const HelpSection& section : command.help.sections) {
    add_section(page, section.title);
    add_paragraphs(page, section.paragraphs);
    add_terms(page, section.terms);
  }
  add_section_of_terms(page, "Exit status", command.help.exit_codes);
  add_section_of_terms(page, "Environment", command.help.environment);
  add_section_of_terms(page, "Files", command.help.files);
  add_examples(page, command.help.examples);
  add_see_also(page, command);
  return page;
}

}  // namespace basesweep
