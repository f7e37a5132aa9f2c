/** The kernel's envelope, with the check of one guard on it. */
import { importFrom } from '../../build.js';
import type { Contender } from '../contender.js';
import type { RuledContent } from './question.js';

export const contender: Contender<RuledContent, string> = async ({ json, mapping }, root) => {
  type Document = typeof import('../../../src/content/json/document.js');
  type Mapping = typeof import('../../../src/content/mapping/mapping.js');
  type Envelope = typeof import('../../../src/content/envelope/envelope-of.js');
  const { indexDocument } = await importFrom<Document>(root, 'content/json/document.js');
  const { parseMapping } = await importFrom<Mapping>(root, 'content/mapping/mapping.js');
  const { envelopeOf } = await importFrom<Envelope>(root, 'content/envelope/envelope-of.js');
  type Checks = typeof import('../../../src/content/guards/check-guards.js');
  const checksPath = 'content/envelope/check-guards.js';
  const { checkGuards } = await importFrom<Checks>(root, checksPath);
  const guards = [{ path: '/economy/dailyCoins', max: 4_899, severity: 'block' }] as const;
  const parsed = parseMapping(Buffer.from(mapping));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const lines = [{ version: '1.0.0', document: indexDocument(json) }];
  return () => {
    const findings = checkGuards(guards, envelopeOf(lines, parsed.rules), null, null);
    return findings[0]?.message.includes('may be 4,900 (rule') ? 'highest 4900' : 'another';
  };
};
