/** Compares what a state of a content would deliver with what is live, and with its guards. Pure. */

import { envelopeOf } from '../../content/envelope/envelope-of.js';
import type { LineEnvelope } from '../../content/envelope/line-envelope.js';
import { alwaysOn } from '../../content/guards/always-on.js';
import { checkGuards } from '../../content/guards/check-guards.js';
import type { Guard, GuardFinding } from '../../content/guards/guard.js';
import { indexDocument } from '../../content/json/document.js';
import { parseMapping } from '../../content/mapping/mapping.js';
import { deliveredJson } from '../store/contents/delivered-json.js';

/** The texts of a state, as they are stored. */
export interface StateTexts {
  readonly lines: readonly { readonly version: string; readonly text: Uint8Array }[];
  readonly mapping: Uint8Array | null;
}

/** What a state is compared with. */
export interface FindingsBase {
  /** Null: nothing is live. */
  readonly live: StateTexts | null;
  /** What was live 24 hours ago; null: nothing, or it is not known. */
  readonly dayAgo: StateTexts | null;
  readonly guards: readonly Guard[];
}

export interface FindingsInput extends FindingsBase {
  readonly now: StateTexts;
}

export function findFindings({ now, ...base }: FindingsInput): GuardFinding[] {
  return findingsBetween(envelopesOf(now), base);
}

/** What stands out, and what guards do not allow; the guards' first. */
export function findingsBetween(
  now: readonly LineEnvelope[],
  { live, dayAgo, guards }: FindingsBase,
): GuardFinding[] {
  const ofLive = live === null ? null : envelopesOf(live);
  const ofDayAgo = dayAgo === null ? null : envelopesOf(dayAgo);
  return [
    ...checkGuards(guards, now, ofLive, ofDayAgo),
    ...(ofLive === null ? [] : alwaysOn(now, ofLive)),
  ];
}

/** A mapping that cannot be read delivers nothing, and has its own issues: it counts as none. */
function envelopesOf({ lines, mapping }: StateTexts): readonly LineEnvelope[] {
  const parsed = mapping === null ? null : parseMapping(mapping);
  const rules = parsed?.ok === true ? parsed.rules : [];
  const documents = lines.map(({ version, text }) => {
    return { version, document: indexDocument(deliveredJson(text)) };
  });
  return envelopeOf(documents, rules);
}
