/** What the demo's team did beside editing contents: people, environments, keys, segments, webhooks, syncs, sample users. */

import { AdminClient, adminPath } from '../admin-client.js';
import { jsonBody } from '../json-body.js';
import { type DemoPerson, type PersonId, people } from './people.js';
import { demoSampleUsers } from './sample-users.js';
import { segmentSaves } from './segments.js';
import { dayMs, type StoryTime, storyTimeMs } from './story-time.js';
import { inEnvironment, productionName, type StoryStep, stagingName, type Team } from './team.js';
import { brokenPath, flakyPath, gonePath, steadyPath } from './webhook-receiver.js';

/** Since when the receiver of `brokenPath` is broken. */
export const brokenSince: StoryTime = '330min';

/** Labels of the keys that the made-up players use. */
export const liveKey = 'Live clients';
export const studioKey = 'Studio devices';

export interface StoryPlace {
  /** Of the admin API, without a slash at the end. */
  readonly url: string;
  readonly ownerToken: string | null;
  /** Origin of what the webhooks call. */
  readonly receiverUrl: string;
}

type Step = readonly [at: StoryTime, does: StoryStep['does']];

export function aroundSteps(place: StoryPlace, nowMs: number): StoryStep[] {
  const steps: readonly Step[] = [
    ...foundingSteps(place),
    ...segmentSaves.map(({ at, by, name, description, when }): Step => {
      const path = inEnvironment(stagingName, 'segments', name);
      return [at, (team) => team.call(by, 'PUT', path, jsonBody({ description }, { when }))];
    }),
    ...keySteps(nowMs),
    ...webhookSteps(place.receiverUrl),
    ...(['21d 09:30', '14d 16:30', '9d 15:15', '5d 16:40', '1d 10:30'] as const).map(
      (at): Step => [at, synchronise],
    ),
    ['13d 10:20', (team) => team.call('nora', 'DELETE', inProduction('contents', 'winter-sale'))],
    ...sampleUserSteps(),
    ['270min', hotfix],
  ];
  return steps.map(([at, does]) => ({ atMs: storyTimeMs(nowMs, at), does }));
}

function foundingSteps({ url, ownerToken }: StoryPlace): Step[] {
  const owner = new AdminClient(url, ownerToken);
  const join = async (team: Team, person: PersonId): Promise<void> => {
    const wish: DemoPerson = people[person];
    const path = adminPath('users');
    const made = await owner.call<{ token: string }>('POST', path, JSON.stringify(wish));
    team.join(person, new AdminClient(url, made.value.token));
    team.secrets.set(`token of ${person}`, made.value.token);
  };
  const found = (team: Team, id: string, name: string, isProtected: boolean): Promise<unknown> => {
    const body = JSON.stringify({ id, name, protected: isProtected });
    return team.call('nora', 'POST', adminPath('environments'), body);
  };
  return [
    ['25d 09:00', (team) => join(team, 'nora')],
    ['25d 09:04', (team) => found(team, stagingName, 'Staging', false)],
    ['25d 09:05', (team) => found(team, productionName, 'Production', true)],
    ['25d 09:10', (team) => join(team, 'tomas')],
    ['25d 09:11', (team) => join(team, 'mei')],
    ['24d 08:45', (team) => join(team, 'jonas')],
    ['23d 17:50', (team) => join(team, 'pipeline')],
  ];
}

function keySteps(nowMs: number): Step[] {
  const make =
    (environment: string, label: string, expiresAtMs: number | null = null) =>
    async (team: Team): Promise<void> => {
      const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
      const path = inEnvironment(environment, 'keys');
      const body = JSON.stringify({ label, expiresAt });
      const made = await team.call<{ id: string; key: string }>('nora', 'POST', path, body);
      team.secrets.set(`key ${label}`, made.key);
      team.secrets.set(`id of key ${label}`, made.id);
    };
  const oldClients = 'Clients before 1.6';
  const revoke = (team: Team): Promise<unknown> => {
    const id = team.secret(`id of key ${oldClients}`);
    return team.call('nora', 'DELETE', inProduction('keys', id));
  };
  return [
    ['24d 14:00', make(stagingName, studioKey)],
    ['24d 14:02', make(stagingName, 'Level pipeline')],
    ['21d 09:50', make(productionName, liveKey)],
    ['21d 09:52', make(productionName, oldClients)],
    ['20d 10:30', make(productionName, 'Playtest in Lisbon', storyTimeMs(nowMs, '15d 18:00'))],
    ['11d 09:05', revoke],
    ['6d 09:20', make(productionName, 'Press preview', nowMs + 6 * dayMs)],
  ];
}

function webhookSteps(receiverUrl: string): Step[] {
  const make =
    (path: string, description: string, environments: string[] | null, events: string[] | null) =>
    (team: Team): Promise<unknown> => {
      const wish = { url: receiverUrl + path, description, environments, events };
      return team.call('nora', 'POST', adminPath('webhooks'), JSON.stringify(wish));
    };
  const published = 'content.published';
  return [
    [
      '21d 09:20',
      make(
        steadyPath,
        'Tells #live-ops what goes live',
        [productionName],
        [published, 'content.deleted', 'environment.synced'],
      ),
    ],
    [
      '20d 11:00',
      make(flakyPath, 'Build server: tests what comes to staging', [stagingName], [published]),
    ],
    ['19d 10:00', make(brokenPath, 'Analytics: marks edits on the charts', null, null)],
    ['18d 09:00', make(gonePath, 'Wiki bot', [productionName], ['environment.synced'])],
  ];
}

/** Production is protected: first a look, then just what was looked at. */
async function synchronise(team: Team): Promise<void> {
  const path = inProduction('sync');
  const ask = (more: object): Promise<{ plan: string }> =>
    team.call('nora', 'POST', path, JSON.stringify({ from: stagingName, ...more }));
  const { plan } = await ask({ dryRun: true });
  await ask({ plan });
}

function sampleUserSteps(): Step[] {
  const put = (team: Team, by: PersonId, environment: string): Promise<unknown> =>
    inTurn(demoSampleUsers, ({ name, context }) => {
      const path = inEnvironment(environment, 'sample-users', name);
      return team.call(by, 'PUT', path, JSON.stringify(context));
    });
  return [
    ['16d 14:00', (team) => put(team, 'mei', stagingName)],
    ['16d 15:10', (team) => put(team, 'nora', productionName)],
  ];
}

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await work(item);
}

/** Players wait too long this morning: an edit in production itself, which the next sync will find. */
async function hotfix(team: Team): Promise<void> {
  const path = inProduction('contents', 'matchmaking');
  const shown = await team.call<{ lines: { appVersion: string; text: string }[] }>(
    'nora',
    'GET',
    path,
  );
  const line = shown.lines.at(-1);
  if (line === undefined) throw new Error('matchmaking has no line');
  const text = line.text.replace('"botsAfterSeconds": 50', '"botsAfterSeconds": 35');
  const note = 'Hotfix: Asia waits too long since this morning.';
  await team.call('nora', 'PUT', path, JSON.stringify({ appVersion: line.appVersion, text, note }));
}

function inProduction(...parts: readonly string[]): string {
  return inEnvironment(productionName, ...parts);
}
