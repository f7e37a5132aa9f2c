/** Calls into the game. They wait for `update`, where the game expects them. */
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace loadout::detail {

class Callbacks {
 public:
  using LogFunction = std::function<void(const std::string& code, const std::string& sentence)>;

  explicit Callbacks(LogFunction log) : log_(std::move(log)) {}

  void post(std::function<void()> callback) { waiting_.push_back(std::move(callback)); }

  void log(std::string code, std::string sentence) {
    if (log_ == nullptr || waiting_.size() >= logMax) return;
    post([this, code = std::move(code), sentence = std::move(sentence)] { log_(code, sentence); });
  }

  bool isEmpty() const { return waiting_.empty(); }

  /** What is posted meanwhile waits for the next time, so a game that asks again in each answer gets its frame back. */
  void run() {
    for (std::size_t left = waiting_.size(); left > 0; --left) {
      const std::function<void()> callback = std::move(waiting_.front());
      waiting_.pop_front();
      guarded(callback);
    }
  }

 private:
  /** A listener or log function that throws is ignored, where there are exceptions. */
  static void guarded(const std::function<void()>& callback) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    try {
      callback();
    } catch (...) {
    }
#else
    callback();
#endif
  }

  /** A game that never calls `update` keeps no more than these. */
  static constexpr std::size_t logMax = 1'000;

  LogFunction log_;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace loadout::detail
