/** How a client reaches the server: the engine's HTTP, or `curl_transport.hpp`. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loadout {

struct Header {
  std::string name;
  std::string value;
};

/** A POST. */
struct Request {
  /** Never used twice by a client. */
  std::uint64_t id = 0;
  std::string url;
  std::vector<Header> headers;
  std::string body;
  /** Whether the body of the response is wanted piece by piece, uncompressed. If not, gzip saves the player's data. */
  bool isStream = false;
};

enum class TransportFailure {
  /** No connection, or it ended before the response was complete. */
  Network,
  /** What came is no HTTP, or not the coding that it says. */
  Garbage,
};

/** What hears of a request. A transport calls it inside `pump` only, and never again for an id that was cancelled. */
class Receiver {
 public:
  virtual ~Receiver() = default;
  /** Once, when the final head has come. Redirects are not followed; their head is a head like any other. */
  virtual void onHead(std::uint64_t id, int status, const std::vector<Header>& headers) = 0;
  /** A piece of the decoded body. */
  virtual void onBytes(std::uint64_t id, const char* bytes, std::size_t count) = 0;
  /** The response is complete. */
  virtual void onEnd(std::uint64_t id) = 0;
  virtual void onFailure(std::uint64_t id, TransportFailure failure) = 0;
};

/** All methods are called on the thread of the client. */
class Transport {
 public:
  virtual ~Transport() = default;
  /** `receiver` stays until the request has ended or was cancelled. */
  virtual void send(const Request& request, Receiver& receiver) = 0;
  /** May be called for a request that has ended, and inside the receiver's methods. */
  virtual void cancel(std::uint64_t id) = 0;
  /** Moves requests on without waiting. */
  virtual void pump() = 0;
  /** False: the body of a response comes at its end only. The client polls then. */
  virtual bool canStream() const = 0;
};

}  // namespace loadout
