/** HTTP by libcurl's multi interface. Link with libcurl 7.66 or newer. */
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/transport.hpp"

namespace loadout {

class CurlTransport final : public Transport {
 public:
  CurlTransport() {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi_ = curl_multi_init();
  }

  CurlTransport(const CurlTransport&) = delete;
  CurlTransport& operator=(const CurlTransport&) = delete;

  ~CurlTransport() override {
    while (!transfers_.empty()) cancel(transfers_.begin()->first);
    curl_multi_cleanup(multi_);
    curl_global_cleanup();
  }

  /** For `curl_multi_poll`, in programs that have nothing else to do meanwhile. */
  CURLM* multi() { return multi_; }

  void send(const Request& request, Receiver& receiver) override {
    auto& transfer = transfers_[request.id];
    transfer = std::make_unique<Transfer>();
    transfer->receiver = &receiver;
    transfer->body = request.body;
    transfer->easy = curl_easy_init();
    for (const Header& header : request.headers) transfer->addHeader(header.name + ": " + header.value);
    // A server would be asked for leave to send a longer body, and given a second to say so.
    transfer->addHeader("Expect:");
    if (transfer->easy == nullptr || !configure(*transfer, request) ||
        curl_multi_add_handle(multi_, transfer->easy) != CURLM_OK) {
      transfer->events.push_back({Event::Kind::Failure, TransportFailure::Network, {}});
    }
  }

  void cancel(std::uint64_t id) override {
    const auto found = transfers_.find(id);
    if (found == transfers_.end()) return;
    curl_multi_remove_handle(multi_, found->second->easy);
    transfers_.erase(found);
  }

  void pump() override {
    int running = 0;
    curl_multi_perform(multi_, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      char* owner = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
      auto* transfer = reinterpret_cast<Transfer*>(owner);
      const bool isWhole = message->data.result == CURLE_OK && transfer->isHeadOver;
      const auto kind = isWhole ? Event::Kind::End : Event::Kind::Failure;
      transfer->events.push_back({kind, failureOf(message->data.result), {}});
    }
    deliver();
  }

  bool canStream() const override { return true; }

 private:
  /** What has not been delivered of one response; above this the other side floods. */
  static constexpr std::size_t pendingBytesMax = std::size_t{64} << 20;
  static constexpr std::size_t headersMax = 200;
  static constexpr long connectMsMax = 10'000;

  struct Event {
    enum class Kind { Head, Bytes, End, Failure };
    Kind kind;
    TransportFailure failure;
    std::string bytes;
  };

  struct Transfer {
    Transfer() = default;
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    ~Transfer() {
      curl_easy_cleanup(easy);
      curl_slist_free_all(list);
    }

    void addHeader(const std::string& line) {
      curl_slist* longer = curl_slist_append(list, line.c_str());
      if (longer != nullptr) list = longer;
    }

    Receiver* receiver = nullptr;
    CURL* easy = nullptr;
    curl_slist* list = nullptr;
    std::string body;
    int status = 0;
    std::vector<Header> headers;
    bool isHeadOver = false;
    std::size_t pendingBytes = 0;
    /** libcurl must not be called from its callbacks, so the receiver hears of these behind them. */
    std::deque<Event> events;
  };

  template <typename T>
  static bool set(CURL* easy, CURLoption option, T value) {
    return curl_easy_setopt(easy, option, value) == CURLE_OK;
  }

  static bool configure(Transfer& transfer, const Request& request) {
    CURL* easy = transfer.easy;
    void* owner = &transfer;
    bool isDone = set(easy, CURLOPT_URL, request.url.c_str()) && set(easy, CURLOPT_PRIVATE, owner);
    isDone = isDone && restrictProtocols(easy) && set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    isDone = isDone && set(easy, CURLOPT_NOSIGNAL, 1L) && set(easy, CURLOPT_CONNECTTIMEOUT_MS, connectMsMax);
    isDone = isDone && set(easy, CURLOPT_POST, 1L) && set(easy, CURLOPT_POSTFIELDS, transfer.body.c_str());
    isDone = isDone && set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer.body.size()));
    isDone = isDone && set(easy, CURLOPT_HTTPHEADER, transfer.list);
    isDone = isDone && set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    isDone = isDone && set(easy, CURLOPT_HEADERFUNCTION, &onHeader) && set(easy, CURLOPT_HEADERDATA, owner);
    isDone = isDone && set(easy, CURLOPT_WRITEFUNCTION, &onWrite) && set(easy, CURLOPT_WRITEDATA, owner);
    // A libcurl without zlib rejects this and gets the response as it is.
    if (!request.isStream) set(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    return isDone;
  }

  static bool restrictProtocols(CURL* easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return set(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  }

  static TransportFailure failureOf(CURLcode code) {
    const bool isGarbage = code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_WRITE_ERROR ||
                           code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY;
    return isGarbage ? TransportFailure::Garbage : TransportFailure::Network;
  }

  /** Of a line `HTTP/1.1 200 OK`; 0: it has none. */
  static int statusOf(std::string_view line) {
    const std::size_t space = line.find(' ');
    int status = 0;
    for (const char c : space == std::string_view::npos ? std::string_view() : line.substr(space + 1, 3)) {
      if (c >= '0' && c <= '9') status = status * 10 + (c - '0');
    }
    return status;
  }

  /** A line of a head, with its end. Heads of informational responses come before the one that counts. */
  static std::size_t onHeader(char* bytes, std::size_t size, std::size_t count, void* owner) {
    auto& transfer = *static_cast<Transfer*>(owner);
    std::string_view line(bytes, size * count);
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
    // What comes behind the body is a trailer.
    if (transfer.isHeadOver) return size * count;
    const std::size_t colon = line.find(':');
    if (line.substr(0, 5) == "HTTP/") {
      transfer.headers.clear();
      transfer.status = statusOf(line);
    } else if (line.empty()) {
      if (transfer.status < 200) return size * count;
      transfer.isHeadOver = true;
      transfer.events.push_back({Event::Kind::Head, TransportFailure::Network, {}});
    } else if (colon != std::string_view::npos && transfer.headers.size() < headersMax) {
      transfer.headers.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 1))});
    }
    return size * count;
  }

  static std::size_t onWrite(char* bytes, std::size_t size, std::size_t count, void* owner) {
    auto& transfer = *static_cast<Transfer*>(owner);
    transfer.pendingBytes += size * count;
    if (transfer.pendingBytes > pendingBytesMax) return 0;
    if (transfer.events.empty() || transfer.events.back().kind != Event::Kind::Bytes) {
      transfer.events.push_back({Event::Kind::Bytes, TransportFailure::Network, {}});
    }
    transfer.events.back().bytes.append(bytes, size * count);
    return size * count;
  }

  void deliver() {
    std::vector<std::uint64_t> ids;
    for (const auto& each : transfers_) ids.push_back(each.first);
    for (const std::uint64_t id : ids) {
      // The receiver may cancel this or any other request at each step.
      for (auto found = transfers_.find(id); found != transfers_.end(); found = transfers_.find(id)) {
        Transfer& transfer = *found->second;
        if (transfer.events.empty()) break;
        const Event event = std::move(transfer.events.front());
        transfer.events.pop_front();
        transfer.pendingBytes -= event.bytes.size();
        Receiver& receiver = *transfer.receiver;
        if (event.kind == Event::Kind::Head) {
          const std::vector<Header> headers = std::move(transfer.headers);
          receiver.onHead(id, transfer.status, headers);
        } else if (event.kind == Event::Kind::Bytes) {
          receiver.onBytes(id, event.bytes.data(), event.bytes.size());
        } else {
          cancel(id);
          if (event.kind == Event::Kind::End) receiver.onEnd(id);
          else receiver.onFailure(id, event.failure);
        }
      }
    }
  }

  CURLM* multi_ = nullptr;
  std::map<std::uint64_t, std::unique_ptr<Transfer>> transfers_;
};

}  // namespace loadout
