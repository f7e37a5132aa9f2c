/** Receipts: whether a configuration proved itself. Sent one after the other, in this run only. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "loadout/detail/intake.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/network.hpp"
#include "loadout/detail/run.hpp"
#include "loadout/detail/timers.hpp"

namespace loadout::detail {

class Receipts final : public ResponseHandler {
 public:
  explicit Receipts(Run& run) : run_(run), sending_([this] { send(); }) { run.timers.add(sending_); }

  void add(const std::string& receipt, bool isOk) {
    if (receipt.empty() || waiting_.size() >= waitingMax) return;
    std::string body = "{";
    appendMember(body, "u", run_.options.user);
    appendMember(body, "receipt", receipt);
    appendName(body, "ok");
    body += isOk ? "true}" : "false}";
    waiting_.push_back(std::move(body));
    resume();
  }

  void pause() {
    run_.network.cancel(requestId_);
    requestId_ = 0;
    sending_.clear();
  }

  void resume() {
    if (requestId_ == 0 && !sending_.isSet()) send();
  }

  void onResponse(const Response& response) override {
    requestId_ = 0;
    ++attempts_;
    if (response.isSuccess() || response.isRejection() || attempts_ >= attemptsMax) {
      waiting_.pop_front();
      attempts_ = 0;
      send();
      return;
    }
    const std::int64_t delayMs = backoffMs(attempts_, 300, run_.random());
    sending_.set(run_.nowMs() + (response.isBusyServer() ? response.retryAfterMs : 0) + delayMs);
  }

 private:
  static constexpr int attemptsMax = 4;
  /** A game confirms a few in a run. */
  static constexpr std::size_t waitingMax = 100;

  void send() {
    sending_.clear();
    if (waiting_.empty() || run_.isQuiet()) return;
    Request request;
    request.url = Intake::addressOf(run_.options.url, "/api/v1/receipts");
    request.headers = {{"X-Api-Key", run_.options.key}, {"Content-Type", "application/json"}};
    request.body = waiting_.front();
    requestId_ = run_.network.send(std::move(request), *this);
  }

  Run& run_;
  Timer sending_;
  /** Bodies. */
  std::deque<std::string> waiting_;
  std::uint64_t requestId_ = 0;
  int attempts_ = 0;
};

}  // namespace loadout::detail
