/** Media types that the server and its clients name. */

/** JSON values, one per line. */
export const ndjsonType = 'application/x-ndjson';

/** One JSON value, as responses name it. */
export const jsonType = 'application/json; charset=utf-8';
