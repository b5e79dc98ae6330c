import os from 'node:os';

/**
 * Options of the compiler: how many checkers share its work. Each of them works out types for itself that several files use: with four, its default, a run over
 * the sources of the server took 36 s of processor, with one 20. Two runs share the processors; a second checker is for a processor that has nothing else to do.
 */
export const checkers: readonly string[] = ['--checkers', String(Math.min(4, Math.max(1, Math.floor(os.availableParallelism() / 2))))];
