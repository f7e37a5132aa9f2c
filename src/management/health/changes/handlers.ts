/** What reached players lately: listed, for marks on charts. */
import { listPublishedChanges as operation } from '../../../contract/operations/health/changes.js';
import { type Handler, handle } from '../../http/handlers.js';
import { listPublishedChanges } from './rows.js';

const hourMs = 3_600_000;

export const publishedChangeHandlers: readonly Handler[] = [
  handle(operation, async ({ user, context: { store, now } }) =>
    store.read((db) => listPublishedChanges(db, user.environments, now() - hourMs)),
  ),
];
