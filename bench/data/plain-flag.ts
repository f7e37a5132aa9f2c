/** OFREP's evaluation of a whole content with targeting rules, worked out the plain way, for players whom some rule applies to. */
import type { Json } from './game-content.js';
import type { PlainContext } from './mappings.js';
import { mergePatch, type PlainContent, selectPlainly } from './plain-response.js';

export function plainFlag({ id, value, hash, rules }: PlainContent, context: PlainContext): string {
  const { patches, applied } = selectPlainly(rules, context);
  let evaluated: Json = value;
  for (const patch of patches) evaluated = mergePatch(evaluated, patch);
  const entries = applied.map(({ entry }) => entry as { n: string; v: string | null });
  const variant = entries.map(({ n, v }) => (v === null ? n : `${n}:${v}`)).join(',');
  const reason = entries.some(({ v }) => v !== null) ? 'SPLIT' : 'TARGETING_MATCH';
  const metadata = { hash, versionLine: '0.0.0' };
  return JSON.stringify({ key: id, value: evaluated, reason, variant, metadata });
}
