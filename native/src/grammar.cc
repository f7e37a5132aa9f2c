#include "grammar.h"

#include "token.h"

namespace loadout {

namespace {

/** The end of the comment that begins at `at`, or -1. */
int64_t skipComment(Bytes text, size_t at) {
  if (at + 1 >= text.size) return -1;
  size_t i = at + 2;
  if (text.data[at + 1] == '/') {
    while (i < text.size && text.data[i] != '\n' && text.data[i] != '\r') i++;
    return static_cast<int64_t>(i);
  }
  if (text.data[at + 1] != '*') return -1;
  for (; i + 1 < text.size; i++) {
    if (text.data[i] == '*' && text.data[i + 1] == '/') return static_cast<int64_t>(i + 2);
  }
  return -1;
}

class Grammar {
 public:
  Grammar(Bytes text, uint32_t levelsMax, uint8_t* out, Structure* structure, size_t& rejectedAt)
      : text_(text), levelsMax_(levelsMax), out_(out), structure_(structure), rejectedAt_(rejectedAt) {}

  int64_t strip() {
    rejectedAt_ = notRejected;
    int64_t at = skipBlank(0);
    while (at >= 0 && static_cast<size_t>(at) < text_.size) {
      const size_t start = static_cast<size_t>(at);
      at = token(start, text_.data[start]);
      if (at < 0 || !keep(start, static_cast<size_t>(at))) return -1;
      at = skipBlank(static_cast<size_t>(at));
    }
    if (at < 0) return -1;
    if (level_ > 0 || expect_ != Expect::commaOrClose) return reject(text_.size);
    if (structure_ != nullptr && !structure_->finish(kept_)) return -1;
    return static_cast<int64_t>(kept_);
  }

 private:
  /** What the grammar allows next. */
  enum class Expect : uint8_t { value, valueOrClose, keyOrClose, colon, commaOrClose };

  // Each of these takes the token at `at` and returns the offset after it, or -1: it is rejected.

  int64_t token(size_t at, uint8_t byte) {
    const bool afterComma = afterComma_;
    afterComma_ = false;
    if (byte == '}' || byte == ']') return close(at, byte, afterComma);
    switch (expect_) {
      case Expect::value:
      case Expect::valueOrClose:
        return value(at, byte);
      case Expect::keyOrClose:
        if (byte != '"') return reject(at);
        expect_ = Expect::colon;
        return string(at);
      case Expect::colon:
        if (byte != ':') return reject(at);
        expect_ = Expect::value;
        return static_cast<int64_t>(at + 1);
      case Expect::commaOrClose:
        if (byte != ',' || level_ == 0) return reject(at);
        expect_ = inObject() ? Expect::keyOrClose : Expect::valueOrClose;
        afterComma_ = true;
        return static_cast<int64_t>(at + 1);
    }
    return -1;
  }

  int64_t value(size_t at, uint8_t byte) {
    if (byte == '{' || byte == '[') return openBracket(at, byte);
    expect_ = Expect::commaOrClose;
    switch (byte) {
      case '"': return string(at);
      case 't': return orReject(scanWord(text_, at, trueWord));
      case 'f': return orReject(scanWord(text_, at, falseWord));
      case 'n': return orReject(scanWord(text_, at, nullWord));
      default: return orReject(scanNumber(text_, at));
    }
  }

  /** A string that is never closed is rejected where it begins. */
  int64_t string(size_t at) {
    const int64_t end = scanString(text_, at);
    return ~end == static_cast<int64_t>(text_.size) ? reject(at) : orReject(end);
  }

  int64_t openBracket(size_t at, uint8_t byte) {
    if (level_ == levelsMax_) return reject(at);
    if (!open_.reserve(level_ + 1)) return -1;
    open_.data()[level_++] = byte;
    expect_ = byte == '{' ? Expect::keyOrClose : Expect::valueOrClose;
    return static_cast<int64_t>(at + 1);
  }

  int64_t close(size_t at, uint8_t byte, bool afterComma) {
    const bool mayClose = expect_ != Expect::value && expect_ != Expect::colon;
    if (!mayClose || level_ == 0 || byte != (inObject() ? '}' : ']')) return reject(at);
    if (afterComma) dropComma();
    level_--;
    expect_ = Expect::commaOrClose;
    return static_cast<int64_t>(at + 1);
  }

  /** The offset of the next significant byte, or -1. */
  int64_t skipBlank(size_t at) {
    size_t i = at;
    while (i < text_.size) {
      const uint8_t byte = text_.data[i];
      if (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
        i++;
      } else if (byte == '/') {
        const int64_t end = skipComment(text_, i);
        if (end < 0) return reject(i);
        i = static_cast<size_t>(end);
      } else {
        break;
      }
    }
    return static_cast<int64_t>(i);
  }

  /** Keeps the token [start, end), and says so if it is a structural character. */
  bool keep(size_t start, size_t end) {
    if (out_ != nullptr) std::memcpy(out_ + kept_, text_.data + start, end - start);
    const size_t place = kept_;
    kept_ += end - start;
    if (structure_ == nullptr) return true;
    switch (text_.data[start]) {
      case '{': case '}': case '[': case ']': case ',': case ':':
        *structure_->places() = static_cast<uint32_t>(place);
        return structure_->added(1);
      default:
        return true;
    }
  }

  void dropComma() {
    kept_--;
    if (structure_ != nullptr) structure_->takeBack();
  }

  bool inObject() const { return level_ > 0 && open_.data()[level_ - 1] == '{'; }

  int64_t orReject(int64_t end) { return end >= 0 ? end : reject(static_cast<size_t>(~end)); }

  int64_t reject(size_t offset) {
    rejectedAt_ = offset;
    return -1;
  }

  const Bytes text_;
  const uint32_t levelsMax_;
  uint8_t* const out_;
  Structure* const structure_;
  size_t& rejectedAt_;
  size_t kept_ = 0;
  /** The open brackets, outermost first. */
  Grown<uint8_t> open_;
  size_t level_ = 0;
  Expect expect_ = Expect::value;
  bool afterComma_ = false;
};

}  // namespace

int64_t stripByLetter(Bytes text, uint32_t levelsMax, uint8_t* out, Structure* structure, size_t& rejectedAt) {
  return Grammar(text, levelsMax, out, structure, rejectedAt).strip();
}

}  // namespace loadout
