/** Asks the server: one request at a time, page by page, again after failures, and at times where no stream is open. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loadout/detail/intake.hpp"
#include "loadout/detail/network.hpp"
#include "loadout/detail/page.hpp"
#include "loadout/detail/run.hpp"
#include "loadout/detail/timers.hpp"

namespace loadout::detail {

class Refresh final : public ResponseHandler {
 public:
  struct Outcome {
    bool isChanged = false;
    /** Empty: the server gave a complete configuration. */
    std::string failure;
  };
  using Callback = std::function<void(const Outcome&)>;

  Refresh(Run& run, Intake& intake, Owner& owner)
      : run_(run), intake_(intake), owner_(owner), retry_([this] { send(); }), poll_([this] { pollNow(); }) {
    run.timers.add(retry_);
    run.timers.add(poll_);
  }

  /**
   * Asks now, or joins the request that is under way, or waits for the game to come back. Four attempts are made, also
   * without polls and streams. `callback` may be empty.
   */
  void ask(Callback callback) {
    callers_.push_back({std::move(callback), attemptsMax});
    if (requestId_ == 0 && !run_.isSuspended) begin();
  }

  /** Drops the request that is under way, and what it still brings; `ask` begins another for the same callers. */
  void abandon() {
    run_.network.cancel(requestId_);
    requestId_ = 0;
    retry_.clear();
    poll_.clear();
  }

  /** Sends nothing more but for the game. */
  void rest() {
    poll_.clear();
    if (callers_.empty()) retry_.clear();
  }

  void failCallers(const std::string& code) {
    std::vector<Caller> callers;
    callers.swap(callers_);
    for (const Caller& caller : callers) caller.complete({false, code});
  }

  /** Of the last failure since the last success; empty: none. */
  const std::string& lastFailure() const { return lastFailure_; }

  /** Plans the next poll, unless there is one, or none is due. `isStreamOpen`: the stream says what changes. */
  void planPoll(bool isStreamOpen) {
    if (isStreamOpen) poll_.clear();
    if (isStreamOpen || poll_.isSet() || run_.options.updates == Updates::None || run_.isQuiet()) return;
    if (requestId_ != 0 || retry_.isSet()) return;
    const double spread = 0.8 + 0.4 * run_.random();
    // A century of milliseconds fits; a longer wait is no poll.
    const double delayMs = std::min(run_.options.pollSeconds * spread * 1'000, 3.2e12);
    poll_.set(run_.nowMs() + static_cast<std::int64_t>(delayMs));
    const auto changesAtMs = nextChangeMs();
    if (!changesAtMs) return;
    const std::int64_t leftMs = std::max<std::int64_t>(0, *changesAtMs - run_.wallMs());
    const auto jitterMs = static_cast<std::int64_t>(2'000 + 1'000 * run_.random());
    poll_.set(std::min(poll_.dueMs(), run_.nowMs() + leftMs + jitterMs));
  }

  void onResponse(const Response& response) override {
    requestId_ = 0;
    std::string code = response.problemOf("application/json");
    if (code.empty()) {
      const auto page = readPage(response.body);
      if (page) intake_.noteDate(response);
      const auto taken = page ? intake_.take(*page, ask_) : Intake::Taken::Garbage;
      if (taken == Intake::Taken::More) return send();
      if (Intake::isComplete(taken)) return succeed(taken == Intake::Taken::Changed);
      code = taken == Intake::Taken::Stale ? "stale" : "garbage";
    }
    intake_.noteFailure(response, code);
    lastFailure_ = code;
    ++failures_;
    if (response.isRejection()) return takeRejection(response.status, code);
    retryLater(code, response);
  }

 private:
  static constexpr int attemptsMax = 4;
  static constexpr double backoffSecondsMax = 300;

  struct Caller {
    Callback callback;
    int attemptsLeft;

    void complete(const Outcome& outcome) const {
      if (callback != nullptr) callback(outcome);
    }
  };

  /** `Retry-After` counts for the game's own calls as well. */
  void begin() {
    poll_.clear();
    if (run_.nowMs() < notBeforeMs_) {
      retry_.set(notBeforeMs_);
    } else {
      send();
    }
  }

  void send() {
    retry_.clear();
    poll_.clear();
    ask_ = intake_.ask();
    requestId_ = run_.network.send(intake_.request(ask_, "/api/v1/refresh", false), *this);
  }

  void pollNow() {
    const auto changesAtMs = nextChangeMs();
    // A change asks once: a server that still names it would be asked for ever.
    if (changesAtMs && *changesAtMs <= run_.wallMs()) polledChange_ = *changesAtMs;
    begin();
  }

  std::optional<std::int64_t> nextChangeMs() const {
    const auto& latest = run_.configurations.latest();
    const auto changesAtMs = latest ? latest->changesAtMs() : std::nullopt;
    return changesAtMs && changesAtMs != polledChange_ ? changesAtMs : std::nullopt;
  }

  void succeed(bool isChanged) {
    failures_ = 0;
    notBeforeMs_ = 0;
    lastFailure_.clear();
    run_.isUnauthorized = false;
    poll_.clear();
    // First the client takes what came, so callers see its effect.
    std::vector<Caller> callers;
    callers.swap(callers_);
    owner_.onComplete();
    for (const Caller& caller : callers) caller.complete({isChanged, ""});
  }

  void takeRejection(int status, const std::string& code) {
    run_.callbacks.log(code, "The server rejects the refresh with status " + std::to_string(status) + ".");
    if (status == 401) owner_.onUnauthorized();
    owner_.onUnusable(code);
    failCallers(code);
  }

  void retryLater(const std::string& code, const Response& response) {
    if (response.isBusyServer()) notBeforeMs_ = run_.nowMs() + response.retryAfterMs;
    const std::int64_t delayMs = backoffMs(failures_, backoffSecondsMax, run_.random());
    std::vector<Caller> late;
    for (Caller& caller : callers_) --caller.attemptsLeft;
    const auto isLate = [](const Caller& caller) { return caller.attemptsLeft == 0; };
    std::copy_if(callers_.begin(), callers_.end(), std::back_inserter(late), isLate);
    callers_.erase(std::remove_if(callers_.begin(), callers_.end(), isLate), callers_.end());
    if ((run_.options.updates != Updates::None && !run_.isUnauthorized) || !callers_.empty()) {
      retry_.set(std::max(run_.nowMs(), notBeforeMs_) + delayMs);
    }
    if (failures_ % attemptsMax == 0) run_.callbacks.log(code, "The server could not be used four times in a row.");
    if (failures_ == attemptsMax) owner_.onUnusable(code);
    for (const Caller& caller : late) caller.complete({false, code});
  }

  Run& run_;
  Intake& intake_;
  Owner& owner_;
  Timer retry_;
  Timer poll_;
  std::vector<Caller> callers_;
  Intake::Ask ask_;
  std::uint64_t requestId_ = 0;
  int failures_ = 0;
  std::int64_t notBeforeMs_ = 0;
  std::string lastFailure_;
  /** A `changesAt` that a poll has followed. */
  std::optional<std::int64_t> polledChange_;
};

}  // namespace loadout::detail
