/** Reads server-sent events as the HTML standard says, from pieces that are cut anywhere. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "loadout/detail/json.hpp"

namespace loadout::detail {

class EventStreamSink {
 public:
  virtual ~EventStreamSink() = default;
  /** @return whether to read on */
  virtual bool onEvent(std::string_view name, std::string_view data) = 0;
  virtual void onRetry(std::int64_t ms) = 0;
};

class EventStreamReader {
 public:
  /** @param bytesMax of one event */
  explicit EventStreamReader(std::size_t bytesMax) : bytesMax_(bytesMax) {}

  /** @return false: an event is too long, or the sink wants no more; the reader is done then */
  bool read(std::string_view piece, EventStreamSink& sink) {
    while (!piece.empty()) {
      if (isBehindCr_ && piece.front() == '\n') piece.remove_prefix(1);
      isBehindCr_ = false;
      const std::size_t end = piece.find_first_of("\r\n");
      const std::string_view part = piece.substr(0, end);
      if (line_.size() + data_.size() + part.size() > bytesMax_) return false;
      if (end == std::string_view::npos) {
        line_ += part;
        return true;
      }
      isBehindCr_ = piece[end] == '\r';
      piece.remove_prefix(end + 1);
      bool isGoingOn;
      if (line_.empty()) {
        isGoingOn = takeLine(part, sink);
      } else {
        line_ += part;
        isGoingOn = takeLine(line_, sink);
        line_.clear();
      }
      if (!isGoingOn) return false;
    }
    return true;
  }

 private:
  bool takeLine(std::string_view line, EventStreamSink& sink) {
    if (isFirst_ && line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
    isFirst_ = false;
    if (line.empty()) return dispatch(sink);
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    if (field == "event") {
      name_ = value;
    } else if (field == "data") {
      data_ += value;
      data_ += '\n';
    } else if (field == "retry") {
      takeRetry(value, sink);
    }
    return true;
  }

  static void takeRetry(std::string_view value, EventStreamSink& sink) {
    if (value.empty() || value.size() > 15) return;
    std::int64_t ms = 0;
    for (const char c : value) {
      if (!isDigit(c)) return;
      ms = ms * 10 + (c - '0');
    }
    sink.onRetry(ms);
  }

  bool dispatch(EventStreamSink& sink) {
    if (data_.empty()) {
      name_.clear();
      return true;
    }
    const std::string name = std::exchange(name_, {});
    const std::string data = std::exchange(data_, {});
    return sink.onEvent(name, std::string_view(data).substr(0, data.size() - 1));
  }

  std::size_t bytesMax_;
  /** What came of a line that has not ended. */
  std::string line_;
  std::string name_;
  std::string data_;
  bool isBehindCr_ = false;
  bool isFirst_ = true;
};

}  // namespace loadout::detail
