/** Steps on the other side of the proxy: edits, faults, and what the kit requested. */
import { difference, expectMembers, NotAsExpected } from './expectation.js';
import type { Seen } from './fault-proxy.js';
import type { Run } from './run.js';
import type { Contents, StepOf } from './step.js';

type Edit = { readonly as?: string | undefined };

export const serverSteps = {
  edit: async (run: Run, step: StepOf<'edit'>) =>
    keep(run, step, await run.environment.edit(run.values.fill(step.edit) as Contents)),
  remove: async (run: Run, step: StepOf<'remove'>) =>
    keep(run, step, await run.environment.remove(step.remove)),
  rollback: async (run: Run, step: StepOf<'rollback'>) =>
    keep(run, step, await run.environment.rollBack(step.rollback, step.revision)),
  segment: async (run: Run, step: StepOf<'segment'>) =>
    keep(run, step, await run.environment.putSegment(step.segment, step.when)),
  metric: (run: Run, step: StepOf<'metric'>) => run.environment.putMetric(step.metric),
  revokeKey: (run: Run) => run.environment.revokeKey(),
  baseline: async (run: Run, step: StepOf<'baseline'>) =>
    run.values.keep(step.baseline, await run.environment.baseline(step.appVersion)),
  instant: (run: Run, step: StepOf<'instant'>) => run.values.keep(step.instant, new Date()),
  fault(run: Run, { fault }: StepOf<'fault'>): void {
    if ('clear' in fault) run.proxy.clear();
    else run.proxy.faults.add(run.values.fill(fault) as typeof fault);
  },
  inject: (run: Run, step: StepOf<'inject'>) =>
    run.proxy.inject(run.values.fill(step.inject) as typeof step.inject),
  release: (run: Run) => run.proxy.release(),
  cutStreams: (run: Run) => run.proxy.cutStreams(),
  openStreams(run: Run, step: StepOf<'openStreams'>): void {
    const seen = run.proxy.openStreams;
    if (seen !== step.openStreams) throw difference('open streams', step.openStreams, seen);
  },
  streamText: (run: Run, step: StepOf<'streamText'>) => run.proxy.sendToStreams(step.streamText),
  requests,
  reported,
};

function keep(run: Run, { as }: Edit, sequence: number): void {
  if (as !== undefined) run.values.keep(as, sequence);
}

function requests(run: Run, { requests: expected }: StepOf<'requests'>): void {
  const { on, count, countMax = count, at, bytesMax = Infinity, header, body } = expected;
  const seen = run.unexpected(on);
  const what = `requests (${on}) since they were last expected`;
  if (seen.length > (countMax ?? seen.length) || seen.length < (count ?? 0)) {
    throw difference(what, count ?? `${countMax} at most`, seen.length);
  }
  const chosen = at === undefined ? seen : seen.slice(at).slice(0, 1);
  if ((header ?? body) !== undefined && chosen.length === 0) {
    throw new NotAsExpected(`${what}: there is none`);
  }
  for (const each of chosen) {
    if (each.bytes > bytesMax) throw difference('bytes of a body', bytesMax, each.bytes);
    if (header !== undefined) expectHeaders(run, header, each);
    if (body !== undefined) {
      expectMembers(`body of ${each.path}`, run.values.fill(body) as object, each.body);
    }
  }
  run.expected(seen);
}

/** What the server has said to events since a step last expected it. */
function reported(run: Run, step: StepOf<'reported'>): void {
  const seen = run.proxy.takeReported();
  expectMembers('what became of events', step.reported, seen);
}

function expectHeaders(
  run: Run,
  header: Readonly<Record<string, string | null>>,
  seen: Seen,
): void {
  const filled = run.values.fill(header) as Readonly<Record<string, unknown>>;
  const expected = Object.entries(filled).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === 'number' ? String(value) : value,
  ]);
  expectMembers(`headers of ${seen.path}`, Object.fromEntries(expected), seen.headers);
}
