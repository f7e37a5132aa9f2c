/** Reviews of releases: submitted, approved, sent back, and those that wait for the user of the request. */
import { strict as assert } from 'node:assert';
import {
  approveRelease as approve,
  listReviews,
  rejectRelease as reject,
  submitRelease as submit,
} from '../../../contract/operations/releases/reviews.js';
import type { Release } from '../../../contract/schemas/release.js';
import { confirmRequestOf } from '../../guards/confirmation.js';
import { seesEnvironment } from '../../http/auth/environment-scope.js';
import { actorOf } from '../../http/commit.js';
import { type Handler, handle } from '../../http/handlers.js';
import { listReleasesIn } from '../../store/releases/releases.js';
import { listUserOrigins } from '../../store/users/origins.js';
import { actOnRelease } from '../act-on-release.js';
import { checkedWrite } from '../check-release.js';
import { summariesJson } from '../release-json.js';
import { approveRelease, rejectRelease, submitRelease } from './review.js';
import { waitsFor } from './waits-for.js';

export const releaseReviewHandlers: readonly Handler[] = [
  handle(submit, async ({ params: { env, release }, query, body, context, request }) => {
    const { comment, ifVersion } = body;
    const asked = { environment: env, release, ifVersion };
    const submission = { comment, ...confirmRequestOf(body, query) };
    return checkedWrite<Release>(context, asked, 'submit', async (checked) => {
      const { value } = await context.store.write(actorOf(request), (write) =>
        actOnRelease(write, asked, (held) => submitRelease(write, held, checked, submission)),
      );
      return value;
    });
  }),

  handle(approve, async ({ params: { env, release }, body, user, context, request }) => {
    const { token } = request;
    assert(token !== null, 'the operation names a role');
    const { value } = await context.store.write(actorOf(request), (write) =>
      actOnRelease(write, { environment: env, release }, (held) =>
        approveRelease(write, held, { user, token }, body),
      ),
    );
    return value;
  }),

  handle(reject, async ({ params: { env, release }, body, context, request }) => {
    const { value } = await context.store.write(actorOf(request), (write) =>
      actOnRelease(write, { environment: env, release }, (held) =>
        rejectRelease(write, held, body.comment),
      ),
    );
    return value;
  }),

  handle(listReviews, async ({ user, context: { store }, request: { token } }) => {
    assert(token !== null, 'the operation names a role');
    if (token.source === 'environment') return { releases: [] };
    return store.read(async (db) => {
      const waiting = (await listReleasesIn(db, null, ['review'])).filter(({ environment }) =>
        seesEnvironment(user, environment),
      );
      const origins = await listUserOrigins(db);
      const releases = [];
      for (const release of waiting) {
        if (!(await waitsFor(db, release, origins, { user, token }))) continue;
        releases.push(...(await summariesJson(db, release.environment, [release])));
      }
      return { releases };
    });
  }),
];
