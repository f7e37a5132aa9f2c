/** One rule, for the parts of its card: what it is, what is wrong with it, and how to change it. */
import { createContext, use } from 'react';
import type { JsonPath } from '../json-source.js';
import { faultOfField, type RuleFault } from '../mapping-faults.js';
import type { RuleView } from './rule-view.js';

export interface RuleHandle {
  readonly key: string;
  /** Its place, from 0. */
  readonly index: number;
  readonly rule: RuleView;
  readonly readOnly: boolean;
  readonly errors: readonly RuleFault[];
  readonly warnings: readonly RuleFault[];
  /** As it was in the revision that is edited; null: there was none of that name. */
  readonly saved: RuleView | null;
  /** Names of all rules. */
  readonly names: readonly string[];
  /** Gives the rule a member, or takes it away. */
  readonly set: (name: string, source: string | null) => void;
  readonly edit: (change: (mapping: string, index: number) => string) => void;
  /** Takes over what is typed as source of a value in the rule, JSON or not yet. */
  readonly type: (path: JsonPath, text: string) => void;
  /** What is typed there and is not JSON yet. */
  readonly broken: (path: JsonPath) => string | null;
  /** The source of a value in the rule, as a person edits it. */
  readonly sourceAt: (path: JsonPath) => string | null;
  readonly removeVariant: (variant: number) => void;
}

export const RuleContext = createContext<RuleHandle | null>(null);

export function useRule(): RuleHandle {
  const handle = use(RuleContext);
  if (handle === null) throw new Error('useRule is for the parts of a rule card.');
  return handle;
}

/** The server's words about a field, as Mantine's inputs take them. */
export function useFieldError(field: string): string | null {
  return faultOfField(useRule().errors, field);
}
