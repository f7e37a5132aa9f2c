/** Stored items: text behind a line that tells whether it is whole, and a storage whose failures are logged once. */
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "loadout/detail/callbacks.hpp"
#include "loadout/detail/crc32.hpp"
#include "loadout/storage.hpp"

namespace loadout::detail {

/** `loadout 1 C N`: format, CRC-32 and length of the bytes behind the line. */
inline std::string sealed(std::string_view bytes) {
  std::string text = "loadout 1 " + crcText(bytes) + ' ' + std::to_string(bytes.size()) + '\n';
  text += bytes;
  return text;
}

/** Nothing: the item is damaged, or in the format of a later client. */
inline std::optional<std::string> unsealed(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view bytes = text.substr(end + 1);
  const std::string line = "loadout 1 " + crcText(bytes) + ' ' + std::to_string(bytes.size());
  if (text.substr(0, end) != line) return std::nullopt;
  return std::string(bytes);
}

class SavedItems {
 public:
  SavedItems(std::shared_ptr<Storage> storage, Callbacks& callbacks)
      : storage_(std::move(storage)), callbacks_(callbacks) {}

  /** Nothing: it is not there, or does not count. */
  std::optional<std::string> read(const std::string& name) {
    std::string text;
    const StorageResult result = storage_ == nullptr ? StorageResult::Absent : storage_->getItem(name, text);
    if (result == StorageResult::Failed) logFailure();
    if (result != StorageResult::Done) return std::nullopt;
    auto bytes = unsealed(text);
    if (!bytes) callbacks_.log("item_damaged", "The stored item " + name + " is damaged, or of a later version.");
    return bytes;
  }

  /** False: it is not stored. */
  bool write(const std::string& name, std::string_view bytes) {
    if (storage_ == nullptr) return false;
    const bool isDone = storage_->setItem(name, sealed(bytes));
    if (!isDone) logFailure();
    return isDone;
  }

  void remove(const std::string& name) {
    if (storage_ != nullptr && !storage_->removeItem(name)) logFailure();
  }

 private:
  void logFailure() {
    if (!hasFailed_) callbacks_.log("storage_failed", "The storage failed: what it cannot keep is kept in memory.");
    hasFailed_ = true;
  }

  std::shared_ptr<Storage> storage_;
  Callbacks& callbacks_;
  bool hasFailed_ = false;
};

}  // namespace loadout::detail
