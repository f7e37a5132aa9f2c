/**
 * The files for Prometheus and Grafana, and what the operators' page says of them, are in step; and alerts whose fault takes
 * hours or a machine of its own to play fire for what the servers would say (promtool).
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definedMetrics } from '../support/metrics-page.js';
import { makeDataFolder } from '../support/server/server.js';
import { partsOfPage } from './drill.js';
import { type AlertCase, followerCases } from './follower-cases.js';
import { hasPrometheus } from './prometheus.js';
import { rulesFile, scaledRules } from './scaled-rules.js';

const root = new URL('../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/operating.md`, 'utf8');
const dashboard = readFileSync(`${root}deploy/grafana/loadout.json`, 'utf8');

interface Rule {
  readonly alert: string;
  readonly for: string;
  readonly severity: string;
  readonly text: string;
}

/** As they are written in the file. */
const rules: readonly Rule[] = readFileSync(rulesFile, 'utf8')
  .split('      - alert: ')
  .slice(1)
  .map((text) => ({
    alert: /^\w+/.exec(text)?.[0] ?? '',
    for: /^ {8}for: (\w+)$/m.exec(text)?.[1] ?? '',
    severity: /labels: \{severity: (\w+)\}/.exec(text)?.[1] ?? '',
    text,
  }));

/** Rows of "What to watch" that name an alert. */
function watchedOfPage(): Omit<Rule, 'text'>[] {
  const [, section = ''] = page.split('\n## What to watch\n');
  const rows = section.matchAll(/^\|.* \| ([\w ]+) \| `(Loadout\w+)` \| (\w+) \| .*\|$/gm);
  return [...rows].map(([, duration = '', alert = '', severity = '']) => ({
    alert,
    for: duration === 'at once' ? '' : duration.replace(' min', 'm').replace(' h', 'h'),
    severity,
  }));
}

function promtool(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

const metricsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\bloadout_\w+/g)].map(([name]) => name)),
];
const isDefined = (name: string): boolean =>
  [name, name.replace(/_bucket$/, '')].some((one) => definedMetrics().has(one));

describe('the alerts', () => {
  it('are those of the page, with their times and severities', () => {
    const ofFile = rules.map(({ text: _, ...rule }) => rule);
    const byName = (a: { alert: string }, b: { alert: string }): number =>
      a.alert.localeCompare(b.alert);
    expect(watchedOfPage().toSorted(byName)).toEqual(ofFile.toSorted(byName));
  });

  it('ask for metrics that there are, of the job `loadout`', () => {
    const all = rules.flatMap(({ text }) => metricsIn(text));
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter((name) => !isDefined(name))).toEqual([]);
    for (const { alert, text } of rules) expect(text, alert).toContain('job="loadout"');
  });

  it('say what it is, and where to read on', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const { alert, severity, text } of rules) {
      expect(['page', 'ticket'], alert).toContain(severity);
      for (const part of ['summary', 'description']) expect(text, alert).toContain(` ${part}: "`);
      const at = /runbook: "docs\/operating\.md#([\w-]+)"/.exec(text)?.[1] ?? '';
      expect(headings, `${alert}: ${at}`).toContain(at);
    }
  });

  it.skipIf(!hasPrometheus)('are what promtool understands, also with scaled times', () => {
    expect(promtool('check', 'rules', '--lint-fatal', rulesFile)).toMatchObject({ status: 0 });
    const file = join(makeDataFolder(), 'rules.yml');
    writeFileSync(file, scaledRules());
    expect(promtool('check', 'rules', '--lint-fatal', file)).toMatchObject({ status: 0 });
  });
});

describe('each row of "When a part fails"', () => {
  const sources = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('');

  it.each(partsOfPage())('is played: $part', ({ part, alert }) => {
    const quoted = part.includes("'") ? `"${part}"` : `'${part}'`;
    expect(sources.includes(`part: ${quoted},`)).toBe(true);
    const named = [...alert.matchAll(/`(Loadout\w+)`/g)].map(([, name = '']) => name);
    if (named.length === 0) expect(alert).toMatch(/^none/);
    for (const name of named) {
      expect(rules.map((rule) => rule.alert)).toContain(name);
      const isPlayed = sources.includes(`alert: '${name}',`);
      expect(isPlayed, `${part} is played until ${name} fires`).toBe(true);
    }
  });
});

describe('the dashboard', () => {
  it('asks for metrics that there are, and has an id of its own for each panel', () => {
    expect(metricsIn(dashboard).filter((name) => !isDefined(name))).toEqual([]);
    const ids = JSON.parse(dashboard).panels.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Of the server `a`, unless it names another one. */
const labelled = (series: string): string => {
  const of = series.includes('instance=') ? 'job="loadout"' : 'job="loadout",instance="a"';
  return series.includes('{') ? series.replace('{', `{${of},`) : `${series}{${of}}`;
};

const cases: readonly AlertCase[] = [
  ...followerCases,
  ['all is well', { up: '1x300', loadout_store_up: '1x300', loadout_chores: '1x300' }, []],
  [
    'a certificate has thirteen days',
    { loadout_tls_certificate_expiry_timestamp_seconds: `${13 * 86_400}x300` },
    ['LoadoutCertificateExpires'],
  ],
  [
    'a certificate has a day',
    { loadout_tls_certificate_expiry_timestamp_seconds: `${86_400}x300` },
    ['LoadoutCertificateExpiresSoon'],
  ],
  [
    'a certificate has fifteen days',
    { loadout_tls_certificate_expiry_timestamp_seconds: `${15 * 86_400}x300` },
    [],
  ],
  ['nobody leads', { loadout_chores: '0x300', loadout_store_up: '1x300' }, ['LoadoutLeaderJobs']],
  [
    'nobody leads, as the store is away',
    { loadout_chores: '0x300', loadout_store_up: '0x300' },
    ['LoadoutStoreAway'],
  ],
  [
    'a node is away',
    { 'loadout_fleet_nodes{state="away"}': '1x300', up: '1x300', loadout_store_up: '1x300' },
    ['LoadoutNodeAway'],
  ],
  [
    'a node is away, and Prometheus knows which',
    { 'loadout_fleet_nodes{state="away"}': '1x300', 'up{node="b"}': '0x300' },
    ['LoadoutDown'],
  ],
  [
    'a node stands still',
    { loadout_sequence_lag: '3x300', loadout_store_up: '1x300' },
    ['LoadoutNodeBehind'],
  ],
  [
    'a server responds with 500',
    { 'loadout_requests_total{status="500",endpoint="content"}': '0+9x300' },
    ['LoadoutServerErrors'],
  ],
  [
    'events get 503, as the disk fails',
    {
      'loadout_requests_total{status="503",endpoint="events"}': '0+9x300',
      loadout_events_blocked: '1x300',
    },
    ['LoadoutEventsBlocked'],
  ],
  [
    'the disk fills up',
    { loadout_disk_free_bytes: `${2 ** 30}x300`, loadout_disk_bytes: `${2 ** 34}x300` },
    ['LoadoutDiskFilling'],
  ],
  [
    'the disk is full',
    {
      loadout_disk_free_bytes: '0x300',
      loadout_disk_bytes: `${2 ** 34}x300`,
      loadout_events_blocked: '1x300',
      loadout_events_store_failing: '1x300',
      'loadout_edits_total{outcome="failed"}': '0+1x300',
      loadout_publish_failures_total: '0+1x300',
      loadout_sequence_lag: '1x300',
    },
    ['LoadoutDiskFull'],
  ],
  [
    'there was no backup',
    { loadout_backup_last_success_timestamp_seconds: `${-3 * 86_400}x300` },
    ['LoadoutBackupOld'],
  ],
  [
    'descriptors run out',
    { loadout_open_fds: '950x300', loadout_max_fds: '1000x300' },
    ['LoadoutDescriptorsNearlyUsed'],
  ],
  [
    'descriptors of the control process run out',
    { loadout_control_open_fds: '950x300', loadout_control_max_fds: '1000x300' },
    ['LoadoutDescriptorsNearlyUsed'],
  ],
  [
    'publishing is slow',
    {
      'loadout_publish_seconds_bucket{le="5"}': '0x300',
      'loadout_publish_seconds_bucket{le="10"}': '0+9x300',
      'loadout_publish_seconds_bucket{le="+Inf"}': '0+9x300',
    },
    ['LoadoutPublishSlow'],
  ],
  [
    'edits fail',
    { 'loadout_edits_total{outcome="failed"}': '0+1x300', loadout_store_up: '1x300' },
    ['LoadoutEditsFailing'],
  ],
  [
    'editors wait',
    { 'loadout_admin_bodies_waiting{size="large"}': '2x300' },
    ['LoadoutEditorsWait'],
  ],
  [
    'checks wait',
    { 'loadout_admin_work_waiting{queue="schema"}': '2x300' },
    ['LoadoutEditorsWait'],
  ],
  ['a webhook fails', { loadout_webhooks_failing: '1x300' }, ['LoadoutWebhooksFailing']],
  [
    'a webhook was switched off',
    { loadout_webhooks_disabled: '0x60 1x240' },
    ['LoadoutWebhooksFailing'],
  ],
  ['a webhook is off since long', { loadout_webhooks_disabled: '1x300' }, []],
  [
    'clients do not read',
    { 'loadout_connections_closed_total{reason="slow"}': '0+1x300' },
    ['LoadoutClientsTooSlow'],
  ],
  [
    'streams run out',
    { loadout_streams: '950x300', loadout_streams_max: '1000x300' },
    ['LoadoutStreamsNearlyFull'],
  ],
  ['streams are told late', { loadout_streams_waiting: '9x300' }, ['LoadoutStreamsLate']],
  [
    'the cache is small',
    {
      'loadout_cache_evictions_total{cache="rendered"}': '0+90x300',
      'loadout_requests_total{status="200",endpoint="content"}': '0+100x300',
    },
    ['LoadoutCacheSmall'],
  ],
  [
    'a build fails a check',
    {
      'loadout_front_end{check="two_hosts"}': '0x300',
      'loadout_front_end{check="two_content_lengths"}': '0x300',
    },
    ['LoadoutFrontEndCheckFailed'],
  ],
  [
    'events cannot be stored',
    { loadout_events_store_failing: '1x300', loadout_events_lag_seconds: '0+60x300' },
    ['LoadoutEventsNotStored'],
  ],
  [
    'events are stored late',
    { loadout_events_store_failing: '0x300', loadout_events_lag_seconds: '1900x300' },
    ['LoadoutEventsLate'],
  ],
  ['events are lost', { loadout_events_lost_total: '0x9 5x290' }, ['LoadoutEventsLost']],
  ['event files are dropped', { loadout_events_files_dropped: '0x9 5x290' }, ['LoadoutEventsLost']],
  ['event files are damaged', { loadout_events_files_set_aside: '1x300' }, ['LoadoutEventsLost']],
];

describe.skipIf(!hasPrometheus)('an alert fires, and no other, when', () => {
  it.each(cases)('%s', (_, said, alerts) => {
    const test = {
      rule_files: [rulesFile],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(said).map(([name, values]) => ({
            series: labelled(name),
            values,
          })),
          promql_expr_test: [
            {
              expr: 'count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[4h]))',
              eval_time: '4h',
              exp_samples: alerts.map((alert) => ({
                labels: `{alertname="${alert}"}`,
                value: 1,
              })),
            },
          ],
        },
      ],
    };
    const file = join(makeDataFolder(), 'test.json');
    writeFileSync(file, JSON.stringify(test));
    expect(promtool('test', 'rules', file)).toMatchObject({ status: 0 });
  });

  it('that is in the file is tried here or played', () => {
    const tried = new Set(cases.flatMap(([, , alerts]) => alerts));
    const played = partsOfPage().flatMap(({ alert }) =>
      [...alert.matchAll(/`(Loadout\w+)`/g)].map(([, name = '']) => name),
    );
    const left = rules.map(({ alert }) => alert).filter((name) => !tried.has(name));
    expect(left.filter((name) => !played.includes(name))).toEqual([]);
  });
});
