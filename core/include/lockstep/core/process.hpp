#pragma once

#include <coroutine>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lockstep/core/detail/control.hpp"
#include "lockstep/core/detail/worker.hpp"

namespace lockstep {

/// A program of an emulated processor, or a part of one: the return type of coroutines whose first parameter is the
/// processor, as in `Process broadcast(Processor<Word>& self, Rank root, Word& item)`. They are free functions: the
/// object of a lambda or a member may be gone when the program resumes. A function without co_await or co_return is no
/// coroutine and returns no Process: users of the CMake target lockstep::core compile with -Werror=return-type.
///
/// A program starts when the machine visits its processor in cycle 0. `co_await part(self, ...)` runs another Process
/// on the same processor as a sub-program: at once, in the same cycle; an exception in it reaches the program that
/// awaits it. Parameters taken by reference must outlive the coroutine.
class [[nodiscard]] Process {
 public:
  class promise_type;
  /// The handle by which the machine owns the program's coroutine.
  using Handle = std::coroutine_handle<promise_type>;

  Process(Process&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Process& operator=(Process&&) = delete;
  ~Process() {
    if (handle_) handle_.destroy();
  }

  /// Gives the coroutine up; the caller destroys it.
  Handle release() { return std::exchange(handle_, {}); }

 private:
  explicit Process(Handle handle) : handle_(handle) {}
  Handle handle_;
};

namespace detail {

/// Base of the awaitables that the verbs of a processor return.
struct Awaiter {};

class SubProgram;

}  // namespace detail

/// The coroutine's side. Nothing here transfers control from coroutine to coroutine: every suspension returns to the
/// visit loop of the machine, which resumes Control::current, so that the stack stays flat.
class Process::promise_type {
 public:
  template <class... Arguments>
  explicit promise_type(Arguments&&... arguments) : control_(&control_of(arguments...)) {}

  Process get_return_object() { return Process(Handle::from_promise(*this)); }
  struct Beginning {
    const detail::Control& control;
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle) const noexcept {}
    void await_resume() const noexcept { detail::note_visit(control); }
  };
  Beginning initial_suspend() noexcept { return {*control_}; }
  void return_void() noexcept {}
  [[gnu::noinline]] void unhandled_exception() noexcept { exception_ = std::current_exception(); }

  /// At its end a sub-program hands over to the coroutine that awaits it; a program marks its processor as ended.
  struct Ending {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle handle) const noexcept {
      const promise_type& promise = handle.promise();
      if (promise.awaiter_) {
        promise.control_->continue_with(promise.awaiter_);
      } else {
        promise.control_->wait_for(detail::Waiting::ended);
      }
    }
    void await_resume() const noexcept {}
  };
  Ending final_suspend() noexcept { return {}; }

  // The awaitable types. Any other would suspend a program without recording the awaited event. By reference: g++ 12
  // copies results returned by value.
  template <class Awaiter>
  requires std::is_base_of_v<detail::Awaiter, Awaiter> Awaiter& await_transform(Awaiter&& awaiter) noexcept {
    return awaiter;
  }
  detail::SubProgram await_transform(Process&& part) noexcept;

  // Inlined, since g++ 12 reports the calls of this and of operator delete as a mismatched pair.
  template <class... Arguments>
  [[gnu::always_inline]] static void* operator new(std::size_t bytes, Arguments&&... arguments) {
    detail::Control& control = control_of(arguments...);
#ifndef NDEBUG
    detail::check_visited(control);
#endif
    detail::FramePool& pool = control.worker->frames;
    return new (pool.take(bytes + sizeof(Header))) Header{&control, &pool} + 1;
  }
  // Not inlined: g++ 12 would make every resumption of the coroutine save the registers for it.
  [[gnu::noinline]] static void operator delete(void* frame, std::size_t bytes) {
    Header* header = static_cast<Header*>(frame) - 1;
    header->control->worker->frames.give_back(header, bytes + sizeof(Header), *header->home);
  }

  detail::Control& control() const { return *control_; }
  const std::exception_ptr& exception() const { return exception_; }
  std::coroutine_handle<> awaiter() const { return awaiter_; }
  void set_awaiter(std::coroutine_handle<> awaiter) { awaiter_ = awaiter; }

 private:
  /// Precedes a frame: its processor, and the pool that owns its memory.
  struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Header {
    detail::Control* control;
    detail::FramePool* home;
  };

  /// The record of the processor that is the coroutine's first argument.
  template <class... Arguments>
  static detail::Control& control_of(Arguments&... arguments) {
    using First = std::tuple_element_t<0, std::tuple<Arguments..., void>>;
    constexpr bool anywhere = (detail::is_processor<Arguments> || ...);
    static_assert(detail::is_processor<First> || !anywhere,
                  "a program is a free function that takes its processor first: no lambda, no member function, and "
                  "nothing before Processor<T>& self");
    static_assert(anywhere, "a program takes its processor as its first parameter: Processor<T>& self");
    if constexpr (detail::is_processor<First>) {
      return detail::Access::control(std::get<0>(std::tie(arguments...)));
    } else {
      std::terminate();
    }
  }

  detail::Control* control_;
  std::coroutine_handle<> awaiter_;
  std::exception_ptr exception_;
};

namespace detail {

/// co_await of a sub-program.
class SubProgram {
 public:
  explicit SubProgram(Process::Handle handle) : handle_(handle) {}
  SubProgram(const SubProgram&) = delete;
  SubProgram& operator=(const SubProgram&) = delete;
  ~SubProgram() { handle_.destroy(); }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> awaiter) const noexcept {
    handle_.promise().set_awaiter(awaiter);
    handle_.promise().control().continue_with(handle_);
  }
  void await_resume() const {
    note_visit(handle_.promise().control());
    if (handle_.promise().exception()) std::rethrow_exception(handle_.promise().exception());
  }

 private:
  Process::Handle handle_;
};

}  // namespace detail

inline detail::SubProgram Process::promise_type::await_transform(Process&& part) noexcept {
  return detail::SubProgram(part.release());
}

}  // namespace lockstep
