/** Reviews of releases: submitted, approved, sent back, and those that wait for the user of the request. */
import { strict as assert } from 'node:assert';
import {
  approveRelease as approve,
  listReviews,
  rejectRelease as reject,
  submitRelease as submit,
} from '../../../contract/operations/releases/reviews.js';
import { Problem } from '../../../contract/problems.js';
import type { Release } from '../../../contract/schemas/release.js';
import { confirmRequestOf } from '../../guards/confirmation.js';
import { seesEnvironment } from '../../http/auth/environment-scope.js';
import { actorOf } from '../../http/commit.js';
import { type Handler, handle } from '../../http/handlers.js';
import type { Db } from '../../store/dialect.js';
import { listApprovals } from '../../store/releases/release-approvals.js';
import { listReleasesIn, type ReleaseRecord } from '../../store/releases/releases.js';
import type { UnitOfWork } from '../../store/unit-of-work.js';
import type { Bearer } from '../../store/users/tokens.js';
import { checkAgain, checkedWrite } from '../check-release.js';
import { type HeldRelease, holdRelease, type ReleaseRequest } from '../held-release.js';
import { releaseJson, summariesJson } from '../release-json.js';
import type { Transited } from '../transition.js';
import { readReviewFacts, rejectApprover } from './approvals.js';
import { approveRelease, rejectRelease, submitRelease } from './review.js';

export const releaseReviewHandlers: readonly Handler[] = [
  handle(submit, async ({ params: { env, release }, query, body, context, request }) => {
    const { comment, ifVersion } = body;
    const asked = { environment: env, release, ifVersion };
    const submission = { comment, ...confirmRequestOf(body, query) };
    return checkedWrite<Release>(context, asked, 'submit', async (checked) => {
      const { value } = await context.store.write(actorOf(request), (write) =>
        act(write, asked, (held) => submitRelease(write, held, checked, submission)),
      );
      return value;
    });
  }),

  handle(approve, async ({ params: { env, release }, body, user, context, request }) => {
    const { token } = request;
    assert(token !== null, 'the operation names a role');
    const { value } = await context.store.write(actorOf(request), (write) =>
      act(write, { environment: env, release }, (held) =>
        approveRelease(write, held, { user, token }, body),
      ),
    );
    assert(value !== checkAgain, 'an approval checks nothing ahead');
    return value;
  }),

  handle(reject, async ({ params: { env, release }, body, context, request }) => {
    const { value } = await context.store.write(actorOf(request), (write) =>
      act(write, { environment: env, release }, (held) => rejectRelease(write, held, body.comment)),
    );
    assert(value !== checkAgain, 'sending back checks nothing ahead');
    return value;
  }),

  handle(listReviews, async ({ user, context: { store }, request: { token } }) => {
    assert(token !== null, 'the operation names a role');
    if (token.source === 'environment') return { releases: [] };
    return store.read(async (db) => {
      const waiting = (await listReleasesIn(db, null, ['review'])).filter(({ environment }) =>
        seesEnvironment(user, environment),
      );
      const releases = [];
      for (const release of waiting) {
        if (!(await waitsFor(db, release, { user, token }))) continue;
        releases.push(...(await summariesJson(db, release.environment, [release])));
      }
      return { releases };
    });
  }),
];

/** Holds the release, carries out what is done to it, and shows it as it is then. */
async function act(
  write: UnitOfWork,
  request: ReleaseRequest,
  run: (held: HeldRelease) => Promise<Transited | Problem | typeof checkAgain>,
): Promise<Release | Problem | typeof checkAgain> {
  const held = await holdRelease(write, request);
  if (held instanceof Problem) return held;
  const done = await run(held);
  if (done instanceof Problem || done === checkAgain) return done;
  return releaseJson(write.db, done.release, write.at);
}

/** Whether the user may approve a release, and has not yet. */
async function waitsFor(db: Db, release: ReleaseRecord, { user, token }: Bearer): Promise<boolean> {
  const facts = await readReviewFacts(db, release);
  const given = await listApprovals(db, release);
  if (given.some(({ userId, digest }) => userId === user.id && digest === facts.digest)) {
    return false;
  }
  return (await rejectApprover(db, facts, user, token.id)) === '';
}
