/** What a refresh responds, worked out the plain way: single responses, with the tag and the CRC of each. */
import { crc32 } from 'node:zlib';
import { digestOf } from '../../src/content/hash.js';
import { tagOf } from '../../src/content/tag.js';
import type { PlainContext } from './mappings.js';
import { type PlainContent, plainResponse, selectPlainly } from './plain-response.js';

/** As the kernel has it: SHA-256 of the kind and the bytes. */
function mutationDigest(patch: unknown): string {
  return patch === undefined ? '' : digestOf(`merge:${JSON.stringify(patch)}`);
}

export function plainTag(content: PlainContent, context: PlainContext): string {
  const { applied } = selectPlainly(content.rules, context);
  const rules = applied.map(({ entry, patch }) => ({
    seg: JSON.stringify(entry),
    mutationDigest: mutationDigest(patch),
  }));
  return tagOf(digestOf(JSON.stringify(content.value)), rules);
}

/** @param contents what differs from what the client holds */
export function plainRefresh(
  contents: readonly PlainContent[],
  context: PlainContext,
  sequence: number,
): string {
  const entries = contents.map((content) => {
    const wrapped = plainResponse(content, context, 'wrapped');
    const crc = crc32(JSON.stringify(JSON.parse(wrapped).data))
      .toString(16)
      .padStart(8, '0');
    const tag = plainTag(content, context);
    return `${JSON.stringify(content.id)}:${wrapped.slice(0, -1)},"tag":"${tag}","crc":"${crc}"}`;
  });
  const head = `{"store":"","sequence":${sequence},"changesAt":null,"contents":{`;
  return `${head}${entries.join(',')}},"gone":[],"more":false}`;
}
