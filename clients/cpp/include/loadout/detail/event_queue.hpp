/** Exposures and metric events on their way to the server: queued, stored, and sent where the server takes them. */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/crc32.hpp"
#include "loadout/detail/instant.hpp"
#include "loadout/detail/intake.hpp"
#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/network.hpp"
#include "loadout/detail/number.hpp"
#include "loadout/detail/run.hpp"
#include "loadout/detail/saved_item.hpp"
#include "loadout/detail/timers.hpp"
#include "loadout/detail/utf8.hpp"

namespace loadout::detail {

class EventQueue final : public ResponseHandler {
 public:
  EventQueue(Run& run, const Intake& intake, SavedItems& items)
      : run_(run), intake_(intake), items_(items), hasConsent_(!run.options.consentRequired),
        sending_([this] { send(); }) {
    run.timers.add(sending_);
  }

  /** Takes the queue of the player that was loaded, as far as it is stored. */
  void load() {
    events_.clear();
    exposed_.clear();
    bytes_ = 0;
    const auto text = items_.read(run_.configurations.nameOfItem("events"));
    isStored_ = text.has_value();
    if (text && isJson(*text)) {
      for (JsonElements elements(*text); elements.next();) push(std::string(elements.value));
    }
    if (isRefused_) empty();
  }

  /** Keeps what was not sent for the next run. */
  void store() {
    logDropped();
    const std::string name = run_.configurations.nameOfItem("events");
    if (events_.empty()) {
      if (isStored_) items_.remove(name);
      isStored_ = false;
    } else {
      isStored_ = items_.write(name, listOf(events_.size())) || isStored_;
    }
  }

  void expose(const Content& content) {
    if (!isTaking() || kindOf(content.seg) != JsonKind::Array || !JsonElements(content.seg).next()) return;
    const std::string once = content.id + ':' + content.tag;
    if (exposed_.size() >= exposedMax || !exposed_.insert(once).second) return;
    std::string event = begin("exposure");
    appendMember(event, "id", content.id);
    appendMember(event, "tag", content.tag);
    appendName(event, "seg");
    event += content.seg;
    add(std::move(event));
  }

  void track(std::string_view name, double value) {
    const std::size_t characters = countCharacters(name);
    if (!isTaking() || !std::isfinite(value) || characters == 0 || characters > nameCharactersMax) return;
    std::string event = begin("metric");
    appendMember(event, "n", name);
    appendName(event, "x");
    event += formatDouble(value);
    add(std::move(event));
  }

  void setConsent(bool isGiven) {
    hasConsent_ = isGiven;
    isRefused_ = !isGiven;
    if (isGiven) {
      plan();
      return;
    }
    pause();
    if (run_.isStarted) empty();
    completeFlushes();
  }

  /** @param callback called when the queue is empty, with the first failure, or where nothing may be sent */
  void flush(std::function<void()> callback) {
    if (run_.isStarted) store();
    flushes_.push_back(std::move(callback));
    if (events_.empty() || !maySend()) return completeFlushes();
    if (requestId_ == 0 && run_.nowMs() >= notBeforeMs_) send();
    else if (requestId_ == 0) completeFlushes();
  }

  /** Sends what waits, 10 seconds after it began to. */
  void plan() {
    if (requestId_ == 0 && !sending_.isSet() && !events_.empty() && maySend()) sending_.set(run_.nowMs() + collectMs);
  }

  /** What is under way is sent again later; its `eid` tells the server. */
  void pause() {
    run_.network.cancel(requestId_);
    requestId_ = 0;
    underWay_ = 0;
    sending_.clear();
  }

  void completeFlushes() {
    std::vector<std::function<void()>> flushes;
    flushes.swap(flushes_);
    for (const auto& callback : flushes) callback();
  }

  void onResponse(const Response& response) override {
    requestId_ = 0;
    if (response.isSuccess() || response.isRejection()) {
      if (!response.isSuccess()) {
        const std::string status = std::to_string(response.status);
        run_.callbacks.log("events_rejected", "The server rejects events with status " + status + ".");
      }
      drop(underWay_);
      failures_ = 0;
      if (isStored_) store();
      if (events_.empty()) return completeFlushes();
      send();
      return;
    }
    ++failures_;
    notBeforeMs_ = run_.nowMs() + (response.isBusyServer() ? response.retryAfterMs : 0);
    sending_.set(notBeforeMs_ + backoffMs(failures_, backoffSecondsMax, run_.random()));
    completeFlushes();
  }

 private:
  static constexpr std::size_t eventsMax = 1'000;
  static constexpr std::size_t bytesMax = std::size_t{256} << 10;
  static constexpr std::size_t requestBytesMax = std::size_t{64} << 10;
  static constexpr std::size_t nameCharactersMax = 100;
  /** As many content items as a refresh has. */
  static constexpr std::size_t exposedMax = 10'000;
  static constexpr std::int64_t collectMs = 10'000;
  static constexpr double backoffSecondsMax = 300;

  void empty() {
    events_.clear();
    bytes_ = 0;
    store();
  }

  bool isTaking() const {
    return run_.isStarted && !run_.isStopped && hasConsent_ && !run_.options.user.empty();
  }

  bool maySend() const { return !run_.isQuiet() && hasConsent_ && intake_.takesEvents(); }

  static std::string begin(std::string_view type) {
    std::string event = "{";
    appendMember(event, "t", type);
    return event;
  }

  void add(std::string event) {
    appendMember(event, "at", formatInstant(run_.wallMs()));
    std::string eid;
    for (int half = 0; half < 2; ++half) {
      eid += hexOf(static_cast<std::uint64_t>(run_.random() * 4'294'967'296.0), 8);
    }
    appendMember(event, "eid", eid);
    event += '}';
    push(std::move(event));
    plan();
  }

  /** The oldest make room for it. One that no request could hold is dropped itself. */
  void push(std::string event) {
    if (event.size() + envelopeSize() > requestBytesMax) {
      ++dropped_;
      return;
    }
    bytes_ += event.size();
    events_.push_back(std::move(event));
    for (; events_.size() > eventsMax || bytes_ > bytesMax; ++dropped_) {
      if (underWay_ > 0) --underWay_;
      dropOldest();
    }
  }

  /** Once for many: a game that tracks in each frame would fill its log. */
  void logDropped() {
    if (dropped_ == 0) return;
    run_.callbacks.log("events_dropped", std::to_string(dropped_) + " events were dropped: too many wait.");
    dropped_ = 0;
  }

  void dropOldest() {
    bytes_ -= events_.front().size();
    events_.pop_front();
  }

  void drop(std::size_t count) {
    for (; count > 0 && !events_.empty(); --count) dropOldest();
    underWay_ = 0;
  }

  std::string listOf(std::size_t count) const {
    std::string list = "[";
    for (std::size_t at = 0; at < count; ++at) {
      if (at > 0) list += ',';
      list += events_[at];
    }
    list += ']';
    return list;
  }

  std::string envelope() const {
    std::string body = "{";
    appendMember(body, "u", run_.options.user);
    appendName(body, "events");
    return body;
  }

  /** With the brackets and the brace behind it. */
  std::size_t envelopeSize() const { return envelope().size() + 3; }

  void send() {
    sending_.clear();
    logDropped();
    if (!maySend() || events_.empty()) return completeFlushes();
    std::size_t size = envelopeSize();
    underWay_ = 0;
    for (; underWay_ < events_.size(); ++underWay_) {
      size += events_[underWay_].size() + (underWay_ > 0 ? 1 : 0);
      if (size > requestBytesMax) break;
    }
    Request request;
    request.url = Intake::addressOf(run_.options.url, "/api/v1/events");
    request.headers = {{"X-Api-Key", run_.options.key}, {"Content-Type", "application/json"}};
    request.body = envelope() + listOf(underWay_) + '}';
    requestId_ = run_.network.send(std::move(request), *this);
  }

  Run& run_;
  const Intake& intake_;
  SavedItems& items_;
  bool hasConsent_;
  /** The player said no in this run: nothing of earlier runs is kept either. */
  bool isRefused_ = false;
  Timer sending_;
  /** JSON text of each, the oldest first. */
  std::deque<std::string> events_;
  std::size_t bytes_ = 0;
  /** Since that was logged last. */
  std::size_t dropped_ = 0;
  /** How many of the oldest are in the request. */
  std::size_t underWay_ = 0;
  std::uint64_t requestId_ = 0;
  std::int64_t notBeforeMs_ = 0;
  int failures_ = 0;
  bool isStored_ = false;
  /** What was exposed in this run, of this player. */
  std::set<std::string> exposed_;
  std::vector<std::function<void()>> flushes_;
};

}  // namespace loadout::detail
