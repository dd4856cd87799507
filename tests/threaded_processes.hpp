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

/// Threads of one process that talk as if they were processes of their own: a transport for tests, whose wire can be
/// tampered with.
class ThreadedProcesses {
 public:
  /// May change what goes from one process to another, or put it off: what it returns arrives, in that order.
  using Tamper = std::function<std::vector<Bytes>(unsigned from, unsigned to, Bytes)>;

  explicit ThreadedProcesses(unsigned count, Tamper tamper = {}) : tamper_(std::move(tamper)), count_(count) {
    boxes_.resize(std::size_t{count} * count);
  }

  /// Calls body(processes) in every one of them; an exception of one ends all that wait for it. Returns what each
  /// threw.
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
        });
      }
    }
    return thrown;
  }

 private:
  /// That another process has ended early.
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
        Bytes bytes = std::move(outgoing[index]);
        if (!all_.tamper_) {
          all_.put(own_, others[index], std::move(bytes));
          continue;
        }
        for (Bytes& one : all_.tamper_(own_, others[index], std::move(bytes))) {
          all_.put(own_, others[index], std::move(one));
        }
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
      for (unsigned to = 0; to < all_.count_; ++to) all_.put(own_, to, given);
      std::vector<Bytes> all;
      for (unsigned from = 0; from < all_.count_; ++from) all.push_back(all_.take(from, own_));
      return all;
    }

   private:
    ThreadedProcesses& all_;
    unsigned own_;
  };

  std::deque<Bytes>& box(unsigned from, unsigned to) { return boxes_[std::size_t{from} * count_ + to]; }
  void put(unsigned from, unsigned to, Bytes bytes) {
    const std::scoped_lock lock(mutex_);
    box(from, to).push_back(std::move(bytes));
    changed_.notify_all();
  }
  Bytes take(unsigned from, unsigned to) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_ended_ || !box(from, to).empty(); });
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

  const Tamper tamper_;
  const unsigned count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::deque<Bytes>> boxes_;  // by from and to
  bool has_ended_ = false;
};

}  // namespace lockstep::test
