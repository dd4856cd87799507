#include "setting_flags.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "json_value.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "lockstep/core/printable.hpp"
#include "number_text.hpp"
#include "value_option.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// "sum, min, ... or concat".
std::string listed_operators() {
  std::string text;
  for (const Operator& known : operators()) {
    if (!text.empty()) text += &known == &operators().back() ? " or " : ", ";
    text += known.name;
  }
  return text;
}

MatrixSize parse_matrix_size(const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) {
    throw InputError("--matrix " + lockstep::quoted(text) + " is not of the form PxQ, rows x columns, e.g. 64x128");
  }
  return {parse_whole_number("--matrix", text.substr(0, cross), 1, most_words),
          parse_whole_number("--matrix", text.substr(cross + 1), 1, most_words)};
}

const std::string operator_names = listed_operators();

const std::array flags{
    SettingFlag{
        "words", "W", "length of the data in words; what exactly is in `lockstep list algorithms`",
        [](Settings& settings, const std::string& text) { settings.words = parse_whole_number("--words", text); },
        [](const Settings& settings) { return json_of(settings.words); }},
    SettingFlag{
        "packets", "NU", "packets in which a pipelined method sends the data (default: the best for the costs)",
        [](Settings& settings, const std::string& text) { settings.packets = parse_whole_number("--packets", text); },
        [](const Settings& settings) { return json_of(settings.packets); }},
    SettingFlag{"root", "R", "rank at which the operation starts or ends, decimal or binary (0b1010)",
                [](Settings& settings, const std::string& text) { settings.root = parse_rank("--root", text); },
                [](const Settings& settings) { return json_of(settings.root); }},
    SettingFlag{"source", "A", "rank that sends, decimal or binary",
                [](Settings& settings, const std::string& text) { settings.source = parse_rank("--source", text); },
                [](const Settings& settings) { return json_of(settings.source); }},
    SettingFlag{
        "destination", "B", "rank that is sent to, decimal or binary (default: the farthest)",
        [](Settings& settings, const std::string& text) { settings.destination = parse_rank("--destination", text); },
        [](const Settings& settings) { return json_of(settings.destination); }},
    SettingFlag{"hub", "H", "node of a building block that collects its total: 0 or 2^K - 1",
                [](Settings& settings, const std::string& text) { settings.hub = parse_rank("--hub", text); },
                [](const Settings& settings) { return json_of(settings.hub); }},
    SettingFlag{
        "arrivals", "C", "processors arrive at random in the cycles 0 to C (default 0)",
        [](Settings& settings, const std::string& text) { settings.arrivals = parse_whole_number("--arrivals", text); },
        [](const Settings& settings) { return json_of(settings.arrivals); }},
    SettingFlag{"order", "NAME", "order in which a processor serves its children",
                [](Settings& settings, const std::string& text) { settings.order = text; },
                [](const Settings& settings) { return json_of(settings.order); }},
    SettingFlag{"move", "NAME", "how blocks get to one subblock and back: combine or packets",
                [](Settings& settings, const std::string& text) { settings.move = text; },
                [](const Settings& settings) { return json_of(settings.move); }},
    SettingFlag{"pattern", "NAME|FILE",
                "who sends to whom: gather, scatter, complement, bit-reversal, rotate-half, shift-one, or a file of "
                "lines `from to`",
                [](Settings& settings, const std::string& text) { settings.pattern = text; },
                [](const Settings& settings) { return json_of(settings.pattern); }},
    SettingFlag{"schedules", "NAMES",
                "schedule of each factor, in order, or one for all: factor, cayley, greedy (default: chosen)",
                [](Settings& settings, const std::string& text) { settings.schedules = text; },
                [](const Settings& settings) { return json_of(settings.schedules); }},
    SettingFlag{
        "tries", "N", "ways that a search tries before it gives a length up (default 100000)",
        [](Settings& settings, const std::string& text) { settings.tries = parse_whole_number("--tries", text); },
        [](const Settings& settings) { return json_of(settings.tries); }},
    SettingFlag{"time-limit", "SECONDS", "time after which a search takes the best that it has found (default 10)",
                [](Settings& settings, const std::string& text) {
                  settings.time_limit = parse_whole_number("--time-limit", text);
                },
                [](const Settings& settings) { return json_of(settings.time_limit); }},
    SettingFlag{"matrix", "PxQ", "rows x columns of the matrix",
                [](Settings& settings, const std::string& text) { settings.matrix = parse_matrix_size(text); },
                [](const Settings& settings) { return settings.matrix ? Json(to_string(*settings.matrix)) : Json(); }},
    SettingFlag{"packet-words", "B", "words of a full packet of a pipelined transposition or permutation",
                [](Settings& settings, const std::string& text) {
                  settings.packet_words = parse_whole_number("--packet-words", text);
                },
                [](const Settings& settings) { return json_of(settings.packet_words); }},
    SettingFlag{
        "trees", "K", "spanning trees among which every block is divided",
        [](Settings& settings, const std::string& text) { settings.trees = parse_whole_number("--trees", text); },
        [](const Settings& settings) { return json_of(settings.trees); }},
    SettingFlag{
        "rounds", "K", "rounds in which a processor sends two packets on each of its paths",
        [](Settings& settings, const std::string& text) { settings.rounds = parse_whole_number("--rounds", text); },
        [](const Settings& settings) { return json_of(settings.rounds); }},
    SettingFlag{
        "sources", "L", "2^L processors hold all data before some-to-all, or after all-to-some",
        [](Settings& settings, const std::string& text) { settings.sources = parse_whole_number("--sources", text); },
        [](const Settings& settings) { return json_of(settings.sources); }},
    SettingFlag{"copy-threshold", "WORDS", "blocks shorter than this are gathered before they are sent",
                [](Settings& settings, const std::string& text) {
                  settings.copy_threshold = parse_whole_number("--copy-threshold", text);
                },
                [](const Settings& settings) { return json_of(settings.copy_threshold); }},
    SettingFlag{
        "gather", "on|off", "blocks of a message are gathered in a buffer and sent as one (default off)",
        [](Settings& settings, const std::string& text) { settings.gather = parse_switch("--gather", text); },
        [](const Settings& settings) { return settings.gather ? Json(*settings.gather ? "on" : "off") : Json(); }},
    SettingFlag{"from", "FORM", "storage form before a conversion, e.g. row-cyclic or 2d:cyclic,gray:consecutive",
                [](Settings& settings, const std::string& text) { settings.from = text; },
                [](const Settings& settings) { return json_of(settings.from); }},
    SettingFlag{"to", "FORM", "storage form after a conversion",
                [](Settings& settings, const std::string& text) { settings.to = text; },
                [](const Settings& settings) { return json_of(settings.to); }},
    SettingFlag{"transposed", "", "convert to that form of the transposed matrix",
                [](Settings& settings, const std::string&) { settings.transposed = true; },
                [](const Settings& settings) { return json_of(settings.transposed); }},
    SettingFlag{"encoding", "NAME", "what is in binary code, the other being in Gray code: rows-binary or rows-gray",
                [](Settings& settings, const std::string& text) { settings.encoding = text; },
                [](const Settings& settings) { return json_of(settings.encoding); }},
    SettingFlag{"pairs", "G:F,..", "pairs of address bits to exchange, in order",
                [](Settings& settings, const std::string& text) { settings.pairs = text; },
                [](const Settings& settings) { return json_of(settings.pairs); }},
    SettingFlag{"permutation", "LIST|FILE",
                "a permutation of the dimensions, e.g. 2,0,1, or a file of one of the ranks",
                [](Settings& settings, const std::string& text) { settings.permutation = text; },
                [](const Settings& settings) { return json_of(settings.permutation); }},
    SettingFlag{
        "shift", "K", "shuffles, each of which turns an address by one place (default 1)",
        [](Settings& settings, const std::string& text) { settings.shift = parse_whole_number("--shift", text); },
        [](const Settings& settings) { return json_of(settings.shift); }},
    SettingFlag{"operator", "NAME", operator_names,
                [](Settings& settings, const std::string& text) { settings.operation = text; },
                [](const Settings& settings) { return json_of(settings.operation); }},
    SettingFlag{"type", "NAME", "what the data is: int64 or double, for a sort also string",
                [](Settings& settings, const std::string& text) { settings.type = text; },
                [](const Settings& settings) { return json_of(settings.type); }},
    SettingFlag{"input", "FILE", "data from a text file, instead of generated data",
                [](Settings& settings, const std::string& text) { settings.input = text; },
                [](const Settings& settings) { return json_of(settings.input); }},
    SettingFlag{"output", "FILE", "text file for the data as it is in the end, one number or string a line",
                [](Settings& settings, const std::string& text) { settings.output = text; },
                [](const Settings& settings) { return json_of(settings.output); }},
    SettingFlag{"seed", "S", "seed of the generated data (default 1)",
                [](Settings& settings, const std::string& text) {
                  settings.seed = parse_whole_number("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
                },
                [](const Settings& settings) { return Json(settings.seed); }},
};

}  // namespace

std::span<const SettingFlag> setting_flags() { return flags; }

bool takes(const Method& method, std::string_view name) {
  const auto& parameters = method.parameters;
  return name == "seed" || std::any_of(parameters.begin(), parameters.end(),
                                       [&](const Parameter& parameter) { return parameter.name == name; });
}

void refuse_foreign_settings(const Method& method, const Settings& settings) {
  for (const SettingFlag& flag : flags) {
    if (takes(method, flag.name) || flag.value(settings).is_null()) continue;
    std::string text = flag.flag() + " is not a parameter of " + std::string(method.name) + ", which takes ";
    for (const Parameter& parameter : method.parameters) text += "--" + std::string(parameter.name) + ", ";
    throw InputError(text + "--seed");
  }
}

Json setting_values(const Method& method, const Settings& settings) {
  Json values = Json::object();
  for (const SettingFlag& flag : flags) {
    if (takes(method, flag.name)) values[std::string(flag.name)] = flag.value(settings);
  }
  return values;
}

std::string setting_text(const Method& method, const Settings& settings, const std::string& before,
                         const std::string& between) {
  std::string text;
  const Json values = setting_values(method, settings);
  for (const auto& [name, value] : values.items()) {
    if (value.is_null() || value == false) continue;
    text += (text.empty() ? "" : " ") + before + name;
    if (value.is_boolean()) continue;  // a flag without a value, which has been given
    text += between + (value.is_string() ? printable(value.get<std::string>()) : value.dump());
  }
  return text;
}

}  // namespace lockstep::cli
