/** Checks whole texts before they are walked over. Nothing recurses, so depth costs a bit a level. */
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "loadout/detail/json.hpp"
#include "loadout/detail/utf8.hpp"

namespace loadout::detail {

/** Ten times what a server takes by default; deeper text is no JSON to this reader. */
inline constexpr std::size_t jsonDepthMax = 10'000;

/** Checks that a text is exactly one JSON value in UTF-8. */
class JsonChecker {
 public:
  explicit JsonChecker(std::string_view text) : text_(text) {}

  bool check() {
    for (;;) {
      if (!value()) return false;
      if (isOpened_) continue;
      if (!behindValue()) return false;
      if (isDone_) return true;
    }
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skipSpace() {
    while (at_ < text_.size() && isJsonSpace(text_[at_])) ++at_;
  }

  bool take(char expected) {
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  /** A scalar, an empty container, or the begin of one: then `isOpened_`, and its first value follows. */
  bool value() {
    skipSpace();
    isOpened_ = false;
    switch (peek()) {
      case '{': return open(true);
      case '[': return open(false);
      case '"': return string();
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return number();
    }
  }

  bool open(bool isObject) {
    if (isObject_.size() >= jsonDepthMax) return false;
    ++at_;
    skipSpace();
    if (take(isObject ? '}' : ']')) return true;
    isObject_.push_back(isObject);
    isOpened_ = true;
    return !isObject || name();
  }

  bool name() {
    skipSpace();
    if (peek() != '"' || !string()) return false;
    skipSpace();
    return take(':');
  }

  /** Ends of containers, until another value follows or the text ends: then `isDone_`. */
  bool behindValue() {
    for (;;) {
      skipSpace();
      if (isObject_.empty()) {
        isDone_ = at_ == text_.size();
        return isDone_;
      }
      const bool isObject = isObject_.back();
      if (take(',')) return !isObject || name();
      if (!take(isObject ? '}' : ']')) return false;
      isObject_.pop_back();
    }
  }

  bool string() {
    for (++at_; at_ < text_.size();) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return take('"');
      if (c < 0x20) return false;
      if (c == '\\') {
        if (!escape()) return false;
      } else if (c < 0x80) {
        ++at_;
      } else {
        const std::size_t length = utf8Length(text_, at_);
        if (length == 0) return false;
        at_ += length;
      }
    }
    return false;
  }

  bool escape() {
    ++at_;
    const char c = peek();
    ++at_;
    if (c != 'u') return c != '\0' && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    for (int digit = 0; digit < 4; ++digit, ++at_) {
      if (!isHexDigit(peek())) return false;
    }
    return true;
  }

  bool digits() {
    if (!isDigit(peek())) return false;
    while (isDigit(peek())) ++at_;
    return true;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  /** A bit for each container around the present place. */
  std::vector<bool> isObject_;
  bool isOpened_ = false;
  bool isDone_ = false;
};

inline bool isJson(std::string_view text) { return JsonChecker(text).check(); }

}  // namespace loadout::detail
