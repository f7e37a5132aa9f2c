/** Any page, baseline or stored item: what is accepted is whole, and comes back from the storage as it went in. */
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "loadout/detail/baseline.hpp"
#include "loadout/detail/callbacks.hpp"
#include "loadout/detail/gathering.hpp"
#include "loadout/detail/page.hpp"
#include "loadout/detail/saved_item.hpp"
#include "loadout/detail/saved_player.hpp"
#include "loadout/storage.hpp"
#include "promise.hpp"

using namespace loadout::detail;

namespace {

class Memory final : public loadout::Storage {
 public:
  loadout::StorageResult getItem(const std::string& name, std::string& text) override {
    const auto found = items.find(name);
    if (found == items.end()) return loadout::StorageResult::Absent;
    text = found->second;
    return loadout::StorageResult::Done;
  }
  bool setItem(const std::string& name, const std::string& text) override {
    items[name] = text;
    return true;
  }
  bool removeItem(const std::string& name) override {
    items.erase(name);
    return true;
  }

  std::map<std::string, std::string> items;
};

void checkStored(const Configuration& configuration) {
  auto memory = std::make_shared<Memory>();
  Callbacks callbacks(nullptr);
  SavedItems items(memory, callbacks);
  SavedState state;
  state.latest = configuration;
  SavedPlayer player(items, "url", "key", "user");
  player.save(state);
  const SavedState loaded = SavedPlayer(items, "url", "key", "user").load();
  promise(isSame(loaded.latest, state.latest) && differingIds(loaded.latest, state.latest).empty());
  promise(loaded.latest->store == configuration.store && loaded.latest->sequence == configuration.sequence);
  for (const auto& [id, content] : *configuration.contents) {
    promise(loaded.latest->contents->at(id)->data == content->data);
  }
}

/** A stored item holds any bytes. */
void checkItem(std::string_view bytes) {
  auto memory = std::make_shared<Memory>();
  for (const char* name : {"state", "0", "1"}) {
    Callbacks callbacks(nullptr);
    SavedItems items(memory, callbacks);
    memory->items[SavedPlayer(items, "u", "k", "").nameOfItem(name)] = sealed(bytes);
  }
  memory->items["loadout-index"] = sealed(bytes);
  Callbacks callbacks(nullptr);
  SavedItems items(memory, callbacks);
  SavedPlayer player(items, "u", "k", "");
  player.touch();
  player.load();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const auto page = readPage(text);
  if (page) {
    Gathering gathering;
    gathering.add(*page);
    checkStored(gathering.configuration(*page));
  }
  const auto baseline = readBaseline(text);
  if (baseline) checkStored(*baseline);
  unsealed(text);
  checkItem(text);
  return 0;
}
