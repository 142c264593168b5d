// The parts of a library's sequences that are not guides, and the names of guides.
#include "lib/guides/held_pam.hpp"

#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/guides/guide_names.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_held_pam {

namespace {

const std::string kGuide = "CTAACAGTTGCTTTTATCAC";  // 20 bases

std::vector<Pattern> patterns_of(const std::vector<std::string>& sequences) {
  std::vector<Pattern> patterns;
  for (const std::string& sequence : sequences) patterns.push_back({sequence, sequence});
  return patterns;
}

// The letters of the guides, and what the sequences held; or what was wrong.
std::string guides_of(const std::vector<std::string>& sequences, const std::vector<std::string>& pams = {"NGG"},
                      PamInGuide in_guide = PamInGuide::automatic, PamSide side = PamSide::three_prime) {
  try {
    const GuideSet guides(patterns_of(sequences), {pams, side, in_guide}, {});
    std::string text = guides.held_pam() == HeldPam::nothing ? "nothing"
                       : guides.held_pam() == HeldPam::pam   ? "pam"
                                                             : "placeholder";
    for (const Guide& guide : guides.guides()) text += " " + guide.letters;
    return text;
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

std::string names_of(std::vector<Pattern> patterns) {
  const GuideNames names = number_names(patterns);
  std::string text;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    text += (i == 0 ? "" : " ") + patterns[i].name;
    if (!names.repeats.empty() && names.repeats[i]) text += "*";
  }
  return text;
}

}  // namespace

TEST_CASE("a PAM is in the sequences if all have it beside 19 bases or more", "[guides]") {
  const std::string long_one = kGuide + "AGG";
  const std::string just = kGuide.substr(1) + "TGG";
  CHECK(guides_of({long_one}) == "pam " + kGuide);
  CHECK(guides_of({long_one, just}) == "pam " + kGuide + " " + kGuide.substr(1));
  const std::string shorter = kGuide.substr(2) + "TGG";  // 18 bases and the PAM
  CHECK(guides_of({shorter}) == "nothing " + shorter);
  CHECK(guides_of({long_one, kGuide}) == "nothing " + long_one + " " + kGuide);
  CHECK(guides_of({shorter}, {"NGG"}, PamInGuide::yes) == "pam " + kGuide.substr(2));
  CHECK(guides_of({long_one}, {"NGG"}, PamInGuide::no) == "nothing " + long_one);
  CHECK(guides_of({long_one}, {"NNN"}) == "nothing " + long_one);  // every sequence ends so
  CHECK(guides_of({long_one}, {"NNN"}, PamInGuide::yes) == "pam " + kGuide);
  CHECK(guides_of({"TTTA" + kGuide}, {"TTTV"}, PamInGuide::automatic, PamSide::five_prime) == "pam " + kGuide);
  CHECK(guides_of({"UUUA" + kGuide}, {"TTTV"}, PamInGuide::automatic, PamSide::five_prime) == "pam " + kGuide);
}

TEST_CASE("four short sequences that all end in the PAM are a question", "[guides]") {
  const auto ending_in_it = [](std::size_t count, std::size_t length) {
    std::vector<std::string> sequences;
    for (std::size_t i = 0; i < count; ++i) {
      std::string sequence = kGuide.substr(0, length - 3) + "TGG";
      sequence[i] = sequence[i] == 'A' ? 'C' : 'A';
      sequences.push_back(sequence);
    }
    return sequences;
  };
  CHECK(guides_of(ending_in_it(3, 20)).starts_with("nothing"));
  CHECK(guides_of(ending_in_it(4, 20)) ==
        "refused: all 4 guides end in the PAM NGG: is it a part of them? --pam-in-guide yes takes it off and searches "
        "for "
        "17 bases; --pam-in-guide no searches for all 20 bases");
  std::vector<std::string> same(9, ending_in_it(1, 20).front());
  CHECK(guides_of(same).starts_with("nothing"));
  CHECK(guides_of(ending_in_it(9, 17)).starts_with("nothing"));  // 14 bases are no guide
  std::vector<std::string> mixed = ending_in_it(3, 20);
  mixed.push_back(kGuide + "AGG");
  CHECK(
      guides_of(mixed).starts_with("refused: all 4 guides end in the PAM NGG: is it a part of them? --pam-in-guide yes "
                                   "takes it off and searches for 17 to 20 bases"));
}

TEST_CASE("codes in place of the PAM are no part of the guide", "[guides]") {
  for (const char* codes : {"NNN", "NRG", "NGR", "NKG", "INN"}) {
    CHECK(guides_of({kGuide + codes}) == "placeholder " + kGuide);
    CHECK(guides_of({kGuide.substr(5) + codes}) == "placeholder " + kGuide.substr(5));  // of any length
  }
  CHECK(guides_of({kGuide + "NGG"}) == "pam " + kGuide);
  CHECK(guides_of({kGuide + "NNN", kGuide + "TGG"}) == "placeholder " + kGuide + " " + kGuide);
  CHECK(guides_of({kGuide + "NAG"}) == "nothing " + kGuide + "NAG");  // which means another PAM
  CHECK(guides_of({kGuide + "NAG"}, {"NGG", "NAG"}) == "pam " + kGuide);
  CHECK(guides_of({kGuide + "NNNNNN"}, {"NGG", "NNGRRT"}) == "placeholder " + kGuide);
  CHECK(guides_of({kGuide + "NNN"}, {"NNN"}) == "pam " + kGuide);
  CHECK(guides_of({"NNNN" + kGuide}, {"TTTV"}, PamInGuide::automatic, PamSide::five_prime) == "placeholder " + kGuide);
  CHECK(
      guides_of({kGuide + "NNN", kGuide}).starts_with("refused: guide '" + kGuide + "NNN' ends in NNN, which stands"));
  CHECK(guides_of({kGuide + "NNN", kGuide}, {"NGG"}, PamInGuide::no).starts_with("nothing"));
  CHECK(guides_of({kGuide + "NNN", kGuide}, {"NGG"}, PamInGuide::yes).starts_with("refused: pattern '" + kGuide + "'"));
}

TEST_CASE("what was decided, in words", "[guides]") {
  const auto print = [](const std::vector<std::string>& sequences) {
    return print_held_pam(GuideSet(patterns_of(sequences), {{"NGG"}}, {}));
  };
  CHECK(print({kGuide}) == "guides are 20 bases, without PAM");
  CHECK(print({kGuide, kGuide.substr(2)}) == "guides are 18 to 20 bases, without PAM");
  CHECK(print({kGuide + "NGG"}) == "guides are 20 bases; the PAM NGG at the end of each sequence was taken off");
  CHECK(print({kGuide + "NNN"}) ==
        "guides are 20 bases; the placeholder of the PAM NGG at the end of each sequence was taken off");
}

TEST_CASE("a name stands for one sequence", "[guides]") {
  CHECK(names_of({{"a", "AC"}, {"b", "AG"}}) == "a b");
  CHECK(names_of({{"a", "AC"}, {"b", "AG"}, {"a", "AT"}}) == "a_1 b a_2");
  CHECK(names_of({{"a", "AC"}, {"a", "AC"}}) == "a a*");
  CHECK(names_of({{"a", "AC"}, {"a", "AG"}, {"a", "AC"}, {"a", "AG"}}) == "a_1 a_2 a_1* a_2*");
  CHECK(names_of({{"a", "AC"}, {"a_2", "AA"}, {"a", "AG"}, {"a", "AT"}}) == "a_1 a_2 a_3 a_4");
  CHECK(names_of({{"a_1", "AC"}, {"a", "AA"}, {"a", "AG"}, {"a_1", "AT"}}) == "a_1_1 a_2 a_3 a_1_2");
}

}  // namespace basesweep::test_held_pam
