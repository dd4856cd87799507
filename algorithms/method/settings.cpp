#include "lockstep/algorithms/settings.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/parameter.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/input_error.hpp"
#include "method/brought_flags.hpp"

namespace lockstep {
namespace {

using Value = SettingFlag::Value;

// The types of values: parsing and display.

struct WholeNumber {
  static constexpr ValueForm form = ValueForm::number;
  static std::uint64_t read(std::string_view flag, const std::string& text) { return parse_whole_number(flag, text); }
  static Value shown(std::uint64_t number) { return number; }
};

struct RankNumber : WholeNumber {
  static constexpr ValueForm form = ValueForm::rank;
  static std::uint64_t read(std::string_view flag, const std::string& text) { return parse_rank(flag, text); }
};

struct Seed : WholeNumber {
  static std::uint64_t read(std::string_view flag, const std::string& text) {
    return parse_whole_number(flag, text, 0, std::numeric_limits<std::uint64_t>::max());
  }
};

struct BytesOfWord : WholeNumber {
  static std::uint64_t read(std::string_view flag, const std::string& text) {
    constexpr std::uint64_t most = 1'000'000'000;
    return parse_whole_number(flag, text, 1, most);
  }
};

struct Text {
  static constexpr ValueForm form = ValueForm::text;
  static std::string read(std::string_view, const std::string& text) { return text; }
  static Value shown(const std::string& text) { return text; }
};

struct Switch {
  static constexpr ValueForm form = ValueForm::on_off;
  static bool read(std::string_view flag, const std::string& text) { return parse_switch(flag, text); }
  static Value shown(bool on) { return std::string(on ? "on" : "off"); }
};

/// For a flag that takes no value.
struct Given {
  static constexpr ValueForm form = ValueForm::none;
  static bool read(std::string_view, const std::string&) { return true; }
  static Value shown(bool given) { return given; }
};

struct RowsByColumns {
  static constexpr ValueForm form = ValueForm::sizes;
  static MatrixSize read(std::string_view flag, const std::string& text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos) {
      throw InputError(std::string(flag) + " " + quoted(text) + " is not of the form PxQ, rows x columns, e.g. 64x128");
    }
    return {parse_whole_number(flag, text.substr(0, cross), 1, most_words),
            parse_whole_number(flag, text.substr(cross + 1), 1, most_words)};
  }
  static Value shown(const MatrixSize& size) { return to_string(size); }
};

struct TorusSides {
  static constexpr ValueForm form = ValueForm::sizes;
  static std::vector<std::uint64_t> read(std::string_view flag, const std::string& text) {
    std::vector<std::uint64_t> sides;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = text.find('x', begin);
      sides.push_back(parse_whole_number(flag, text.substr(begin, end - begin), 1, most_processors));
    }
    return sides;
  }
  static Value shown(const std::vector<std::uint64_t>& sides) {
    std::string text;
    for (const std::uint64_t side : sides) {
      if (!text.empty()) text += 'x';
      text += std::to_string(side);
    }
    return text;
  }
};

template <class Type, class T>
Value shown(const std::optional<T>& value) {
  return value ? Type::shown(*value) : Value();
}
template <class Type>
Value shown(std::uint64_t value) {
  return Type::shown(value);
}

/// The flag of a member of Settings whose values are of that type.
template <auto member, class Type>
constexpr SettingFlag flag(std::string_view name, std::string_view type, std::string_view description,
                           bool is_tuning = false) {
  return {.name = name,
          .type = type,
          .description = description,
          .is_tuning = is_tuning,
          .read = [](Settings& settings, std::string_view written,
                     const std::string& text) { settings.*member = Type::read(written, text); },
          .shown = [](const Settings& settings) { return lockstep::shown<Type>(settings.*member); },
          .form = Type::form};
}

/// "sum, min, ... or concat".
std::string listed_operators() {
  std::string text;
  for (const Operator& known : operators()) {
    if (!text.empty()) text += &known == &operators().back() ? " or " : ", ";
    text += known.name;
  }
  return text;
}

const std::string operator_names = listed_operators();

/// For flags that state how a method works, not its result.
constexpr bool how = true;

const std::array shared_flags{
    flag<&Settings::words, WholeNumber>(
        "words", "W", "length of the data in words (its meaning per method: `lockstep list algorithms`)"),
    flag<&Settings::packets, WholeNumber>(
        "packets", "NU", "packets in which a pipelined method sends the data (default: the best for the costs)", how),
    flag<&Settings::root, RankNumber>("root", "R",
                                      "rank at which the operation starts or ends, decimal or binary (0b1010)"),
    flag<&Settings::source, RankNumber>("source", "A", "the sender's rank, decimal or binary"),
    flag<&Settings::destination, RankNumber>("destination", "B",
                                             "the receiver's rank, decimal or binary (default: the farthest)"),
    flag<&Settings::group, Text>("group", "RANKS|FILE",
                                 "ranks of a cube that take part: 3,5,8..11, a subcube such as 0b1**0, or a file"),
    flag<&Settings::group_size, WholeNumber>("group-size", "L",
                                             "ranks in each of the groups into which all ranks are divided", how),
    flag<&Settings::radix, WholeNumber>("radix", "R", "base of a method's digits (default 2)", how),
    flag<&Settings::sides, TorusSides>("sides", "AxB..", "sides of the torus whose rings have the partners, e.g. 4x4",
                                       how),
    flag<&Settings::hub, RankNumber>("hub", "H", "node of a building block that collects its total: 0 or 2^K - 1", how),
    flag<&Settings::arrivals, WholeNumber>("arrivals", "C",
                                           "processors arrive at random in the cycles 0 to C (default 0)"),
    flag<&Settings::order, Text>("order", "ORDER", "order of children, of steps or of dimensions, e.g. 2,0,1", how),
    flag<&Settings::move, Text>("move", "NAME", "how blocks get to one subblock and back: combine or packets", how),
    flag<&Settings::pattern, Text>(
        "pattern", "NAME|FILE",
        "pairs of sender and receiver: gather, scatter, complement, bit-reversal, rotate-half, shift-one, "
        "transpose, or a file of lines `from to`"),
    flag<&Settings::schedules, Text>(
        "schedules", "NAMES",
        "schedule of each factor, in order, or one for all: factor, cayley, greedy (default: chosen)", how),
    flag<&Settings::tries, WholeNumber>(
        "tries", "N", "paths that a search tries before it gives up on a length (default 100000)", how),
    flag<&Settings::time_limit, WholeNumber>("time-limit", "SECONDS",
                                             "time after which a search returns the best found (default 10)", how),
    flag<&Settings::matrix, RowsByColumns>("matrix", "PxQ", "rows x columns of the matrix"),
    flag<&Settings::layout, Text>("layout", "R,C",
                                  "dimensions of rows and of columns of two-dimensional layouts (default: half, rows "
                                  "first)"),
    flag<&Settings::packet_words, WholeNumber>(
        "packet-words", "B", "words of a full packet of a pipelined transposition or permutation", how),
    flag<&Settings::trees, WholeNumber>("trees", "K", "spanning trees among which every block is divided", how),
    flag<&Settings::rounds, WholeNumber>("rounds", "K",
                                         "rounds in which a processor sends two packets on each of its paths", how),
    flag<&Settings::sources, WholeNumber>("sources", "L",
                                          "2^L processors hold all data before some-to-all, or after all-to-some"),
    flag<&Settings::copy_threshold, WholeNumber>("copy-threshold", "WORDS",
                                                 "blocks shorter than this are gathered before they are sent", how),
    flag<&Settings::gather, Switch>("gather", "on|off",
                                    "blocks of a message are gathered in a buffer and sent as one (default off)", how),
    flag<&Settings::from, Text>("from", "FORM",
                                "storage form before a conversion, e.g. row-cyclic or 2d:cyclic,gray:consecutive"),
    flag<&Settings::to, Text>("to", "FORM", "storage form after a conversion"),
    flag<&Settings::transposed, Given>("transposed", "", "convert to that form of the transposed matrix"),
    flag<&Settings::encoding, Text>("encoding", "NAME",
                                    "which index is binary (the other is Gray-coded): rows-binary or rows-gray"),
    flag<&Settings::pairs, Text>("pairs", "G:F,..", "pairs of address bits to exchange, in order"),
    flag<&Settings::permutation, Text>("permutation", "LIST|FILE",
                                       "a permutation of the dimensions, e.g. 2,0,1, or a file with one of the ranks"),
    flag<&Settings::shift, WholeNumber>("shift", "K",
                                        "shuffles, each of which rotates an address by one place (default 1)"),
    flag<&Settings::method, Text>("method", "NAME", "method that an application uses, e.g. allgather/adea or adea",
                                  how),
    flag<&Settings::size, WholeNumber>("size", "N", "size of an application's problem"),
    flag<&Settings::iterations, WholeNumber>("iterations", "I", "iterations or time steps of an application"),
    flag<&Settings::operator_name, Text>("operator", "NAME", operator_names),
    flag<&Settings::type, Text>("type", "NAME", "what the data is: int64 or double, for a sort also string"),
    flag<&Settings::word_bytes, BytesOfWord>(
        "word-bytes", "B", "bytes of a word in messages of other programs (default 8, of GOAL 1, of --ti 1000000)"),
    flag<&Settings::input, Text>("input", "FILE", "data from a text file, instead of generated data"),
    flag<&Settings::output, Text>("output", "FILE", "text file for the final data, one number or string a line"),
    flag<&Settings::seed, Seed>("seed", "S", "seed of the generated data (default 1)"),
};

/// Those of Settings and, behind them, those that methods bring.
std::vector<SettingFlag>& all_flags() {
  static std::vector<SettingFlag> flags(shared_flags.begin(), shared_flags.end());
  return flags;
}

/// A text that lives as long as the program.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

/// "a|b|c" for choices, from which completion takes them.
std::string type_of(const BroughtValues& brought) {
  if (brought.type == BroughtType::number) return "N";
  std::string type;
  for (const std::string_view choice : brought.choices) type.append(type.empty() ? "" : "|").append(choice);
  return type;
}

std::string help_of(const Parameter& parameter) {
  std::string text(parameter.meaning);
  const NumberRange& range = parameter.brought.range;
  if (parameter.brought.type == BroughtType::number) {
    text += ", at least " + std::to_string(range.least);
    if (range.most != most_words) text += ", at most " + std::to_string(range.most);
  }
  return text + " (default " + std::string(parameter.fallback) + ")";
}

}  // namespace

std::string method::objection_to_flag(const Parameter& parameter) {
  const std::string flag = "--" + std::string(parameter.name);
  const auto known = std::ranges::find(all_flags(), parameter.name, &SettingFlag::name);
  const bool is_known = known != all_flags().end();
  if (parameter.brought.type == BroughtType::none) {
    return is_known && known->brought == BroughtType::none ? ""
                                                           : "takes " + flag + ", which is no parameter of Settings";
  }
  const auto is_of_a_name = [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '-'; };
  if (parameter.name.empty() || !std::ranges::all_of(parameter.name, is_of_a_name) || parameter.name.front() == '-') {
    return "brings " + flag + ", which is not a name of small letters";
  }
  if (is_known && known->brought != parameter.brought.type) return "brings " + flag + ", which is there already";
  return "";
}

void method::add_flag(const Parameter& parameter) {
  if (std::ranges::find(all_flags(), parameter.name, &SettingFlag::name) != all_flags().end()) return;
  all_flags().push_back(
      {.name = kept(std::string(parameter.name)),
       .type = kept(type_of(parameter.brought)),
       .description = kept(help_of(parameter)),
       .is_tuning = how,
       .brought = parameter.brought.type,
       .form = parameter.brought.type == BroughtType::number ? ValueForm::number : ValueForm::choice});
}

std::span<const SettingFlag> setting_flags() {
  catalogue();  // whose entries bring some
  return all_flags();
}

const BroughtValue* BroughtSettings::find(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &std::pair<std::string, BroughtValue>::first);
  return found == values_.end() ? nullptr : &found->second;
}

BroughtValue& BroughtSettings::find_or_set(std::string_view name, const BroughtValue& otherwise) {
  const auto found = std::ranges::find(values_, name, &std::pair<std::string, BroughtValue>::first);
  return found == values_.end() ? values_.emplace_back(std::string(name), otherwise).second : found->second;
}

void SettingFlag::set(Settings& settings, const std::string& text) const {
  if (read != nullptr) return read(settings, flag(), text);
  const bool is_number = brought == BroughtType::number;
  const BroughtValue value = is_number ? BroughtValue(parse_whole_number(flag(), text)) : BroughtValue(text);
  settings.brought.find_or_set(name, value) = value;
}

SettingFlag::Value SettingFlag::value(const Settings& settings) const {
  if (shown != nullptr) return shown(settings);
  const BroughtValue* const given = settings.brought.find(name);
  if (given == nullptr) return {};
  return std::visit([](const auto& value) { return Value(value); }, *given);
}

bool parse_switch(std::string_view flag, std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  refuse_choice(flag, text, {"on", "off"});
}

}  // namespace lockstep
