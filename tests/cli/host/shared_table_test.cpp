// A table to which several processes add lines at once. The end-to-end test with processes is in output_test.cpp.
#include "host/shared_table.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <filesystem>
#include <thread>

#include "../../sanitized.hpp"
#include "command_line.hpp"
#include "lockstep/algorithms/new_file.hpp"

namespace lockstep::cli::host::shared_table_test {
namespace {

using test::lines;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;

class SharedTables : public testing::Test {
 protected:
  SharedTable table() const { return {path_, "a,b", "tables"}; }

  /// Calls write(table, line) at the same time on several threads, each with its own table and line.
  template <class Write>
  void on_threads(const Write& write) const {
    std::barrier start(threads);
    std::vector<std::jthread> writers;
    for (int number = 0; number < threads; ++number) {
      writers.emplace_back([&, number] {
        SharedTable mine = table();
        start.arrive_and_wait();
        write(mine, std::to_string(number) + ",x");
      });
    }
  }

  static constexpr int threads = 4;
  TemporaryDirectory directory_;
  std::string path_ = directory_.file("table");
};

// A lock belongs to an open file, so threads exclude each other as processes do. Each round begins without a file.
TEST_F(SharedTables, HaveOneLineOfHeadingsAndWholeLines) {
  for (int round = 0; round < (sanitized ? 50 : 300); ++round) {
    on_threads([](SharedTable& mine, const std::string& line) {
      mine.add(line);
      mine.release();
    });
    const auto found = lines(read_file(path_));
    ASSERT_EQ(found.size(), 1U + threads) << "round " << round << "\n" << read_file(path_);
    EXPECT_EQ(found.front(), "a,b");
    for (std::size_t line = 1; line < found.size(); ++line) EXPECT_EQ(found[line].substr(1), ",x");
    std::filesystem::remove(path_);
  }
}

// A line that is taken back is never visible.
TEST_F(SharedTables, HaveNoLineThatWasTakenBack) {
  for (int round = 0; round < (sanitized ? 20 : 100); ++round) {
    on_threads([](SharedTable& mine, const std::string& line) {
      mine.add("wrong");
      mine.take_back();
      mine.add(line);
    });
    EXPECT_EQ(read_file(path_).find("wrong"), std::string::npos);
    ASSERT_EQ(lines(read_file(path_)).size(), 1U + threads) << "round " << round << "\n" << read_file(path_);
    std::filesystem::remove(path_);
  }
}

TEST_F(SharedTables, AreAsTheyWereIfALineIsTakenBack) {
  write_file(path_, "a,b\n1,2");  // without a final line end, as some editors leave it
  SharedTable old = table();
  old.add("3,4");
  EXPECT_EQ(read_file(path_), "a,b\n1,2\n3,4\n");
  old.take_back();
  EXPECT_EQ(read_file(path_), "a,b\n1,2");
  std::filesystem::remove(path_);
  SharedTable fresh = table();
  fresh.add("3,4");
  fresh.take_back();
  EXPECT_TRUE(directory_.files().empty());
}

TEST_F(SharedTables, FollowAFileThatIsReplaced) {
  SharedTable mine = table();
  mine.add("1,2");
  mine.release();
  std::filesystem::remove(path_);
  mine.add("3,4");
  EXPECT_EQ(read_file(path_), "a,b\n3,4\n");
}

TEST_F(SharedTables, WithOtherHeadingsAreLeftAlone) {
  for (const std::string text : {"a,b,c\n", "a\n", "a,bc", "\n"}) {
    write_file(path_, text);
    EXPECT_THROW(table(), OutputError) << text;
    EXPECT_EQ(read_file(path_), text);
  }
  std::filesystem::remove(path_);
  SharedTable mine = table();
  write_file(path_, "a,b,c\n");
  EXPECT_THROW(mine.add("1,2"), OutputError) << "the file was created meanwhile";
  EXPECT_EQ(read_file(path_), "a,b,c\n");
}

}  // namespace
}  // namespace lockstep::cli::host::shared_table_test
