import { serveTasks } from './bounded-thread-tasks.ts';
import { Failure } from './failure.ts';
import type { ReadApart, ReadingTask } from './reading-apart.ts';

// Reads untrusted texts. Each reader is loaded with its first text.
serveTasks<ReadingTask>(async ({ reader, given }): Promise<ReadApart> => {
  const { read } = (await import(reader)) as { read: (given: unknown) => unknown };
  try {
    return { answer: await read(given) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, problems } = error;
    return { refused: { code, message, problems } };
  }
});
