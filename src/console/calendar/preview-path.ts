/** The address of the preview of a content item at a moment, for a player with a clock. Pure. */
import { pathOf } from '../parts/environments.js';

export interface Moment {
  readonly content: string;
  readonly atMs: number;
  /** Minutes that the player's clock is ahead of UTC; null: that of the user who was previewed last. */
  readonly utcOffset: number | null;
}

export function previewPath(env: string, { content, atMs, utcOffset }: Moment): string {
  const query = new URLSearchParams({ at: `${new Date(atMs).toISOString().slice(0, 19)}Z` });
  if (utcOffset !== null) query.set('utcOffset', String(utcOffset));
  return `${pathOf.content(env, content, 'preview')}?${query}`;
}
