/**
 * Makes a front-end binary that asks for glibc 2.38 run on an older one (Debian 12 has 2.36). All it takes from 2.38 are
 * the C23 variants of `strtol`, `strtoul` and `sscanf`, which a new compiler substitutes for the plain ones; the plain
 * ones are in every glibc, and differ only in not reading "0b1" as binary. So the three imports are renamed and
 * the requirement is marked weak. Pure: bytes in, bytes out. It verifies nothing; `builds.ts` knows which files may be patched.
 *
 * The parts of the file that it reads (ELF, 64 bits, little-endian):
 *
 *   section headers -> .dynsym         24 bytes per symbol, its name as an offset into .dynstr
 *                      .gnu.version    2 bytes per symbol, the number of the version that it needs
 *                      .gnu.version_r  per library, the versions it needs: hash, flags, number, name
 */

const c23Prefix = '__isoc23_';
const versionTooNew = 'GLIBC_2.38';
/** The first version of glibc on each architecture, by ELF's number of it: what every plain function of C has. */
const versionOldest: Readonly<Record<number, string>> = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' };
const cLibrary = 'libc.so.6';
const flagWeak = 2;

const SectionType = { DynamicSymbols: 11, Versions: 0x6fffffff, VersionNeeds: 0x6ffffffe } as const;

interface Section {
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  /** The section that has this one's strings. */
  readonly link: number;
}

/** @throws RangeError or Error where the bytes are no such file, or it needs nothing of glibc 2.38 */
export function patchGlibc(original: Uint8Array): Uint8Array {
  const bytes = Buffer.from(original);
  if (bytes.readUInt32BE(0) !== 0x7f454c46) throw new Error('no ELF file');
  const sections = sectionsOf(bytes);
  const symbols = sectionOf(sections, SectionType.DynamicSymbols);
  const versions = sectionOf(sections, SectionType.Versions);
  const names = sections[symbols.link];
  if (names === undefined) throw new Error('no names of symbols');
  const nameAt = (offset: number): string => {
    const from = names.offset + offset;
    return bytes.toString('latin1', from, bytes.indexOf(0, from));
  };
  const needs = versionNeeds(bytes, sectionOf(sections, SectionType.VersionNeeds), nameAt);
  const tooNew = needs.find(({ name }) => name === versionTooNew);
  const machine = bytes.readUInt16LE(0x12);
  const oldest = needs.find(({ name }) => name === versionOldest[machine]);
  if (tooNew === undefined || oldest === undefined) throw new Error('no need of glibc 2.38');

  bytes.writeUInt16LE(flagWeak, tooNew.flagsOffset);
  for (let n = 0; n < versions.size / 2; n += 1) {
    const versionOffset = versions.offset + 2 * n;
    if (bytes.readUInt16LE(versionOffset) !== tooNew.number) continue;
    const symbolOffset = symbols.offset + 24 * n;
    const nameOffset = bytes.readUInt32LE(symbolOffset);
    const name = nameAt(nameOffset);
    if (!name.startsWith(c23Prefix)) throw new Error(`${name} has no older variant`);
    bytes.writeUInt32LE(nameOffset + c23Prefix.length, symbolOffset);
    bytes.writeUInt16LE(oldest.number, versionOffset);
  }
  return bytes;
}

function sectionsOf(bytes: Buffer): Section[] {
  const tableOffset = Number(bytes.readBigUInt64LE(0x28));
  const entryBytes = bytes.readUInt16LE(0x3a);
  const count = bytes.readUInt16LE(0x3c);
  if (tableOffset + count * entryBytes > bytes.length) throw new RangeError('cut off');
  return Array.from({ length: count }, (_, n) => {
    const at = tableOffset + n * entryBytes;
    return {
      type: bytes.readUInt32LE(at + 4),
      offset: Number(bytes.readBigUInt64LE(at + 0x18)),
      size: Number(bytes.readBigUInt64LE(at + 0x20)),
      link: bytes.readUInt32LE(at + 0x28),
    };
  });
}

function sectionOf(sections: readonly Section[], type: number): Section {
  const found = sections.find((section) => section.type === type);
  if (found === undefined) throw new Error(`no section of type ${type}`);
  return found;
}

interface VersionNeed {
  readonly name: string;
  readonly number: number;
  readonly flagsOffset: number;
}

/** The versions that the file needs of the C library. */
function versionNeeds(
  bytes: Buffer,
  section: Section,
  nameAt: (offset: number) => string,
): VersionNeed[] {
  for (let library = section.offset; ; ) {
    const count = bytes.readUInt16LE(library + 2);
    if (nameAt(bytes.readUInt32LE(library + 4)) === cLibrary) {
      const first = library + bytes.readUInt32LE(library + 8);
      return Array.from({ length: count }, (_, n) => ({
        name: nameAt(bytes.readUInt32LE(first + 16 * n + 8)),
        number: bytes.readUInt16LE(first + 16 * n + 6),
        flagsOffset: first + 16 * n + 4,
      }));
    }
    const toNext = bytes.readUInt32LE(library + 12);
    if (toNext === 0) throw new Error(`no need of ${cLibrary}`);
    library += toNext;
  }
}
