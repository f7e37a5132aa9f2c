import { describe, expect, it } from 'vitest';
import {
  type FindingCode,
  findingCodes,
} from '../../../../src/contract/operations/health/findings.js';
import type { HealthFacts, Watched } from '../../../../src/management/health/findings/facts.js';
import { findWrong, stateOf } from '../../../../src/management/health/findings/find.js';
import { RecentIncreases } from '../../../../src/management/health/findings/recent-increases.js';
import { healthy, startApi, startMs } from '../harness.js';

const days = (count: number) => new Date(startMs + count * 86_400_000).toISOString();
const process = { streams: 0, streamsMax: 100, eventsBlocked: false };
const rose = (...counters: readonly Watched[]): Pick<HealthFacts, 'roseAt'> => ({
  roseAt: (counter) => (counters.includes(counter) ? startMs - 5 * 60_000 : null),
});

type Severity = 'failing' | 'attention';
interface Wrong {
  readonly facts: Partial<HealthFacts>;
  readonly severity: Severity;
  /** Part of the summary. */
  readonly says: string;
}

/** One way for each code to be wrong: a code that is added is missed here by the type checker. */
const wrongs: Readonly<Record<FindingCode, Wrong>> = {
  not_serving: { facts: { serving: 0 }, severity: 'failing', says: 'No delivery process' },
  publishing_failed: {
    facts: { isPublishingFailed: true },
    severity: 'failing',
    says: 'does not reach players',
  },
  store_unavailable: { facts: { isStoreAvailable: false }, severity: 'failing', says: 'is away' },
  texts_damaged: { facts: { textsDamaged: 2 }, severity: 'failing', says: '2 texts are damaged' },
  certificate_invalid: {
    facts: { certificate: { state: 'expired', expiresAt: days(-1) } },
    severity: 'failing',
    says: 'has expired',
  },
  events_blocked: {
    facts: { processes: [process, { ...process, eventsBlocked: true }] },
    severity: 'failing',
    says: 'takes no events',
  },
  requests_rejected: {
    facts: { requests: { requests: 1_000, rejected: 170, failed: 0, code: 'content_not_found' } },
    severity: 'attention',
    says: '17.0 % of the requests of the last 10 minutes were rejected, most of them with content_not_found',
  },
  processes_missing: { facts: { serving: 1, wanted: 3 }, severity: 'attention', says: '1 of 3' },
  processes_restarted: { facts: rose('restarts'), severity: 'attention', says: '5 minutes ago' },
  nodes_away: {
    facts: { nodesAway: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    severity: 'attention',
    says: '7 nodes are away: a, b, c, d, e and 2 more',
  },
  streams_nearly_full: {
    facts: { processes: [{ ...process, streams: 91 }] },
    severity: 'attention',
    says: 'nearly as many open streams',
  },
  webhooks_failing: {
    facts: { webhooksFailing: 1 },
    severity: 'attention',
    says: '1 webhook fails',
  },
  certificate_reload_failed: {
    facts: { certificate: { state: 'reload_failed', expiresAt: days(90) } },
    severity: 'attention',
    says: 'could not be used',
  },
  certificate_expires: {
    facts: { certificate: { state: 'valid', expiresAt: days(13) } },
    severity: 'attention',
    says: 'expires in 13 days',
  },
  clock_skewed: { facts: { clockSkewedMs: -4_200 }, severity: 'attention', says: '-4.2 s' },
  events_not_stored: {
    facts: { areEventsNotStored: true },
    severity: 'attention',
    says: 'cannot be stored',
  },
  events_waiting: {
    facts: { eventsLagSeconds: 3_600 },
    severity: 'attention',
    says: 'for 60 minutes',
  },
  events_lost: { facts: rose('eventFilesDropped'), severity: 'attention', says: 'were lost' },
  experiment_counts_dropped: {
    facts: rose('assignedReportsDropped'),
    severity: 'attention',
    says: 'were dropped',
  },
  disk_nearly_full: {
    facts: { diskFreeBytes: 100 * 1_048_576 },
    severity: 'attention',
    says: '100 MiB left',
  },
  log_lines_dropped: { facts: rose('logLinesDropped'), severity: 'attention', says: 'log' },
};

describe('what is wrong', () => {
  it('is nothing with a healthy server', () => {
    const certificate = { state: 'valid', expiresAt: days(15) } as const;
    const facts = { ...healthy, processes: [process], certificate, diskFreeBytes: 1e12 };
    expect(findWrong(facts)).toEqual([]);
    expect(stateOf([])).toBe('healthy');
  });

  it.each(findingCodes.map((code) => [code, wrongs[code]] as const))(
    'includes %s, with where to look',
    (code, { facts, severity, says }) => {
      const [finding, ...more] = findWrong({ ...healthy, ...facts });
      expect(more).toEqual([]);
      expect(finding).toMatchObject({ code, severity });
      expect(finding?.summary).toContain(says);
      expect(finding?.summary).toMatch(/^[A-Z0-9].*\.$/);
      expect(finding?.look).toMatch(/^[A-Za-z].*\.$/);
    },
  );

  it('begins with the worst', () => {
    const facts = { ...healthy, serving: 1, wanted: 2, isPublishingFailed: true };
    const found = findWrong(facts);
    expect(found.map(({ code }) => code)).toEqual(['publishing_failed', 'processes_missing']);
    expect(stateOf(found)).toBe('failing');
  });
});

describe('a counter', () => {
  it('that rose is remembered for an hour, from when it was seen', () => {
    const increases = new RecentIncreases<'lost'>();
    increases.note('lost', 0, 0);
    expect(increases.roseAt('lost', 0)).toBeNull();
    increases.note('lost', 1, 1_000);
    increases.note('lost', 1, 2_000);
    expect(increases.roseAt('lost', 3_000)).toBe(1_000);
    expect(increases.roseAt('lost', 3_602_000)).toBeNull();
  });
});

describe('webhooks that the server switched off', () => {
  it('need attention like those that fail, as the overview has it', () => {
    const found = (facts: Partial<HealthFacts>) =>
      findWrong({ ...healthy, ...facts }).map(({ code, summary }) => [code, summary]);
    expect(found({ webhooksSwitchedOff: 2 })).toEqual([
      ['webhooks_failing', '2 webhooks are switched off, because deliveries kept failing.'],
    ]);
    expect(found({ webhooksFailing: 1, webhooksSwitchedOff: 1 })).toEqual([
      [
        'webhooks_failing',
        '1 webhook fails: messages wait, and are tried again. 1 webhook is switched off, because deliveries kept failing.',
      ],
    ]);
  });
});

describe('GET /health/findings', () => {
  it('lists failing webhooks for owners only', async () => {
    const facts = { ...healthy, webhooksFailing: 1 };
    const api = await startApi({}, { facts: async () => facts });
    const viewer = await api.call('POST', '/admin/v1/users', { name: 'vera', role: 'viewer' });
    const codesFor = async (token?: string) => {
      const { body: json } = await api.call('GET', '/admin/v1/health/findings', undefined, token);
      return [json.state, json.findings.map(({ code }: { code: string }) => code)];
    };
    expect(await codesFor()).toEqual(['attention', ['webhooks_failing']]);
    expect(await codesFor(viewer.body.token)).toEqual(['healthy', []]);
  });
});
