/** Finds what is wrong in what the server knows of itself. Pure. docs/operating.md has a line for each code. */
import { rejectionState } from '../../../contract/health/rejection-state.js';
import { rejectionStateMinutes } from '../../../contract/limits.js';
import type { Finding, FindingCode } from '../../../contract/operations/health/findings.js';
import type { HealthState } from '../../../contract/operations/health/rejections.js';
import type { HealthFacts } from './facts.js';

type Severity = Finding['severity'];
/** What is wrong, and where to look; null: nothing is. */
type Rule = (facts: HealthFacts) => Omit<Finding, 'code'> | null;

/** As in the alerts of docs/operating.md. */
const certificateDaysMin = 14;
const eventsLagSecondsMax = 1_800;
const streamsShareMax = 0.9;
/** Four times what event files leave free: then edits fail soon, too. */
const diskFreeBytesMin = 256 * 1024 * 1024;

const dayMs = 86_400_000;

/** In the order of the list, within a severity. */
const rules: Readonly<Record<FindingCode, Rule>> = {
  not_serving: ({ serving }) =>
    wrongIf(serving === 0, 'failing', 'No delivery process serves players.', theLog),
  publishing_failed: ({ isPublishingFailed }) =>
    wrongIf(
      isPublishingFailed,
      'failing',
      'A saved edit does not reach players; the server keeps trying.',
      'The server log: publish_failed says why.',
    ),
  store_unavailable: ({ isStoreAvailable }) =>
    wrongIf(
      !isStoreAvailable,
      'failing',
      'The store is away: edits are rejected, and players are served what was published last.',
      'The database, and the way to it.',
    ),
  texts_damaged: ({ textsDamaged }) =>
    wrongIf(
      textsDamaged > 0,
      'failing',
      `The store has lost data: ${count(textsDamaged, 'text is', 'texts are')} damaged.`,
      'The server log: store_text_damaged names them. Restore them from a backup.',
    ),
  certificate_invalid: ({ certificate }) =>
    wrongIf(
      certificate?.state === 'expired' || certificate?.state === 'not_yet_valid',
      'failing',
      certificate?.state === 'expired'
        ? 'The certificate of the delivery port has expired: clients do not connect.'
        : 'The certificate of the delivery port is not valid yet: clients do not connect.',
      'Renew the files of --tls-cert and --tls-key, then reload the server.',
    ),
  events_blocked: ({ processes }) =>
    wrongIf(
      processes.some(({ eventsBlocked }) => eventsBlocked),
      'failing',
      'The disk takes no events of players: clients keep them, up to 1,000 each.',
      'Room on the disk of the data folder; the server log: event_files_failed.',
    ),
  requests_rejected: rejected,
  processes_missing: ({ serving, wanted }) =>
    wrongIf(
      serving > 0 && serving < wanted,
      'attention',
      `${serving} of ${wanted} delivery processes serve.`,
      'The others may be starting; if they do not come up, the server log says why.',
    ),
  processes_restarted: ({ roseAt, nowMs }) =>
    wrongIf(
      roseAt('restarts') !== null,
      'attention',
      `A delivery process ended unexpectedly ${ago(roseAt('restarts'), nowMs)}; another has its place.`,
      'The server log: delivery_process_ended or delivery_process_hung.',
    ),
  nodes_away: ({ nodesAway }) =>
    wrongIf(
      nodesAway.length > 0,
      'attention',
      `${count(nodesAway.length, 'node is', 'nodes are')} away: ${listed(nodesAway)}.`,
      'Nodes, on this page. A node that is cut off serves what was last published there.',
    ),
  streams_nearly_full: ({ processes }) =>
    wrongIf(
      processes.some(({ streams, streamsMax }) => streams > streamsMax * streamsShareMax),
      'attention',
      'A delivery process has nearly as many open streams as it may: more are soon rejected.',
      'More delivery processes, more descriptors, or a lower --streams-per-address.',
    ),
  webhooks_failing: ({ webhooksFailing, webhooksSwitchedOff }) =>
    wrongIf(
      webhooksFailing + webhooksSwitchedOff > 0,
      'attention',
      [
        webhooksFailing > 0 &&
          `${count(webhooksFailing, 'webhook fails', 'webhooks fail')}: messages wait, and are tried again.`,
        webhooksSwitchedOff > 0 &&
          `${count(webhooksSwitchedOff, 'webhook is', 'webhooks are')} switched off, because deliveries kept failing.`,
      ]
        .filter(Boolean)
        .join(' '),
      'Webhooks: the log of each has the responses.',
    ),
  certificate_reload_failed: ({ certificate }) =>
    wrongIf(
      certificate?.state === 'reload_failed',
      'attention',
      'The renewed certificate could not be used; an earlier one is served.',
      'The server log: tls_reload_failed has the reason.',
    ),
  certificate_expires: expiring,
  clock_skewed: ({ clockSkewedMs }) =>
    wrongIf(
      clockSkewedMs !== null,
      'attention',
      `This server's clock is ${((clockSkewedMs ?? 0) / 1_000).toFixed(1)} s off the database's: windows of rules open at another time here.`,
      'NTP on this server.',
    ),
  events_not_stored: ({ areEventsNotStored }) =>
    wrongIf(
      areEventsNotStored,
      'attention',
      'Events of players cannot be stored, and wait.',
      'loadout events status, and the server log: events_not_stored.',
    ),
  events_waiting: ({ eventsLagSeconds }) =>
    wrongIf(
      eventsLagSeconds > eventsLagSecondsMax,
      'attention',
      `Events of players are stored more slowly than they come: the oldest has waited for ${Math.round(eventsLagSeconds / 60)} minutes.`,
      'loadout events status; results of experiments lack what waits.',
    ),
  events_lost: ({ roseAt, nowMs }) => {
    const lost = latest([
      roseAt('eventsLost'),
      roseAt('eventFilesDropped'),
      roseAt('eventFilesSetAside'),
    ]);
    return wrongIf(
      lost !== null,
      'attention',
      `Events of players were lost or set aside ${ago(lost, nowMs)}.`,
      'The server log: events_lost, events_dropped or event_files_set_aside.',
    );
  },
  experiment_counts_dropped: ({ roseAt, nowMs }) =>
    wrongIf(
      roseAt('assignedReportsDropped') !== null,
      'attention',
      `Counts of users of experiments were dropped ${ago(roseAt('assignedReportsDropped'), nowMs)}: the store was away for too long.`,
      'Experiments that ran then show too few users.',
    ),
  disk_nearly_full: ({ diskFreeBytes }) =>
    wrongIf(
      diskFreeBytes !== null && diskFreeBytes < diskFreeBytesMin,
      'attention',
      `The disk of the data folder has ${Math.round((diskFreeBytes ?? 0) / 1_048_576)} MiB left.`,
      'Make room: on a full disk, edits and events are rejected.',
    ),
  log_lines_dropped: ({ roseAt, nowMs }) =>
    wrongIf(
      roseAt('logLinesDropped') !== null,
      'attention',
      `Lines of the server log were dropped ${ago(roseAt('logLinesDropped'), nowMs)}.`,
      'Where the log goes: a full disk, or a reader that is gone.',
    ),
};

const theLog = 'The server log says why.';

/** The severity of the worst. */
export function stateOf(findings: readonly Finding[]): HealthState {
  return findings[0]?.severity ?? 'healthy';
}

/** The worst first. */
export function findWrong(facts: HealthFacts): Finding[] {
  const found = Object.entries(rules).flatMap(([code, rule]) => {
    const finding = rule(facts);
    return finding === null ? [] : [{ code: code as FindingCode, ...finding }];
  });
  const of = (severity: Severity) => found.filter((finding) => finding.severity === severity);
  return [...of('failing'), ...of('attention')];
}

function rejected({ requests }: HealthFacts): Omit<Finding, 'code'> | null {
  const state = rejectionState(requests);
  if (state === 'healthy') return null;
  const share = ((requests.rejected / requests.requests) * 100).toFixed(1);
  const most = requests.code === null ? '' : `, most of them with ${requests.code}`;
  return {
    severity: state,
    summary: `${share} % of the requests of the last ${rejectionStateMinutes} minutes were rejected${most}.`,
    look: 'Rejected requests, on this page: by code, key and content item.',
  };
}

function expiring({ certificate, nowMs }: HealthFacts): Omit<Finding, 'code'> | null {
  if (certificate === null) return null;
  const days = (Date.parse(certificate.expiresAt) - nowMs) / dayMs;
  const whole = Math.floor(days);
  return wrongIf(
    days >= 0 && days < certificateDaysMin,
    'attention',
    `The certificate of the delivery port expires in ${count(whole, 'day', 'days')}.`,
    'Renew the files of --tls-cert and --tls-key, then reload the server.',
  );
}

function wrongIf(
  isWrong: boolean,
  severity: Severity,
  summary: string,
  look: string,
): Omit<Finding, 'code'> | null {
  return isWrong ? { severity, summary, look } : null;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

function ago(atMs: number | null, nowMs: number): string {
  const minutes = Math.floor((nowMs - (atMs ?? nowMs)) / 60_000);
  return minutes < 1 ? 'just now' : `${count(minutes, 'minute', 'minutes')} ago`;
}

function latest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const namedMax = 5;

function listed(names: readonly string[]): string {
  const more = names.length - namedMax;
  const shown = names.slice(0, namedMax).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
