/** Keeps the verdict on what is typed up to date, a moment after the last change; only the newest state is asked about. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { contentKeyOf, emptyMapping, type LoadedContent, noSchema } from './content-query.js';
import type { ContentState, Verdict } from './draft.js';
import { dryRun } from './put-edit.js';

const pauseMs = 400;
const longPauseMs = 1_500;
const longChars = 256 * 1024;

export interface Work {
  readonly base: LoadedContent;
  readonly state: ContentState;
}

export interface VerdictState {
  readonly verdict: Verdict | null;
  readonly isAsking: boolean;
  /** Why there is none; what was typed is not the reason. */
  readonly error: Error | null;
}

export function useVerdict(work: Work, isDirty: boolean, mayEdit: boolean): VerdictState {
  const chars = work.state.lines.reduce((sum, { text }) => sum + text.length, 0);
  const [settled] = useDebouncedValue(work, chars > longChars ? longPauseMs : pauseMs);
  const { env, id, newest, live, mapping, schema } = work.base;
  // What is saved was judged when it was saved: only its mapping may have become doubtful since. A draft may break its schema.
  const isDoubtful = mapping !== emptyMapping || (schema !== noSchema && newest !== live);
  const isWanted = mayEdit && (isDirty || isDoubtful);
  const asked = useQuery({
    queryKey: [...contentKeyOf(env, id), 'verdict', numberOf(settled)],
    queryFn: ({ signal }) =>
      dryRun({ saved: settled.base, state: settled.state, publish: false }, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // The verdict is about this very state, and is known by it.
    structuralSharing: false,
  });
  return {
    verdict: asked.data ?? null,
    isAsking: isWanted && (asked.isFetching || settled !== work),
    error: asked.error,
  };
}

let last = 0;
const numbers = new WeakMap<Work, number>();

/** A key for a state that may be megabytes long. */
function numberOf(work: Work): number {
  const known = numbers.get(work) ?? ++last;
  numbers.set(work, known);
  return known;
}
