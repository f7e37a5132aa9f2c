/** Webhooks: listed, created, changed, removed, their secrets replaced. */
import { webhooksMax } from '../../contract/limits.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replaceSecret,
  updateWebhook,
} from '../../contract/operations/webhooks.js';
import { Problem } from '../../contract/problems.js';
import { type Handler, handleChange, handleRead } from '../http/handlers.js';
import { bodyIssue } from '../http/problem.js';
import type { Db } from '../store/dialect.js';
import { listEnvironments } from '../store/environments.js';
import * as rows from './rows.js';
import { makeSigningSecret } from './signature.js';
import { rejectedTarget } from './target-address.js';
import { webhookJson } from './webhook-json.js';

export const webhookHandlers: readonly Handler[] = [
  handleRead(listWebhooks, async (_call, db) => ({
    webhooks: (await rows.listWebhooks(db)).map(webhookJson),
  })),

  handleChange(createWebhook, async ({ body, context }, write) => {
    const { secret: given, ...options } = body;
    const isChat = options.format !== 'loadout';
    if (isChat && given !== undefined) return bodyIssue('secret', notSigned);
    const secret = isChat ? '' : (given ?? makeSigningSecret());
    const problem = await editProblem(write.db, options, context.webhooks.toLocal);
    if (problem !== null) return problem;
    if ((await rows.listWebhooks(write.db)).length >= webhooksMax) {
      const detail = `There are ${webhooksMax} webhooks already; remove one first.`;
      return new Problem('limit_reached', detail);
    }
    return { ...webhookJson(await rows.insertWebhook(write, { ...options, secret })), secret };
  }),

  handleRead(getWebhook, async ({ params: { id } }, db) => {
    const webhook = await rows.findWebhook(db, id);
    return webhook === null ? webhookUnknown(id) : webhookJson(webhook);
  }),

  handleChange(updateWebhook, async ({ params: { id }, body, context }, write) => {
    const webhook = await rows.findWebhook(write.db, id);
    if (webhook === null) return webhookUnknown(id);
    const problem = await editProblem(write.db, body, context.webhooks.toLocal);
    return problem ?? webhookJson(await rows.updateWebhook(write, webhook, body));
  }),

  handleChange(deleteWebhook, async ({ params: { id } }, write) => {
    const webhook = await rows.findWebhook(write.db, id);
    if (webhook === null) return webhookUnknown(id);
    await rows.deleteWebhook(write, webhook);
    return webhookJson(webhook);
  }),

  handleChange(replaceSecret, async ({ params: { id }, body }, write) => {
    const secret = body?.secret ?? makeSigningSecret();
    const known = await rows.findWebhook(write.db, id);
    if (known === null) return webhookUnknown(id);
    if (known.format !== 'loadout') return bodyIssue('secret', notSigned);
    await rows.changeSecret(write, id, secret);
    const webhook = await rows.findWebhook(write.db, id);
    return webhook === null ? webhookUnknown(id) : { ...webhookJson(webhook), secret };
  }),
];

const notSigned = 'is of no use: messages to a chat are not signed';

export function webhookUnknown(id: string): Problem {
  return new Problem('webhook_not_found', `There is no webhook "${id}".`);
}

/** What the schema of the body cannot check. */
async function editProblem(
  db: Db,
  { url, environments }: rows.WebhookEdit,
  toLocal: boolean,
): Promise<Problem | null> {
  const rejected = url === undefined ? null : rejectedTarget(url, toLocal);
  if (rejected !== null) return bodyIssue('url', rejected);
  if (environments === undefined || environments === null) return null;
  // A typo in an id would be silence.
  const known = new Set((await listEnvironments(db)).map((environment) => environment.id));
  const index = environments.findIndex((id) => !known.has(id));
  if (index === -1) return null;
  return bodyIssue(`environments[${index}]`, `there is no environment "${environments[index]}"`);
}
