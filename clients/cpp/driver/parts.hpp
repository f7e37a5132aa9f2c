/** What a driver hands to the client: a clock that stands still, and a storage that can fail. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "loadout/clock.hpp"
#include "loadout/file_storage.hpp"
#include "loadout/storage.hpp"

namespace driver {

class VirtualClock final : public loadout::Clock {
 public:
  explicit VirtualClock(std::int64_t wallMs) : wallMs_(wallMs) {}

  std::int64_t wallMs() override { return wallMs_; }
  std::int64_t monotonicMs() override { return monotonicMs_; }

  void moveTo(std::int64_t monotonicMs) {
    wallMs_ += monotonicMs - monotonicMs_;
    monotonicMs_ = monotonicMs;
  }

  void moveWall(std::int64_t ms) { wallMs_ += ms; }

 private:
  std::int64_t wallMs_;
  std::int64_t monotonicMs_ = 0;
};

class DriverStorage final : public loadout::Storage {
 public:
  explicit DriverStorage(std::string folder) : folder_(std::move(folder)), files_(folder_) {}

  loadout::StorageResult getItem(const std::string& name, std::string& text) override {
    return isFailing ? loadout::StorageResult::Failed : files_.getItem(name, text);
  }
  bool setItem(const std::string& name, const std::string& text) override {
    return !isFailing && files_.setItem(name, text);
  }
  bool removeItem(const std::string& name) override { return !isFailing && files_.removeItem(name); }

  /** What is there, also while the storage fails. */
  loadout::FileStorage& files() { return files_; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
      const auto name = entry.path().filename().string();
      if (entry.path().extension() != ".new") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  bool isFailing = false;

 private:
  std::string folder_;
  loadout::FileStorage files_;
};

}  // namespace driver
