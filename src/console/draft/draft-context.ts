/** Hands the draft of the open content to the tabs of its screen. */
import { createContext, use } from 'react';
import type { ContentDraft } from './draft.js';

export const DraftContext = createContext<ContentDraft | null>(null);

export function useDraft(): ContentDraft {
  const draft = use(DraftContext);
  if (draft === null) throw new Error('useDraft is for the tabs of a content.');
  return draft;
}
