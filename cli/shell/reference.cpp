#include "reference.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <optional>
#include <regex>
#include <string_view>
#include <tuple>

#include "host/in_html.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "learn/list_command.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/cost_presets.hpp"
#include "lockstep/machines/graph_text.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "texts/topic.hpp"

namespace lockstep::cli::shell {
namespace {

using texts::Topic;
using texts::topic_of;
using texts::TopicKind;
using texts::topics;

/// "broadcast/two-way" in the form that labels and file names take.
std::string as_label(std::string_view name) {
  std::string label(name);
  std::ranges::replace_if(
      label, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '-');
  return label;
}

std::string label_of(texts::TopicKind kind, std::string_view topic) {
  return std::string(name(kind)) + "-" + as_label(topic);
}

std::string tagged(const std::string& tag, const std::string& html) {
  return "<" + tag + ">" + html + "</" + tag + ">";
}

std::string link(const std::string& target, const std::string& html) {
  return "<a href=\"" + target + "\">" + html + "</a>";
}

/// Replaces each match by the function's result for it.
template <class MadeOf>
std::string replaced(const std::string& text, const std::regex& pattern, MadeOf made_of) {
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    result.append(rest, (*match)[0].first).append(made_of(*match));
    rest = (*match)[0].second;
  }
  return result.append(rest, text.cend());
}

/// The last part of a link to a heading, as docs/reference/labels.awk makes it.
std::string slug_of(const std::string& heading) {
  std::string slug;
  for (const char letter : heading) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-') {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (letter == ' ') {
      slug += '-';
    }
  }
  return slug;
}

bool is_method(std::string_view name) {
  return std::ranges::find(catalogue(), name, &Method::name) != catalogue().end();
}

/// Plain text, with `code`, names of methods, and sections of the papers' pages as links.
std::string html_of(std::string_view text) {
  static const std::regex code("`([^`]*)`"), method("[a-z-]+/[a-z0-9-]+"),
      section("([a-z0-9-]+)\\.md, ([^,;)]+?)(?= to [A-Z]|[,;)])");
  std::string html = host::in_html(text);
  html = replaced(html, method, [](const std::smatch& match) {
    return is_method(match.str()) ? link(label_of(texts::TopicKind::method, match.str()) + ".html", match.str())
                                  : match.str();
  });
  html = replaced(html, section, [](const std::smatch& match) {
    const std::string page = match.str(1);
    return link(page + ".html#" + page + "-" + slug_of(match.str(2)), match.str());
  });
  return replaced(html, code, [](const std::smatch& match) { return tagged("code", match.str(1)); });
}

/// HTML that Doxygen passes on unchanged.
std::string verbatim(const std::string& html) { return "\\htmlonly[block]\n" + html + "\n\\endhtmlonly\n\n"; }

ReferenceFile page(const std::string& label, const std::string& title, const std::string& body) {
  return {label + ".md", "# " + title + " {#" + label + "}\n\n" + body};
}

std::string entry(const std::string& term, const std::string& text, const std::string& id = "") {
  return "<dt" + (id.empty() ? "" : " id=\"" + id + "\"") + ">" + term + "</dt><dd>" + text + "</dd>\n";
}

std::string list(const std::string& entries) { return entries.empty() ? "" : tagged("dl", "\n" + entries); }

std::string text_of(const texts::Topic& topic) {
  std::vector<std::string> also = topic.also;
  std::erase(also, topic.name);
  std::string entries = also.empty() ? "" : entry("also", host::in_html(host::joined(also)));
  for (const auto& [title, text] : topic.sections) {
    if (!is_method(title)) entries += entry(host::in_html(title), html_of(text));
  }
  return (topic.summary.empty() ? "" : tagged("p", html_of(topic.summary)) + "\n") + list(entries);
}

/// An entry in the list of the pages below this one.
std::string below(const std::string& label, const std::string& title, std::string_view text) {
  return "- @subpage " + label + " \"" + title + "\"" +
         (text.empty() ? "" : " \\htmlonly " + html_of(text) + " \\endhtmlonly") + "\n";
}

/// The pages of a kind of topics, and an index page.
struct Chapter {
  std::string text;
  std::vector<ReferenceFile> files{};
};

std::vector<const Method*> methods_where(const std::function<bool(const Method&)>& is_wanted) {
  std::vector<const Method*> chosen;
  std::ranges::copy_if(catalogue(), std::back_inserter(chosen),
                       [&](const Method* method) { return is_wanted(*method); });
  return chosen;
}

/// One page for all catalogue entries of a name.
ReferenceFile page_of_method(std::string_view method_name) {
  std::string html;
  for (const Method* method : methods_where([&](const Method& one) { return one.name == method_name; })) {
    const auto called = [](auto element) { return name(element); };
    const std::string families = host::joined(method->families, [](std::string_view family) {
      return link(label_of(texts::TopicKind::machine, family) + ".html", std::string(family));
    });
    std::string parameters;
    for (const Parameter& parameter : method->parameters) {
      const std::string flag = label_of(texts::TopicKind::parameter, parameter.name);
      parameters +=
          entry(link("parameters.html#" + flag, "--" + std::string(parameter.name)),
                html_of(std::string(parameter.meaning) + " (default " + std::string(parameter.fallback) + ")"));
    }
    const std::string in_paper =
        method->known_as.empty() ? "" : ", &quot;" + host::in_html(method->known_as) + "&quot; in the paper";
    html += tagged("h2", "On " + families) + "\n" + text_of(texts::topic_of(*method)) +
            list(entry("operation", link(label_of(texts::TopicKind::operation, method->operation) + ".html",
                                         std::string(method->operation)) +
                                        in_paper) +
                 entry("port models", host::joined(method->port_models, called) + "; default " +
                                          std::string(name(method->defaults.ports))) +
                 entry("duplex", host::joined(duplex_forms(*method), called) + "; default " +
                                     std::string(name(method->defaults.duplex))) +
                 parameters);
  }
  return page(label_of(texts::TopicKind::method, method_name), std::string(method_name), verbatim(html));
}

Chapter operations() {
  Chapter chapter;
  for (const texts::Topic& topic : texts::topics()) {
    if (topic.kind != texts::TopicKind::operation) continue;
    std::string body = verbatim(text_of(topic));
    std::string_view last;
    for (const Method* method : methods_where([&](const Method& one) { return one.operation == topic.name; })) {
      if (method->name == last) continue;
      last = method->name;
      body += below(label_of(texts::TopicKind::method, last), std::string(last), method->summary);
      chapter.files.push_back(page_of_method(last));
    }
    const std::string label = label_of(texts::TopicKind::operation, topic.name);
    chapter.files.push_back(page(label, topic.name, body));
    chapter.text += below(label, topic.name, topic.also.empty() ? "" : topic.also.front());
  }
  return chapter;
}

std::string text_of(const MachineFacts& facts) {
  std::string entries = entry("processors", host::grouped(facts.processors)) +
                        entry("links", host::grouped(facts.links)) + entry("ports", host::grouped(facts.ports));
  if (facts.diameter) entries += entry("diameter", host::grouped(*facts.diameter));
  if (facts.average_distance) entries += entry("average distance", facts.average_distance->to_string());
  if (facts.bisection_width) entries += entry("bisection width", host::grouped(*facts.bisection_width));
  return list(entries) + tagged("pre", host::in_html(facts.picture));
}

/// The machines that the family's page shows; none for graphs, whose examples are files.
std::optional<MachineSpec> example_of(const MachineFamily& family) {
  if (family.name == "graph") return {};
  return parse_machine(family.example);
}

Chapter machines() {
  Chapter chapter;
  for (const MachineFamily& family : machine_families()) {
    const std::string label = label_of(texts::TopicKind::machine, family.name);
    const auto topic = std::ranges::find_if(texts::topics(), [&](const texts::Topic& one) {
      return one.kind == texts::TopicKind::machine && one.name == family.name;
    });
    std::string html = text_of(*topic);
    if (const auto example = example_of(family)) {
      html += tagged("h2", host::in_html(example->text)) + "\n";
      if (!example->medium) {
        chapter.files.push_back({label + ".dot", dot_text(*example)});
        html += "<p><img class=\"machine\" src=\"" + label + ".svg\" alt=\"the links of " +
                host::in_html(example->text) + "\"></p>\n";
      }
      html += text_of(facts(*example));
    }
    std::string methods;
    for (const Method* method : methods_where([&](const Method& one) { return is_for(one, family.name); })) {
      methods += tagged("li", html_of(method->name)) + "\n";
    }
    html += tagged("h2", "Methods") + "\n" + (methods.empty() ? tagged("p", "none") : tagged("ul", methods));
    chapter.files.push_back(page(label, family.name, verbatim(html)));
    chapter.text += below(label, family.name, family.summary);
  }
  return chapter;
}

Chapter subcommands_of(const flags::ShownCommand& command) {
  Chapter chapter;
  chapter.text =
      verbatim(tagged("p", host::in_html(command.description)) + tagged("pre", host::in_html(command.footer)));
  for (const flags::ShownCommand& each : command.subcommands) {
    const std::string label = "subcommand-" + each.name;
    std::string options;
    for (const flags::ShownOption& option : each.options) {
      const std::string type = option.type.empty() ? "" : " " + option.type;
      options += entry(tagged("code", host::in_html(option.names + type)), html_of(option.description),
                       label + "-" + as_label(option.name));
    }
    chapter.files.push_back(page(label, "lockstep " + each.name,
                                 verbatim(tagged("p", html_of(each.description)) + "\n" + list(options) +
                                          tagged("pre", host::in_html(each.footer)))));
    chapter.text += below(label, each.name, each.description);
  }
  return chapter;
}

/// All topics of a kind, one below the other.
std::string all_of(texts::TopicKind kind) {
  std::string index, html;
  for (const texts::Topic& topic : texts::topics()) {
    if (topic.kind != kind) continue;
    const std::string label = label_of(kind, topic.name);
    index += link("#" + label, host::in_html(topic.name)) + "\n";
    html += "<h2 id=\"" + label + "\">" + host::in_html(topic.name) + "</h2>\n" + text_of(topic) + "\n";
  }
  return verbatim("<p class=\"index\">" + index + "</p>\n" + html);
}

std::string presets() {
  std::string entries;
  for (const CostPreset& preset : cost_presets()) {
    entries += entry(host::in_html(preset.name), host::in_html(std::string(preset.machine) + "; " + preset.units()) +
                                                     "<br>" + tagged("code", learn::flags_of(preset.cost)) + "<br>" +
                                                     host::in_html(preset.source));
  }
  return verbatim(list(entries));
}

}  // namespace

std::vector<ReferenceFile> reference_files(const flags::ShownCommand& command) {
  std::vector<ReferenceFile> files{page("parameters", "Parameters of methods", all_of(texts::TopicKind::parameter)),
                                   page("terms", "Terms", all_of(texts::TopicKind::term)),
                                   page("errors", "Kinds of error", all_of(texts::TopicKind::error)),
                                   page("presets", "Cost presets", presets())};
  for (auto& [label, title, chapter] : std::vector<std::tuple<std::string, std::string, Chapter>>{
           {"commands", "Subcommands", subcommands_of(command)},
           {"operations", "Operations and methods", operations()},
           {"families", "Machine families", machines()}}) {
    files.push_back(page(label, title, chapter.text));
    std::ranges::move(chapter.files, std::back_inserter(files));
  }
  return files;
}

}  // namespace lockstep::cli::shell
