/** What a report of many edited items shows: a row for each version line that changes, and for what is left out. Pure. */
import type {
  EditedItem,
  EditReport,
} from '../../../contract/operations/contents/content-edits.js';
import { counted } from '../../parts/counted.js';

export interface ReportRow {
  readonly key: string;
  readonly id: string;
  /** '' where the item has one line only, or no line is meant. */
  readonly appVersion: string;
  /** JSON text; null: nothing was there. */
  readonly before: string | null;
  readonly after: string | null;
  /** What else there is to know, in sentences. */
  readonly notes: readonly string[];
  readonly isRejected: boolean;
}

/** Rejected items first: they are what a person has to decide about. */
export function reportRows({ items }: Pick<EditReport, 'items'>): ReportRow[] {
  const rejected = items.filter(({ outcome }) => outcome === 'rejected');
  const changed = items.filter(({ outcome }) => outcome === 'changed');
  return [...rejected.map(rejectedRow), ...changed.flatMap(changedRows)];
}

/** Ids of items that stay as they are, by the reason. */
export function keptIds({ items }: Pick<EditReport, 'items'>) {
  const idsOf = (outcome: EditedItem['outcome']): string[] =>
    items.filter((item) => item.outcome === outcome).map(({ id }) => id);
  return { unchanged: idsOf('unchanged'), missing: idsOf('missing') };
}

export type EditKind = 'set' | 'tags' | 'publish' | 'delete';

/** Of one item, and of several. */
const verbs: Readonly<Record<EditKind, readonly [string, string]>> = {
  set: ['changes', 'change'],
  tags: ['changes', 'change'],
  publish: ['goes live', 'go live'],
  delete: ['is deleted', 'are deleted'],
};

/** `10 items change · 1 has the value already · 2 cannot be edited`. */
export function describeCounts({ counts }: Pick<EditReport, 'counts'>, kind: EditKind): string {
  const { changed, unchanged, missing, rejected } = counts;
  const so = kind === 'set' ? 'the value already' : 'nothing to change';
  const [one, several] = verbs[kind];
  return [
    changed === 0
      ? `No item ${one}`
      : `${counted(changed, 'item')} ${changed === 1 ? one : several}`,
    ...(unchanged > 0 ? [`${unchanged} ${unchanged === 1 ? 'has' : 'have'} ${so}`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'lacks' : 'lack'} the path`] : []),
    ...(rejected > 0 ? [`${rejected} cannot be edited`] : []),
  ].join(' · ');
}

function rejectedRow({ id, problem }: EditedItem): ReportRow {
  const errors = (problem?.errors ?? []).map(({ message }) => message);
  const notes = [problem?.detail ?? '', ...errors].filter((note) => note !== '');
  return {
    ...{ key: id, id, appVersion: '', before: null, after: null },
    ...{ notes: [...new Set(notes)], isRejected: true },
  };
}

function changedRows(item: EditedItem): ReportRow[] {
  const { id, lines, warnings, draftBy, newest } = item;
  const notes = [
    ...(draftBy === null ? [] : [`Draft r${newest} by ${draftBy} goes live along.`]),
    ...warnings.map(({ message }) => message),
  ];
  const changed = lines.filter(({ after }) => after !== null);
  const isOne = lines.length === 1;
  const base = { id, isRejected: false };
  if (changed.length === 0) {
    return [{ ...base, key: id, appVersion: '', before: null, after: null, notes }];
  }
  return changed.map(({ appVersion, before, after }, at) => ({
    ...{ ...base, key: `${id} ${appVersion}`, before, after },
    appVersion: isOne ? '' : appVersion,
    notes: at === 0 ? notes : [],
  }));
}
