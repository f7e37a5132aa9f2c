/** Limits of traces. Sizes in bytes, times in milliseconds. */

/** Spans that wait for the collector or are on their way to it; further ones are dropped. A span takes about 1 KB. */
export const spansWaitingMax = 2_048;
/** Spans of one request to the collector. */
export const spansPerExportMax = 512;
/** How long spans wait for others before they are sent. */
export const exportEveryMs = 1_000;
/** A request to the collector, retries included; what it has not taken by then is dropped. The end of a server waits no longer. */
export const exportMsMax = 2_000;
/** A collector whose response has not ended by then is cut off: it sends it byte by byte. */
export const cutOffMs = 3_000;
/** How long the end of a server waits for the collector to take the last spans. */
export const lastExportMsMax = 1_000;
/** A client may send any text as the name of an environment; longer attributes are cut. */
export const attributeCharsMax = 256;
/** What is larger is another file, named by mistake. */
export const headersFileBytesMax: number = 64 * 1024;
/** Of the reason in the log why spans were not taken. */
export const exportReasonCharsMax = 200;
