/** What the demo's team did beside editing contents: people, environments, keys, segments, webhooks, syncs, sample users. */

import { JsonText } from '../../contract/client.js';
import type { EventType } from '../../contract/events.js';
import { AdminClient } from '../client/admin-client.js';
import { jsonBody } from '../terminal/json-body.js';
import { type DemoPerson, type PersonId, people } from './game/people.js';
import { dayMs, type StoryTime, storyTimeMs } from './game/story-time.js';
import { demoSampleUsers } from './sample-users.js';
import { segmentSaves } from './segments.js';
import { productionName, type StoryStep, stagingName, type Team } from './team.js';
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
      const params = { env: stagingName, name };
      const body = new JsonText(jsonBody({ description }, { when }));
      const route = 'PUT /environments/:env/segments/:name';
      return [at, (team) => team.request(by, route, { params, body })];
    }),
    ...keySteps(nowMs),
    ...webhookSteps(place.receiverUrl),
    ...(['21d 09:30', '14d 16:30', '9d 15:15', '5d 16:40', '1d 10:30'] as const).map(
      (at): Step => [at, synchronise],
    ),
    ['13d 10:20', endWinterSale],
    ...sampleUserSteps(),
    ['270min', hotfix],
  ];
  return steps.map(([at, does]) => ({ atMs: storyTimeMs(nowMs, at), does }));
}

function foundingSteps({ url, ownerToken }: StoryPlace): Step[] {
  const owner = new AdminClient(url, ownerToken);
  const join = async (team: Team, person: PersonId): Promise<void> => {
    const body: DemoPerson = people[person];
    const { token } = (await owner.request('POST /users', { body })).value;
    team.join(person, new AdminClient(url, token));
    team.secrets.set(`token of ${person}`, token);
  };
  const found = (team: Team, id: string, name: string, isProtected: boolean): Promise<unknown> => {
    const body = { id, name, protected: isProtected };
    return team.request('nora', 'POST /environments', { body });
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
      const made = await team.request('nora', 'POST /environments/:env/keys', {
        params: { env: environment },
        body: { label, expiresAt },
      });
      team.secrets.set(`key ${label}`, made.key);
      team.secrets.set(`id of key ${label}`, made.id);
    };
  const oldClients = 'Clients before 1.6';
  const revoke = (team: Team): Promise<unknown> => {
    const params = { env: productionName, keyId: team.secret(`id of key ${oldClients}`) };
    return team.request('nora', 'DELETE /environments/:env/keys/:keyId', { params });
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
    (
      path: string,
      description: string,
      environments: string[] | null,
      events: EventType[] | null,
    ) =>
    (team: Team): Promise<unknown> => {
      const body = { url: receiverUrl + path, description, environments, events };
      return team.request('nora', 'POST /webhooks', { body });
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

function endWinterSale(team: Team): Promise<unknown> {
  const params = { env: productionName, id: 'winter-sale' };
  return team.request('nora', 'DELETE /environments/:env/contents/:id', { params });
}

/** Production is protected: first a look, then just what was looked at. */
async function synchronise(team: Team): Promise<void> {
  const route = 'POST /environments/:env/sync';
  const params = { env: productionName };
  const from = stagingName;
  const { plan } = await team.request('nora', route, { params, body: { from, dryRun: true } });
  await team.request('nora', route, { params, body: { from, plan } });
}

function sampleUserSteps(): Step[] {
  const put = (team: Team, by: PersonId, environment: string): Promise<unknown> =>
    inTurn(demoSampleUsers, ({ name, context }) => {
      const params = { env: environment, name };
      const route = 'PUT /environments/:env/sample-users/:name';
      return team.request(by, route, { params, body: context });
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
  const params = { env: productionName, id: 'matchmaking' };
  const shown = await team.request('nora', 'GET /environments/:env/contents/:id', { params });
  const line = shown.lines.at(-1);
  if (line === undefined) throw new Error('matchmaking has no line');
  const text = line.text.replace('"botsAfterSeconds": 50', '"botsAfterSeconds": 35');
  const note = 'Hotfix: Asia waits too long since this morning.';
  const body = { appVersion: line.appVersion, text, note };
  await team.request('nora', 'PUT /environments/:env/contents/:id', { params, body });
}
