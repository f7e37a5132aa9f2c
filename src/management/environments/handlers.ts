/** Environments: listed, created, changed, deleted. */
import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../../contract/operations/environments.js';
import { Problem } from '../../contract/problems.js';
import { rejectRamping } from '../gate/gate.js';
import { seesEnvironment } from '../http/auth/environment-scope.js';
import { type Handler, handleChange, handleRead } from '../http/handlers.js';
import * as rows from '../store/environments.js';
import { applyEnvironmentEdit, readPolicies, rejectWeaker } from './apply-edit.js';
import { environmentJson } from './environment-json.js';

export const environmentHandlers: readonly Handler[] = [
  handleRead(listEnvironments, async ({ user, context }, db) => {
    const all = await rows.listEnvironments(db);
    const environments = [];
    for (const environment of all) {
      if (!seesEnvironment(user, environment.id)) continue;
      environments.push(await environmentJson(db, environment, context.now()));
    }
    return { environments };
  }),

  handleRead(getEnvironment, async ({ environment, context }, db) =>
    environmentJson(db, environment, context.now()),
  ),

  handleChange(createEnvironment, async ({ body }, write) => {
    const { id, name = id, protected: isProtected, review, confirm, traffic } = body;
    if ((await rows.findEnvironment(write.db, id)) !== null) {
      return new Problem('environment_exists', `There is an environment "${id}" already.`);
    }
    const made = await rows.insertEnvironment(write, { id, name, protected: isProtected });
    await applyEnvironmentEdit(write, made, { review, confirm, traffic });
    return environmentJson(write.db, made, write.at);
  }),

  handleChange(updateEnvironment, async ({ environment, body, context }, write) => {
    const policies = await readPolicies(write.db, environment.id);
    const rejected = rejectWeaker(environment, policies, body);
    if (rejected !== null) return rejected;
    const edited = await applyEnvironmentEdit(write, environment, body);
    // The other servers of a fleet forget theirs within a minute.
    if (body.traffic !== undefined && body.traffic !== 'contexts') {
      context.contextSamples.forget(environment.id);
    }
    return environmentJson(write.db, edited ?? environment, write.at);
  }),

  handleChange(deleteEnvironment, async ({ environment }, write) => {
    const { id } = environment;
    const policies = await readPolicies(write.db, id);
    const rejected =
      rejectWeaker(environment, policies, { delete: true }) ?? (await rejectRamping(write.db, id));
    if (rejected !== null) return rejected;
    if (environment.protected) {
      const detail = `The environment "${id}" is protected: set "protected" to false before deleting it.`;
      return new Problem('environment_protected', detail);
    }
    await applyEnvironmentEdit(write, environment, { delete: true });
    return { id };
  }),
];
