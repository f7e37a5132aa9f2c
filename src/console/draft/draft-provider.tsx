/** Holds the draft of the open content: what is typed, the verdict on it, saving it, and keeping it safe meanwhile. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem } from '../api/call.js';
import { contentKeyOf, fetchContent, type LoadedContent } from './content-query.js';
import type { ContentState } from './draft.js';
import { DraftContext } from './draft-context.js';
import { type Editing, EditingContext, type SaveRequest } from './editing.js';
import type { DraftPlace } from './kept-draft.js';
import type { Opened } from './open-draft.js';
import { editOf, saveContent } from './put-edit.js';
import { mergeStates, sameState, stateOf } from './state-parts.js';
import { useKeeping } from './use-keeping.js';
import { useVerdict } from './use-verdict.js';
import { begin, change, type DraftWork, isDirty, meet } from './work.js';

export interface DraftProviderProps {
  readonly place: DraftPlace;
  readonly opened: Opened;
  /** What the server holds now, as far as is known. */
  readonly latest: LoadedContent;
  readonly isGone: boolean;
  readonly readOnlyReason: string | null;
  readonly onSaved: () => void;
  readonly children: ReactNode;
}

export function DraftProvider(props: DraftProviderProps) {
  const { place, opened, latest, isGone, readOnlyReason, onSaved, children } = props;
  const queries = useQueryClient();
  const [work, setWork] = useState<DraftWork>(() => begin(opened.base, opened.state));
  const [keptAt, setKeptAt] = useState(opened.keptAt);
  const current = useRef(work);
  // Known at once to whoever saves in the same moment, before React has shown it.
  const update = useCallback((next: (before: DraftWork) => DraftWork): void => {
    current.current = next(current.current);
    setWork(current.current);
  }, []);
  const { env, id } = place;
  const mayEdit = readOnlyReason === null;
  const dirty = useMemo(() => isDirty(work), [work]);
  const { verdict, isAsking, error: verdictError } = useVerdict(work.asked, dirty, mayEdit);
  const isUnkept = useKeeping(place, work, dirty);

  const met = useRef({ latest, isGone });
  useEffect(() => {
    met.current = { latest, isGone };
    update((before) => meet(before, latest, isGone));
  }, [latest, isGone, update]);

  const load = useCallback(async (): Promise<LoadedContent> => {
    const fresh = await fetchContent(env, id);
    queries.setQueryData(contentKeyOf(env, id), fresh);
    return fresh;
  }, [env, id, queries]);

  const saving = useMutation({
    mutationFn: async ({ publish, note }: SaveRequest) => {
      if (saysMore(current.current)) {
        // What is said about a content makes no revision, so the server cannot tell that it was changed meanwhile.
        const fresh = await load();
        update((now) => meet(now, fresh, false));
        if (current.current.theirs !== null) throw new SavedMeanwhile();
      }
      const { base, state } = current.current;
      const sent = { saved: base, state, note, publish };
      try {
        const answer = await saveContent(sent);
        const fresh = await load().catch(() => null);
        // What was typed while it was being saved stays typed.
        if (fresh !== null) {
          update((now) => begin(fresh, mergeStates(state, now.state, stateOf(fresh))));
        }
        return answer;
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 409) await load().catch(() => null);
        throw error;
      }
    },
    onSuccess: () => {
      setKeptAt(null);
      onSaved();
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['environments', env] });
    },
  });

  const { mutateAsync, reset, isPending, error: saveError } = saving;
  const acts = useMemo(
    () => ({
      change: (part: Partial<ContentState>) => {
        if (mayEdit) update((before) => change(before, part));
      },
      changeText: (appVersion: string, text: string) => {
        if (!mayEdit) return;
        update((before) => {
          const lines = before.state.lines.map((line) =>
            line.appVersion === appVersion ? { appVersion, text } : line,
          );
          return change(before, { lines });
        });
      },
      discard: () => {
        setKeptAt(null);
        update(({ base, theirs }) => begin(theirs ?? base, stateOf(theirs ?? base)));
        reset();
      },
      save: (request: SaveRequest) => mutateAsync(request).catch(() => null),
      forgetSaveError: () => reset(),
      forgetKept: () => setKeptAt(null),
      settle: (theirs: LoadedContent, state: ContentState) => {
        reset();
        // Somebody may have saved again while the two were looked at.
        update(() => meet(begin(theirs, state), met.current.latest, met.current.isGone));
      },
      reload: async () => {
        await load();
      },
    }),
    [mayEdit, mutateAsync, reset, load, update],
  );

  const editing: Editing = useMemo(
    () => ({
      ...acts,
      saved: work.base,
      state: work.state,
      theirs: work.theirs,
      isDirty: dirty,
      mayEdit,
      readOnlyReason,
      verdict,
      isJudging: isAsking || (dirty && verdict !== null && !sameState(verdict.state, work.state)),
      verdictError,
      isGone,
      keptAt: dirty ? keptAt : null,
      isUnkept,
      isSaving: isPending,
      saveError,
    }),
    [
      acts,
      work,
      dirty,
      mayEdit,
      readOnlyReason,
      verdict,
      isAsking,
      verdictError,
      isGone,
      keptAt,
      isUnkept,
      isPending,
      saveError,
    ],
  );

  return (
    <DraftContext value={editing}>
      <EditingContext value={editing}>{children}</EditingContext>
    </DraftContext>
  );
}

class SavedMeanwhile extends Error {
  constructor() {
    super('Somebody saved this content meanwhile: look at both, then save.');
  }
}

/** Whether a save would change the description, the tags or the schema of a content that is there. */
function saysMore({ base, state }: DraftWork): boolean {
  const { description, tags, schema } = editOf(base, state);
  return base.newest > 0 && [description, tags, schema].some((part) => part !== undefined);
}
