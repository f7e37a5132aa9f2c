/**
 * Reads JSON text (RFC 8259) where it lies: a check of the whole text, and walks over the members and elements of what
 * was checked. Nothing recurses, so depth costs a bit a level, up to `jsonDepthMax`.
 */
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "loadout/detail/utf8.hpp"

namespace loadout::detail {

/** Ten times what a server takes by default; deeper text is no JSON to this reader. */
inline constexpr std::size_t jsonDepthMax = 10'000;

enum class JsonKind { None, Null, Boolean, Number, String, Object, Array };

inline bool isJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/** By the first character of a value. */
inline JsonKind kindOf(std::string_view value) {
  if (value.empty()) return JsonKind::None;
  switch (value.front()) {
    case '{': return JsonKind::Object;
    case '[': return JsonKind::Array;
    case '"': return JsonKind::String;
    case 't':
    case 'f': return JsonKind::Boolean;
    case 'n': return JsonKind::Null;
    default: return JsonKind::Number;
  }
}

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

/** Walks over text that `isJson` accepted; on other text it stops early, and never reads outside of it. */
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  void skipSpace() {
    while (at_ < text_.size() && isJsonSpace(text_[at_])) ++at_;
  }

  /** Skips one character, if it comes next behind space. */
  bool take(char expected) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  /** The next value without the space around it; empty at the end. */
  std::string_view value() {
    skipSpace();
    const std::size_t from = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        skipString();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) break;
        --depth;
        ++at_;
      } else if (depth == 0 && (c == ',' || c == ':' || isJsonSpace(c))) {
        break;
      } else {
        ++at_;
        continue;
      }
      if (depth == 0) break;
    }
    return text_.substr(from, at_ - from);
  }

 private:
  void skipString() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return;
      }
    }
    at_ = text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/** The members of an object in their order: `while (members.next()) use(members.name, members.value)`. */
class JsonMembers {
 public:
  explicit JsonMembers(std::string_view object) : cursor_(object) { isIn_ = cursor_.take('{'); }

  bool next() {
    if (!isIn_ || (!isFirst_ && !cursor_.take(','))) return false;
    isFirst_ = false;
    name = cursor_.value();
    if (name.size() < 2 || name.front() != '"' || !cursor_.take(':')) return false;
    value = cursor_.value();
    return !value.empty();
  }

  /** As it is written, with its quotation marks. */
  std::string_view name;
  std::string_view value;

 private:
  JsonCursor cursor_;
  bool isIn_ = false;
  bool isFirst_ = true;
};

/** The elements of an array in their order. */
class JsonElements {
 public:
  explicit JsonElements(std::string_view array) : cursor_(array) { isIn_ = cursor_.take('['); }

  bool next() {
    if (!isIn_ || (!isFirst_ && !cursor_.take(','))) return false;
    isFirst_ = false;
    value = cursor_.value();
    return !value.empty();
  }

  std::string_view value;

 private:
  JsonCursor cursor_;
  bool isIn_ = false;
  bool isFirst_ = true;
};

/** Text without the space around it. */
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isJsonSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isJsonSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace loadout::detail
