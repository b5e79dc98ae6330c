import path from 'node:path';

/** The folder of the whole project. */
export const root = path.resolve(import.meta.dirname, '..');

/**
 * Flags of Node.js for the server. V8 lets the space for new objects grow with the memory of the machine: on one of 24 GB it kept 134 MB of it after a start
 * that had long ended. At most two halves of 16 MB, the default of smaller machines, are enough for requests.
 */
export const serverFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'];
