/** Saves a segment in two steps: a dry run first, then, if the change reaches live content, a confirmation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SegmentPlan } from '../../contract/operations/segments.js';
import type { ValidationIssue } from '../../contract/problems.js';
import { ApiProblem } from '../api/call.js';
import { pathOf } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { type SampleUser, useSampleUsers } from '../preview/contexts/sample-users.js';
import {
  type EditedSegment,
  fetchSegment,
  planSegment,
  saveSegment,
  segmentKeys,
} from './segment-api.js';
import type { SegmentDraft, SegmentState } from './segment-draft.js';

/** A save that waits for confirmation. */
export interface PendingSave {
  readonly plan: SegmentPlan;
  readonly state: SegmentState;
  /** The contexts of the plan, in order. */
  readonly users: readonly SampleUser[];
}

export interface SegmentSaving {
  readonly isPlanning: boolean;
  readonly isSaving: boolean;
  readonly error: Error | null;
  readonly pending: PendingSave | null;
  /** Warnings of the last save, as long as that condition is what is shown. */
  readonly warnings: readonly ValidationIssue[];
  ask(): void;
  confirm(): void;
  /** Saves what is typed as a draft. @returns its revision; null: `error` says why not */
  saveDraft(): Promise<number | null>;
  cancel(): void;
}

export interface SegmentToSave {
  readonly env: string;
  readonly name: string;
  readonly draft: SegmentDraft;
  /** Another user deleted it: saving creates it again. */
  readonly isGone: boolean;
  /** Rules use it now; a draft of another one has no description yet. */
  readonly isLive: boolean;
  /** The reason, kept with the revision. */
  readonly note: string;
  readonly onSaved: () => void;
}

export function useSaveSegment(segment: SegmentToSave): SegmentSaving {
  const { env, name, draft, isGone, isLive, note, onSaved } = segment;
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const users = useSampleUsers(env).data ?? [];
  const [pending, setPending] = useState<PendingSave | null>(null);
  const ifUpdatedAt = isGone ? null : draft.base.updatedAt;
  const queryKey = segmentKeys.one(env, name);
  const refresh = (): Promise<EditedSegment | null> =>
    queries
      .fetchQuery({ queryKey, queryFn: () => fetchSegment(env, name), staleTime: 0 })
      .catch(() => null);
  const onError = (error: Error): void => {
    setPending(null);
    // The conflict is shown once the state that others saved has arrived.
    if (isConflict(error)) void refresh();
  };
  const save = useMutation({
    mutationFn: ({ state, publish, confirm }: Save) => {
      const { when, description } = state;
      const fields = publish || isLive ? { description } : {};
      return saveSegment(env, name, { when, ...fields, note, publish, ifUpdatedAt, confirm });
    },
    onError,
    onSuccess: ({ updatedAt, revision, live, newest, reaches }, { state, publish }) => {
      setPending(null);
      onSaved();
      // The cache first: the screen must not fall back to the state before the save.
      queries.setQueryData<EditedSegment>(
        queryKey,
        (known) =>
          known && {
            ...{ ...known, ...state, revision, live, newest, updatedAt },
            liveWhen: publish ? state.when : known.liveWhen,
          },
      );
      draft.rebase({ ...state, updatedAt });
      void queries.invalidateQueries({ queryKey: segmentKeys.all(env) });
      void queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
      if (publish) notifyDone(describeSave(name, revision, reaches.length));
      // A new segment gets its lasting path, once its screen has something to show; the editor stays.
      void refresh().then((saved) => {
        if (saved !== null) goTo(pathOf.segment(env, name), { replace: true });
      });
    },
  });
  const plan = useMutation({
    mutationFn: (state: SegmentState) =>
      planSegment(
        env,
        name,
        { ...state, ifUpdatedAt },
        users.map(({ context }) => context),
      ),
    onError,
    onSuccess: (planned, state) => {
      if (planned.changed && planned.reaches.length > 0) {
        setPending({ plan: planned, state, users });
      } else save.mutate({ state, publish: true });
    },
  });
  const failed = save.error ?? plan.error;
  return {
    isPlanning: plan.isPending,
    isSaving: save.isPending,
    error: isConflict(failed) ? null : failed,
    pending,
    warnings: save.variables?.state.when === draft.state.when ? (save.data?.warnings ?? []) : [],
    ask: () => {
      save.reset();
      plan.mutate(draft.state);
    },
    confirm: () => {
      if (pending === null) return;
      const { state, plan: planned } = pending;
      save.mutate({ state, publish: true, confirm: planned.confirmation?.digest });
    },
    saveDraft: () =>
      save.mutateAsync({ state: draft.state, publish: false }).then(
        ({ revision }) => revision,
        () => null,
      ),
    cancel: () => setPending(null),
  };
}

interface Save {
  readonly state: SegmentState;
  readonly publish: boolean;
  readonly confirm?: string | undefined;
}

function isConflict(error: Error | null): boolean {
  return error instanceof ApiProblem && error.code === 'segment_conflict';
}

function describeSave(name: string, revision: number, reached: number): string {
  const saved = `Saved ${name} as r${revision}`;
  if (reached === 0) return `${saved}.`;
  return `${saved}: ${reached} content ${reached === 1 ? 'item is' : 'items are'} live with it for all players.`;
}
