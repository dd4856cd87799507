// Reading and writing numbers as text, and broadcasts of them (--input, --output).
#include "lockstep/algorithms/number_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include "data_directory.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "method_run.hpp"

namespace lockstep::number_file_test {
namespace {

namespace fs = std::filesystem;

Word word(std::int64_t number) { return std::bit_cast<Word>(number); }
Word word(double number) { return std::bit_cast<Word>(number); }

class NumberFile : public DataDirectory {
 protected:
  std::string refusal_of_text(const std::string& text, std::uint64_t most = most_words) const {
    const std::string name = file("bad", text);
    std::string refusal = refusal_of([&] { read_numbers(name, {.most = most}); });
    EXPECT_EQ(refusal_of([&] { scan_numbers(name, {.most = most}); }), refusal);
    return refusal;
  }
};

TEST_F(NumberFile, HasIntegersWhereAllNumbersAre) {
  const std::string name = file("numbers", "  3 -4\n\n9223372036854775807\t-9223372036854775808\r\n007");
  const Numbers numbers = read_numbers(name);
  EXPECT_EQ(numbers.type, NumberType::int64);
  EXPECT_EQ(numbers.words, (std::vector<Word>{3, word(std::int64_t{-4}), word(std::numeric_limits<std::int64_t>::max()),
                                              word(std::numeric_limits<std::int64_t>::min()), 7}));
  EXPECT_EQ(scan_numbers(name).count, 5U);
}

TEST_F(NumberFile, HasDoublesWhereOneNumberIs) {
  const Numbers numbers = read_numbers(file("numbers", "3\n-0.5 1e3\n"));
  EXPECT_EQ(numbers.type, NumberType::float64);
  EXPECT_EQ(numbers.words, (std::vector<Word>{word(3.0), word(-0.5), word(1000.0)}));
}

TEST_F(NumberFile, IsReadAsTheTypeThatIsAskedFor) {
  const std::string whole = file("whole", "3 -4");
  const Numbers doubles = read_numbers(whole, {.type = NumberType::float64});
  EXPECT_EQ(doubles.type, NumberType::float64);
  EXPECT_EQ(doubles.words, (std::vector<Word>{word(3.0), word(-4.0)}));
  EXPECT_EQ(scan_numbers(whole).type, NumberType::int64);
  EXPECT_EQ(scan_numbers(whole, {.type = NumberType::float64}).type, NumberType::float64);

  const std::string mixed = file("mixed", "3\n-4.5");
  EXPECT_EQ(scan_numbers(mixed).type, NumberType::float64);
  EXPECT_EQ(refusal_of([&] { scan_numbers(mixed, {.type = NumberType::int64}); }),
            "mixed, line 2: '-4.5' is no int64; use --type double");
}

TEST_F(NumberFile, MayBeEmptyWhereThatIsAllowed) {
  for (const char* text : {"", " \n"}) {
    EXPECT_EQ(scan_numbers(file("empty", text), {.may_be_empty = true}).count, 0U);
    EXPECT_TRUE(read_numbers(path("empty"), {.may_be_empty = true}).words.empty());
  }
}

TEST_F(NumberFile, NamesTheLineAndTheTextThatIsWrong) {
  EXPECT_EQ(refusal_of_text("1 2\n3 four 5\n"), "bad, line 2: 'four' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text("1,2"), "bad, line 1: '1,2' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text("0x10"), "bad, line 1: '0x10' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text("+1"), "bad, line 1: '+1' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text("1\n\n\n1.5.2"), "bad, line 4: '1.5.2' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text("1\nnan"), "bad, line 2: 'nan' is not finite");
  EXPECT_EQ(refusal_of_text("-inf"), "bad, line 1: '-inf' is not finite");
  EXPECT_EQ(refusal_of_text("1e999"), "bad, line 1: '1e999' is out of a double's range");
  EXPECT_EQ(refusal_of_text("9223372036854775808"), "bad, line 1: '9223372036854775808' does not fit 64 bits");
  EXPECT_EQ(refusal_of_text(std::string("\x1b[2J\0", 5)), "bad, line 1: '?[2J?' is no number, such as -7 or 1.5e3");
  EXPECT_EQ(refusal_of_text(std::string(1000, 'x')), "bad, line 1: '" + std::string(66, 'x') + "..." +
                                                         std::string(31, 'x') + "' is no number, such as -7 or 1.5e3");
}

TEST_F(NumberFile, IsRefusedWhereItCannotBeRead) {
  EXPECT_EQ(refusal_of_text(""), "bad has no numbers");
  EXPECT_EQ(refusal_of_text(" \n\t\n"), "bad has no numbers");
  EXPECT_EQ(refusal_of_text("1 2 3", 2), "bad has more than 2 numbers");
  EXPECT_EQ(refusal_of_text("1 2 3", 3), "");
  EXPECT_EQ(refusal_of([&] { read_numbers(path("none")); }), "cannot read 'none': No such file or directory");
  fs::create_directory(path("inside"));
  EXPECT_EQ(refusal_of([&] { read_numbers(path("inside")); }), "cannot read 'inside': it is a directory");
  EXPECT_EQ(refusal_of([] { read_numbers("/dev/null"); }),
            "cannot read '/dev/null': it is no regular file, and it has to be read several times");
}

TEST_F(NumberFile, IsReadAsItWasWritten) {
  const std::vector<Word> whole{0, 1, word(std::int64_t{-1}), word(std::numeric_limits<std::int64_t>::min())};
  write_numbers(path("whole"), whole, NumberType::int64);
  EXPECT_EQ(text_of(path("whole")), "0\n1\n-1\n-9223372036854775808\n");
  EXPECT_EQ(read_numbers(path("whole")).words, whole);
  EXPECT_EQ(read_numbers(path("whole")).type, NumberType::int64);

  const std::vector<Word> doubles{word(1.0), word(-0.0), word(0.1), word(1e300), word(-1.0 / 3)};
  write_numbers(path("doubles"), doubles, NumberType::float64);
  EXPECT_EQ(text_of(path("doubles")), "1.0\n-0.0\n0.1\n1e+300\n-0.3333333333333333\n");
  EXPECT_EQ(read_numbers(path("doubles")).words, doubles);
  EXPECT_EQ(read_numbers(path("doubles")).type, NumberType::float64);

  // A file is replaced, also through a link, and nothing else is left behind.
  fs::create_symlink("whole", path("link"));
  write_numbers(path("link"), std::vector<Word>{5}, NumberType::int64);
  EXPECT_EQ(text_of(path("whole")), "5\n");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(files(), (std::vector<std::string>{"doubles", "link", "whole"}));
}

TEST_F(NumberFile, IsRefusedWhereItCannotBeWritten) {
  const auto refusal = [&](const std::string& name) { return refusal_of([&] { check_writable(name); }); };
  fs::create_directory(path("inside"));
  EXPECT_EQ(refusal(path("new")), "");
  EXPECT_EQ(refusal(""), "cannot write '': the name is empty");
  EXPECT_EQ(refusal("-"), "cannot write '-': data goes to a file with a name, not to standard output");
  EXPECT_EQ(refusal(path("inside")), "cannot write 'inside': it is a directory");
  EXPECT_EQ(refusal(path("none/new")), "cannot write 'none/new': No such file or directory");
  EXPECT_EQ(refusal("/dev/null"), "cannot write '/dev/null': it is no regular file");
}

using BroadcastFile = NumberFile;

TEST_F(BroadcastFile, IsWhatAllHoldAndWhatIsWritten) {
  Settings settings;
  settings.input = file("in", "3 1.5\n-2\n");
  settings.output = path("out");
  for (const auto& [name, machine] : {std::pair("broadcast/sbt", "hypercube:3"), std::pair("broadcast/drbt", "rh:2,1"),
                                      std::pair("broadcast/drbt", "hypercube:0")}) {
    SCOPED_TRACE(std::string(name) + " on " + machine);
    settings.words.reset();
    const Report report = [&, machine = machine, name = name] {
      const Outcome outcome = BuiltMachine(machine).run(name, model_of(PortModel::one), settings);
      EXPECT_EQ(outcome.wrong, "");
      return outcome.report;
    }();
    EXPECT_EQ(report.words, report.messages * 3);
    EXPECT_EQ(report.peak_words_held, 3U);
    EXPECT_EQ(text_of(path("out")), "3.0\n1.5\n-2.0\n");
    EXPECT_EQ(files(), (std::vector<std::string>{"in", "out"}));
    fs::remove(path("out"));
  }
}

TEST_F(BroadcastFile, IsWrittenOfGeneratedDataToo) {
  Settings settings = item_settings(4, 1);
  settings.output = path("out");
  EXPECT_EQ(BuiltMachine("hypercube:2").run("broadcast/sbt", model_of(PortModel::one), settings).wrong, "");
  const Numbers written = read_numbers(path("out"));
  EXPECT_EQ(written.type, NumberType::int64);
  EXPECT_EQ(written.words.size(), 4U);
}

TEST_F(BroadcastFile, IsNotWrittenByARunThatWentWrong) {
  Settings settings;
  settings.input = file("in", "1 2 3");
  settings.output = file("out", "old");
  const BuiltMachine machine("hypercube:3");
  const Outcome outcome =
      machine.run("broadcast/sbt", model_of(PortModel::one), settings, Fault{FaultKind::corrupt, 6});
  EXPECT_EQ(outcome.wrong, "rank 7 holds 3 words of 3, the first 1 right");
  EXPECT_THROW(machine.run("broadcast/sbt", model_of(PortModel::one), settings, Fault{FaultKind::drop, 0}), RunError);
  EXPECT_EQ(text_of(path("out")), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"in", "out"}));
}

TEST_F(BroadcastFile, SaysHowManyWordsFit) {
  const auto refusal_of_run = [&](const std::string& input, std::optional<std::uint64_t> words,
                                  const std::string& output) {
    Settings settings;
    settings.input = input;
    settings.words = words;
    if (!output.empty()) settings.output = output;
    return refusal_of([&] { find_method("broadcast/drbt", "rh").resolve(parse_machine("rh:2,1"), {}, settings); });
  };
  const std::string seven = file("seven", "1 2 3 4 5 6 7");
  EXPECT_EQ(refusal_of_run(seven, 5, ""), "--words 5 does not fit seven, which has 7 numbers");
  EXPECT_EQ(refusal_of_run(seven, 7, ""), "");
  EXPECT_EQ(refusal_of_run(seven, {}, path("out")), "");
  EXPECT_EQ(refusal_of_run(file("one", "1"), 2, ""), "--words 2 does not fit one, which has 1 number");
  EXPECT_EQ(refusal_of_run(path("none"), {}, ""), "cannot read 'none': No such file or directory");
  EXPECT_EQ(refusal_of_run(seven, {}, path("none/out")), "cannot write 'none/out': No such file or directory");
}

// The oracle reads the file itself: a file that changes during the run is noticed.
TEST_F(BroadcastFile, IsReadAgainByTheOracle) {
  Settings settings;
  settings.input = file("in", "1 2 3");
  const BuiltMachine machine("hypercube:2");
  const Method& method = machine.method("broadcast/sbt");
  method.resolve(machine.spec, {}, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  const auto run = [&](const char* during) {
    file("in", "1 2 3");
    RunOptions options;
    options.on_barrier = [&](const Progress&) { file("in", during); };
    return method.run({machine.spec, machine.topology, method.defaults, settings, *executor, options, {}}).wrong;
  };
  EXPECT_EQ(run("1 2 3"), "");
  EXPECT_EQ(run("1 9 3"), "rank 0 holds 3 words of 3, the first 1 right");
  EXPECT_EQ(run("1 2"), "rank 0 holds 3 words of 2, the first 2 right");
}

TEST_F(BroadcastFile, IsNamedPrintablyWhereItHasChangedBeforeTheRun) {
  const BuiltMachine machine("hypercube:2");
  const auto executor = make_executor(ExecutorKind::sequential);
  for (const char* const name : {"broadcast/sbt", "scatter/sbt", "reduce/tree"}) {
    Settings settings;
    settings.input = file("a\nb", "1 2 3 4");
    const Method& method = machine.method(name);
    method.resolve(machine.spec, method.defaults, settings);
    file("a\nb", "1 2");
    const auto run = [&] {
      method.run({machine.spec, machine.topology, method.defaults, settings, *executor, {}, {}});
    };
    EXPECT_EQ(refusal_of(run), "a?b has changed meanwhile") << name;
  }
}

}  // namespace
}  // namespace lockstep::number_file_test
