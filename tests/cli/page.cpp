#include "page.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>

namespace lockstep::test {
namespace {

const std::string begin_of_data = "<script id=\"lockstep-data\" type=\"application/octet-stream\">";
const std::string end_of_data = "</script>";

std::string bytes_of_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    EXPECT_NE(digits.find(letter), std::string::npos) << letter;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(letter));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

std::string inflated(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  std::array<char, 1 << 16> part{};
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(part.data(), part.size() - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return text;
}

/// Takes the part between begin and end out of the text.
std::string taken(std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t first = text.find(begin);
  const std::size_t last = text.find(end, first);
  EXPECT_NE(last, std::string::npos) << begin;
  if (last == std::string::npos) return {};
  std::string inner = text.substr(first + begin.size(), last - first - begin.size());
  text.erase(first, last + end.size() - first);
  return inner;
}

}  // namespace

Page page_of(std::string html) {
  Page page;
  page.title = taken(html, "<title>", "</title>");
  page.data = taken(html, begin_of_data, end_of_data);
  page.document = Json::parse(inflated(bytes_of_base64(page.data)), nullptr, false);
  EXPECT_TRUE(page.document.is_object());
  page.rest = std::move(html);
  return page;
}

}  // namespace lockstep::test
