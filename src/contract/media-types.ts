/** Media types that the server and its clients name. */

/** JSON values, one per line. */
export const ndjsonType = 'application/x-ndjson';
