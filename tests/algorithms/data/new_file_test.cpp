// Files that are put in place whole or leave nothing behind.
#include "lockstep/algorithms/new_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "data_directory.hpp"

namespace lockstep::new_file_test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class NewFiles : public DataDirectory {};

TEST_F(NewFiles, TakeTheirPlaceAtTheEnd) {
  const std::string place = file("out", "old");
  {
    NewFile fresh(place);
    fresh.write("new\n");
    EXPECT_EQ(text_of(place), "old");
    EXPECT_EQ(files().size(), 2U);
    fresh.put_in_place();
  }
  EXPECT_EQ(text_of(place), "new\n");
  EXPECT_EQ(files(), Names{"out"});
}

TEST_F(NewFiles, AreRemovedUnlessTheyAreInPlace) {
  { NewFile(path("out")).write("new"); }
  EXPECT_TRUE(files().empty());
}

TEST_F(NewFiles, HaveThePermissionsOfWhatTheyReplace) {
  const std::string place = file("out", "old");
  ASSERT_EQ(chmod(place.c_str(), 0640), 0);
  NewFile(place).put_in_place();
  struct stat status {};
  ASSERT_EQ(stat(place.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(NewFiles, GoThroughALink) {
  const std::string place = file("out", "old");
  fs::create_symlink("out", path("link"));
  NewFile fresh(path("link"));
  fresh.write("new");
  fresh.put_in_place();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of(place), "new");
}

TEST_F(NewFiles, HaveNamesThatFitWhereTheirPlacesDo) {
  const std::string name(255, 'n');  // the longest of most file systems
  NewFile(path(name)).put_in_place();
  EXPECT_EQ(files(), Names{name});
}

TEST_F(NewFiles, PassOverWhatAProcessOfTheSameNumberLeft) {
  const auto name = [this](int number) {
    return path(".lockstep." + std::to_string(getpid()) + "." + std::to_string(number) + ".new");
  };
  for (int number = 1; number <= 100; ++number) file(fs::path(name(number)).filename(), "left");
  NewFile fresh(path("out"));
  fresh.write("new");
  fresh.put_in_place();
  EXPECT_EQ(text_of(path("out")), "new");
}

TEST_F(NewFiles, SayWhereTheyCouldNotBe) {
  const std::string place = path("none/out");
  EXPECT_EQ(refusal_of([&] { NewFile{place}; }), "cannot write 'none/out': No such file or directory");
  fs::create_directory(path("inside"));
  NewFile fresh(path("inside/out"));
  fs::remove_all(path("inside"));
  EXPECT_EQ(refusal_of([&] { fresh.put_in_place(); }), "cannot write 'inside/out': No such file or directory");
  EXPECT_EQ(refusal_of([] { check_replaceable("a\nb/c"); }), "cannot write 'a?b/c': No such file or directory");
}

TEST_F(NewFiles, AreRemovedAtAnAbruptEnd) {
  EXPECT_EXIT(
      {
        const NewFile one(path("one"));
        const NewFile two(path("two"));
        NewFile(path("three")).put_in_place();
        remove_new_files();
        _exit(files() == Names{"three"} ? 7 : 8);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(NewFiles, AndDirectoriesTakeTheirPlaceAtTheEnd) {
  {
    NewDirectory directory(path(""), path("place"));
    std::ofstream(directory.name() + "/one") << "text";
    EXPECT_FALSE(std::filesystem::exists(path("place")));
    directory.put_in_place();
  }
  EXPECT_EQ(files(), Names{"place"});
  EXPECT_TRUE(std::filesystem::exists(path("place/one")));
}

TEST_F(NewFiles, AndDirectoriesAreRemovedWithWhatIsInThem) {
  {
    const NewDirectory directory(path(""), path("place"));
    std::ofstream(directory.name() + "/one") << "text";
  }
  EXPECT_EQ(files(), Names{});
  EXPECT_THROW(NewDirectory(path("nowhere"), path("place")), OutputError);
}

/// While a thread continues to write into it.
TEST_F(NewFiles, AndDirectoriesAreRemovedAtAnAbruptEnd) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    EXPECT_EXIT(
        {
          std::atomic<int> written = 0;
          std::thread([&] {
            const NewDirectory directory(path(""), path("place"));
            for (;;) std::ofstream(directory.name() + "/" + std::to_string(++written)) << "text";
          }).detach();
          while (written < 10 * attempt) std::this_thread::yield();
          remove_new_files();
          _exit(7);
        },
        testing::ExitedWithCode(7), "");
    ASSERT_EQ(files(), Names{}) << "attempt " << attempt;
  }
}

/// One thread makes files without a pause while another ends the process: many times, since the race is rare.
TEST_F(NewFiles, MadeAtAnAbruptEndAreNotLeft) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    EXPECT_EXIT(
        {
          std::thread([this] {
            try {
              for (;;) {
                const NewFile one(path("one"));
                NewFile two(one.name());  // as for data written before its file is in place
                two.write("text");
                two.put_in_place();
                const NewDirectory directory(path(""), path("place"));
                for (const char* const name : {"/1", "/2", "/3"}) std::ofstream(directory.name() + name) << "text";
              }
            } catch (const OutputError&) {  // the directory was removed
            }
          }).detach();
          std::this_thread::sleep_for(std::chrono::microseconds(100 * attempt));
          remove_new_files();
          _exit(7);
        },
        testing::ExitedWithCode(7), "");
    ASSERT_EQ(files(), Names{}) << "attempt " << attempt;
  }
}

}  // namespace
}  // namespace lockstep::new_file_test
