#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

// A machine, its rules and a communication program for every processor, as one value. Two interpreters execute it: one
// on a machine of Lockstep, one in the reference model, so no header of Lockstep is included here.
namespace lockstep::reference {

using Rank = std::uint32_t;
using Port = std::uint32_t;
using Cycle = std::uint64_t;
using Word = std::uint64_t;

inline constexpr Rank nobody = ~Rank{0};

/// The end to which a port leads; `nobody` if it has no link.
struct End {
  Rank rank = nobody;
  Port port = 0;
};

/// wiring[rank][port]; all ranks have the same number of ports.
using Wiring = std::vector<std::vector<End>>;

enum class Shared { bus, memory, crossbar };

/// The medium that the processors share instead of links.
struct Medium {
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  Shared kind = Shared::crossbar;
  std::uint64_t users = unlimited;  ///< kstar: most transactions on a bus, or accesses to a memory, in one cycle
  std::uint32_t slots = 1;          ///< of a memory
  bool omega = false;               ///< the crossbar is an Omega network, with lines rounded up to a power of two
  bool copies = false;              ///< its elements copy: one send may go to several
  std::uint32_t banks = 0;          ///< of a memory: slot s is in bank s mod banks; 0: no conflicts

  friend bool operator==(const Medium&, const Medium&) = default;
};

/// `limited`: at most Rules::limit sends and as many receives a cycle, on any ports.
enum class Ports { one, one_strict, all, ring, limited };
enum class Duplex { full, half_link, half_node };

struct Rules {
  Ports ports = Ports::one;
  std::uint32_t limit = 2;  ///< of Ports::limited
  Duplex duplex = Duplex::full;
  bool multicast = false;
  std::size_t capacity = 2;  ///< messages that a channel or an inbox holds: 1, 2 or 3
  double beta = 1;
  double tau = 1;
  double copy_cost = 0;
  double flop = 0;
  std::uint64_t max_packet = 0;  ///< 0 = unlimited

  friend bool operator==(const Rules&, const Rules&) = default;
};

/// The content of a message: words, in blocks that are sent without being gathered.
struct Parcel {
  std::vector<Word> content;
  std::vector<std::uint64_t> blocks;
};

/// On a bus and a crossbar the ports of an operation are the ranks of other processors, on a memory slots.
enum class Verb {
  send,         ///< on ports[0]
  multicast,    ///< on all ports of the list
  forward,      ///< on ports[0], the message taken `number` takes ago; nothing if there is none
  exchange,     ///< on ports[0]
  message,      ///< waits for a message on ports[0]
  any_message,  ///< waits for a message on any port
  receive,      ///< from ports[0]
  poll,         ///< receives from ports[0] if a message has arrived there
  drain,        ///< takes all that has arrived
  look,         ///< whether a message has arrived on ports[0]
  look_around,  ///< the ports on which messages have arrived
  write,        ///< all slots of the list, in one access
  read,         ///< the same
  cycle,
  until,  ///< cycle `number`
  charge,
  hold,
  phase,  ///< "phase `number`"; the nameless one for 0
  fail,   ///< throws an exception of the program's own
  call,   ///< runs `body` as a sub-program
  compute
};

struct Operation {
  Verb verb = Verb::cycle;
  std::vector<Port> ports{};
  std::uint64_t number = 0;
  std::vector<std::uint64_t> blocks{};  ///< lengths of the blocks sent
  bool catches = false;                 ///< catches the verb's exception and continues
  std::vector<Operation> body{};

  friend bool operator==(const Operation&, const Operation&) = default;
};
using Program = std::vector<Operation>;

struct Scenario {
  Wiring wiring;  ///< none on a medium
  Rules rules;
  std::vector<Program> programs;  ///< of every rank
  bool single_words = false;      ///< every message is one word, regardless of the operations
  Cycle max_cycles = 1000;
  std::optional<Cycle> stop_after{};  ///< asked to stop at the barrier of this cycle
  std::optional<Medium> medium{};

  Rank processors() const { return static_cast<Rank>(programs.size()); }
  bool on(Shared kind) const { return medium && medium->kind == kind; }
  /// The ports, ranks or slots that an operation can name are below this.
  Port addresses() const;
};

/// What a program observes when an operation ends, or fails.
struct Note {
  Cycle now = 0;
  Verb verb = Verb::cycle;
  Port port = 0;
  Word value = 0;
  double arrival = 0;

  friend bool operator==(const Note&, const Note&) = default;
};

/// All that a processor observed, and a number that depends on all of it, from which its messages are made.
struct Log {
  std::vector<Note> notes;
  Word state = 0;

  void add(const Note& note);
  /// The value of the note of a failure that was caught.
  static Word caught(unsigned kind, std::size_t ports) { return 1000 * (kind + 1) + ports; }
};

std::string phase_name(std::uint64_t number);
/// Port p of every processor leads to processor p, as on a bus or a crossbar; a processor's port to itself has no link.
Wiring wiring_by_rank(Rank processors);
/// The message of a processor in this state.
Parcel make_parcel(const Scenario& scenario, const Operation& operation, Word state);
/// Its writes: a parcel for each slot, no two of them equal.
std::vector<Parcel> make_parcels(const Scenario& scenario, const Operation& operation, Word state);
/// A number that depends on all of the parcel.
Word fingerprint(const Parcel& parcel);

/// Operations of the program, those of its sub-programs included.
std::size_t count_operations(const Program& program);
std::size_t count_operations(const Scenario& scenario);

/// As C++ that can be pasted into a test.
std::ostream& operator<<(std::ostream& out, const Scenario& scenario);

}  // namespace lockstep::reference
