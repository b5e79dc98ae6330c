import { serveTasks } from './bounded-thread-tasks.ts';
import { cutText } from './cut-text.ts';
import { Failure } from './failure.ts';
import type { ReadApart, ReadingTask } from './reading-apart.ts';

/** Maximum length of a sentence about a text, which may quote it, in characters. */
const LONGEST_SENTENCE = 1_000;

const isGenerator = (answered: unknown): answered is Generator => Object.prototype.toString.call(answered) === '[object Generator]';

// Reads untrusted texts. Each reader is loaded with its first text.
serveTasks<ReadingTask>(async ({ reader, given }, _need, give): Promise<ReadApart> => {
  const { read } = (await import(reader)) as { read: (given: unknown) => unknown };
  try {
    const answered = read(given);
    if (!isGenerator(answered)) return { answer: await answered };
    for (;;) {
      const { done, value } = answered.next();
      if (done) return { answer: value, inPortions: true };
      await give(value);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, problems } = error;
    return {
      refused: {
        code,
        message: cutText(message, LONGEST_SENTENCE),
        problems: problems.map(problem => ({ ...problem, message: cutText(problem.message, LONGEST_SENTENCE) })),
      },
    };
  }
});
