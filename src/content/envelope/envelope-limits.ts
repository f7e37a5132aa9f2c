/** The limits of an envelope. */

/** Paths listed for a line: more than a person reads, and the memory of a listing. Checks look at all of them. */
export const pathsListedMax = 20_000;

/** Scalars listed for a path: an enumeration is shorter, and a list of more values says nothing. */
export const textsListedMax = 32;

/** UTF-16 units of a scalar that is listed: names are shorter, and prose is no enumeration. */
export const textLengthListedMax = 256;

/** Scalars that rules may write at one place and that are remembered one by one; of more, only types and bounds are. */
export const textsKnownMax = 256;

/**
 * What following the rules may cost for one line, in values that are joined or copied: for a hostile mapping of 500 rules with a
 * thousand operations each, as much as reading it.
 */
export const stepsMax = 2_000_000;

/** Layers of changes to an object: looking a member up takes as many steps, and after so many rules they are made one. */
export const layersMax = 32;

/** Elements of one array of which a rule may change some, and each keeps its place. Of more, places are forgotten. */
export const elementsJoinedMax = 64;

/** Findings of one check: enough to recognise what is wrong. */
export const findingsMax = 100;

/** What a walk along the possible values may visit: so many, and so many times the values that are written. */
export const valuesWalkedMin = 1_000_000;
export const valuesPerWrittenMax = 4;

/** UTF-16 units of all paths listed: keys may be long, and levels many. */
export const pathCharactersListedMax: number = 4 * 1024 * 1024;
