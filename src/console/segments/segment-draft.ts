/** The unsaved changes of a segment. They survive a reload of the tab and the end of a session. */
import { useEffect, useState } from 'react';
import { sameTokens } from '../conditions/same-tokens.js';
import { useSession } from '../session/session.js';
import type { SavedSegment } from './segment-api.js';

export interface SegmentState {
  /** JSON source of the condition. */
  readonly when: string;
  readonly description: string;
}

export interface SegmentBase extends SegmentState {
  /** Null: the segment does not exist yet. */
  readonly updatedAt: string | null;
}

export interface SegmentDraft {
  readonly base: SegmentBase;
  readonly state: SegmentState;
  readonly isDirty: boolean;
  /** What another user saved since the draft was begun. */
  readonly theirs: SegmentBase | null;
  /** The draft was typed before this page was loaded. */
  readonly wasKept: boolean;
  change(part: Partial<SegmentState>): void;
  discard(): void;
  /** Continues from another saved state; the typed state stays unless another one is given. */
  rebase(base: SegmentBase, state?: SegmentState): void;
}

interface Held {
  readonly base: SegmentBase;
  readonly state: SegmentState;
  readonly wasKept: boolean;
}

const emptyBase: SegmentBase = { when: '{}', description: '', updatedAt: null };

export function baseOf(saved: SavedSegment | null): SegmentBase {
  if (saved === null) return emptyBase;
  const { when, description, updatedAt } = saved;
  return { when, description, updatedAt };
}

/** A new segment that starts with that state, once its screen is opened. */
export function startSegment(user: string, env: string, name: string, state: SegmentState): void {
  keep(placeOf(user, env, name), { base: emptyBase, state, wasKept: false });
}

function placeOf(user: string, env: string, name: string): string {
  return `loadout:segment:${user}:${env}:${name}`;
}

/** @param saved null: the segment does not exist yet */
export function useSegmentDraft(
  env: string,
  name: string,
  saved: SavedSegment | null,
): SegmentDraft {
  const { id } = useSession();
  const place = placeOf(id, env, name);
  const [held, setHeld] = useState<Held>(() => readKept(place) ?? fresh(baseOf(saved)));
  const isDirty = differs(held.base, held.state);
  const isNewer = (saved?.updatedAt ?? null) !== held.base.updatedAt;
  // Nothing was typed: show what others saved.
  if (isNewer && !isDirty && saved !== null) setHeld(fresh(baseOf(saved)));

  useEffect(() => keep(place, isDirty ? held : null), [place, isDirty, held]);
  useEffect(() => {
    if (!isDirty) return;
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', guard);
    return () => window.removeEventListener('beforeunload', guard);
  }, [isDirty]);

  return {
    base: held.base,
    state: held.state,
    isDirty,
    theirs: isDirty && isNewer && saved !== null ? baseOf(saved) : null,
    wasKept: held.wasKept && isDirty,
    change: (part) => setHeld((now) => ({ ...now, state: { ...now.state, ...part } })),
    discard: () => setHeld((now) => fresh(now.base)),
    rebase: (base, state) =>
      setHeld((now) => ({ base, state: state ?? now.state, wasKept: false })),
  };
}

function fresh(base: SegmentBase): Held {
  return { base, state: { when: base.when, description: base.description }, wasKept: false };
}

function differs(base: SegmentState, state: SegmentState): boolean {
  return base.description !== state.description || !sameTokens(base.when, state.when);
}

function readKept(place: string): Held | null {
  try {
    const text = sessionStorage.getItem(place);
    return text === null ? null : { ...(JSON.parse(text) as Held), wasKept: true };
  } catch {
    return null;
  }
}

/** Without storage, the page itself still keeps the draft. */
function keep(place: string, held: Held | null): void {
  try {
    if (held === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(held));
  } catch {
    // Storage is full or not allowed.
  }
}
