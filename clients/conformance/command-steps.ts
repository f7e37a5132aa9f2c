/** Steps that are commands of the driver, each with what its result should be. */
import { difference, expectMembers, expectSame, NotAsExpected } from './expectation.js';
import type { Run } from './run.js';
import type { StepKind, StepOf } from './step.js';

type Steps<K extends StepKind> = {
  readonly [Each in K]: (run: Run, step: StepOf<Each>) => unknown;
};

/** Those without members and without a result. */
type Bare = 'ready' | 'suspend' | 'resume' | 'stop' | 'idle';

const bare = (command: Bare) => (run: Run) => run.send(command);

export const commandSteps: Steps<
  | Bare
  | ('create' | 'start' | 'get' | 'activate' | 'refresh' | 'setUser' | 'setContext' | 'expose')
  | ('track' | 'setConsent' | 'flush' | 'await' | 'watched' | 'logged' | 'advance' | 'setWall')
  | ('throwInListeners' | 'failStorage' | 'kill')
> = {
  ready: bare('ready'),
  suspend: bare('suspend'),
  resume: bare('resume'),
  stop: bare('stop'),
  idle: bare('idle'),
  create,
  get,
  start: (run, step) => begin(run, step, 'start', { waitMs: step.start }),
  refresh: (run, step) => begin(run, step, 'refresh', {}),
  flush: (run, step) => begin(run, step, 'flush', {}),
  setUser: (run, step) => {
    run.user = step.setUser;
    return begin(run, step, 'setUser', { user: step.setUser, waitMs: step.waitMs });
  },
  async await(run, step) {
    const call = run.begun.get(step.await);
    if (call === undefined) throw new Error(`nothing was begun as ${step.await}`);
    expectResult(`result of ${step.await}`, step.expect, await call);
  },
  async activate(run, step) {
    const result = await run.send('activate');
    if (step.expect !== undefined) expectSame('activate', step.expect, result);
  },
  setContext: (run, step) => run.send('setContext', { attributes: step.setContext }),
  expose: (run, step) => run.send('expose', { id: step.expose }),
  track: (run, { track: [name, value] }) => run.send('track', { name, value }),
  setConsent: (run, step) => run.send('setConsent', { isGiven: step.setConsent }),
  async watched(run, step) {
    run.watched.push(...((await run.send('watched')) as unknown[]));
    expectList('watch was called with', step.watched, run.watched);
  },
  async logged(run, step) {
    run.logged.push(...((await run.send('logged')) as unknown[]));
    const seen = step.anyTimes ? [...new Set(run.logged)] : run.logged;
    expectSame('codes that were logged', step.logged, seen);
    run.logged.length = 0;
  },
  advance: (run, { advance, patient = true }) => run.send('advance', { ms: advance, patient }),
  setWall: (run, step) => run.send('setWall', { ms: step.setWall }),
  throwInListeners: (run, step) => run.send('throwInListeners', { isOn: step.throwInListeners }),
  failStorage: (run, step) => run.send('failStorage', { isOn: step.failStorage }),
  kill: (run) => run.killDriver(),
};

async function create(run: Run, step: StepOf<'create'>): Promise<void> {
  const options = run.options(run.values.fill(step.create) as Readonly<Record<string, unknown>>);
  run.address = options;
  run.user = step.create.user ?? '';
  run.watched.length = 0;
  run.logged.length = 0;
  run.begun.clear();
  const { random, seed, fails = false } = step;
  const created = run.send('create', {
    options,
    wallMs: run.values.instantMs(step.wallMs),
    ...(seed === undefined ? { random: random ?? 0.5 } : { seed }),
  });
  if (!fails) return void (await created);
  const error = await created.then(
    () => null,
    (fault: Error) => fault.message,
  );
  if (error === null) throw new NotAsExpected('create accepts options that are wrong');
}

async function get(run: Run, step: StepOf<'get'>): Promise<void> {
  const [id, pointer, fallback] = step.get;
  const result = (await run.send('get', {
    id,
    pointer,
    type: step.type ?? typeOf(fallback),
    default: JSON.stringify(fallback),
  })) as { value: string };
  const what = `get ${id} ${pointer}`;
  const { source, isPastChange, text, value } = step;
  if (text !== undefined) expectSame(what, text, result.value);
  if (value !== undefined) expectSame(what, value, JSON.parse(result.value));
  if (source !== undefined) expectMembers(what, { source }, result);
  if (isPastChange !== undefined) expectMembers(what, { isPastChange }, result);
}

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'double';
  return typeof value === 'object' ? 'json' : typeof value;
}

interface Call {
  readonly begin?: string | undefined;
  /** Keeps the sequence of the result. */
  readonly as?: string | undefined;
  readonly expect?: unknown;
}

/** Waits for the result, unless the step only begins the call. */
async function begin(
  run: Run,
  step: Call,
  command: string,
  members: Readonly<Record<string, unknown>>,
): Promise<void> {
  const call = run.send(command, members);
  if (step.begin === undefined) {
    const result = await call;
    if (step.as !== undefined) run.values.keep(step.as, (result as { sequence: number }).sequence);
    return expectResult(command, step.expect, result);
  }
  if (step.expect !== undefined) throw new Error('a call that is begun has no result yet');
  // It is awaited later, or by no step.
  call.catch(() => undefined);
  run.begun.set(step.begin, call);
  // Commands are begun in order: the response to another one says that this one was.
  run.watched.push(...((await run.send('watched')) as unknown[]));
}

function expectResult(what: string, expected: unknown, result: unknown): void {
  if (expected === undefined) return;
  if (typeof expected === 'object' && expected !== null) expectMembers(what, expected, result);
  else expectSame(what, expected, result);
}

/** All of the list, of each the members that are expected; what was expected is not seen again. */
function expectList(what: string, expected: readonly object[], seen: unknown[]): void {
  if (expected.length !== seen.length) throw difference(what, expected, seen);
  for (const [index, each] of expected.entries()) expectMembers(what, each, seen[index]);
  seen.length = 0;
}
