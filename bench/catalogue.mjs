/**
 * The questions as `--help` lists them: what each asks and about how long it takes. Plain JavaScript, because the
 * command reads it before anything is built; test/server/bench.test.ts compares it with the questions themselves.
 */

/**
 * @typedef {object} Plan What the duration of a question depends on.
 * @property {number} rounds
 * @property {number} seconds of load per run
 * @property {number} warmSeconds of load before it
 * @property {boolean} quick
 * @property {boolean | 'never'} wrk
 * @property {number} soakMinutes
 * @property {readonly string[] | null} contenders those beside Loadout; null: all that a question has
 * @property {number} listeners
 *
 * @typedef {object} Group
 * @property {string} name what all names of its questions begin with, and a slash; or the name of the only one
 * @property {readonly string[]} cases
 * @property {readonly string[]} quick the cases that `--quick` asks
 * @property {string} asks one sentence
 * @property {(plan: Plan, name: string) => number} seconds that one of its questions takes, about
 */

/** From the start of a process to its end, beside the load itself. */
const runSeconds = 1;
/** A contender is held to the expected responses once. */
const rehearsalSeconds = 1.5;

/** Questions whose figures a goal of README.md is about: wrk cross-checks them. */
const checkedByWrk = new Set([
  'http/one-content/wrapped-1kb',
  'http/one-content/wrapped-10kb',
  'http/one-content/wrapped-100kb',
  'http/one-content/gzip-100kb',
  'http/combine/wrapped-10x2kb',
  'http/refresh/unchanged-30x2kb',
]);

/**
 * Whether wrk drives the question as well, where it is installed.
 * @param {string} name
 * @param {Pick<Plan, 'wrk' | 'quick'>} plan
 */
export function isCrossChecked(name, { wrk, quick }) {
  if (wrk === 'never') return false;
  return wrk || name === 'http/one-content/wrapped-1kb' || (checkedByWrk.has(name) && !quick);
}

/**
 * Of contenders that take turns.
 * @param {number} extraSeconds of each contender, once
 * @returns {Group['seconds']}
 */
function race(extraSeconds = 0) {
  return (plan, name) => {
    const chosen = othersOf(name).filter((other) => plan.contenders?.includes(other) ?? true);
    const count = 1 + chosen.length;
    const passes = isCrossChecked(name, plan) ? 2 : 1;
    const run = runSeconds + plan.warmSeconds + plan.seconds;
    return count * (rehearsalSeconds + extraSeconds + plan.rounds * passes * run);
  };
}

/** @returns {Group['seconds']} */
function micro(/** @type {number} */ contenders) {
  return ({ rounds, warmSeconds, seconds }) =>
    contenders * rounds * (0.5 + (warmSeconds + seconds) / 4);
}

/** @returns {Group['seconds']} */
function perRound(/** @type {number} */ before, /** @type {number} */ round) {
  return ({ rounds }) => before + rounds * round;
}

/**
 * The contenders of a race beside Loadout. The first sketch takes part where contents are resolved or combined.
 * @param {string} name
 * @returns {readonly ('floor' | 'ordinary' | 'pooled' | 'pooled-aside')[]}
 */
export function othersOf(name) {
  if (name.startsWith('http/cold-variants/')) return ['ordinary', 'pooled', 'pooled-aside'];
  if (/^http\/(refresh|ofrep)\//.test(name)) return ['floor'];
  const isResolved = /^http\/(one-content|combine)\//.test(name) && !name.includes('/tls-');
  if (!isResolved) return ['floor', 'ordinary'];
  const pooled = name.includes('/wrapped-') ? /** @type {const} */ (['pooled-aside']) : [];
  return ['floor', 'ordinary', 'pooled', ...pooled];
}

const forms = ['plain', 'wrapped', 'serialized', 'gzip', 'tls'];
const sizes = ['1kb', '10kb', '100kb'];

/** @type {readonly Group[]} */
export const catalogue = [
  {
    name: 'http/one-content',
    cases: forms.flatMap((form) => sizes.map((size) => `${form}-${size}`)),
    quick: ['wrapped-1kb', 'wrapped-10kb', 'wrapped-100kb', 'gzip-100kb'],
    asks: 'What does one content cost, by size and form, with its rendered body cached?',
    seconds: race(),
  },
  {
    name: 'http/combine',
    cases: ['wrapped-10x2kb', 'gzip-10x2kb'],
    quick: ['wrapped-10x2kb'],
    asks: 'What do ten contents of 2 KB cost in one call?',
    seconds: race(),
  },
  {
    name: 'http/refresh',
    cases: ['unchanged-30x2kb', 'changed-30x2kb', 'combine-30x2kb'],
    quick: ['unchanged-30x2kb'],
    asks: 'What does the start-up of a client cost that holds 30 contents: none has changed, all have; and the same in a combine call?',
    seconds: race(),
  },
  {
    name: 'http/steady',
    cases: ['wrapped-1kb', 'unchanged-30x2kb'],
    quick: [],
    asks: 'What is the latency at 10 to 90 % of the rate that one listener reaches?',
    seconds: ({ rounds, warmSeconds, seconds }) =>
      3 + rounds * (2 + warmSeconds + seconds + 5 * (warmSeconds / 2 + seconds)),
  },
  {
    name: 'http/ofrep',
    cases: ['single-1kb', 'wrapped-1kb'],
    quick: ['single-1kb'],
    asks: "What does OFREP's evaluation of one flag cost, beside the wrapped response with the same content?",
    seconds: race(),
  },
  {
    name: 'http/ramp',
    cases: ['wrapped-1kb'],
    quick: [],
    asks: 'What does a release that ramps cost per request, for a content item that it changes and for one beside it?',
    seconds: ({ rounds, warmSeconds, seconds }) =>
      5 + rounds * (4 + 4 * warmSeconds + 4 * seconds + 6),
  },
  {
    name: 'http/experiments',
    cases: ['wrapped-1kb'],
    quick: [],
    asks: 'What does it cost per request to count the users of three experiments, and of none?',
    seconds: ({ rounds, warmSeconds, seconds }) =>
      8 + rounds * (4 + 4 * warmSeconds + 4 * seconds + 6),
  },
  {
    name: 'http/traffic',
    cases: ['wrapped-1kb'],
    quick: [],
    asks: 'What does it cost per request that an environment keeps frequent values and a sample of contexts?',
    seconds: ({ rounds, warmSeconds, seconds }) =>
      5 + rounds * (2 + 2 * warmSeconds + 2 * seconds + 3),
  },
  {
    name: 'http/cold-variants',
    cases: ['100kb'],
    quick: ['100kb'],
    asks: 'What if every request asks for another of 4,096 bodies, more than the cache holds?',
    seconds: (plan, name) => race()({ ...plan, wrk: false }, name),
  },
  {
    name: 'http/first-variants',
    cases: ['100kb'],
    quick: [],
    asks: 'How long does the first request for a variant take, with gzip and without?',
    seconds: perRound(10, 20),
  },
  {
    name: 'http/mixed',
    cases: ['1kb-beside-misses-and-edits'],
    quick: ['1kb-beside-misses-and-edits'],
    asks: 'What is the p99 of a small content while edits are published and large contents miss?',
    seconds: ({ rounds, warmSeconds, seconds }) => 5 + rounds * 2 * (2 + warmSeconds + seconds),
  },
  {
    name: 'http/events',
    cases: ['batches-of-10', '1kb-beside-20000'],
    quick: ['batches-of-10'],
    asks: 'How many events does one process take, with their files on the disk, and what is the p99 of a small content beside them?',
    seconds: ({ rounds, warmSeconds, seconds }, name) =>
      5 + rounds * (name.endsWith('20000') ? 2 : 1) * (3 + warmSeconds + seconds),
  },
  {
    name: 'http/ten-thousand-items',
    cases: ['wrapped-1kb'],
    quick: [],
    asks: 'Does the number of contents cost anything per request?',
    seconds: (plan, name) => race(25)({ ...plan, wrk: false }, name),
  },
  {
    name: 'http/launch-storm',
    cases: ['plain-1kb', 'tls-1kb'],
    quick: ['tls-1kb'],
    asks: 'What if every player arrives on a new connection, with TLS and without?',
    seconds: race(),
  },
  {
    name: 'http/listeners',
    cases: ['wrapped-1kb'],
    quick: ['wrapped-1kb'],
    asks: 'How do requests per second and CPU per request scale from one listener to several?',
    seconds: ({ rounds, warmSeconds, seconds, listeners }) =>
      3 + rounds * Math.ceil(1 + Math.log2(Math.max(2, listeners))) * (2 + warmSeconds + seconds),
  },
  {
    name: 'http/overload',
    cases: ['cold-100kb'],
    quick: ['cold-100kb'],
    asks: 'What is left of the peak rate when ten times as many requests arrive?',
    seconds: ({ rounds, warmSeconds, seconds }) => 5 + rounds * (4 + warmSeconds + 3 * seconds),
  },
  {
    name: 'http/rejected',
    cases: [''],
    quick: [],
    asks: 'What does a rejected request cost, also when each names another id or key?',
    seconds: ({ rounds }) => 10 + (rounds + 2) * 6,
  },
  {
    name: 'http/worst-requests',
    cases: [''],
    quick: [],
    asks: 'How long does one request of at most 64 KiB occupy the event loop?',
    seconds: () => 90,
  },
  {
    name: 'http/selections',
    cases: ['sweep-300x12'],
    quick: [],
    asks: 'How much memory does a client take that tries all combinations of 300 contents?',
    seconds: () => 120,
  },
  {
    name: 'http/soak',
    cases: ['rss'],
    quick: ['rss'],
    asks: 'Does resident memory grow over minutes of hits, misses and edits?',
    seconds: ({ soakMinutes }) => 5 + 60 * soakMinutes,
  },
  {
    name: 'http/attacks',
    cases: [
      'selections',
      'unread',
      'slow-readers',
      'attributes',
      'endless-bodies',
      'slow-heads',
      'malformed',
      'all',
    ],
    quick: [],
    asks: 'What do ordinary clients notice while others attack the server?',
    seconds: ({ rounds, warmSeconds, seconds, soakMinutes }, name) => {
      const isAll = name.endsWith('/all');
      const attacked = isAll ? 60 * soakMinutes : Math.max(10, seconds);
      const round = 4 + 3 * warmSeconds + seconds + Math.min(60, attacked) + attacked;
      return 5 + (isAll ? 1 : rounds) * round;
    },
  },
  {
    name: 'console',
    cases: ['first-load', 'overview', 'five-thousand-contents', 'one-megabyte', 'palette', 'table'],
    quick: [],
    asks: 'What does the console transfer, and how long do people wait for it? (needs Chromium)',
    seconds: perRound(10, 8),
  },
  {
    name: 'fleet',
    cases: ['followers-0', 'followers-25', 'followers-50', 'followers-100', 'tree-10', 'tree-1000'],
    quick: [],
    asks: 'What does each node that follows a database cost it? (needs PostgreSQL)',
    seconds: perRound(15, 30),
  },
  {
    name: 'experiments',
    cases: ['results-1m', 'results-10m', 'results-100m'],
    quick: ['results-1m'],
    asks: 'How long does the result of an experiment take, of 1, 10 or 100 million events and 20 metrics, and in how much memory? (100m needs 5 GB of disk)',
    seconds: ({ rounds }, name) => {
      const millions = Number(/\d+/.exec(name)?.[0]);
      return 5 + 2 * millions + rounds * (2 + millions / 3);
    },
  },
  {
    name: 'players',
    cases: ['cohort'],
    quick: [],
    asks: 'How long does it take to find who of 10,000 players was given a value over 200 changes, and how long do others wait beside it?',
    seconds: perRound(15, 15),
  },
  {
    name: 'search',
    cases: ['hundred-megabytes'],
    quick: [],
    asks: 'How long does a text search take over 100 MB of texts, and how long do others wait beside it?',
    seconds: perRound(60, 3),
  },
  {
    name: 'streams',
    cases: [
      'idle-plain',
      'idle-tls',
      'hundred-thousand',
      'precision',
      'wakes-beside-requests',
      'killed-process',
    ],
    quick: [],
    asks: 'What does an open stream cost, and what an edit that concerns a hundredth of them; who is woken; how do they come back from a killed process?',
    seconds: ({ rounds }, name) => {
      if (name.endsWith('/hundred-thousand')) return 90;
      return name.endsWith('/wakes-beside-requests') ? 60 + 35 * rounds : 40 * rounds;
    },
  },
  {
    name: 'micro/strip',
    cases: ['commented-1mb', 'minified-1mb', 'commented-10kb'],
    quick: ['commented-1mb'],
    asks: 'How fast does JSONC become the delivered JSON?',
    seconds: micro(5),
  },
  {
    name: 'micro/prepare',
    cases: ['commented-1mb', 'minified-1mb', 'commented-10kb'],
    quick: ['commented-1mb', 'minified-1mb'],
    asks: 'How fast is a text made ready: stripped, validated, indexed and hashed?',
    seconds: micro(3),
  },
  {
    name: 'micro/index',
    cases: ['minified-1mb', 'minified-100kb', 'minified-10kb'],
    quick: ['minified-1mb'],
    asks: 'How fast are the keys and values of delivered JSON found?',
    seconds: micro(3),
  },
  {
    name: 'micro/splice',
    cases: ['5-fields-100kb', '5-fields-10kb', '5-fields-1mb'],
    quick: ['5-fields-100kb'],
    asks: 'What does it cost to change five fields in three places?',
    seconds: micro(5),
  },
  {
    name: 'micro/envelope',
    cases: ['50-rules-100kb', '50-rules-1mb'],
    quick: ['50-rules-100kb'],
    asks: 'What does it cost to know every value that a content with 50 rules could deliver?',
    seconds: micro(4),
  },
  {
    name: 'micro/select',
    cases: ['3-rules', '12-rules', '12-rules-windows'],
    quick: ['3-rules', '12-rules'],
    asks: 'How long does it take to decide which rules apply, and to write `meta`?',
    seconds: micro(2),
  },
  {
    name: 'micro/render',
    cases: ['wrapped-100kb', 'serialized-100kb', 'wrapped-10kb'],
    quick: ['wrapped-100kb', 'serialized-100kb'],
    asks: 'How fast is a wrapped or serialized body made from a parsed content?',
    seconds: micro(3),
  },
  {
    name: 'micro/gzip-tail',
    cases: ['100kb', '10kb'],
    quick: ['100kb'],
    asks: "What does a gzip response cost when all but the player's tail is known?",
    seconds: micro(4),
  },
];

/** What a deployed server can be asked (`--url`): sizes are those of its own contents. */
export const deployedNames = [
  ...['plain', 'wrapped', 'serialized', 'gzip'].map((form) => `http/one-content/${form}`),
  ...['wrapped', 'gzip'].map((form) => `http/combine/${form}`),
];

/** @param {Group} group */
export function namesOf({ name, cases }) {
  return cases.map((each) => (each === '' ? name : `${name}/${each}`));
}

/** The cases of the group of that name. @param {string} name */
export function casesOf(name) {
  return catalogue.find((group) => group.name === name)?.cases ?? [];
}

/** Every question, in the order in which they are asked. */
export const names = catalogue.flatMap(namesOf);

/** Those that `--quick` asks. */
export const quickNames = catalogue.flatMap(({ name, quick }) =>
  quick.map((each) => `${name}/${each}`),
);

/**
 * About how many seconds the questions take.
 * @param {readonly string[]} asked
 * @param {Plan} plan
 */
export function secondsOf(asked, plan) {
  const groups = new Map(catalogue.flatMap((group) => namesOf(group).map((name) => [name, group])));
  return asked.reduce((sum, name) => sum + (groups.get(name)?.seconds(plan, name) ?? 0), 0);
}
