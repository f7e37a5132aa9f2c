/** The version lines and arms of the open rule, read again only where their source changed. */
import { useMemo } from 'react';
import type { PlainMutation } from '../../../content/derive/plain-mutation.js';
import { plainOf } from '../../../content/derive/plain-text.js';
import type { PlainValue } from '../../../content/derive/plain-value.js';
import type { VersionLine } from '../../draft/draft.js';
import { useRule } from '../rules/rule-handle.js';
import type { MutationView } from '../rules/rule-view.js';
import { type ArmSource, type GridArm, type GridLine, makeArm } from './grid-model.js';

// Texts of a megabyte take tens of milliseconds to read: one that stays is read once.
const known = new Map<string, PlainValue | null>();
const knownMax = 24;

function readOnce(text: string): PlainValue | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const value = plainOf(text);
  const [oldest] = known.keys();
  if (known.size >= knownMax && oldest !== undefined) known.delete(oldest);
  known.set(text, value);
  return value;
}

export function useGridLines(lines: readonly VersionLine[]): readonly GridLine[] {
  return useMemo(
    () => lines.map(({ appVersion, text }) => ({ appVersion, text, base: readOnce(text) })),
    [lines],
  );
}

/** One for each variant of the rule; one for a rule without variants. */
export function useRuleArms(lines: readonly GridLine[]): readonly GridArm[] {
  const { rule, broken } = useRule();
  const { variants, mutation } = rule;
  return useMemo(() => {
    if (variants === 'other') return [];
    const sources =
      variants === null
        ? [armSource(null, 'this rule', mutation, broken)]
        : variants.map((variant, index) =>
            armSource(index, variant.name || `variant ${index + 1}`, variant.mutation, broken),
          );
    return sources.map((source) => makeArm(source, lines));
  }, [variants, mutation, broken, lines]);
}

function armSource(
  variant: number | null,
  name: string,
  mutation: MutationView | null,
  broken: ReturnType<typeof useRule>['broken'],
): ArmSource {
  const read = mutation === null ? null : plainMutation(mutation);
  const isTyped =
    mutation !== null &&
    broken(variant === null ? [mutation.kind] : ['variants', variant, mutation.kind]) !== null;
  return {
    variant,
    name,
    mutation: read,
    isBroken: isTyped || (mutation !== null && read === null),
  };
}

function plainMutation({ kind, source }: MutationView): PlainMutation | null {
  const value = readOnce(source);
  return value === null ? null : { kind, value };
}
