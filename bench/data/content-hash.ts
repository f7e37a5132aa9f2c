/** The reported hash of a content without a mapping, as docs/delivery-api.md has it; computed apart from the code under test. */
import xxhash from 'xxhash-addon';

/** XXH3-64 of the JSON's UTF-8 bytes, 16 lower-case hex digits. */
export function hashOf(json: string): string {
  return xxhash.XXHash3.hash(Buffer.from(json)).toString('hex');
}
