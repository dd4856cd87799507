#include "process_group.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lockstep/algorithms/new_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::run {

/// What a process sends to the others when they meet.
struct ProcessGroup::Notice {
  int code = host::verified;
  std::string text{};
  std::string files{};

  Bytes bytes() const {
    Bytes all;
    ByteWriter to(all);
    to.put(code);
    pack(text, to);
    pack(files, to);
    return all;
  }
  static Notice from(const Bytes& bytes) {
    ByteReader from(bytes);
    Notice notice{.code = from.get<int>()};
    notice.text = unpack(from, std::type_identity<std::string>{});
    notice.files = unpack(from, std::type_identity<std::string>{});
    return notice;
  }
};

ProcessGroup::ProcessGroup(StartedProcesses& processes, std::string what)
    : processes_(processes), what_(std::move(what)), standard_error_(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) {
  if (is_first()) return;
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

std::vector<ProcessGroup::Notice> ProcessGroup::exchange(const Notice& own) {
  std::vector<Notice> all;
  for (const Bytes& bytes : processes_.gather(own.bytes())) all.push_back(Notice::from(bytes));
  return all;
}

void ProcessGroup::begin() {
  const std::vector<Notice> all = exchange({host::verified, what_, files_});
  has_begun_ = true;
  const auto named = [&](const Notice& notice) { return "process " + std::to_string(&notice - all.data()); };
  const auto failed = std::ranges::find_if(all, [](const Notice& notice) { return notice.code != host::verified; });
  if (failed != all.end()) throw InputError(failed->text + " (" + named(*failed) + ")");
  const auto other = std::ranges::find_if(all, [&](const Notice& notice) { return notice.text != all.front().text; });
  if (other != all.end()) {
    throw InputError("all processes must be the same: process 0 is " + printable(all.front().text) + ", " +
                     named(*other) + " is " + printable(other->text));
  }
  const auto reader =
      std::ranges::find_if(all, [&](const Notice& notice) { return notice.files != all.front().files; });
  if (reader != all.end()) {
    throw InputError("all processes must read the same files: process 0 reads " + printable(all.front().files) + ", " +
                     named(*reader) + " reads " + printable(reader->files));
  }
}

int ProcessGroup::end(int code, const std::string& what_went_wrong) {
  if (!has_begun_) exchange({code, what_went_wrong});  // others may be about to begin
  const std::vector<Notice> all = exchange({code, what_went_wrong});
  const auto failed = std::ranges::find_if(all, [](const Notice& notice) { return notice.code != host::verified; });
  if (failed == all.end()) return host::verified;
  // A silenced process may have an error that the first one lacks.
  if (!has_begun_ && is_first() && code == host::verified) print_line(failed->text);
  // A process that got no signal itself has the code of SIGINT, whatever signal another got.
  const auto is_by_signal = [](const Notice& notice) {
    return notice.code == host::hung_up || notice.code == host::terminated;
  };
  const auto signalled = std::ranges::find_if(all, is_by_signal);
  return failed->code == host::interrupted && signalled != all.end() ? signalled->code : failed->code;
}

void ProcessGroup::end_all(const CommandFailure& failure) {
  dup2(standard_error_, STDERR_FILENO);
  print_line(failure.text + " (process " + std::to_string(processes_.own()) + ", which ends all)");
  remove_new_files();
  processes_.end_all(failure.code);
  std::abort();  // g++ 12 ignores that a virtual function is [[noreturn]]
}

}  // namespace lockstep::cli::run
