/** Any bytes, cut anywhere: the events are those of the same bytes in one piece. */
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loadout/detail/event_stream.hpp"
#include "promise.hpp"

namespace {

class Listing final : public loadout::detail::EventStreamSink {
 public:
  bool onEvent(std::string_view name, std::string_view data) override {
    text += "event " + std::string(name) + '=' + std::string(data) + '\0';
    return name != "stop";
  }
  void onRetry(std::int64_t ms) override { text += "retry " + std::to_string(ms) + '\0'; }

  std::string text;
};

constexpr std::size_t bytesMax = 64;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = bytes[0] % 7 + 1u;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  Listing whole;
  Listing pieces;
  loadout::detail::EventStreamReader wholeReader(bytesMax);
  loadout::detail::EventStreamReader pieceReader(bytesMax);
  const bool isRead = wholeReader.read(text, whole);
  bool isReadToo = true;
  for (std::size_t at = 0; at < text.size() && isReadToo; at += step) {
    const std::string piece = text.substr(at, step);
    isReadToo = pieceReader.read(piece, pieces);
  }
  promise(isRead == isReadToo && whole.text == pieces.text);
  return 0;
}
