/**
 * The limits of a condition when it is saved. What a request may cost is bounded apart from them, by the work that its
 * rules may do (evaluation-work.ts): how much a test takes depends on the attributes too.
 */

/** Levels of arrays and objects. People nest three or four; this bounds the recursion of compiling and comparing. */
export const conditionLevelsMax = 32;

/** JSON values in a condition, list entries included: a list of 50,000 tester ids fits, and compiles in ~20 ms. */
export const conditionValuesMax = 100_000;

/** Tests that can run for one request, each about 10-100 ns on short attributes: at most ~100 us a rule. */
export const conditionTestsMax = 1_000;

/** UTF-16 units of an attribute path such as `player.level`. */
export const conditionPathLengthMax = 1_000;

/** Regular expressions in a condition. Each may keep 8 MiB of states in memory, in every process. */
export const conditionPatternsMax = 32;

/** UTF-16 units of a regular expression: room for an alternation of a hundred device names. */
export const patternLengthMax = 1_000;

/**
 * Instructions of a compiled regular expression. Matching is linear in text and program: an everyday pattern takes
 * 1 us on a user agent and 0.1-5 ms on 64 KiB (the largest body); the worst of this size, a counted repetition that
 * overlaps what precedes it (`[ab]*a[ab]{900}[cd]`), would take 1.5 s on a hostile text of 64 KiB (D54 ends it).
 */
export const patternProgramMax = 1_000;

/** Issues reported for one condition, and as many warnings: enough to put right in one go. */
export const conditionFindingsMax = 50;
