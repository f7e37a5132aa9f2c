/** The stream: pages of a refresh as they come, for as long as the game runs. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "loadout/detail/event_stream.hpp"
#include "loadout/detail/intake.hpp"
#include "loadout/detail/network.hpp"
#include "loadout/detail/page.hpp"
#include "loadout/detail/run.hpp"
#include "loadout/detail/timers.hpp"

namespace loadout::detail {

class Stream final : public ResponseHandler, private EventStreamSink {
 public:
  /** @param onState called when the stream opened or closed: polls depend on it */
  Stream(Run& run, Intake& intake, Owner& owner, std::function<void()> onState)
      : run_(run), intake_(intake), owner_(owner), onState_(std::move(onState)), opening_([this] { open(); }),
        silence_([this] { takeSilence(); }) {
    run.timers.add(opening_);
    run.timers.add(silence_);
  }

  bool isOpen() const { return isOpen_; }

  /** Opens one, unless there is one, or a time for it, or there can be none. */
  void want() {
    if (requestId_ == 0 && !opening_.isSet() && isPossible()) open();
  }

  /** Closes it without another to follow. */
  void close() {
    opening_.clear();
    silence_.clear();
    run_.network.cancel(requestId_);
    requestId_ = 0;
    isOpen_ = false;
    retryMs_.reset();
  }

  void onResponse(const Response& response) override {
    // The head of an open one was no failure.
    if (!isOpen_) {
      const std::string code = response.problemOf("text/event-stream");
      intake_.noteFailure(response, code);
      if (response.isRejection()) return takeRejection(response.status, code);
      if (response.isBusyServer()) notBeforeMs_ = run_.nowMs() + response.retryAfterMs;
    }
    silentStreams_ = 0;
    openLater();
  }

  bool onOpen(const Response& response) override {
    if (!response.problemOf("text/event-stream").empty()) return false;
    isOpen_ = true;
    intake_.noteDate(response);
    expectBytes();
    onState_();
    return true;
  }

  void onPiece(std::string_view piece) override {
    expectBytes();
    const std::uint64_t id = requestId_;
    if (reader_->read(piece, *this) || id != requestId_) return;
    silentStreams_ = 0;
    openLater();
  }

 private:
  static constexpr std::int64_t silenceMsMax = 60'000;
  static constexpr std::int64_t retryMsMax = 60'000;
  static constexpr double backoffSecondsMax = 60;
  static constexpr int silentStreamsMax = 2;

  bool isPossible() const {
    return run_.options.updates == Updates::Stream && !isUnusable_ && !run_.isQuiet();
  }

  void open() {
    opening_.clear();
    if (!isPossible()) return;
    if (!run_.network.canStream()) return giveUp("The transport has no streams");
    if (run_.nowMs() < notBeforeMs_) return opening_.set(notBeforeMs_);
    ask_ = intake_.ask();
    reader_ = std::make_unique<EventStreamReader>(responseBytesMax);
    requestId_ = run_.network.send(intake_.request(ask_, "/api/v1/stream", true), *this);
    expectBytes();
  }

  void expectBytes() { silence_.set(run_.nowMs() + silenceMsMax); }

  bool onEvent(std::string_view name, std::string_view data) override {
    if (name != "refresh") return true;
    const std::uint64_t id = requestId_;
    const auto page = readPage(data);
    const auto taken = page ? intake_.take(*page, ask_) : Intake::Taken::Garbage;
    if (taken == Intake::Taken::Garbage || taken == Intake::Taken::Stale) return false;
    ends_ = 0;
    if (Intake::isComplete(taken)) owner_.onComplete();
    return id == requestId_;
  }

  void onRetry(std::int64_t ms) override { retryMs_ = std::min(ms, retryMsMax); }

  void takeSilence() {
    if (++silentStreams_ < silentStreamsMax) return openLater();
    close();
    giveUp("Two streams in a row had no byte for 60 seconds");
  }

  void takeRejection(int status, const std::string& code) {
    close();
    if (status != 401) return giveUp("The server rejects streams with status " + std::to_string(status));
    run_.callbacks.log(code, "The server rejects the stream with status 401.");
    owner_.onUnauthorized();
    owner_.onUnusable(code);
  }

  void giveUp(const std::string& reason) {
    isUnusable_ = true;
    run_.callbacks.log("stream_unusable", reason + "; the client polls for the rest of the run.");
    onState_();
  }

  void openLater() {
    const auto retryMs = retryMs_;
    close();
    ++ends_;
    const std::int64_t delayMs = retryMs ? *retryMs : backoffMs(ends_, backoffSecondsMax, run_.random());
    opening_.set(std::max(run_.nowMs(), notBeforeMs_) + delayMs);
    onState_();
  }

  Run& run_;
  Intake& intake_;
  Owner& owner_;
  std::function<void()> onState_;
  Timer opening_;
  Timer silence_;
  Intake::Ask ask_;
  std::unique_ptr<EventStreamReader> reader_;
  std::uint64_t requestId_ = 0;
  bool isOpen_ = false;
  /** For the rest of the run. */
  bool isUnusable_ = false;
  int silentStreams_ = 0;
  /** Without an event in between. */
  int ends_ = 0;
  std::int64_t notBeforeMs_ = 0;
  std::optional<std::int64_t> retryMs_;
};

}  // namespace loadout::detail
