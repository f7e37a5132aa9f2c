/**
 * Where the files of the running program are. A bundled module cannot tell that from its own address, so whoever starts
 * a worker, forks a process or reads a file of the package asks here.
 */

/** The folder of the entry points (`dist/`); the package's folder is above it. */
export const programFolder: URL = new URL('.', import.meta.url);
