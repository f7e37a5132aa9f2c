/** Connects the draft machine of the open content item to the server, to validation and to the browser's storage. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem } from '../api/call.js';
import { contentKeyOf, fetchContent, type LoadedContent } from './content-query.js';
import type { ContentState } from './draft.js';
import { type Draft, DraftContext, type SaveOptions } from './draft-context.js';
import { type DraftEvent, type DraftMachine, nextDraft, phaseOf } from './draft-machine.js';
import { editOf, saveContent } from './put-edit.js';
import type { DraftPlace } from './stored-draft.js';
import { useStoredDraft } from './use-stored-draft.js';
import { useValidation } from './use-validation.js';

export interface DraftProviderProps {
  readonly place: DraftPlace;
  readonly opened: DraftMachine;
  /** The latest known state of the server. */
  readonly latest: LoadedContent;
  readonly isGone: boolean;
  readonly readOnlyReason: string | null;
  readonly onSaved: () => void;
  readonly children: ReactNode;
}

export function DraftProvider(props: DraftProviderProps) {
  const { place, opened, latest, isGone, readOnlyReason, onSaved, children } = props;
  const { machine, send, current } = useMachine(opened);
  const { base, state } = machine;
  const mayEdit = readOnlyReason === null;
  const isDirty = useMemo(() => phaseOf(machine) !== 'clean', [machine]);
  const edit = useMemo(() => ({ base, state }), [base, state]);
  const validation = useValidation(edit, isDirty, mayEdit);
  const isUnstored = useStoredDraft(place, edit, isDirty, machine.earlier);

  const received = useRef({ latest, isGone });
  useEffect(() => {
    received.current = { latest, isGone };
    send({ type: 'received', latest, isGone });
  }, [latest, isGone, send]);

  const saving = useSave(place, current, send, onSaved);
  const { mutateAsync, reset, isPending, error: saveError } = saving;
  const actions = useMemo(
    () => ({
      change: (part: Partial<ContentState>) => {
        if (mayEdit) send({ type: 'edited', part });
      },
      changeText: (appVersion: string, text: string) => {
        if (mayEdit) send({ type: 'text edited', appVersion, text });
      },
      discard: () => {
        send({ type: 'discarded' });
        reset();
      },
      save: (options: SaveOptions) => mutateAsync(options).catch(() => null),
      dismissRecovered: () => send({ type: 'recovery dismissed' }),
      resolveConflict: (theirs: LoadedContent, merged: ContentState) => {
        reset();
        send({ type: 'merged', theirs, state: merged });
        // Another save may have happened while the two were compared.
        send({ type: 'received', ...received.current });
      },
    }),
    [mayEdit, mutateAsync, reset, send],
  );
  const draft: Draft = {
    ...actions,
    ...machine,
    saved: base,
    isDirty,
    mayEdit,
    readOnlyReason,
    validation: validation.result,
    isValidating: validation.isPending,
    validationError: validation.error,
    recoveredAt: isDirty ? machine.recoveredAt : null,
    isUnstored,
    isSaving: isPending,
    saveError,
  };
  return <DraftContext value={draft}>{children}</DraftContext>;
}

function useMachine(opened: DraftMachine) {
  const [machine, setMachine] = useState(opened);
  const current = useRef(machine);
  const send = useCallback((event: DraftEvent): void => {
    // A save in the same moment reads it before React has rendered.
    current.current = nextDraft(current.current, event);
    setMachine(current.current);
  }, []);
  return { machine, send, current };
}

function useSave(
  { env, id }: DraftPlace,
  current: { readonly current: DraftMachine },
  send: (event: DraftEvent) => void,
  onSaved: () => void,
) {
  const queries = useQueryClient();
  const load = async (): Promise<LoadedContent> => {
    const fresh = await fetchContent(env, id);
    queries.setQueryData(contentKeyOf(env, id), fresh);
    return fresh;
  };
  return useMutation({
    mutationFn: async (options: SaveOptions) => {
      if (changesDetails(current.current)) {
        // Details are not part of a revision, so the server cannot detect a conflict in them.
        send({ type: 'received', latest: await load(), isGone: false });
        if (current.current.theirs !== null) throw new Error(savedMeanwhile);
      }
      const { base, state } = current.current;
      try {
        const response = await saveContent({ saved: base, state, ...options });
        send({ type: 'saved', sent: state, saved: await load().catch(() => null) });
        return response;
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 409) await load().catch(() => null);
        throw error;
      }
    },
    onSuccess: onSaved,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['environments', env] });
    },
  });
}

const savedMeanwhile =
  'Another user saved this content item while you were editing. Compare both versions, then save.';

/** Whether a save would change the description, tags, schema or guards of an existing content item. */
function changesDetails({ base, state }: DraftMachine): boolean {
  const { description, tags, schema, guards } = editOf(base, state);
  return base.newest > 0 && [description, tags, schema, guards].some((part) => part !== undefined);
}
