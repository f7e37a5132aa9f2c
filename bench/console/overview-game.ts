/** A game that keeps its people busy: 500 content items, 50 running experiments, 30 releases, and an environment to compare with. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ConsoleStage } from './console-stage.js';

const contentsCount = 500;
const experimentsCount = 50;
const releasesCount = 30;
/** Releases of each kind come one after the other. */
const kinds = ['draft', 'approved', 'scheduled'] as const;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const env = '/environments/game';

export async function fillGame(stage: ConsoleStage): Promise<void> {
  await stage.putContents(contentsCount);
  await stage.ask('POST', '/environments', { id: 'live' });
  await stage.ask('POST', '/environments/live/sync', { from: 'game' });
  for (let number = 0; number < experimentsCount; number += 1) await putExperiment(stage, number);
  for (let number = 0; number < releasesCount; number += 1) await putRelease(stage, number);
}

/** Each item has a rule with a window, and one with the variants of an experiment. */
async function putExperiment(stage: ConsoleStage, number: number): Promise<void> {
  const content = idOf(number);
  const fromMs = Date.now() + (number - experimentsCount / 2) * 6 * hourMs;
  const mapping = [
    {
      ...{ segment: 'weekend', when: {}, merge: { weekend: true } },
      ...{ from: wallText(fromMs), until: wallText(fromMs + 2 * dayMs) },
    },
    {
      ...{ segment: 'test', when: {}, salt: `salt-${number}` },
      variants: [
        { name: 'control', groups: [0, 499] },
        { name: 'other', groups: [500, 999], merge: { other: true } },
      ],
    },
  ];
  await stage.ask('PUT', `${env}/contents/${content}`, { mapping });
  const id = `experiment-${number}`;
  await stage.ask('POST', `${env}/experiments`, {
    ...{ id, content, segment: 'test', control: 'control' },
  });
  await stage.ask('POST', `${env}/experiments/${id}/start`);
}

async function putRelease(stage: ConsoleStage, number: number): Promise<void> {
  const id = idOf(experimentsCount + number);
  await stage.ask('PUT', `${env}/contents/${id}`, { text: `{"n":${number}}`, publish: false });
  const changes = [{ kind: 'content', id }];
  await stage.ask('POST', `${env}/releases`, { title: `Release ${number}`, changes });
  const kind = kinds[number % kinds.length];
  if (kind === 'draft') return;
  const path = `${env}/releases/${number + 1}`;
  await stage.ask('POST', `${path}/submit`);
  if (kind === 'approved') return;
  const at = new Date(Date.now() + (number + 1) * 4 * hourMs).toISOString();
  await stage.ask('POST', `${path}/schedule`, { at });
}

function idOf(number: number): string {
  return `item-${String(number).padStart(4, '0')}`;
}

/** Without a zone: the player's time. */
function wallText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** Results of experiments are computed in the background after the first look. */
export async function untilLeadsAreKnown(stage: ConsoleStage): Promise<void> {
  for (;;) {
    const { experiments } = JSON.parse((await stage.read('/overview')).body) as {
      readonly experiments: { readonly list: readonly { readonly lead: object | null }[] };
    };
    if (experiments.list.every(({ lead }) => lead !== null)) return;
    await pause(200);
  }
}
