#include "trace_page.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph_text.hpp"
#include "page_template.hpp"
#include "pseudo_code.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The page draws machines of fewer processors.
constexpr std::uint64_t too_many_to_draw = std::uint64_t{1} << 12;

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string graph_of(const RunRecord& record) {
  const MachineSpec& machine = record.plan.machine;
  const bool is_drawn = !machine.medium && machine.processors < too_many_to_draw && record.facts.links <= most_written;
  return is_drawn ? node_link_text(machine) : "null";
}

Json medium_of(const MachineSpec& machine) {
  if (!machine.medium) return {};
  return machine.medium->kind == MediumKind::memory ? "memory" : machine.family;
}

std::string in_html(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

/// Puts a text in place of the first of its kind that begins and ends so.
void replace(std::string& page, std::string_view begin, std::string_view end, const std::string& text) {
  const std::size_t first = page.find(begin);
  const std::size_t last = page.find(end, first);
  if (last == std::string::npos) throw std::logic_error("cli/page/page.html has no " + std::string(begin));
  page.replace(first, last + end.size() - first, text);
}

}  // namespace

TracePage::TracePage(const std::string& title) : title_(printable(title, title.size())) {
  data_.add("{\"title\":" + text_of(title_) + ",\"runs\":[");
}

void TracePage::add(const TracedRun& run, const Json& report) {
  data_.add(is_empty_ ? "{\"report\":" : ",{\"report\":");
  is_empty_ = false;
  data_.add(text_of(report));
  data_.add(",\"summary\":" + text_of(run.plan().method->summary));
  data_.add(",\"graph\":" + graph_of(run.record));
  data_.add(",\"medium\":" + text_of(medium_of(run.plan().machine)));
  const std::optional<PseudoCode> code = pseudo_code_of(run.plan(), run.trace);
  data_.add(",\"code\":" + text_of(code ? json_of(*code) : Json()));
  data_.add(",\"trace\":");
  write_in_pieces([&run](std::ostream& out) { write_trace_json(run, out); }, PatientWait(),
                  [this](std::string_view piece) { data_.add(piece); });
  data_.add("}");
}

std::string TracePage::text() {
  data_.add("]}");
  std::string page(page_template());
  replace(page, "<title>", "</title>", "<title>" + in_html(title_) + "</title>");
  replace(page, "<!--lockstep-data", "-->",
          "<script id=\"lockstep-data\" type=\"application/octet-stream\">" + base64(data_.finish()) + "</script>");
  return page;
}

}  // namespace lockstep::cli
