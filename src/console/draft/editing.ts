/** What the content screen itself does with the draft, beyond what the tabs need: saving, and what others saved meanwhile. */
import { createContext, use } from 'react';
import type { SavedContent as SaveAnswer } from '../../contract/schemas/saved.js';
import type { LoadedContent } from './content-query.js';
import type { ContentDraft, ContentState } from './draft.js';

export interface SaveRequest {
  readonly publish: boolean;
  readonly note: string;
}

export interface Editing extends ContentDraft {
  readonly saved: LoadedContent;
  /** Why the user may not edit; null: they may. */
  readonly readOnlyReason: string | null;
  /** Whether the verdict on the newest state is still to come. */
  readonly isJudging: boolean;
  /** Why there is no verdict. */
  readonly verdictError: Error | null;
  /** What somebody else saved since; null: nothing. */
  readonly theirs: LoadedContent | null;
  /** Somebody deleted the content while it was open. */
  readonly isGone: boolean;
  /** When what was brought back was typed; null: nothing was, or it was looked at. */
  readonly keptAt: number | null;
  /** What was typed is too large for the browser to keep over a reload. */
  readonly isUnkept: boolean;
  readonly isSaving: boolean;
  readonly saveError: Error | null;
  save(request: SaveRequest): Promise<SaveAnswer | null>;
  forgetSaveError(): void;
  forgetKept(): void;
  /** Goes on from what they saved, with this state as typed. */
  settle(theirs: LoadedContent, state: ContentState): void;
  /** Asks the server what is saved now. */
  reload(): Promise<void>;
}

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (editing === null) throw new Error('useEditing is for the parts of the content screen.');
  return editing;
}
