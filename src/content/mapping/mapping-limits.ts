/** The limits of a dynamic mapping and of what a plan remembers about it. */

/** Rules of one mapping. Every wrapped request walks all of them: 500 cost about 25 us when few apply. */
export const mappingRulesMax = 500;

/** A variant takes at least one of the thousand buckets. */
export const ruleVariantsMax = 1_000;

/** UTF-16 units of a segment's or a variant's name, which every caller in it is sent. */
export const nameLengthMax = 128;

/** UTF-16 units of `info`, a small piece of extra information, sent likewise. */
export const infoLengthMax = 1_024;

/** UTF-16 units of a salt, which is hashed for every caller. */
export const saltLengthMax = 256;

/** Days by which the end of an occurrence may lie after its start: the next week's occurrence of the same day starts then. */
export const repeatPlusDaysMax = 6;

/** Weeks from one occurrence to the next: a year. */
export const repeatWeeksMax = 52;

/** Levels of a mapping's text: as deep as a content may be, since a mutation may hold a whole one. */
export const mappingLevelsMax = 1_010;

/** Issues reported for one mapping: enough to put right in one go. */
export const mappingIssuesMax = 100;

/**
 * What the selections of a plan on its own (a preview's) may hold, bytes as `Selection.bytes` estimates them. Few
 * combinations of rules occur: a dozen independent rules have 4,096, at about 2 KiB each. Delivery has one budget for all.
 */
export const planSelectionsBytesMax: number = 8 * 1024 * 1024;
