/** Says whether the window of a rule is open for a caller, on which clock, and when that changes. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Rule } from '../../content/mapping/mapping.js';
import { isOpen, nextEdgeForMs } from '../../content/mapping/window.js';
import { toIso } from '../to-iso.js';

export interface ExplainedWindow {
  /** `closed`: for good; null: the window is open. */
  readonly closed: 'not_open_yet' | 'closed' | null;
  /** Sentences. '' where an open window is one between two instants, or none; else they end with a space if open. */
  readonly reason: string;
}

/** @param atMs milliseconds since the epoch */
export function explainWindow(
  rule: Rule,
  caller: EvaluationContext,
  atMs: number,
): ExplainedWindow {
  const edgeMs = nextEdgeForMs(rule, caller, atMs);
  const changes = Number.isFinite(edgeMs);
  const when = changes ? timeText(rule, caller, edgeMs) : '';
  if (isOpen(rule, caller, atMs)) {
    if (!rule.isLocal && rule.repeat === null) return { closed: null, reason: '' };
    const until = changes ? `It is open until ${when}. ` : 'It is open and never closes. ';
    return { closed: null, reason: `${clockText(rule, caller, atMs)}${until}` };
  }
  const clock = clockText(rule, caller, atMs);
  if (changes) {
    const verb = rule.repeat === null ? 'begins' : 'opens next';
    return { closed: 'not_open_yet', reason: `${clock}It ${verb} at ${when}.` };
  }
  // A repeat may have had its last occurrence before the end, or has none at all.
  const isOver = atMs + (rule.isLocal ? caller.utcOffset * msPerMinute : 0) >= rule.untilMs;
  const end = isOver ? `It ended at ${endText(rule)}.` : 'It does not open again.';
  return { closed: 'closed', reason: `${clock}${end}` };
}

const msPerMinute = 60_000;

/** An instant, and of a local window what the player's clock shows then. */
function timeText(rule: Rule, caller: EvaluationContext, ms: number): string {
  return rule.isLocal ? `${toIso(ms)}, ${wallText(caller, ms)} for the player` : toIso(ms);
}

/** '' for a window between instants. */
function clockText(rule: Rule, caller: EvaluationContext, atMs: number): string {
  if (!rule.isLocal) return '';
  const offset = caller.utcOffset;
  const source = caller.lacksUtcOffset
    ? 'UTC, because p.utcOffset is not a whole number from -720 to 840'
    : `p.utcOffset is ${offset}`;
  return `The player's clock shows ${wallText(caller, atMs)} (${source}). `;
}

function wallText(caller: EvaluationContext, ms: number): string {
  return wallTimeText(ms + caller.utcOffset * msPerMinute);
}

function endText({ isLocal, untilMs }: Rule): string {
  return isLocal ? `${wallTimeText(untilMs)} on the player's clock` : toIso(untilMs);
}

/** Without a zone, to the second. */
function wallTimeText(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 19);
}
