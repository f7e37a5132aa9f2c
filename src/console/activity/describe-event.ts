/** Describes an audit event as a sentence. Pure; an unknown action is shown by its name. */

export interface DescribedEvent {
  /** `noun.verb`. */
  readonly action: string;
  readonly environment: string;
  readonly name: string;
  readonly details: Facts;
  /** What a sync or import did to the content item of the filter. */
  readonly content?: TouchedContent | undefined;
}

/** Numbers of revisions; null: none, or not known. */
export interface TouchedContent {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly before: number | null;
  readonly after: number | null;
  /** Null: an older event, which does not say either what was live afterwards. */
  readonly newest: number | null;
  readonly from: number | null;
}

/** "ana" + verb + thing + rest; `more` stands below it. */
export interface EventSentence {
  readonly verb: string;
  /** What it was done to, as people know it; '' if the verb says it all. */
  readonly thing: string;
  readonly rest: string;
  readonly more: string;
  /** Something was deleted, rejected or switched off. */
  readonly isHarsh: boolean;
}

type Facts = Readonly<Record<string, unknown>>;
type State = Facts | null;
type Describe = (event: DescribedEvent, before: State, after: State) => Partial<EventSentence>;

export function describeEvent(event: DescribedEvent): EventSentence {
  const { action, name, details } = event;
  const [noun = '', verb = ''] = action.split('.');
  const before = stateOf(details['before']);
  const after = stateOf(details['after']);
  const sentence = {
    verb: fixedVerbs[action] ?? `did "${verb}" to ${noun}`,
    thing: namelessActions.has(action) ? '' : name,
    rest: '',
    more: joined(' · ', textOf(details['note']), textOf(details['comment'])),
    isHarsh: harshActions.has(action),
    ...(noun === 'release' && describeRelease(event)),
    ...descriptions[action]?.(event, before, after),
  };
  if (event.content === undefined || noun === 'experiment') return sentence;
  return { ...sentence, more: joined(' · ', describeTouched(event.content, noun), sentence.more) };
}

/** The whole sentence, with the user's name. */
export function sentenceOf(userName: string, { verb, thing, rest }: EventSentence): string {
  return joined(' ', userName, verb, thing, rest);
}

function describeTouched(
  { id, change, before, after, newest, from }: TouchedContent,
  noun: string,
): string {
  // What a release has not made live yet is what it plans.
  if (noun === 'release' && before === after) {
    return newest === null ? `deletes ${id}` : `brings ${id} r${newest}`;
  }
  const facts: string[] = [];
  if (newest === null) {
    if (before !== null) facts.push(`live before r${before}`);
  } else {
    if (before !== after) facts.push(`live ${formatRevision(before)} → ${formatRevision(after)}`);
    if (newest !== after && change !== 'removed') facts.push(`draft r${newest}`);
  }
  if (from !== null) facts.push(`from r${from} of the source`);
  return facts.length === 0 ? `${id} ${change}` : `${id} ${change}: ${facts.join(', ')}`;
}

const harshActions: ReadonlySet<string> = new Set([
  ...['content.delete', 'segment.delete', 'sample-user.delete', 'environment.delete'],
  ...['user.delete', 'key.revoke', 'token.revoke', 'token.refuse', 'session.refuse'],
  ...['webhook.delete', 'webhook.disable'],
  ...['release.stop', 'release.revert', 'release.fail', 'release.emergency'],
]);

/** Actions on the server, or of a user on themselves. */
const namelessActions: ReadonlySet<string> = new Set([
  ...['user.token', 'token.refuse', 'session.create', 'session.delete'],
  ...['store.backup', 'retention.run', 'audit.prune', 'events.export', 'events.forget'],
]);

const fixedVerbs: Readonly<Record<string, string>> = {
  'content.publish': 'published',
  'content.rollback': 'rolled back',
  'content.delete': 'deleted',
  'content.restore': 'restored',
  'segment.delete': 'deleted segment',
  'sample-user.delete': 'deleted sample user',
  'events.export': 'exported events of players',
  'events.forget': 'removed the events of a player',
  'key.create': 'created key',
  'key.update': 'changed key',
  'key.revoke': 'revoked key',
  'environment.create': 'created environment',
  'environment.delete': 'deleted environment',
  'experiment.create': 'made experiment',
  'experiment.update': 'changed experiment',
  'experiment.start': 'started experiment',
  'experiment.phase': 'began another phase of experiment',
  'experiment.stop': 'stopped experiment',
  'experiment.decide': 'decided experiment',
  'experiment.delete': 'deleted experiment',
  'metric.put': 'saved metric',
  'metric.delete': 'deleted metric',
  ...{
    'release.create': 'made',
    'release.update': 'changed',
    'release.submit': 'submitted for review',
    'release.approve': 'approved',
    'release.reject': 'sent back',
    'release.comment': 'commented on',
    'release.schedule': 'scheduled',
    'release.start': 'started the ramp of',
    'release.step': 'went on with the ramp of',
    'release.pause': 'paused',
    'release.resume': 'resumed',
    'release.stop': 'stopped',
    'release.live': 'made live for all players',
    'release.revert': 'reverted',
    'release.fail': 'failed to start',
    'release.cancel': 'cancelled',
    'release.emergency': 'went live without approval with',
  },
  'user.create': 'created user',
  'user.update': 'made user',
  'user.delete': 'deleted user',
  'user.token': "took the owner's token from LOADOUT_ADMIN_TOKEN",
  'token.create': 'created a token for',
  'token.revoke': 'revoked a token of',
  'session.create': 'signed in',
  'session.delete': 'signed out',
  'session.refuse': 'rejected the sign-in and revoked the tokens of',
  'webhook.create': 'created webhook',
  'webhook.secret': 'replaced the secret of webhook',
  'webhook.delete': 'deleted webhook',
  'webhook.disable': 'switched off webhook',
  'webhook.test': 'tested webhook',
  'store.backup': 'made a backup',
  'retention.run': 'removed history beyond the retention time',
};

const descriptions: Readonly<Record<string, Describe>> = {
  'content.put': ({ details }, before, after) => {
    const [created, saved] = isLive(after)
      ? ['created and published', 'published']
      : ['created a draft of', 'saved a draft of'];
    const changed = listOf(details['changed']).join(', ');
    return {
      verb: before === null ? created : saved,
      rest: revisionOf(details),
      more: joined(' · ', textOf(details['note']), changed && `Changed: ${changed}`),
    };
  },
  'content.publish': ({ details }) => ({ rest: revisionOf(details) }),
  'content.rollback': ({ details }) => ({ rest: `as ${revisionOf(details)}` }),
  'content.remove-line': ({ details }, _before, after) =>
    isLive(after)
      ? { verb: 'removed an app version line of', rest: `in ${revisionOf(details)}` }
      : { verb: 'drafted', rest: `${revisionOf(details)} without one of its app version lines` },
  'segment.put': (_event, before, after) => {
    if (before === null) return { verb: 'created segment', rest: asRevision(after) };
    return after !== null && before['condition'] === after['condition']
      ? { verb: 'changed the description of segment' }
      : { verb: 'changed segment', rest: asRevision(after) };
  },
  'segment.draft': (_event, _before, after) => ({
    verb: 'saved a draft of segment',
    rest: asRevision(after),
  }),
  'segment.rollback': (_event, before, after) => ({
    verb: before === null ? 'restored segment' : 'rolled back segment',
    rest: asRevision(after),
  }),
  'sample-user.put': (_event, before) => ({
    verb: before === null ? 'saved sample user' : 'changed sample user',
  }),
  'key.create': (event, _before, after) => describeKey(event, after),
  'key.update': (event, before, after) => ({
    ...describeKey(event, after),
    more: describeChanges(before, after),
  }),
  'key.revoke': (event, _before, after) => describeKey(event, after),
  'environment.create': (_event, _before, after) => ({
    rest: after?.['protected'] === true ? '(protected)' : '',
  }),
  'environment.update': (_event, before, after) => {
    if (after?.['review'] !== undefined) {
      const [from, to] = [before?.['review'] ?? 0, after['review']];
      return { verb: 'changed the approvals of environment', rest: `from ${from} to ${to}` };
    }
    if (before?.['protected'] === after?.['protected']) {
      return {
        verb: 'renamed environment',
        rest: `from “${textOf(before?.['name'])}” to “${textOf(after?.['name'])}”`,
      };
    }
    return {
      verb:
        after?.['protected'] === true
          ? 'protected environment'
          : 'removed the protection of environment',
      more: before?.['name'] === after?.['name'] ? '' : describeChanges(before, after),
    };
  },
  'environment.sync': ({ environment, name, details }) => ({
    verb: `synced ${name} into`,
    thing: environment,
    more: describeCounts(details, 'added', 'changed'),
  }),
  'environment.import': ({ environment, details }) => ({
    verb: 'imported into',
    thing: environment,
    rest: details['mode'] === 'replace' ? 'and replaced what was there' : '',
    more: describeCounts(details, 'added', 'changed', 'removed'),
  }),
  'user.create': ({ details }, _before, after) => ({
    thing: textOf(details['name']),
    rest: `as ${describeRights(after)}`,
  }),
  'user.update': ({ details }, before, after) => ({
    thing: textOf(details['name']),
    rest: `${describeRights(after)}, before ${describeRights(before)}`,
  }),
  'user.delete': ({ details }) => ({ thing: textOf(details['name']) }),
  'token.create': ({ details }) => ({
    thing: textOf(details['userName']),
    rest: describeToken(details),
  }),
  'token.revoke': ({ details }) => ({
    thing: textOf(details['userName']),
    rest: describeToken(details),
  }),
  'token.refuse': ({ details }) => ({
    verb: `sent ${numberOf(details['wrongTokens'])} wrong tokens, which were rejected`,
  }),
  'session.create': ({ details }) => ({
    rest: describeToken(details) === '' ? '' : `with token ${describeToken(details)}`,
  }),
  'session.refuse': ({ details }) => ({
    thing: textOf(details['userName']),
    rest: ', who is in no group with a role',
  }),
  'webhook.create': (event, before, after) => ({ thing: targetOf(event, before, after) }),
  'webhook.update': (event, before, after) => {
    const [wasOn, isOn] = [before?.['enabled'], after?.['enabled']];
    const switched = isOn === true ? 'switched on webhook' : 'switched off webhook';
    return {
      verb: wasOn === isOn ? 'changed webhook' : switched,
      thing: targetOf(event, before, after),
      isHarsh: wasOn === true && isOn === false,
    };
  },
  'webhook.delete': (event, before, after) => ({ thing: targetOf(event, before, after) }),
  'webhook.disable': ({ details }) => ({ more: textOf(details['reason']) }),
  'webhook.retry': ({ details }) => {
    const count = numberOf(details['deliveries']);
    const all = `${count} failed ${count === 1 ? 'message' : 'messages'}`;
    return { verb: `sent ${count === 0 ? 'a message' : all} again to webhook` };
  },
  'webhook.test': (_event, _before, after) => ({
    rest: after?.['status'] === 'delivered' ? '(it arrived)' : '(it did not arrive)',
  }),
  'experiment.stop': ({ details }) => ({ more: textOf(details['reason']) }),
  'experiment.decide': ({ details }) => ({
    rest: textOf(details['variant']) === '' ? '' : `for “${textOf(details['variant'])}”`,
    more: textOf(details['reason']),
  }),
  'audit.prune': ({ details }) => ({
    verb: `removed ${numberOf(details['removed'])} old events from the activity`,
  }),
};

/** By its number and title, with the share of a ramp and the reason. */
function describeRelease({ name, details }: DescribedEvent): Partial<EventSentence> {
  const percent = details['percent'];
  return {
    thing: joined(' ', `release #${name}`, textOf(details['title'])),
    rest: typeof percent === 'number' ? `at ${percent} %` : '',
    more: textOf(details['reason']),
  };
}

function isLive(after: State): boolean {
  return after?.['live'] === after?.['revision'];
}

function revisionOf(details: Facts): string {
  return `r${numberOf(details['revision'])}`;
}

function formatRevision(revision: number | null): string {
  return revision === null ? 'none' : `r${revision}`;
}

/** Of a segment; '' for events from before segments had revisions. */
function asRevision(after: State): string {
  return typeof after?.['revision'] === 'number' ? `as ${revisionOf(after)}` : '';
}

/** By its label; the first characters distinguish keys of the same label. */
function describeKey({ name, details }: DescribedEvent, after: State): Partial<EventSentence> {
  const label = textOf(after?.['label']);
  const prefix = textOf(details['prefix']);
  return label === ''
    ? { thing: prefix === '' ? name : `${prefix}…` }
    : { thing: label, rest: prefix === '' ? '' : `(${prefix}…)` };
}

function describeToken(details: Facts): string {
  const [label, prefix] = [textOf(details['label']), textOf(details['prefix'])];
  return joined(' ', label && `“${label}”`, prefix && `(${prefix}…)`);
}

/** The origin of a webhook's URL. */
function targetOf({ name }: DescribedEvent, before: State, after: State): string {
  return textOf(after?.['origin']) || textOf(before?.['origin']) || name;
}

function describeRights(rights: State): string {
  const environments = rights?.['environments'];
  const where = Array.isArray(environments) ? ` of ${environments.join(', ') || 'nothing'}` : '';
  return `${textOf(rights?.['role'])}${where}`;
}

/** The facts that differ: "label: a → b". */
function describeChanges(before: State, after: State): string {
  const names = Object.keys({ ...before, ...after });
  return names
    .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) => `${name}: ${formatFact(before?.[name])} → ${formatFact(after?.[name])}`)
    .join(', ');
}

function formatFact(fact: unknown): string {
  if (fact === null || fact === undefined || fact === '') return 'none';
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}

function describeCounts(details: Facts, ...names: readonly string[]): string {
  const segments = listOf(details['segments']).length;
  const counts = names.map((name) => {
    const count = numberOf(stateOf(details[name])?.['count']);
    return count > 0 && `${count} ${name}`;
  });
  const ofSegments = segments > 0 && `${segments} ${segments === 1 ? 'segment' : 'segments'}`;
  return joined(', ', ...counts, ofSegments) || 'Nothing changed';
}

function joined(separator: string, ...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== '' && part !== false).join(separator);
}

function stateOf(value: unknown): State {
  return typeof value === 'object' && value !== null ? (value as Facts) : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
