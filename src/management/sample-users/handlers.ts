/** Sample users: listed, saved, removed. */
import { contextBytesMax, sampleUsersMax } from '../../contract/limits.js';
import type { BodyOf } from '../../contract/operation.js';
import {
  deleteSampleUser,
  listSampleUsers,
  putSampleUser,
} from '../../contract/operations/sample-users.js';
import { Problem } from '../../contract/problems.js';
import { rawList, rawObject } from '../http/body/raw-json.js';
import { rawMembers } from '../http/body/raw-members.js';
import { actorOf } from '../http/commit.js';
import { type Handler, handle, handleChange, handleRead, WithStatus } from '../http/handlers.js';
import { bodyIssue } from '../http/problem.js';
import { editEnvironment } from '../store/edit-environment.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { toIso } from '../to-iso.js';
import * as rows from './rows.js';

export const sampleUserHandlers: readonly Handler[] = [
  handleRead(listSampleUsers, async ({ environment }, db) => {
    const users = await rows.listSampleUsers(db, environment.id);
    return rawList({ limit: sampleUsersMax }, 'sampleUsers', users.map(sampleUserJson));
  }),

  // The context is checked before the environment.
  handle(putSampleUser, async ({ params: { env, name }, body, request, context: { store } }) => {
    const context = contextText(body, request.rawBody);
    const bytes = Buffer.byteLength(context);
    if (bytes > contextBytesMax) {
      const message = `makes the context ${bytes} bytes long; the limit is ${contextBytesMax}`;
      return bodyIssue('p', message);
    }
    const { value } = await store.write(actorOf(request), (write) =>
      save(write, env, name, context),
    );
    return value;
  }),

  handleChange(deleteSampleUser, async ({ environment, params: { name } }, write) => {
    const user = await rows.findSampleUser(write.db, environment.id, name);
    if (user === null) {
      const detail = `The environment "${environment.id}" has no sample user "${name}".`;
      return new Problem('sample_user_not_found', detail);
    }
    await rows.deleteSampleUser(write, environment.id, user);
    return { name: user.name };
  }),
];

async function save(
  write: UnitOfWork,
  env: string,
  name: string,
  context: string,
): Promise<Problem | Uint8Array | WithStatus<201, Uint8Array>> {
  const environment = await editEnvironment(write, env);
  if (environment instanceof Problem) return environment;
  const before = await rows.findSampleUser(write.db, env, name);
  if (before === null && (await rows.countSampleUsers(write.db, env)) >= sampleUsersMax) {
    const detail = `The environment "${env}" has ${sampleUsersMax} sample users already; remove some first.`;
    return new Problem('limit_reached', detail);
  }
  const saved = sampleUserJson(await rows.putSampleUser(write, env, before, { name, context }));
  return before === null ? new WithStatus(201, saved) : saved;
}

/** The members that were given. The attributes stay as they were sent: parsing them may lose what a condition reads. */
function contextText(body: BodyOf<typeof putSampleUser>, raw: Uint8Array | null): string {
  const given: string[] = [];
  if (body.u !== undefined) given.push(`"u":${JSON.stringify(body.u)}`);
  const attributes = rawMembers(raw ?? new Uint8Array()).get('p');
  if (attributes !== undefined) given.push(`"p":${Buffer.from(attributes).toString()}`);
  if (typeof body.v === 'string' && body.v !== '') given.push(`"v":${JSON.stringify(body.v)}`);
  return `{${given.join(',')}}`;
}

function sampleUserJson({ name, context, createdAtMs, updatedAtMs }: rows.SampleUser): Buffer {
  const plain = { name, createdAt: toIso(createdAtMs), updatedAt: toIso(updatedAtMs) };
  return rawObject(plain, { context });
}
