#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "lockstep/core/processes.hpp"

namespace lockstep::test {

/// Threads of one process that communicate like separate processes: a transport for tests, whose wire can be tampered
/// with.
class ThreadedProcesses {
 public:
  /// May change or delay the data from one process to another: the data that it returns arrives, in that order.
  using Tamper = std::function<std::vector<Bytes>(unsigned from, unsigned to, Bytes)>;

  /// The data of gather() and reduce() can be tampered with, too.
  explicit ThreadedProcesses(unsigned count, Tamper tamper = {}, bool tampers_with_gathered = false)
      : tamper_(std::move(tamper)), tampers_with_gathered_(tampers_with_gathered), count_(count) {
    boxes_.resize(std::size_t{count} * count);
    ended_.resize(count);
  }

  /// Calls body(processes) in each of them; an exception of one ends all that wait for it, and so does its end if it
  /// has sent less than they wait for. Returns each one's exception.
  std::vector<std::exception_ptr> run(const std::function<void(Processes&)>& body) {
    std::vector<std::exception_ptr> thrown(count_);
    {
      std::vector<std::jthread> threads;
      for (unsigned own = 0; own < count_; ++own) {
        threads.emplace_back([this, own, &body, &thrown] {
          Process process(*this, own);
          try {
            body(process);
          } catch (...) {
            thrown[own] = std::current_exception();
            end_all();
          }
          end(own);
        });
      }
    }
    return thrown;
  }

 private:
  /// Thrown when another process has ended early.
  struct Ended : std::runtime_error {
    Ended() : std::runtime_error("another process has ended") {}
  };

  class Process : public Processes {
   public:
    Process(ThreadedProcesses& all, unsigned own) : all_(all), own_(own) {}
    unsigned count() const override { return all_.count_; }
    unsigned own() const override { return own_; }
    std::vector<Bytes> exchange(std::span<const unsigned> others, std::vector<Bytes> outgoing) override {
      for (std::size_t index = 0; index < others.size(); ++index) {
        all_.send(own_, others[index], std::move(outgoing[index]), static_cast<bool>(all_.tamper_));
      }
      std::vector<Bytes> incoming;
      for (const unsigned other : others) incoming.push_back(all_.take(other, own_));
      return incoming;
    }
    void reduce(std::span<std::uint64_t> sums, std::span<std::uint64_t> maxima) override {
      Bytes given;
      ByteWriter to(given);
      to.put_all(std::span<const std::uint64_t>(sums));
      to.put_all(std::span<const std::uint64_t>(maxima));
      std::fill(sums.begin(), sums.end(), 0);
      for (const Bytes& bytes : gather(std::move(given))) {
        ByteReader from(bytes);
        for (std::uint64_t& sum : sums) sum += from.get<std::uint64_t>();
        for (std::uint64_t& most : maxima) most = std::max(most, from.get<std::uint64_t>());
      }
    }
    std::vector<Bytes> gather(Bytes given) override {
      for (unsigned to = 0; to < all_.count_; ++to) {
        all_.send(own_, to, given, all_.tampers_with_gathered_ && to != own_);
      }
      std::vector<Bytes> all;
      for (unsigned from = 0; from < all_.count_; ++from) all.push_back(all_.take(from, own_));
      return all;
    }

   private:
    ThreadedProcesses& all_;
    unsigned own_;
  };

  void send(unsigned from, unsigned to, Bytes bytes, bool is_tampered_with) {
    if (!is_tampered_with) return put(from, to, std::move(bytes));
    for (Bytes& one : tamper_(from, to, std::move(bytes))) put(from, to, std::move(one));
  }
  std::deque<Bytes>& box(unsigned from, unsigned to) { return boxes_[std::size_t{from} * count_ + to]; }
  void put(unsigned from, unsigned to, Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    box(from, to).push_back(std::move(bytes));
    changed_.notify_all();
  }
  Bytes take(unsigned from, unsigned to) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_ended_ || ended_[from] || !box(from, to).empty(); });
    if (box(from, to).empty()) throw Ended();
    Bytes bytes = std::move(box(from, to).front());
    box(from, to).pop_front();
    return bytes;
  }
  void end_all() {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }
  void end(unsigned own) {
    const std::scoped_lock lock(mutex_);
    ended_[own] = true;
    changed_.notify_all();
  }

  const Tamper tamper_;
  const bool tampers_with_gathered_;
  const unsigned count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::deque<Bytes>> boxes_;  // by from and to
  std::vector<bool> ended_;               // one by one
  bool has_ended_ = false;                // because of an exception
};

}  // namespace lockstep::test
