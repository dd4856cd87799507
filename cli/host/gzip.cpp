#include "gzip.hpp"

#define ZLIB_CONST  // zlib does not write to its input
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>

namespace lockstep::cli::host {
namespace {

constexpr int gzip_of_largest_window = 15 + 16;
constexpr int usual_memory = 8;
constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts with 32 bits

}  // namespace

struct Gzip::State {
  z_stream stream{};

  State() {
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_of_largest_window, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { deflateEnd(&stream); }
};

Gzip::Gzip() : state_(std::make_unique<State>()) {}
Gzip::~Gzip() = default;

void Gzip::deflate_all(std::string_view text, int flush) {
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<const Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  std::array<char, 1 << 16> part;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    deflate(&stream, flush);  // fails only on wrong use
    compressed_.append(part.data(), part.size() - stream.avail_out);
  } while (stream.avail_out == 0);
}

void Gzip::add(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), most_at_once))) {
    deflate_all(text.substr(0, most_at_once), Z_NO_FLUSH);
  }
}

std::string Gzip::finish() {
  deflate_all({}, Z_FINISH);
  return std::move(compressed_);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t first = 0; first < bytes.size(); first += 3) {
    std::uint32_t three = 0;
    for (std::size_t index = first; index < first + 3; ++index) {
      three = three << 8 | (index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0U);
    }
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += digits[three >> shift & 63U];
  }
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  text.replace(text.size() - missing, missing, missing, '=');
  return text;
}

}  // namespace lockstep::cli::host
