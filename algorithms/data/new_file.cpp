#include "lockstep/algorithms/new_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "lockstep/core/printable.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

enum class EntryKind { file, directory };

/// The name of one file or directory that remove_new_files() is to remove.
///
/// 1. The name is written by the thread that has turned the state from `free` to `owned`, and by no other.
/// 2. It is read by the thread (perhaps in a signal handler) that has turned the state from `listed` to `taken`.
/// 3. So no thread reads a name while it is written. The release store of `listed` is what the acquire exchange to
///    `taken` sees, and with it the whole name. A state that is `taken` stays so: the process is ending.
/// 4. The file or directory is made while the state is `owned`, by a thread that no signal interrupts. Either it sees
///    that the process is ending and makes none, or remove_new_files() sees the state and waits: both are sequentially
///    consistent.
struct ListedName {
  enum State { free, owned, listed, taken };
  std::atomic<State> state{free};
  EntryKind kind{};
  std::array<char, PATH_MAX> name{};
};

constexpr std::string_view end_of_directory = ".directory";

constexpr int not_listed = -1;
std::atomic<bool> is_ending{false};
std::array<ListedName, 16> listed_names;
static_assert(std::atomic<ListedName::State>::is_always_lock_free, "a signal handler may touch it");

ListedName& listed_name(int entry) { return listed_names[static_cast<std::size_t>(entry)]; }

/// Takes an entry for the name, which is then `owned`; a name is not listed if all entries are in use.
int own_entry_for(const std::string& name, EntryKind kind) {
  if (name.size() >= PATH_MAX) return not_listed;
  for (std::size_t index = 0; index < listed_names.size(); ++index) {
    ListedName& entry = listed_names[index];
    ListedName::State expected = ListedName::free;
    if (!entry.state.compare_exchange_strong(expected, ListedName::owned)) continue;
    entry.kind = kind;
    std::copy_n(name.c_str(), name.size() + 1, entry.name.begin());
    return static_cast<int>(index);
  }
  return not_listed;
}

/// While one exists, no signal interrupts this thread.
class Uninterrupted {
 public:
  Uninterrupted() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Whether the file or directory could be made; if not, errno has the reason.
bool make(const std::string& name, EntryKind kind) {
  if (kind == EntryKind::directory) return mkdir(name.c_str(), 0777) == 0;
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) close(file);
  return file >= 0;
}

/// Makes the file or directory and, if that succeeds, lists it; returns 0 or the error.
int make_listed(const std::string& name, EntryKind kind, int& entry) {
  const Uninterrupted uninterrupted;
  entry = own_entry_for(name, kind);
  if (is_ending) {
    if (entry != not_listed) listed_name(entry).state = ListedName::free;
    while (true) pause();  // another thread is ending the process
  }
  const int reason = make(name, kind) ? 0 : errno;
  if (entry == not_listed) return reason;
  listed_name(entry).state.store(reason != 0 ? ListedName::free : ListedName::listed, std::memory_order_release);
  return reason;
}

void unlist(int entry) {
  if (entry == not_listed) return;
  ListedName::State expected = ListedName::listed;  // else the process is ending
  listed_name(entry).state.compare_exchange_strong(expected, ListedName::free, std::memory_order_release);
}

[[noreturn]] void refuse(const std::string& path) {
  throw OutputError(path, errno == 0 ? "writing failed" : std::strerror(errno));
}

/// A link is followed, so that it stays one.
std::string place_of_new_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) && fs::exists(path, ignored) ? fs::canonical(path).string() : path;
}

/// Makes an empty file or directory in `parent`, under a name new to this process; throws OutputError of `path`.
std::string make_in(const fs::path& parent, EntryKind kind, const std::string& path, int& entry) {
  static std::atomic<unsigned> count{0};
  const std::string first = ".lockstep." + std::to_string(getpid()) + ".";
  for (;;) {
    const std::string_view last = kind == EntryKind::directory ? end_of_directory : ".new";
    std::string name = (parent / (first + std::to_string(++count) + std::string(last))).string();
    const int reason = make_listed(name, kind, entry);
    if (reason == 0) return name;
    if (reason != EEXIST) throw OutputError(path, std::strerror(reason));  // else an earlier process left it
  }
}

constexpr timespec moment{0, 1'000'000};

/// Removes a NewDirectory and the files in it. It is renamed first, to ".lockstep.PID.N-directory", to which no other
/// thread adds more than it has begun to. Calls only what a signal handler may call.
void remove_directory(const char* listed) {
  std::array<char, PATH_MAX> other{};
  const std::size_t size = std::strlen(listed);
  if (size < other.size()) {
    std::copy_n(listed, size, other.begin());
    other[size - end_of_directory.size()] = '-';
  }
  const bool has_other = std::rename(listed, other.data()) == 0 || errno == ENOENT;  // or another thread renamed it
  const char* const name = has_other ? other.data() : listed;
  const int directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) {
    rmdir(name);
    return;
  }
  for (int patience = 1000; rmdir(name) != 0 && errno != ENOENT && patience > 0; --patience) {
    alignas(dirent64) std::array<char, 4096> entries;
    ssize_t bytes = 0;
    lseek(directory, 0, SEEK_SET);
    while ((bytes = getdents64(directory, entries.data(), entries.size())) > 0) {
      for (ssize_t at = 0; at < bytes;) {
        const auto* const entry = reinterpret_cast<const dirent64*>(entries.data() + at);
        unlinkat(directory, entry->d_name, 0);  // fails for "." and ".."
        at += entry->d_reclen;
      }
    }
    if (patience < 1000) nanosleep(&moment, nullptr);
  }
  close(directory);
}

}  // namespace

OutputError::OutputError(const std::string& path, const std::string& reason)
    : InputError("cannot write " + quoted(path) + ": " + reason), path_(path), reason_(reason) {}

NewFile::NewFile(const std::string& path)
    : path_(path),
      place_(place_of_new_file(path)),
      name_(make_in(fs::path(place_).parent_path(), EntryKind::file, path_, entry_)) {}

NewFile::~NewFile() {
  if (!name_.empty()) unlink(name_.c_str());
  unlist(entry_);
}

void NewFile::write(std::string_view text) const {
  write([text](std::ostream& file) { file << text; });
}

void NewFile::write(const std::function<void(std::ostream&)>& write) const {
  errno = 0;
  std::fstream file(name_, std::ios::binary | std::ios::in | std::ios::out);  // not anew, if it has been removed
  write(file);
  file.close();
  if (!file) refuse(path_);
}

void NewFile::put_in_place() {
  struct stat old {};
  if (stat(place_.c_str(), &old) == 0) chmod(name_.c_str(), old.st_mode & 0777U);
  if (std::rename(name_.c_str(), place_.c_str()) != 0) refuse(path_);
  name_.clear();
}

NewDirectory::NewDirectory(const std::string& parent, const std::string& path)
    : path_(path), name_(make_in(parent, EntryKind::directory, path_, entry_)) {}

NewDirectory::~NewDirectory() {
  if (!name_.empty()) remove_directory(name_.c_str());
  unlist(entry_);
}

void NewDirectory::put_in_place() {
  if (std::rename(name_.c_str(), path_.c_str()) != 0) refuse(path_);
  name_.clear();
}

void remove_new_files() {
  is_ending = true;
  for (ListedName& entry : listed_names) {
    // Another thread may be making the file, which takes a moment; the wait is limited.
    for (int patience = 1000; entry.state == ListedName::owned && patience > 0; --patience) nanosleep(&moment, nullptr);
    ListedName::State expected = ListedName::listed;
    entry.state.compare_exchange_strong(expected, ListedName::taken, std::memory_order_acquire);
  }
  // Twice, as another thread may have replaced a removed one by a new one meanwhile.
  for (int time = 0; time < 2; ++time) {
    for (const ListedName& entry : listed_names) {
      if (entry.state != ListedName::taken) continue;
      if (entry.kind == EntryKind::directory) {
        remove_directory(entry.name.data());
      } else {
        unlink(entry.name.data());
      }
    }
  }
}

void check_replaceable(const std::string& path) {
  if (path.empty()) throw OutputError(path, "the name is empty");
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_symlink(path, ignored) && !fs::exists(status)) {
    throw OutputError(path, "it is a symbolic link that leads nowhere");
  }
  if (fs::is_directory(status)) throw OutputError(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) throw OutputError(path, "it is no regular file");
  const fs::path directory = fs::path(place_of_new_file(path)).parent_path();
  // The file is replaced by a new one, so the directory must be writable.
  if (access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) != 0) refuse(path);
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) refuse(path);
}

}  // namespace lockstep
