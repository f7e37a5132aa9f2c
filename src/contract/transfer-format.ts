/** Version of the format that `schemas/transfer-line.ts` describes; apart from it for programs that only write lines. */
export const transferFormat = 1;

/** Version of the format of baselines, which builds of games contain: client kits read each that was ever written. */
export const baselineFormat = 1;
