/** One rule for the parts of its card: its values, its issues, and how to change it. */
import { createContext, use } from 'react';
import { errorOfField, type RuleIssue } from '../mapping-issues.js';
import type { JsonPath } from './json-source.js';
import type { RuleView } from './rule-view.js';

export interface RuleHandle {
  readonly key: string;
  /** Its place, from 0. */
  readonly index: number;
  readonly rule: RuleView;
  readonly readOnly: boolean;
  readonly errors: readonly RuleIssue[];
  readonly warnings: readonly RuleIssue[];
  /** The rule in the revision that is edited; null: that revision has no such rule. */
  readonly saved: RuleView | null;
  /** Names of all rules. */
  readonly names: readonly string[];
  /** Gives the rule a member, or takes it away. */
  readonly set: (name: string, source: string | null) => void;
  readonly edit: (change: (mapping: string, index: number) => string) => void;
  /** Sets the source of a value, as typed: it need not be JSON yet. */
  readonly type: (path: JsonPath, text: string) => void;
  /** What is typed there, if it is not JSON yet. */
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

/** The server's error of a field, as Mantine's inputs take it. */
export function useFieldError(field: string): string | null {
  return errorOfField(useRule().errors, field);
}
