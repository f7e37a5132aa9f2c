/** The number of the form that `transfer-line.ts` describes, for those who write it without checking any. */
export const transferFormat = 1;
