/** What refreshes and streams share: the request that says what is held, and the pages that answer it. */
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/clock.hpp"
#include "loadout/detail/configurations.hpp"
#include "loadout/detail/gathering.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/network.hpp"
#include "loadout/detail/page.hpp"
#include "loadout/options.hpp"
#include "loadout/transport.hpp"

namespace loadout::detail {

class Intake {
 public:
  enum class Taken { Garbage, Stale, More, Unchanged, Changed };

  static bool isComplete(Taken taken) { return taken == Taken::Unchanged || taken == Taken::Changed; }

  /** What a page was asked with. */
  struct Ask {
    Gathering gathering;
    std::string store;
    std::optional<std::int64_t> minSequence;
    /** What had been seen when it was asked. */
    std::optional<std::int64_t> seen;
  };

  /** `options` are the client's: user and attributes change there. */
  Intake(const Options& options, Clock& clock, Configurations& configurations)
      : options_(options), clock_(clock), configurations_(configurations) {
    for (const std::string& id : options.ids) ids_.push_back(toLower(id));
  }

  /** Another player: pages of the one before do not count. What is known of the server stays. */
  void forgetPages() {
    partial_.reset();
    at_.clear();
  }

  /** Of a response from the server, when its head came. */
  void noteDate(const Response& response) {
    if (response.clockDifferenceMs) configurations_.setClockDifference(*response.clockDifferenceMs);
  }

  bool takesEvents() const { return takesEvents_; }

  /** Continues an interrupted refresh with the pages that came. */
  Ask ask() const {
    Ask ask;
    ask.gathering = partial_ ? *partial_ : Gathering(configurations_.held(), ids_);
    if (notReached_ < 2) ask.minSequence = sequence_;
    ask.store = store_;
    ask.seen = sequence_;
    return ask;
  }

  Request request(const Ask& ask, std::string_view path, bool isStream) const {
    Request request;
    request.url = addressOf(options_.url, path);
    request.isStream = isStream;
    request.headers = {{"X-Api-Key", options_.key}, {"Content-Type", "application/json"}};
    request.headers.push_back({"Accept", isStream ? "text/event-stream" : "application/json"});
    if (ask.minSequence) request.headers.push_back({"X-Min-Sequence", std::to_string(*ask.minSequence)});
    request.body = bodyOf(ask);
    return request;
  }

  Taken take(const Page& page, Ask& ask) {
    if (ask.minSequence && page.store == ask.store && page.sequence < *ask.minSequence) return Taken::Stale;
    if (!ask.gathering.add(page)) return Taken::Garbage;
    // A stream and a refresh may overtake each other: what came since is newer than this page.
    const bool isOvertaken = sequence_ && sequence_ != ask.seen && page.store == store_ && page.sequence < *sequence_;
    if (isOvertaken) return page.more ? Taken::More : Taken::Unchanged;
    store_ = page.store;
    sequence_ = page.sequence;
    notReached_ = 0;
    if (!page.at.empty()) {
      at_ = page.at;
      atUntilMs_ = clock_.monotonicMs() + 60'000;
    }
    if (page.more) {
      partial_ = ask.gathering;
      return Taken::More;
    }
    partial_.reset();
    takesEvents_ = takesEvents_ || page.takesEvents;
    return configurations_.take(ask.gathering.configuration(page)) ? Taken::Changed : Taken::Unchanged;
  }

  /** After two of these in a row the server is not asked for a sequence until it named one. */
  void noteFailure(const Response& response, std::string_view code) {
    if (!response.failure.empty()) return;
    notReached_ = code == "sequence_not_reached" ? notReached_ + 1 : 0;
  }

  static std::string addressOf(std::string_view url, std::string_view path) {
    while (!url.empty() && url.back() == '/') url.remove_suffix(1);
    return std::string(url) + std::string(path);
  }

 private:
  std::string bodyOf(const Ask& ask) const {
    std::string body = "{";
    appendMember(body, "u", options_.user);
    appendName(body, "p");
    body += options_.attributes;
    if (!options_.appVersion.empty()) appendMember(body, "v", options_.appVersion);
    appendName(body, "have");
    ask.gathering.appendHave(body);
    if (!options_.ids.empty()) {
      appendName(body, "ids");
      body += '[';
      for (const std::string& id : options_.ids) {
        if (body.back() != '[') body += ',';
        appendQuoted(body, id);
      }
      body += ']';
    }
    body += ",\"bytesMax\":1048576";
    if (!at_.empty() && clock_.monotonicMs() < atUntilMs_) appendMember(body, "at", at_);
    body += '}';
    return body;
  }

  const Options& options_;
  Clock& clock_;
  Configurations& configurations_;
  std::vector<std::string> ids_;
  /** Pages of a refresh that was interrupted. */
  std::optional<Gathering> partial_;
  std::string store_;
  /** Seen last in this run. */
  std::optional<std::int64_t> sequence_;
  int notReached_ = 0;
  std::string at_;
  std::int64_t atUntilMs_ = 0;
  bool takesEvents_ = false;
};

}  // namespace loadout::detail
