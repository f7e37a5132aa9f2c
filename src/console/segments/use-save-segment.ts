/** Saves a segment in two steps: what it would reach is asked first, and confirmed where it reaches anything. */
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
  fetchSegment,
  planSegment,
  type SavedSegment,
  saveSegment,
  segmentKeys,
} from './segment-api.js';
import type { SegmentDraft, SegmentState } from './segment-draft.js';

/** What somebody is asked to confirm. */
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
  /** What the last save warned of, as long as that condition is what is shown. */
  readonly warnings: readonly ValidationIssue[];
  ask(): void;
  confirm(): void;
  cancel(): void;
}

interface Warned {
  readonly when: string;
  readonly warnings: readonly ValidationIssue[];
}

export interface SegmentToSave {
  readonly env: string;
  readonly name: string;
  readonly draft: SegmentDraft;
  /** Somebody deleted it: saving makes it anew. */
  readonly isGone: boolean;
  /** Why; kept with the revision. */
  readonly note: string;
  readonly onSaved: () => void;
}

export function useSaveSegment(segment: SegmentToSave): SegmentSaving {
  const { env, name, draft, isGone, note, onSaved } = segment;
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const users = useSampleUsers(env).data ?? [];
  const [pending, setPending] = useState<PendingSave | null>(null);
  const [warned, setWarned] = useState<Warned | null>(null);
  const ifUpdatedAt = isGone ? null : draft.base.updatedAt;

  const fetchSaved = () =>
    queries.fetchQuery({
      queryKey: segmentKeys.one(env, name),
      queryFn: () => fetchSegment(env, name),
      staleTime: 0,
    });

  // A conflict shows itself once what the others saved has been fetched.
  const onError = (error: Error): void => {
    setPending(null);
    if (error instanceof ApiProblem && error.code === 'segment_conflict') {
      // Of a new one nobody has asked yet; that it is missing is shown by its screen.
      void fetchSaved().catch(() => {});
    }
  };
  const save = useMutation({
    mutationFn: (state: SegmentState) => saveSegment(env, name, { ...state, note, ifUpdatedAt }),
    onError,
    onSuccess: ({ updatedAt, revision, reaches, warnings }, state) => {
      setPending(null);
      setWarned({ when: state.when, warnings });
      onSaved();
      // The cached answer first: what is shown must not go back to it.
      queries.setQueryData<SavedSegment>(
        segmentKeys.one(env, name),
        (known) => known && { ...known, ...state, revision, updatedAt },
      );
      draft.rebase({ ...state, updatedAt });
      void queries.invalidateQueries({ queryKey: segmentKeys.all(env) });
      void queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
      notifyDone(
        reaches.length === 0
          ? `Saved ${name} as r${revision}.`
          : `Saved ${name} as r${revision}: ${reaches.length} ${reaches.length === 1 ? 'content is' : 'contents are'} delivered with it on all listeners.`,
      );
      // The path of a saved one, once there is what its screen shows: the editor stays as it is.
      void fetchSaved().then(
        () => goTo(pathOf.segment(env, name), { replace: true }),
        () => {},
      );
    },
  });
  const plan = useMutation({
    mutationFn: async (state: SegmentState) => {
      const contexts = users.map(({ context }) => context);
      return { plan: await planSegment(env, name, { ...state, ifUpdatedAt }, contexts), state };
    },
    onError,
    onSuccess: ({ plan: planned, state }) => {
      if (planned.changed && planned.reaches.length > 0) {
        setPending({ plan: planned, state, users });
      } else save.mutate(state);
    },
  });
  const failed = save.error ?? plan.error;
  const isConflict = failed instanceof ApiProblem && failed.code === 'segment_conflict';
  return {
    isPlanning: plan.isPending,
    isSaving: save.isPending,
    error: isConflict ? null : failed,
    pending,
    warnings: warned?.when === draft.state.when ? warned.warnings : [],
    ask: () => {
      save.reset();
      plan.mutate(draft.state);
    },
    confirm: () => {
      if (pending !== null) save.mutate(pending.state);
    },
    cancel: () => setPending(null),
  };
}
