#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/algorithms/matrix_size.hpp"

namespace lockstep {

struct Schedule;
struct WrittenChunks;
class WrittenSource;

/// A schedule to be carried out, of any source (schedule_file.hpp). Copies share it.
class WrittenSchedule {
 public:
  /// None.
  WrittenSchedule() = default;
  /// A Schedule, WrittenChunks or a WrittenSource.
  template <class Source>
  WrittenSchedule(std::shared_ptr<Source> schedule)
      : source_(source_of(std::shared_ptr<const Source>(std::move(schedule)))) {}

  /// Whether there is one.
  explicit operator bool() const { return source_ != nullptr; }
  /// The source; there must be one.
  const WrittenSource& operator*() const { return *source_; }
  /// The source; there must be one.
  const WrittenSource* operator->() const { return source_.get(); }

 private:
  using Shared = std::shared_ptr<const WrittenSource>;

  static Shared source_of(Shared source) { return source; }
  static Shared source_of(const std::shared_ptr<const Schedule>& schedule);
  static Shared source_of(const std::shared_ptr<const WrittenChunks>& schedule);

  Shared source_;
};

/// The value of a parameter that a method brings itself.
using BroughtValue = std::variant<std::uint64_t, std::string>;

/// Those that are given, by name: few, in the order in which they were set.
class BroughtSettings {
 public:
  /// The value of that name; null if none is given.
  const BroughtValue* find(std::string_view name) const;
  /// The value of that name, which becomes `otherwise` if none is given.
  BroughtValue& find_or_set(std::string_view name, const BroughtValue& otherwise);

 private:
  std::vector<std::pair<std::string, BroughtValue>> values_;
};

/// The parameters that users set; a method's resolve() fills in its defaults. One that several methods share is a
/// member here and a line in settings.cpp, from which its flag, help and reports follow. One of a single method needs
/// neither: see BroughtNumber and BroughtChoice.
struct Settings {
  std::optional<std::uint64_t> words;               ///< length of the data, as the method defines it
  std::optional<std::uint64_t> packets;             ///< in which a pipelined method sends the data
  std::optional<std::uint64_t> root;                ///< rank at which the operation starts or ends
  std::optional<std::uint64_t> source;              ///< the sender's rank
  std::optional<std::uint64_t> destination;         ///< the receiver's rank
  std::optional<std::string> group;                 ///< ranks that take part, a subcube, or a file of ranks
  std::optional<std::uint64_t> group_size;          ///< ranks in each group; groups divide all ranks
  std::optional<std::uint64_t> radix;               ///< base of a method's digits
  std::optional<std::vector<std::uint64_t>> sides;  ///< of the torus whose rings have a method's partners
  std::optional<std::uint64_t> hub;                 ///< node of a building block that collects its total
  std::optional<std::uint64_t> arrivals;            ///< processors arrive in the cycles 0 to this
  std::optional<std::string> order;                 ///< in which a processor serves its children
  std::optional<std::string> move;                  ///< how blocks get to one subblock and back
  std::optional<std::string> pattern;               ///< sender and receiver of each message
  std::optional<std::string> layout;                ///< dimensions of rows and of columns: "3,2"
  std::optional<MatrixSize> matrix;                 ///< rows and columns
  std::optional<std::uint64_t> packet_words;        ///< of a full packet
  std::optional<std::uint64_t> trees;               ///< spanning trees among which a block is divided
  std::optional<std::uint64_t> rounds;              ///< in which a processor sends two packets on each path
  std::optional<std::uint64_t> sources;             ///< L, where 2^L processors hold all data or receive it
  std::optional<std::uint64_t> copy_threshold;      ///< in words
  std::optional<bool> gather;                       ///< the blocks of a message are copied into a buffer
  std::optional<std::string> from;                  ///< storage form
  std::optional<std::string> to;                    ///< storage form
  std::optional<bool> transposed;                   ///< the form after the conversion is of the transposed matrix
  std::optional<std::string> encoding;              ///< which index is binary; the other is Gray-coded
  std::optional<std::string> pairs;                 ///< of address bits to exchange, in order
  std::optional<std::string> permutation;           ///< of the dimensions, or a file with one of the ranks
  std::optional<std::uint64_t> shift;               ///< places by which an address is rotated
  std::optional<std::string> schedules;             ///< of each factor of a product
  std::optional<std::uint64_t> tries;               ///< paths tried before a search gives up on a length
  std::optional<std::uint64_t> time_limit;          ///< in seconds
  std::optional<std::uint64_t> word_bytes;          ///< bytes of a word in messages of other programs
  WrittenSchedule written_schedule;                 ///< one to carry out, instead of a method's own
  std::optional<std::string> method;                ///< that an application uses
  std::optional<std::uint64_t> size;                ///< of the problem, as each application defines it
  std::optional<std::uint64_t> iterations;          ///< of an application
  std::optional<std::string> operator_name;         ///< that combines operands
  std::optional<std::string> type;                  ///< of the data: int64, double or string
  std::optional<std::string> input;                 ///< file of the data, else it is generated
  std::optional<std::string> output;                ///< file for the final data
  std::uint64_t seed = 1;                           ///< of generated data
  /// Of the parameters that methods bring themselves, by name; without those that are not given.
  BroughtSettings brought{};
};

/// How the value of a parameter that a method brings itself is written.
enum class BroughtType {
  none,    ///< the method brings none: it is a member of Settings
  number,  ///< a whole number
  choice   ///< one of several names
};

/// How the value of a parameter is written.
enum class ValueForm {
  none,    ///< there is none: the flag is given or not
  number,  ///< a whole number
  rank,    ///< the same, decimal or binary
  text,    ///< in a form of its own
  choice,  ///< one of several names
  on_off,  ///< "on" or "off"
  sizes,   ///< 4x4
};

/// The command-line flag and the report of one member of Settings.
struct SettingFlag {
  /// Empty if not given; true for a flag that is given and takes no value.
  using Value = std::variant<std::monostate, bool, std::uint64_t, std::string>;

  std::string_view name;         ///< the parameter's name; the flag is "--" + name
  std::string_view type;         ///< the value's type in help; empty if it takes none
  std::string_view description;  ///< for help
  bool is_tuning;                ///< changes how a method works, not its result
  /// Parses the flag's value; throws InputError. Null for a parameter that a method brings.
  void (*read)(Settings&, std::string_view flag, const std::string& text) = nullptr;
  Value (*shown)(const Settings&) = nullptr;  ///< the value in reports; null as read is
  BroughtType brought = BroughtType::none;    ///< of a parameter that a method brings
  ValueForm form = ValueForm::text;           ///< how the value is written

  /// As on the command line: "--words".
  std::string flag() const { return "--" + std::string(name); }
  /// Parses the user's value of the flag. Throws InputError, one line that names the flag.
  void set(Settings& settings, const std::string& text) const;
  /// The value in reports.
  Value value(const Settings& settings) const;
};

/// One for every member of Settings that users set, in the order in which help shows them, then those that methods of
/// the catalogue bring. Valid until a method is added.
std::span<const SettingFlag> setting_flags();

/// "on" or "off". Throws InputError, one line that names the flag.
bool parse_switch(std::string_view flag, std::string_view text);

}  // namespace lockstep
