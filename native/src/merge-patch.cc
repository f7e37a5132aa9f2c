#include "merge-patch.h"

#include "container-edit.h"
#include "hash.h"

namespace loadout {

namespace {

/** Up to here comparing a key with each member beats hashing every key of the target. */
constexpr uint32_t membersComparedMax = 8;

constexpr uint32_t noMember = 0xffffffff;

/** Members by the text of their key; for few of them, no table at all. */
class MemberTable {
 public:
  MemberTable(const MergeMember* members, size_t countMax, Arena& arena) : members_(members) {
    if (countMax <= membersComparedMax) return;
    size_t size = 32;
    while (size < 2 * countMax) size *= 2;
    slots_ = arena.array<uint32_t>(size);
    std::memset(slots_, 0, size * sizeof(uint32_t));
    mask_ = static_cast<uint32_t>(size - 1);
  }

  uint32_t find(Bytes text, uint32_t count) const {
    if (slots_ == nullptr) {
      for (uint32_t i = 0; i < count; i++) {
        if (members_[i].key.text.equals(text)) return i;
      }
      return noMember;
    }
    for (uint32_t slot = static_cast<uint32_t>(hashOf(text)) & mask_;; slot = (slot + 1) & mask_) {
      if (slots_[slot] == 0) return noMember;
      const uint32_t member = slots_[slot] - 1;
      if (members_[member].key.text.equals(text)) return member;
    }
  }

  void add(Bytes text, uint32_t member) {
    if (slots_ == nullptr) return;
    uint32_t slot = static_cast<uint32_t>(hashOf(text)) & mask_;
    while (slots_[slot] != 0) slot = (slot + 1) & mask_;
    slots_[slot] = member + 1;
  }

  static MemberTable of(const MergePatch& patch) { return MemberTable(patch.members, patch.slots, patch.slotsMask); }
  const uint32_t* slots() const { return slots_; }
  uint32_t mask() const { return mask_; }

 private:
  MemberTable(const MergeMember* members, const uint32_t* slots, uint32_t mask)
      : members_(members), slots_(const_cast<uint32_t*>(slots)), mask_(mask) {}

  const MergeMember* members_;
  uint32_t* slots_ = nullptr;
  uint32_t mask_ = 0;
};

uint32_t memberFor(const MergePatch& patch, Bytes written, Arena& scratch) {
  if (patch.slots != nullptr) {
    const Bytes text = textOf({written.data, written.size - 1}, scratch);
    return MemberTable::of(patch).find(text, patch.count);
  }
  for (uint32_t i = 0; i < patch.count; i++) {
    if (patch.members[i].key.matches(written, scratch)) return i;
  }
  return noMember;
}

Value insertedObject(const MergeMember* members, uint32_t count, Arena& arena) {
  Piece* const pieces = arena.array<Piece>(count);
  uint32_t kept = 0;
  uint64_t size = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (members[i].patch == nullptr) continue;
    pieces[kept] = Piece::member(members[i].written, members[i].patch->inserted);
    size += pieces[kept++].size;
  }
  Opened* const opened = const_cast<Opened*>(makeOpened(true, pieces, kept, size, arena));
  opened->isPermanent = true;
  return Value::of(opened);
}

}  // namespace

const MergePatch* compileMergePatch(const Value& value, Arena& arena) {
  if (kindOf(value) != Kind::object) return arena.one(MergePatch{value, false, 0, nullptr, nullptr, 0});
  const Opened& object = *openValue(value, arena);
  size_t countMax = 0;
  for (ChildCursor cursor(object); !cursor.atEnd(); cursor.advance()) countMax++;
  MergeMember* const members = arena.array<MergeMember>(countMax);
  MemberTable table(members, countMax, arena);
  uint32_t count = 0;
  bool isInsertedWhole = true;
  for (ChildCursor cursor(object); !cursor.atEnd(); cursor.advance()) {
    const Bytes written = cursor.key();
    const Bytes text = textOf({written.data, written.size - 1}, arena);
    const Value below = cursor.value();
    const MergePatch* const patch = kindOf(below) == Kind::null ? nullptr : compileMergePatch(below, arena);
    const uint32_t known = table.find(text, count);
    if (known != noMember || patch == nullptr || patch->inserted.isOpened()) isInsertedWhole = false;
    if (known == noMember) table.add(text, count);
    members[known == noMember ? count++ : known] = {{text}, written, patch};
  }
  const Value inserted = isInsertedWhole ? value : insertedObject(members, count, arena);
  return arena.one(MergePatch{inserted, true, count, members, table.slots(), table.mask()});
}

Value applyMergePatch(const Value& target, const MergePatch& patch, Arena& arena) {
  if (!patch.isObject || kindOf(target) != Kind::object) return patch.inserted;
  const Opened& object = *openValue(target, arena);

  struct Hit {
    Place place;
    uint32_t member;
  };
  ArenaList<Hit> hits(arena);
  uint32_t* const lastHits = arena.array<uint32_t>(patch.count);
  std::memset(lastHits, 0xff, patch.count * sizeof(uint32_t));
  for (ChildCursor cursor(object); !cursor.atEnd(); cursor.advance()) {
    const uint32_t member = memberFor(patch, cursor.key(), arena);
    if (member == noMember) continue;
    lastHits[member] = static_cast<uint32_t>(hits.size());
    hits.push({cursor.place(), member});
  }

  ContainerEdit edit(object, hits.size() + patch.count, arena);
  for (uint32_t hit = 0; hit < hits.size(); hit++) {
    const auto [place, member] = hits[hit];
    const MergePatch* const below = patch.members[member].patch;
    if (below == nullptr) {
      edit.drop(place);
    } else if (lastHits[member] == hit) {
      edit.replace(place, applyMergePatch(valueAt(object, place), *below, arena));
    }
  }
  for (uint32_t member = 0; member < patch.count; member++) {
    const MergeMember& added = patch.members[member];
    if (lastHits[member] == noMember && added.patch != nullptr) {
      edit.append(Piece::member(added.written, added.patch->inserted));
    }
  }
  return Value::of(edit.finish());
}

}  // namespace loadout
