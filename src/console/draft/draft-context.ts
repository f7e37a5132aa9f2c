/** The draft of the open content item, for the parts of its screen. */
import { createContext, use } from 'react';
import type { SavedContent as SaveResponse } from '../../contract/schemas/saved.js';
import type { LoadedContent } from './content-query.js';
import type { ContentState, ValidationResult } from './draft.js';
import type { EarlierState } from './old-edits.js';

export interface SaveOptions {
  readonly publish: boolean;
  readonly note: string;
  /** Digest of the findings that the user has looked at. */
  readonly confirm?: string | undefined;
}

export interface Draft {
  readonly saved: LoadedContent;
  readonly state: ContentState;
  /** Whether anything differs from what is saved. */
  readonly isDirty: boolean;
  readonly mayEdit: boolean;
  /** Why the user may not edit; null: they may. */
  readonly readOnlyReason: string | null;
  /** The latest result; null until there is one. */
  readonly validation: ValidationResult | null;
  /** Whether the result for the newest state is still to come. */
  readonly isValidating: boolean;
  /** Why there is no result. */
  readonly validationError: Error | null;
  /** What another user saved since; null: nothing. */
  readonly theirs: LoadedContent | null;
  /** Another user deleted the content item while it was open. */
  readonly isGone: boolean;
  /** When the recovered edits were typed; null: none were recovered, or the user has dismissed the notice. */
  readonly recoveredAt: number | null;
  /** The oldest state that was recovered and never saved since; null: none was. */
  readonly earlier: EarlierState | null;
  /** What is typed is too large for the browser to keep across a reload. */
  readonly isUnstored: boolean;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  change(part: Partial<ContentState>): void;
  changeText(appVersion: string, text: string): void;
  /** Back to what is saved. */
  discard(): void;
  /** @returns null when the save failed: `saveError` says why */
  save(options: SaveOptions): Promise<SaveResponse | null>;
  dismissRecovered(): void;
  /** Continues from what they saved, with this state as typed. */
  resolveConflict(theirs: LoadedContent, state: ContentState): void;
}

export const DraftContext = createContext<Draft | null>(null);

export function useDraft(): Draft {
  const draft = use(DraftContext);
  if (draft === null) throw new Error('useDraft is for the parts of the content screen.');
  return draft;
}
