/** CRC-32 (RFC 1952) and length of texts as UTF-8, without encoders, which some engines of React Native lack. */

export interface Checksum {
  /** 8 hex digits. */
  readonly crc: string;
  readonly bytes: number;
}

const table = Int32Array.from({ length: 256 }, (_, value) => {
  let rest = value;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** Of the first byte of a character, by how many bytes follow. */
const leads = [0, 0xc0, 0xe0, 0xf0];

export function checksum(text: string): Checksum {
  let crc = -1;
  let bytes = 0;
  const add = (byte: number) => {
    crc = (table[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
    bytes += 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) as number;
    let more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (more > 2) at += 1;
    add((leads[more] as number) | (code >> (6 * more)));
    while (more > 0) {
      more -= 1;
      add(0x80 | ((code >> (6 * more)) & 63));
    }
  }
  return { crc: toHex(~crc), bytes };
}

/** The low 32 bits as 8 hex digits. */
export function toHex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
