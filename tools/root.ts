import path from 'node:path';

/** The folder of the whole project. */
export const root = path.resolve(import.meta.dirname, '..');

/**
 * Flags of Node.js for the server. V8 lets the space for new objects grow with the memory of the machine: on one of 24 GB it kept 134 MB of it after a start
 * that had long ended. At most two halves of 16 MB, the default of smaller machines, are enough for requests.
 */
export const serverFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'];

/**
 * The server's environment. The GNU C library keeps a heap for each of the ten or so threads and returns little of it: with two heaps that are given back from 128 KB on
 * the server rests at a fifth less memory (docs/decisions/0072-start-time-and-memory.md). Other C libraries do not read these names.
 */
export const serverEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...environment,
});
