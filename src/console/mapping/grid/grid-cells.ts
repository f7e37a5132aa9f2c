/** The cells of the grid: what each shows, and what may be done with it. Pure. */
import type { MutationColumn } from '../../../content/derive/mutation-column.js';
import { NotApplicable } from '../../../content/derive/plain-mutation.js';
import {
  type PlainValue,
  plainAt,
  samePlain,
  type Tokens,
} from '../../../content/derive/plain-value.js';
import type { GridArm, GridLine } from './grid-model.js';

export interface GridCellModel {
  readonly state: 'everybody' | 'base' | 'set' | 'removed' | 'source';
  readonly value: PlainValue | null;
  /** What is there without the rule. */
  readonly base: PlainValue | null;
  readonly isEditable: boolean;
  readonly mayRemove: boolean;
  /** What is otherwise on other version lines; '' if nothing is. */
  readonly note: string;
}

export interface GridColumn {
  readonly name: string;
  readonly line: GridLine | null;
  readonly arm: GridArm | null;
}

export const nothing: GridCellModel = {
  ...{ state: 'base', value: null, base: null, isEditable: false, mayRemove: false, note: '' },
};

// More lines would hide the variants; the chosen one is enough then.
const linesShownMax = 3;

export function columnsOf(
  lines: readonly GridLine[],
  chosen: number,
  arms: readonly GridArm[],
): GridColumn[] {
  const shown = lines.filter((_, index) => lines.length <= linesShownMax || index === chosen);
  const isOne = lines.length === 1;
  return [
    ...shown.map((line) => ({
      name: isOne ? 'everybody' : `everybody, ${line.appVersion}`,
      line,
      arm: null,
    })),
    ...arms.map((arm) => ({ name: arm.name, line: null, arm })),
  ];
}

export function cellOf(
  { line, arm }: GridColumn,
  tokens: Tokens,
  lines: readonly GridLine[],
  chosen: number,
  readOnly: boolean,
): GridCellModel {
  if (arm !== null) return armCell(arm, tokens, lines, chosen, readOnly);
  const value = plainAt(line?.base ?? null, tokens);
  return {
    ...{ state: 'everybody', value, base: value, note: '' },
    isEditable: !readOnly && line?.base !== null,
    mayRemove: isMember(line?.base ?? null, tokens, value),
  };
}

function armCell(
  arm: GridArm,
  tokens: Tokens,
  lines: readonly GridLine[],
  chosen: number,
  readOnly: boolean,
): GridCellModel {
  const column = arm.columns[chosen] ?? null;
  if (column === null) return nothing;
  const { state, value } = column.cellAt(tokens);
  const { result } = column;
  return {
    ...{ state, value, base: plainAt(column.base, tokens) },
    isEditable: !readOnly && state !== 'source',
    mayRemove: isMember(result instanceof NotApplicable ? null : result, tokens, value),
    note: otherLines(arm, tokens, lines, chosen),
  };
}

/** Whether it can be taken away; without an element, others would have another index. */
function isMember(root: PlainValue | null, tokens: Tokens, value: PlainValue | null): boolean {
  return (
    value !== null && plainAt(root, tokens.slice(0, -1))?.kind === 'object' && tokens.length > 0
  );
}

function otherLines(
  arm: GridArm,
  tokens: Tokens,
  lines: readonly GridLine[],
  chosen: number,
): string {
  const own = arm.columns[chosen]?.cellAt(tokens);
  if (own === undefined || own.state === 'base') return '';
  const differing = lines.filter((_, index) => {
    const other: MutationColumn | null = arm.columns[index] ?? null;
    if (index === chosen || other === null) return false;
    const cell = other.cellAt(tokens);
    return cell.state !== own.state || !samePlain(cell.value, own.value);
  });
  return differing.length === 0
    ? ''
    : `Different on ${differing.map(({ appVersion }) => appVersion).join(', ')}`;
}
