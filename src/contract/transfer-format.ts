/** Version of the format that `schemas/transfer-line.ts` describes; apart from it for programs that only write lines. */
export const transferFormat = 1;
