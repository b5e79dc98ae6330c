import os from 'node:os';

/**
 * Options of the compiler: how many checkers share its work. Each of them computes shared types again: with four, its default, a run over
 * the sources of the server took 36 s of processor, with one 20. Two runs share the processors; a second checker helps only on an idle processor.
 */
export const checkers: readonly string[] = ['--checkers', String(Math.min(4, Math.max(1, Math.floor(os.availableParallelism() / 2))))];
