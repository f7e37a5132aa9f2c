/** What the message of an event says to people, whatever chat shows it (D125): who did what, and where. */
import type { WebhookEvent } from '../events-of-write.js';

export interface ChatFact {
  /** Our own word. */
  readonly name: string;
  /** May hold what users have typed. */
  readonly value: string;
}

export interface ChatText {
  /** May hold what users have typed. */
  readonly title: string;
  readonly tone: 'neutral' | 'good' | 'bad';
  /** At most `chatFactsMax`. */
  readonly facts: readonly ChatFact[];
}

/** Facts of the longest message; every chat takes as many. */
export const chatFactsMax = 8;
/** Ids that are named; the console has the rest. */
const idsNamedMax = 10;

export function chatText(event: WebhookEvent): ChatText {
  const { title, tone = 'neutral', facts = [] } = describe(event);
  const where = event.environment === '' ? [] : [{ name: 'Environment', value: event.environment }];
  const said = [...where, ...facts, { name: 'By', value: event.data.by }];
  return { title, tone, facts: said.filter(({ value }) => value !== '') };
}

interface Described {
  readonly title: string;
  readonly tone?: ChatText['tone'];
  readonly facts?: readonly ChatFact[];
}

function describe(event: WebhookEvent): Described {
  switch (event.type) {
    case 'content.published': {
      const facts = [{ name: 'Revision', value: String(event.data.revision) }];
      return { title: `Content item ${event.data.id} is live`, facts };
    }
    case 'content.deleted':
      return { title: `Content item ${event.data.id} is no longer delivered` };
    case 'environment.synced':
      return {
        title: `${event.environment} was synced from ${event.data.from}`,
        facts: bulkFacts(event.data),
      };
    case 'environment.imported':
      return { title: `An import changed ${event.environment}`, facts: bulkFacts(event.data) };
    case 'environment.deleted':
      return { title: `Environment ${event.environment} was deleted`, tone: 'bad' };
    case 'key.created':
    case 'key.revoked': {
      const done = event.type === 'key.created' ? 'created' : 'revoked';
      const { prefix, label } = event.data;
      return { title: `API key ${prefix}… was ${done}`, facts: [{ name: 'Label', value: label }] };
    }
    case 'segment.changed':
      return {
        title: `Segment ${event.data.name} was changed`,
        facts: [reached(event.data)],
      };
    case 'segment.deleted':
      return { title: `Segment ${event.data.name} was deleted` };
    case 'webhook.test':
      return { title: 'Test message from Loadout' };
    default:
      return describeRelease(event);
  }
}

type ReleaseEvent = Extract<WebhookEvent, { type: `release.${string}` }>;

/** What follows "Release 4". */
const releaseWords: Readonly<
  Record<ReleaseEvent['type'], readonly [words: string, tone: ChatText['tone']]>
> = {
  'release.submitted': ['waits for review', 'neutral'],
  'release.approved': ['is approved', 'good'],
  'release.rejected': ['was sent back to its author', 'bad'],
  'release.scheduled': ['has another schedule', 'neutral'],
  'release.started': ['has started to ramp', 'neutral'],
  'release.stepped': ['has reached its next step', 'neutral'],
  'release.paused': ['is paused', 'bad'],
  'release.resumed': ['goes on', 'neutral'],
  'release.stopped': ['was stopped', 'bad'],
  'release.live': ['is live for all players', 'good'],
  'release.reverted': ['was reverted', 'bad'],
  'release.failed': ['could not start or go on', 'bad'],
  'release.cancelled': ['was cancelled', 'neutral'],
  'release.emergency': ['was published without approvals', 'bad'],
};

function describeRelease({ type, data }: ReleaseEvent): Described {
  const [words, tone] = releaseWords[type];
  const { release, title, state, percent, reason } = data;
  const facts = [
    { name: 'Title', value: title },
    { name: 'State', value: state },
    { name: 'Players', value: percent === null ? '' : `${percent} %` },
    { name: 'Reason', value: reason },
    ...('reaches' in data ? [reached(data)] : []),
  ];
  return { title: `Release ${release} ${words}`, tone, facts };
}

interface Bulk {
  readonly contents: number;
  readonly published: readonly string[];
  readonly deleted: readonly string[];
  readonly segments: readonly string[];
}

function bulkFacts({ contents, published, deleted, segments }: Bulk): ChatFact[] {
  return [
    { name: 'Content items', value: String(contents) },
    { name: 'Live', value: namesOf(published, published.length) },
    { name: 'No longer delivered', value: namesOf(deleted, deleted.length) },
    { name: 'Segments', value: namesOf(segments, segments.length) },
  ];
}

function reached(data: {
  readonly contents: number;
  readonly reaches: readonly string[];
}): ChatFact {
  return { name: 'Content items', value: namesOf(data.reaches, data.contents) };
}

/** @param count of all, of which some may not be named */
function namesOf(ids: readonly string[], count: number): string {
  if (ids.length === 0) return '';
  const named = ids.slice(0, idsNamedMax);
  const more = count - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
