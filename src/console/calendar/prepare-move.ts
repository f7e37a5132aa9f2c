/** Applies the move of a window to the content item as it is saved now. Pure, but for the zone of the browser. */
import { occurrences, type Span } from '../../content/mapping/window.js';
import type { CalendarWindow } from '../../contract/operations/calendar.js';
import type { ContentState, SavedContent } from '../draft/draft.js';
import { stateOf } from '../draft/state-parts.js';
import { readMapping } from '../mapping/rules/rule-view.js';
import { moveWindow } from '../mapping/window/move-window.js';
import { readWindowSource, type WindowSource } from '../mapping/window/read-window.js';
import { formatSpan, latestMs } from '../mapping/window/window-state.js';

export type PreparedMove =
  | {
      readonly ok: true;
      /** To save; nothing but the window of the rule differs. */
      readonly state: ContentState;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export function prepareMove(
  content: SavedContent,
  entry: CalendarWindow,
  deltaMs: number,
  nowMs: number,
): PreparedMove {
  const { newest, live, mapping } = content;
  if (entry.release !== null) {
    return reject(`The window comes with release #${entry.release}. Change it there.`);
  }
  if (entry.live && live === entry.revision && newest !== live) {
    return reject(
      `Draft r${newest} is on top of what is live. Move the window of the draft, or publish or discard the draft first.`,
    );
  }
  const rule = ruleAt(mapping, entry.rule);
  if (newest !== entry.revision || rule === null || rule.segment !== entry.segment) {
    return reject('The content item was saved since the calendar was loaded. Move it again.');
  }
  const moved = moveWindow(mapping, entry.rule, rule, deltaMs);
  const after = moved === null ? null : ruleAt(moved, entry.rule);
  if (moved === null || after === null) {
    return reject(
      'The window cannot be moved by that much as a whole. Move it by weeks, or edit the rule.',
    );
  }
  return {
    ok: true,
    state: { ...stateOf(content), mapping: moved },
    before: describeNext(rule, nowMs),
    after: describeNext(after, nowMs),
  };
}

function reject(reason: string): PreparedMove {
  return { ok: false, reason };
}

function ruleAt(mapping: string, index: number) {
  const view = readMapping(mapping);
  return view.ok ? (view.rules[index] ?? null) : null;
}

const shownMax = 3;

/** The occurrences that are not over. */
function describeNext(source: WindowSource, nowMs: number): string[] {
  const window = readWindowSource(source);
  if (window === null) return [];
  const next = occurrences(window, 0, nowMs - latestMs(window), Number.POSITIVE_INFINITY, shownMax);
  // One that is over is still moved.
  const spans: readonly Span[] =
    next.length > 0 ? next : [{ startMs: window.fromMs, endMs: window.untilMs }];
  return spans.map((span) => formatSpan(window, span, nowMs));
}
