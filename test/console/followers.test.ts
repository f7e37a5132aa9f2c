/** What people at the console see of servers that follow the one they are at. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { FollowTree } from '../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { ownerToken } from '../support/server/server-process.js';

const isPossible = hasBrowser && hasPostgres;

describe.skipIf(!isPossible)('a server that others follow, at the console', () => {
  let tree: FollowTree;
  let window: Window;
  beforeAll(async () => {
    tree = await FollowTree.start(await freshDatabase());
    await tree.waited();
    window = await Window.open(tree.root.adminUrl);
  });
  afterAll(async () => {
    await window?.close();
    await tree?.stop();
  });

  it('names a server of the third level that is gone beside the one that it follows', async () => {
    const page = await window.signIn(ownerToken, '/health');
    const middle = page.getByRole('table', { name: 'Nodes' }).getByRole('row', { name: /^middle/ });
    await middle.getByText('up to date').waitFor();
    tree.leaf.signal('SIGKILL');
    await tree.leaf.exit;
    await tree.edit();
    await middle
      .getByText('Servers below it that are away or behind: leaf', { exact: true })
      .waitFor();
  });
});
