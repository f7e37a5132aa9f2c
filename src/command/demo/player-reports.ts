/** What a made-up player of the demo reports to the server after a response: what it has seen, and what it then does. */
import { randomUUID } from 'node:crypto';
import { uidOf } from '../../content/bucket.js';
import type { EventSegment } from '../../published/event-line.js';
import { demoExperiments, percentOf } from './demo-experiments.js';
import { attributesOf } from './player-attributes.js';

/** Contents whose responses are reported, as often as they are requested. */
export const reportedContents = ['shop', 'shop', 'shop', 'notifications', 'levels'] as const;

interface WrappedResponse {
  readonly meta?: { readonly seg?: readonly EventSegment[] };
}

/** Of a hundred players who do something, those who do it now. */
const nowPercent = 10;

/**
 * The body of `POST /api/v1/events`: JSON text.
 * @param content id of what the response is of
 * @returns null when the response names no experiment, or its player reports nothing
 */
export function reportOf(u: string, content: string, response: WrappedResponse): string | null {
  const seg = (response.meta?.seg ?? []).filter(({ n }) =>
    demoExperiments.some(({ id }) => id === n),
  );
  const events = seg.flatMap((entry) => eventsOf(u, content, entry));
  return events.length === 0 ? null : JSON.stringify({ u, p: attributesOf(u), events });
}

function eventsOf(u: string, id: string, entry: EventSegment): object[] {
  const experiment = demoExperiments.find((one) => one.id === entry.n);
  if (experiment === undefined || entry.v === null) return [];
  const { v } = entry;
  const sent = () => ({ at: new Date().toISOString(), eid: randomUUID() });
  const isLost = shareOf(u, 'lost') < (experiment.lostPercent?.[v] ?? 0);
  const exposure = isLost ? [] : [{ t: 'exposure', id, seg: [entry], ...sent() }];
  const actions = experiment.behaviours
    .filter((one) => shareOf(u, one.event) < percentOf(one, v) && Math.random() * 100 < nowPercent)
    .map(({ event, values }) => {
      const x = values[Math.floor(Math.random() * values.length)] ?? 1;
      return { t: 'metric', n: event, x, ...sent() };
    });
  return [...exposure, ...actions];
}

/** A player's place among a hundred, always the same for one purpose. */
function shareOf(u: string, purpose: string): number {
  return uidOf(`${purpose}:${u}`) % 100;
}
