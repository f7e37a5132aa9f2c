/** The requests that are under way: sends them, gathers their responses, and abandons those that take too long. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/clock.hpp"
#include "loadout/detail/instant.hpp"
#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/timers.hpp"
#include "loadout/transport.hpp"

namespace loadout::detail {

inline constexpr std::int64_t responseMsMax = 15'000;
/** A response, and an event of a stream. */
inline constexpr std::size_t responseBytesMax = std::size_t{64} << 20;
inline constexpr std::int64_t retryAfterSecondsMax = 300;

struct Response {
  int status = 0;
  /** Media type in lower case, without parameters. */
  std::string type;
  /** Of the server's clock to the device's, when the head came. */
  std::optional<std::int64_t> clockDifferenceMs;
  std::int64_t retryAfterMs = 0;
  std::string body;
  /** Why there is no whole response; empty: there is one. */
  std::string failure;

  bool isSuccess() const { return failure.empty() && status >= 200 && status < 300; }
  bool isRejection() const {
    return failure.empty() && status >= 400 && status < 500 && status != 408 && status != 429;
  }

  /** `Retry-After` counts. */
  bool isBusyServer() const { return status == 429 || status == 503; }

  /** Code of a response that is no success; empty for one with status 200 and this type. */
  std::string problemOf(std::string_view wantedType) const {
    if (!failure.empty()) return failure;
    if (status == 200) return type == wantedType ? std::string() : std::string("garbage");
    const std::string_view text = trimmed(body);
    if (status >= 400 && type == "application/problem+json" && kindOf(text) == JsonKind::Object && isJson(text)) {
      std::string code = textOf(memberOf(text, "code"));
      if (!code.empty()) return code;
    }
    return status >= 300 && status < 400 ? "redirect" : "http_" + std::to_string(status);
  }
};

class ResponseHandler {
 public:
  virtual ~ResponseHandler() = default;
  /** The request has ended. */
  virtual void onResponse(const Response& response) = 0;
  /** The head of a response that is streamed. @return whether its body is wanted piece by piece */
  virtual bool onOpen(const Response&) { return false; }
  virtual void onPiece(std::string_view) {}
};

class Network final : public Receiver {
 public:
  Network(std::shared_ptr<Transport> transport, Clock& clock, Timers& timers)
      : transport_(std::move(transport)), clock_(clock), expiry_([this] { expire(); }) {
    timers.add(expiry_);
  }

  ~Network() override { cancelAll(); }

  bool canStream() const { return transport_->canStream(); }
  void pump() { transport_->pump(); }

  /** A stream has no time to respond in; its handler watches over it. @return an id for `cancel` */
  std::uint64_t send(Request request, ResponseHandler& handler) {
    request.id = ++lastId_;
    Exchange& exchange = exchanges_[request.id];
    exchange.handler = &handler;
    exchange.dueMs = request.isStream ? Timer::never : clock_.monotonicMs() + responseMsMax;
    transport_->send(request, *this);
    setExpiry();
    return request.id;
  }

  /** Of a request that has ended, nothing. */
  void cancel(std::uint64_t id) {
    if (exchanges_.erase(id) == 0) return;
    transport_->cancel(id);
    setExpiry();
  }

  void cancelAll() {
    while (!exchanges_.empty()) cancel(exchanges_.begin()->first);
  }

  /** Whether a response is awaited; of a stream, its head. */
  bool isBusy() const {
    return std::any_of(exchanges_.begin(), exchanges_.end(), [](const auto& each) { return !each.second.isOpen; });
  }

  void onHead(std::uint64_t id, int status, const std::vector<Header>& headers) override {
    const auto found = exchanges_.find(id);
    if (found == exchanges_.end()) return;
    Response& response = found->second.response;
    response.status = status;
    for (const Header& header : headers) takeHeader(response, header);
    found->second.isOpen = found->second.handler->onOpen(response);
  }

  void onBytes(std::uint64_t id, const char* bytes, std::size_t count) override {
    const auto found = exchanges_.find(id);
    if (found == exchanges_.end()) return;
    if (found->second.isOpen) {
      found->second.handler->onPiece(std::string_view(bytes, count));
      return;
    }
    std::string& body = found->second.response.body;
    if (body.size() + count > responseBytesMax) {
      transport_->cancel(id);
      end(id, "garbage");
    } else {
      body.append(bytes, count);
    }
  }

  void onEnd(std::uint64_t id) override { end(id, ""); }

  void onFailure(std::uint64_t id, TransportFailure failure) override {
    end(id, failure == TransportFailure::Network ? "network" : "garbage");
  }

 private:
  struct Exchange {
    ResponseHandler* handler = nullptr;
    Response response;
    std::int64_t dueMs = Timer::never;
    bool isOpen = false;
  };

  static bool isNamed(std::string_view name, std::string_view lower) {
    if (name.size() != lower.size()) return false;
    for (std::size_t at = 0; at < name.size(); ++at) {
      const char c = name[at] >= 'A' && name[at] <= 'Z' ? static_cast<char>(name[at] | 0x20) : name[at];
      if (c != lower[at]) return false;
    }
    return true;
  }

  void takeHeader(Response& response, const Header& header) {
    const std::string_view value = trimmed(header.value);
    if (isNamed(header.name, "content-type")) {
      response.type = std::string(trimmed(value.substr(0, value.find(';'))));
      for (char& c : response.type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    } else if (isNamed(header.name, "date")) {
      const auto dateMs = parseHttpDate(value);
      if (dateMs) response.clockDifferenceMs = *dateMs - clock_.wallMs();
    } else if (isNamed(header.name, "retry-after")) {
      const bool isSeconds = !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
      std::int64_t seconds = 0;
      for (const char c : isSeconds ? value : std::string_view()) {
        seconds = std::min(seconds * 10 + (c - '0'), retryAfterSecondsMax);
      }
      response.retryAfterMs = seconds * 1'000;
    }
  }

  void end(std::uint64_t id, const char* failure) {
    const auto found = exchanges_.find(id);
    if (found == exchanges_.end()) return;
    const Exchange exchange = std::move(found->second);
    exchanges_.erase(found);
    setExpiry();
    Response response = exchange.response;
    response.failure = failure;
    exchange.handler->onResponse(response);
  }

  void expire() {
    const std::int64_t nowMs = clock_.monotonicMs();
    for (;;) {
      const auto due = std::find_if(exchanges_.begin(), exchanges_.end(), [nowMs](const auto& each) {
        return each.second.dueMs <= nowMs;
      });
      if (due == exchanges_.end()) break;
      const std::uint64_t id = due->first;
      transport_->cancel(id);
      end(id, "timeout");
    }
    setExpiry();
  }

  void setExpiry() {
    expiry_.clear();
    for (const auto& [id, exchange] : exchanges_) expiry_.set(std::min(expiry_.dueMs(), exchange.dueMs));
  }

  std::shared_ptr<Transport> transport_;
  Clock& clock_;
  Timer expiry_;
  std::map<std::uint64_t, Exchange> exchanges_;
  std::uint64_t lastId_ = 0;
};

}  // namespace loadout::detail
