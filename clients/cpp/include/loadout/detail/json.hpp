/** Reads JSON text (RFC 8259) where it lies: walks over the members and elements of text that `isJson` accepted. */
#pragma once

#include <cstddef>
#include <string_view>

namespace loadout::detail {

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

/** One value after the other. On text that is no JSON it stops early, and never reads outside of it. */
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
