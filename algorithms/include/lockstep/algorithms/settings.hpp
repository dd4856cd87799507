#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lockstep/algorithms/matrix_size.hpp"

namespace lockstep {

struct Schedule;

/// The parameters that people give; a method's resolve() fills in its defaults. A new one is a member here and a line
/// in settings.cpp, from which its flag, help and reports follow.
struct Settings {
  std::optional<std::uint64_t> words;
  std::optional<std::uint64_t> packets;
  std::optional<std::uint64_t> root;
  std::optional<std::uint64_t> source;
  std::optional<std::uint64_t> destination;
  std::optional<std::uint64_t> hub;
  std::optional<std::uint64_t> arrivals;
  std::optional<std::string> order;
  std::optional<std::string> move;
  std::optional<std::string> pattern;
  std::optional<MatrixSize> matrix;
  std::optional<std::uint64_t> packet_words;
  std::optional<std::uint64_t> trees;
  std::optional<std::uint64_t> rounds;
  std::optional<std::uint64_t> sources;         ///< L, where 2^L processors hold all data or receive it
  std::optional<std::uint64_t> copy_threshold;  ///< in words
  std::optional<bool> gather;                   ///< the blocks of a message are copied into a buffer
  std::optional<std::string> from;              ///< storage form
  std::optional<std::string> to;                ///< storage form
  std::optional<bool> transposed;
  std::optional<std::string> encoding;
  std::optional<std::string> pairs;
  std::optional<std::string> permutation;
  std::optional<std::uint64_t> shift;
  std::optional<std::string> schedules;
  std::optional<std::uint64_t> tries;
  std::optional<std::uint64_t> time_limit;           ///< in seconds
  std::shared_ptr<const Schedule> written_schedule;  ///< one to be carried out, instead of a method's own
  std::optional<std::string> method;                 ///< on which an application stands
  std::optional<std::uint64_t> size;                 ///< of the problem, as each application says
  std::optional<std::uint64_t> iterations;
  std::optional<std::string> operator_name;
  std::optional<std::string> type;
  std::optional<std::string> input;   ///< file of the data, else it is generated
  std::optional<std::string> output;  ///< file for the data as it is in the end
  std::uint64_t seed = 1;             ///< of generated data
};

/// How one member of Settings is given on the command line and shown in reports.
struct SettingFlag {
  /// Nothing, where there is none; true for a flag that is given and takes no value.
  using Value = std::variant<std::monostate, bool, std::uint64_t, std::string>;

  std::string_view name;         ///< as methods name the parameter; the flag is "--" + name
  std::string_view type;         ///< what help shows for the value; empty if it takes none
  std::string_view description;  ///< for help
  bool is_tuning;                ///< says how a method does something, not what is to be done
  void (*read)(Settings&, std::string_view flag, const std::string& text);
  Value (*value)(const Settings&);  ///< as reports show it

  std::string flag() const { return "--" + std::string(name); }
  /// Takes what people wrote behind the flag. Throws InputError, one line that names the flag.
  void set(Settings& settings, const std::string& text) const { read(settings, flag(), text); }
};

/// One for every member of Settings that people give, in the order in which they should see them.
std::span<const SettingFlag> setting_flags();

/// "on" or "off". Throws InputError, one line that names the flag.
bool parse_switch(std::string_view flag, std::string_view text);

}  // namespace lockstep
