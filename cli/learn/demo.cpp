#include "demo.hpp"

#include <algorithm>
#include <sstream>

#include "demo_code.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "texts/reader.hpp"

namespace lockstep::cli::learn {
namespace {

using texts::Entry;
using texts::Field;

/// A demonstration: the name of its text file, and the parts that are code.
struct DemoSource {
  std::string_view name;
  std::vector<DemoProgram> (*programs)() = nullptr;
  std::string (*finale)(const std::atomic<bool>& stop) = nullptr;
};

/// In the order of the list.
constexpr DemoSource sources[] = {{.name = "broadcast-hypercube"},
                                  {.name = "tea1-tea2"},
                                  {.name = "disjoint-paths"},
                                  {.name = "total-exchange-torus"},
                                  {.name = "rh-scan"},
                                  {.name = "rh-sort"},
                                  {.name = "mpt"},
                                  {.name = "gray-transposition"},
                                  {.name = "six-machines", .finale = learn::six_machines_times},
                                  {.name = "bus-switch"},
                                  {.name = "one-all-ports"},
                                  {.name = "pipelining", .finale = learn::pipelining_curve},
                                  {.name = "port-violation", .programs = learn::port_violation_programs},
                                  {.name = "channel-overflow", .programs = learn::channel_overflow_programs},
                                  {.name = "deadlock", .programs = learn::deadlock_programs},
                                  {.name = "any-threads", .finale = learn::thread_digests}};

/// The exhibit of a field "show: `lockstep trace --machine ..`: title".
Exhibit shown_run(const texts::Entry& entry, const texts::Field& field) {
  texts::Quotation command = texts::quotation(entry, field);
  std::istringstream words(command.command);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  if (arguments.empty() || arguments.front() != "trace") entry.refuse(field, "only `lockstep trace ..` is shown");
  arguments.erase(arguments.begin());
  return {.title = std::move(command.said), .arguments = std::move(arguments)};
}

std::vector<Exhibit> exhibits_in(texts::Entry& entry, std::vector<DemoProgram> programs) {
  std::vector<Exhibit> exhibits;
  auto program = programs.begin();
  for (texts::Field& field : entry.take_all({"show", "program"})) {
    if (field.label == "show") {
      exhibits.push_back(shown_run(entry, field));
      continue;
    }
    if (program == programs.end()) entry.refuse(field, "there is no such program");
    program->lines = std::move(field.code);
    exhibits.push_back({.title = std::move(field.text), .program = std::move(*program++)});
  }
  if (exhibits.empty()) entry.refuse("nothing is shown");
  if (program != programs.end()) entry.refuse("a program is not shown");
  return exhibits;
}

std::vector<Sentence> sentences_in(texts::Entry& entry) {
  std::vector<Sentence> sentences;
  for (std::size_t step = 1;; ++step) {
    auto field = entry.take_if_any("step " + std::to_string(step));
    if (!field) return sentences;
    sentences.push_back({step, std::move(field->text)});
  }
}

Demo demo_of(const DemoSource& source) {
  std::vector<texts::Entry> entries = texts::entries_below("demos/" + std::string(source.name) + ".md");
  texts::Entry& entry = entries.front();
  if (entries.size() > 1) entries[1].refuse("a demonstration is one entry");
  Demo demo{.name = std::string(source.name),
            .title = entry.heading(),
            .summary = entry.take("summary").text,
            .introduction = entry.take("introduction").text,
            .exhibits = exhibits_in(entry, source.programs == nullptr ? std::vector<DemoProgram>() : source.programs()),
            .sentences = sentences_in(entry),
            .ending = entry.take("ending").text,
            .question = entry.take("question").text,
            .answer = entry.take("answer").text,
            .finale = source.finale};
  for (texts::Field& note : entry.take_all({"note"})) demo.notes.push_back(std::move(note.text));
  entry.expect_no_more();
  return demo;
}

}  // namespace

const std::vector<Demo>& demos() {
  static const std::vector<Demo> all = [] {
    std::vector<Demo> made;
    std::ranges::transform(sources, std::back_inserter(made), demo_of);
    return made;
  }();
  return all;
}

const Demo& find_demo(std::string_view name) {
  std::vector<std::string> names;
  for (const Demo& demo : demos()) {
    if (is_same_name(name, demo.name)) return demo;
    names.emplace_back(demo.name);
  }
  throw InputError("no demonstration is named " + quoted(name) + did_you_mean(name, names) +
                   " (lockstep demo lists them)");
}

}  // namespace lockstep::cli::learn
