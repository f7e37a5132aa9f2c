/** Says in words what an event of the audit tells of. Pure; an action it does not know is shown by its name. */

export interface TellableEvent {
  /** `noun.verb`. */
  readonly action: string;
  readonly environment: string;
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What a sync or import did to the content that is filtered by. */
  readonly content?: TouchedContent | undefined;
}

/** Numbers of revisions; null: none, or not known. */
export interface TouchedContent {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly before: number | null;
  readonly after: number | null;
  /** Null: an older event, which does not say what was live afterwards either. */
  readonly newest: number | null;
  readonly from: number | null;
}

/** "ana" + verb + thing + rest; `more` stands below it. */
export interface Told {
  readonly verb: string;
  /** What it was done to, as people know it; '' where the verb says it all. */
  readonly thing: string;
  readonly rest: string;
  readonly more: string;
  /** Something is gone, refused or off. */
  readonly isHarsh: boolean;
}

type Facts = Readonly<Record<string, unknown>>;
type Tell = (event: TellableEvent, before: Facts | null, after: Facts | null) => Partial<Told>;

export function tell(event: TellableEvent): Told {
  const { action, name, details } = event;
  const [noun = '', verb = ''] = action.split('.');
  const told = tellers[action]?.(event, factsOf(details['before']), factsOf(details['after']));
  const whole = {
    verb: `did "${verb}" to ${noun}`,
    thing: name,
    rest: '',
    more: textOf(details['note']),
    isHarsh: false,
    ...told,
  };
  if (event.content === undefined) return whole;
  const parts = [touchedWords(event.content), whole.more];
  return { ...whole, more: parts.filter((part) => part !== '').join(' · ') };
}

function touchedWords({ id, change, before, after, newest, from }: TouchedContent): string {
  const facts: string[] = [];
  if (newest === null) {
    if (before !== null) facts.push(`live before r${before}`);
  } else {
    if (before !== after) facts.push(`live ${shortRevision(before)} → ${shortRevision(after)}`);
    if (newest !== after && change !== 'removed') facts.push(`draft r${newest}`);
  }
  if (from !== null) facts.push(`from r${from} of the source`);
  return facts.length === 0 ? `${id} ${change}` : `${id} ${change}: ${facts.join(', ')}`;
}

function shortRevision(revision: number | null): string {
  return revision === null ? 'none' : `r${revision}`;
}

/** The whole sentence, with who did it. */
export function sentenceOf(who: string, { verb, thing, rest }: Told): string {
  return [who, verb, thing, rest].filter((part) => part !== '').join(' ');
}

const harsh = true;
const plural = /s$/;

const tellers: Readonly<Record<string, Tell>> = {
  'content.put': ({ details }, before, after) => {
    const isLive = after?.['live'] === after?.['revision'];
    const made = isLive ? 'created and published' : 'created a draft of';
    const saved = isLive ? 'published' : 'saved a draft of';
    const note = textOf(details['note']);
    const changed = listOf(details['changed']).join(', ');
    return {
      verb: before === null ? made : saved,
      rest: revisionWords(details),
      more: [note, changed && `Changed: ${changed}`].filter((part) => part !== '').join(' · '),
    };
  },
  'content.publish': ({ details }) => ({ verb: 'published', rest: revisionWords(details) }),
  'content.rollback': ({ details }) => ({
    verb: 'rolled back',
    rest: `as ${revisionWords(details)}`,
  }),
  'content.remove-line': ({ details }, _before, after) => ({
    verb: after?.['live'] === after?.['revision'] ? 'removed a line of' : 'drafted',
    rest:
      after?.['live'] === after?.['revision']
        ? `in ${revisionWords(details)}`
        : `${revisionWords(details)} without one of its lines`,
  }),
  'content.delete': () => ({ verb: 'deleted', isHarsh: harsh }),
  'content.restore': () => ({ verb: 'restored' }),
  'segment.put': (_event, before, after) => {
    if (before === null) return { verb: 'created segment', rest: asRevision(after) };
    const isSame = before['condition'] === after?.['condition'];
    return isSame && after !== null
      ? { verb: 'changed the description of segment' }
      : { verb: 'changed segment', rest: asRevision(after) };
  },
  'segment.rollback': (_event, before, after) => ({
    verb: before === null ? 'brought back segment' : 'rolled back segment',
    rest: asRevision(after),
  }),
  'segment.delete': () => ({ verb: 'deleted segment', isHarsh: harsh }),
  'sample-user.put': (_event, before) => ({
    verb: before === null ? 'saved sample user' : 'changed sample user',
  }),
  'sample-user.delete': () => ({ verb: 'deleted sample user', isHarsh: harsh }),
  'key.create': (event, _before, after) => ({ verb: 'created key', ...keyWords(event, after) }),
  'key.update': (event, before, after) => ({
    verb: 'changed key',
    ...keyWords(event, after),
    more: changesWords(before, after),
  }),
  'key.revoke': (event, _before, after) => ({
    verb: 'revoked key',
    ...keyWords(event, after),
    isHarsh: harsh,
  }),
  'environment.create': (_event, _before, after) => ({
    verb: 'created environment',
    rest: after?.['protected'] === true ? '(protected)' : '',
  }),
  'environment.update': (_event, before, after) => {
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
          : 'took away the protection of environment',
      more: before?.['name'] === after?.['name'] ? '' : changesWords(before, after),
    };
  },
  'environment.delete': () => ({ verb: 'deleted environment', isHarsh: harsh }),
  'environment.sync': ({ environment, name, details }) => ({
    verb: `synced ${name} into`,
    thing: environment,
    more: partsWords([
      [countOf(details['added']), 'added'],
      [countOf(details['changed']), 'changed'],
      [listOf(details['segments']).length, 'segments'],
    ]),
  }),
  'environment.import': ({ environment, details }) => ({
    verb: 'imported into',
    thing: environment,
    rest: details['mode'] === 'replace' ? 'and replaced what was there' : '',
    more: partsWords([
      [countOf(details['added']), 'added'],
      [countOf(details['changed']), 'changed'],
      [countOf(details['removed']), 'removed'],
      [listOf(details['segments']).length, 'segments'],
    ]),
  }),
  'user.create': ({ details }, _before, after) => ({
    verb: 'created user',
    thing: textOf(details['name']),
    rest: `as ${rightsWords(after)}`,
  }),
  'user.update': ({ details }, before, after) => ({
    verb: 'made user',
    thing: textOf(details['name']),
    rest: `${rightsWords(after)}, before ${rightsWords(before)}`,
  }),
  'user.delete': ({ details }) => ({
    verb: 'deleted user',
    thing: textOf(details['name']),
    isHarsh: harsh,
  }),
  'user.token': () => ({ verb: "took the owner's token from LOADOUT_ADMIN_TOKEN", thing: '' }),
  'token.create': ({ details }) => ({
    verb: 'made a token for',
    thing: textOf(details['userName']),
    rest: tokenWords(details),
  }),
  'token.revoke': ({ details }) => ({
    verb: 'revoked a token of',
    thing: textOf(details['userName']),
    rest: tokenWords(details),
    isHarsh: harsh,
  }),
  'token.refuse': ({ details }) => ({
    verb: `refused ${numberOf(details['wrongTokens'])} wrong tokens`,
    thing: '',
    isHarsh: harsh,
  }),
  'session.create': ({ details }) => ({
    verb: 'signed in',
    thing: '',
    rest: tokenWords(details) === '' ? '' : `with token ${tokenWords(details)}`,
  }),
  'session.delete': () => ({ verb: 'signed out', thing: '' }),
  'webhook.create': (event, before, after) => ({
    verb: 'created webhook',
    thing: webhookWords(event, before, after),
  }),
  'webhook.update': (event, before, after) => {
    const wasOn = before?.['enabled'];
    const isOn = after?.['enabled'];
    const switched = isOn === true ? 'switched on webhook' : 'switched off webhook';
    return {
      verb: wasOn === isOn ? 'changed webhook' : switched,
      thing: webhookWords(event, before, after),
      isHarsh: wasOn === true && isOn === false,
    };
  },
  'webhook.secret': () => ({ verb: 'replaced the secret of webhook' }),
  'webhook.delete': (event, before, after) => ({
    verb: 'deleted webhook',
    thing: webhookWords(event, before, after),
    isHarsh: harsh,
  }),
  'webhook.disable': ({ details }) => ({
    verb: 'switched off webhook',
    more: textOf(details['reason']),
    isHarsh: harsh,
  }),
  'webhook.retry': ({ details }) => {
    const count = numberOf(details['deliveries']);
    const all = `${count} failed ${count === 1 ? 'message' : 'messages'}`;
    return { verb: `sent ${count === 0 ? 'a message' : all} again to webhook` };
  },
  'webhook.test': (_event, _before, after) => ({
    verb: 'tested webhook',
    rest: after?.['status'] === 'delivered' ? '(it arrived)' : '(it did not arrive)',
  }),
  'store.backup': () => ({ verb: 'made a backup', thing: '' }),
  'retention.run': () => ({ verb: 'removed what is no longer kept', thing: '' }),
  'audit.prune': ({ details }) => ({
    verb: `removed ${numberOf(details['removed'])} old events from the activity`,
    thing: '',
  }),
};

function revisionWords(details: Facts): string {
  return `r${numberOf(details['revision'])}`;
}

/** Of a segment; '' for events from before segments had revisions. */
function asRevision(after: Facts | null): string {
  return typeof after?.['revision'] === 'number' ? `as ${revisionWords(after)}` : '';
}

/** By its label; the first characters tell it from others of the same one. */
function keyWords({ name, details }: TellableEvent, after: Facts | null): Partial<Told> {
  const label = textOf(after?.['label']);
  const prefix = textOf(details['prefix']);
  return label === ''
    ? { thing: prefix === '' ? name : `${prefix}…` }
    : { thing: label, rest: prefix === '' ? '' : `(${prefix}…)` };
}

function tokenWords(details: Facts): string {
  const [label, prefix] = [textOf(details['label']), textOf(details['prefix'])];
  const start = prefix === '' ? '' : `(${prefix}…)`;
  return [label === '' ? '' : `“${label}”`, start].filter((part) => part !== '').join(' ');
}

function webhookWords({ name }: TellableEvent, before: Facts | null, after: Facts | null): string {
  return textOf(after?.['origin']) || textOf(before?.['origin']) || name;
}

function rightsWords(rights: Facts | null): string {
  const environments = rights?.['environments'];
  const where = Array.isArray(environments) ? ` of ${environments.join(', ') || 'nothing'}` : '';
  return `${textOf(rights?.['role'])}${where}`;
}

/** Which of the facts differ, and how. */
function changesWords(before: Facts | null, after: Facts | null): string {
  const names = Object.keys({ ...before, ...after });
  return names
    .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) => `${name}: ${factWords(before?.[name])} → ${factWords(after?.[name])}`)
    .join(', ');
}

function factWords(fact: unknown): string {
  if (fact === null || fact === undefined || fact === '') return 'none';
  return typeof fact === 'string' ? fact : JSON.stringify(fact);
}

function partsWords(parts: readonly (readonly [number, string])[]): string {
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${count === 1 ? words.replace(plural, '') : words}`);
  return told.length === 0 ? 'Nothing changed' : told.join(', ');
}

function factsOf(value: unknown): Facts | null {
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

function countOf(value: unknown): number {
  return numberOf(factsOf(value)?.['count']);
}
