/** How the demo's contents came to be: every save, roll-back and deletion of them in staging. */

import { JsonText } from '../../contract/client.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import type { DemoContent, DemoMoment, DemoSave } from './game/demo-content.js';
import { storyTimeMs } from './game/story-time.js';
import { changedText, savedTexts } from './saved-texts.js';
import { type StoryStep, stagingName, type Team } from './team.js';

const put = 'PUT /environments/:env/contents/:id';

export function contentSteps(content: DemoContent, nowMs: number): StoryStep[] {
  const step = ({ at }: DemoMoment, does: StoryStep['does']): StoryStep => {
    return { atMs: storyTimeMs(nowMs, at), does };
  };
  const texts = savedTexts(content);
  const steps = content.saves.flatMap((save, index) => {
    const saving = step(save, (team) =>
      saveContent(team, content, save, texts[index] ?? '', index),
    );
    const { undone } = save;
    return undone === undefined
      ? [saving]
      : [saving, step(undone, (team) => rollBack(team, content.id, undone))];
  });
  const { draft, deleted } = content;
  if (draft !== undefined) {
    const text = changedText(content.lines.at(-1)?.text ?? '', draft);
    steps.push(step(draft, (team) => saveDraft(team, content, draft, text)));
  }
  if (deleted !== undefined) {
    const params = placeOf(content.id);
    const route = 'DELETE /environments/:env/contents/:id';
    steps.push(step(deleted, (team) => team.request(deleted.by, route, { params })));
  }
  return steps;
}

async function saveContent(
  team: Team,
  content: DemoContent,
  save: DemoSave,
  text: string,
  index: number,
): Promise<void> {
  const params = placeOf(content.id);
  const older = index === 0 ? content.lines.slice(0, -1) : [];
  for (const line of older) {
    const note = `For clients from ${line.appVersion} on.`;
    const body = { ...aboutOf(content), ...line, note };
    await team.request(save.by, put, { params, body });
  }
  const appVersion = content.lines.at(-1)?.appVersion;
  const about = index === 0 ? aboutOf(content) : {};
  const mapping =
    save.mapping === true ? strictJson(content.mapping ?? '[]', content.id) : undefined;
  const schema = index === 0 ? content.schema : undefined;
  const body = jsonBody({ ...about, text, appVersion, note: save.note }, { mapping, schema });
  await team.request(save.by, put, { params, body: new JsonText(body) });
}

async function saveDraft(
  team: Team,
  content: DemoContent,
  { by, note }: DemoSave,
  text: string,
): Promise<void> {
  const about = content.saves.length === 0 ? aboutOf(content) : {};
  const appVersion = content.lines.at(-1)?.appVersion;
  const body = { ...about, text, appVersion, note, publish: false };
  await team.request(by, put, { params: placeOf(content.id), body });
}

/** To the revision before the newest one, which was a mistake. */
async function rollBack(team: Team, id: string, { by }: DemoMoment): Promise<void> {
  const params = placeOf(id);
  const { newest } = await team.request(by, 'GET /environments/:env/contents/:id', { params });
  const body = { revision: newest - 1 };
  await team.request(by, 'POST /environments/:env/contents/:id/rollback', { params, body });
}

function aboutOf({ description, tags }: DemoContent): Pick<DemoContent, 'description' | 'tags'> {
  return { description, tags };
}

function placeOf(id: string): { readonly env: string; readonly id: string } {
  return { env: stagingName, id };
}
