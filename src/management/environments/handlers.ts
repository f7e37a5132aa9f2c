/** Environments: listed, created, changed, deleted. */
import {
  createEnvironment,
  deleteEnvironment,
  type Environment,
  getEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../../contract/operations/environments.js';
import { Problem } from '../../contract/problems.js';
import { seesEnvironment } from '../http/auth/environment-scope.js';
import { type Handler, handleChange, handleRead } from '../http/handlers.js';
import * as rows from '../store/environments.js';
import { toIso } from '../to-iso.js';

export const environmentHandlers: readonly Handler[] = [
  handleRead(listEnvironments, async ({ user }, db) => {
    const all = await rows.listEnvironments(db);
    const visible = all.filter(({ id }) => seesEnvironment(user, id));
    return { environments: visible.map(environmentJson) };
  }),

  handleRead(getEnvironment, async ({ environment }) => environmentJson(environment)),

  handleChange(createEnvironment, async ({ body }, write) => {
    const { id, name = id, protected: isProtected } = body;
    if ((await rows.findEnvironment(write.db, id)) !== null) {
      return new Problem('environment_exists', `There is an environment "${id}" already.`);
    }
    return environmentJson(
      await rows.insertEnvironment(write, { id, name, protected: isProtected }),
    );
  }),

  handleChange(updateEnvironment, async ({ environment, body }, write) =>
    environmentJson(await rows.updateEnvironment(write, environment, body)),
  ),

  handleChange(deleteEnvironment, async ({ environment }, write) => {
    const { id } = environment;
    if (environment.protected) {
      const detail = `The environment "${id}" is protected: set "protected" to false before deleting it.`;
      return new Problem('environment_protected', detail);
    }
    await rows.deleteEnvironment(write, environment);
    return { id };
  }),
];

function environmentJson(environment: rows.Environment): Environment {
  const { id, name, protected: isProtected, createdAtMs } = environment;
  return { id, name, protected: isProtected, createdAt: toIso(createdAtMs) };
}
