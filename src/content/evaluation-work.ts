/**
 * How much work the rules of a request may do (D54). What takes longer than a plain comparison is charged to the caller at
 * an estimate in nanoseconds, measured on the machine of bench/README.md; so what is rejected depends on attributes and
 * rules, not on how fast or busy the server is. Only the states of regular expressions count less once they are known.
 */

/**
 * Work of one request, estimated nanoseconds: 3 ms, which with the parse of the worst 64 KiB (5 to 6 ms) stays below
 * 10 ms (bench/README.md, worst requests). An everyday request needs a thousandth: 12 rules take 0.5-2 us.
 */
export const evaluationWorkMax = 3_000_000;

/** A body of this size or less has that much; an operator who admits larger ones lets them do more in proportion. */
const bodyBytesPlain = 64 * 1024;
/** Far more than the largest body may be admitted with, and still a small integer to the engine. */
const evaluationWorkHighest = 1_000_000_000;

/** The work that the rules may do for a request whose body has so many bytes. */
export function evaluationWorkFor(bodyBytes: number): number {
  if (bodyBytes <= bodyBytesPlain) return evaluationWorkMax;
  return Math.min(
    evaluationWorkHighest,
    Math.ceil((bodyBytes / bodyBytesPlain) * evaluationWorkMax),
  );
}

/** Whatever counts its work: the caller. */
export interface WorkMeter {
  /** Estimated nanoseconds; below zero: it was more than it may be, and no result counts. */
  workLeft: number;
}

/** Charges work that is about to be done. False: it may not be, and whatever is returned instead does not count. */
export function spend(meter: WorkMeter, nanoseconds: number): boolean {
  if (meter.workLeft < 0) return false;
  meter.workLeft -= nanoseconds;
  return meter.workLeft >= 0;
}

/** One rule: its window, its choice, its place in the selection, and the first test of its condition. */
export const ruleWork = 40;
/** One bucket of a layer or of the holdout: looked up among those of the request, or hashed. */
export const layerWork = 150;
/** One further test on a short attribute: 10-50 ns. */
export const testWork = 40;
/** One name of a dotted path. */
export const pathNameWork = 30;
/** One element of a list that is looked up among values: numbers 5 ns, texts 11. */
export const memberWork = 8;
/** One element of a list that a test of its own is run on; the test is charged as well. */
export const elementWork = 15;
/** One element of a list that is put into lower case and looked up; its characters come on top. */
export const foldedElementWork = 50;
/** One element of a list whose text is made: 16 ns for a digit, 60 for a number with a fraction. */
export const elementTextWork = 50;
/** One list whose text is made and kept. */
export const listTextWork = 100;
/** One member of an object that is compared as JSON: its name is listed, 300 ns where there are thousands. */
export const memberNameWork = 300;
/** One character: of a text that is read as a number, put into lower case, compared with another, hashed. */
export const characterWork = 2;
/** One character of a version, whose parts are padded one by one. */
export const versionCharacterWork = 150;
/** One match of a regular expression, whatever the text. */
export const matchWork = 100;
/** One character that is looked through for what a match must contain, before anything else. */
export const scannedCharacterWork = 5;
/** One character that goes through states of a regular expression that are known: 8-20 ns. */
export const matchedCharacterWork = 20;
/** One character for a regular expression that takes one path through the text: 70-140 ns. */
export const onePassCharacterWork = 120;
/** A state of a regular expression that is met for the first time, and each place in the program that it stands for. */
export const stateWork = 400;
export const statePlaceWork = 60;
/** One character and one instruction, where a pattern has more states than are kept: all are followed at once. */
export const threadWork = 25;
/** What making a selection costs that its plan does not remember; its text comes on top. */
export const selectionWork = 6_000;

/** Texts up to this are not charged by the character: comparing them takes no longer than another test. */
export const shortTextUnits = 64;
