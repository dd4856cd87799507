#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lockstep::cli::host {

/// Compresses a text in gzip's format (RFC 1952) piece by piece, so that it is never held as a whole.
class Gzip {
 public:
  Gzip();
  ~Gzip();

  void add(std::string_view text);
  /// The compressed text; nothing can be added afterwards.
  std::string finish();

 private:
  struct State;
  void deflate_all(std::string_view text, int flush);

  std::unique_ptr<State> state_;
  std::string compressed_;
};

/// The bytes in base 64 (RFC 4648), on one line.
std::string base64(std::string_view bytes);

}  // namespace lockstep::cli::host
