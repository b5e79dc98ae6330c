import { availableParallelism } from 'node:os';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { readingThread } from '../../platform/reading-apart.ts';

const MEMORY_MB = 512;

/** Threads that verify ballots as they are cast, each one at a time; one processor stays for everything else. */
export const castingThreads = Array.from({ length: Math.min(4, Math.max(1, availableParallelism() - 1)) }, () =>
  readingThread({ memoryMb: MEMORY_MB, timeMs: 20 * SECOND_MS, waiting: 2 }),
);

/** The thread for what happens a few times in an election: credentials, keys, setup, decryption. No ballot waits for it. */
export const setupThread = readingThread({ memoryMb: MEMORY_MB, timeMs: 10 * MINUTE_MS, waiting: 2 });
