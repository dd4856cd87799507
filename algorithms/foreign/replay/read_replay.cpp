#include <algorithm>

#include "readers.hpp"
#include "word_lines.hpp"

namespace lockstep {
namespace {

/// The words of the first line that is no comment.
std::vector<std::string_view> first_words(const std::string& text) {
  const std::string name;
  replay::WordLines lines(name, text);
  while (lines.next()) {
    const std::string_view first = lines.words().front();
    if (!first.starts_with("#") && !first.starts_with("//")) return lines.words();
  }
  return {};
}

bool is_goal(const std::string& text) {
  const auto words = first_words(text);
  return !words.empty() && (words.front() == "num_ranks" || words.front().starts_with("/*"));
}

}  // namespace

bool is_replay(const std::string& text) {
  const auto words = first_words(text);
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  return is_goal(text) || (words.size() > 1 && std::ranges::all_of(words.front(), is_digit));
}

std::vector<std::string> files_of_trace_list(const std::string& text) {
  const auto words = first_words(text);
  const bool is_other = words.empty() || std::string_view("{[<").find(words.front().front()) != std::string_view::npos;
  if (is_other || is_replay(text)) return {};
  const std::string name;
  replay::WordLines lines(name, text);
  std::vector<std::string> files;
  while (lines.next()) {
    const std::string_view first = lines.words().front();
    const std::string_view last = lines.words().back();
    if (!first.starts_with("#")) files.emplace_back(first.data(), last.data() + last.size());
  }
  return files;
}

ReplayProgram read_replay(const std::vector<NamedText>& files, std::optional<std::uint64_t> word_bytes) {
  constexpr std::uint64_t bytes_of_goal = 1;
  constexpr std::uint64_t bytes_of_trace = 8;
  constexpr std::uint64_t most_bytes = 1'000'000'000;
  const bool goal = files.size() == 1 && is_goal(files.front().text);
  const std::uint64_t bytes = word_bytes.value_or(goal ? bytes_of_goal : bytes_of_trace);
  whole_number("word-bytes", bytes, 1, most_bytes);
  ReplayProgram program = goal ? replay::read_goal(files.front(), bytes) : replay::read_trace(files, bytes);
  program.word_bytes = bytes;
  return program;
}

}  // namespace lockstep
