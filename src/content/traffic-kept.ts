/** What an environment keeps of the user contexts that requests carry. */

/**
 * Names of attributes alone; their frequent values as well; or also a sample of recent contexts, under pseudonyms (D111).
 */
export const trafficKeptKinds = ['names', 'values', 'contexts'] as const;

export type TrafficKept = (typeof trafficKeptKinds)[number];

export const trafficKeptDefault: TrafficKept = 'values';
