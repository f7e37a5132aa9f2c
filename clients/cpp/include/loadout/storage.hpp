/** Where configurations are kept between runs of the game. */
#pragma once

#include <string>

namespace loadout {

enum class StorageResult { Done, Absent, Failed };

/** Items of text by name. `file_storage.hpp` has one in a folder of files. */
class Storage {
 public:
  virtual ~Storage() = default;
  /** Replaces `text` by what is stored. */
  virtual StorageResult getItem(const std::string& name, std::string& text) = 0;
  /** Replaces the item whole or, if the process or the machine stops meanwhile, not at all. False: it failed. */
  virtual bool setItem(const std::string& name, const std::string& text) = 0;
  /** False: it failed. An item that is not there is removed. */
  virtual bool removeItem(const std::string& name) = 0;
};

}  // namespace loadout
