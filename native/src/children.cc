#include "children.h"

namespace loadout {

bool findMember(const Opened& object, const MemberKey& key, Place& found, Arena& scratch) {
  bool isFound = false;
  for (ChildCursor cursor(object); !cursor.atEnd(); cursor.advance()) {
    if (!key.matches(cursor.key(), scratch)) continue;
    found = cursor.place();
    isFound = true;
  }
  return isFound;
}

bool findElement(const Opened& array, uint64_t index, Place& found, uint64_t& count) {
  count = 0;
  for (ChildCursor cursor(array); !cursor.atEnd(); cursor.advance()) {
    if (count == index) {
      found = cursor.place();
      return true;
    }
    count++;
  }
  return false;
}

}  // namespace loadout
