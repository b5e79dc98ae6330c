import { serveTasks } from './bounded-thread-tasks.ts';
import { cutText } from './cut-text.ts';
import { Failure, refuse, refuseField } from './failure.ts';
import { joined } from './held-text.ts';
import { wrongWith } from './http/unkept-text.ts';
import type { ReadApart, ReadingTask, SentText } from './reading-apart.ts';

/** Maximum length of a sentence about a text, which may quote it, in characters. */
const LONGEST_SENTENCE = 1_000;

/** Returns the input of the reader, with its long texts. @throws Failure INVALID_REQUEST for one that is no text, or is too long */
function received(given: unknown, texts: readonly SentText[]): unknown {
  let whole = given;
  for (const { name, at, pieces, bytes, limit } of texts) {
    const text = textOf(joined(pieces, bytes).toString(), at);
    if (text.length > limit.most) throw refuseField(at, limit.tooLong);
    whole = name === null ? text : { ...(whole as object), [name]: text };
  }
  return whole;
}

function textOf(json: string, field: string): string {
  let text: string;
  try {
    text = JSON.parse(`"${json}"`) as string;
  } catch {
    throw refuse('INVALID_REQUEST', { detail: 'the body is not JSON' });
  }
  const wrong = wrongWith(text);
  if (wrong !== null) throw refuseField(field, wrong);
  return text;
}

const isGenerator = (answered: unknown): answered is Generator => Object.prototype.toString.call(answered) === '[object Generator]';

// Reads untrusted texts. Each reader is loaded with its first text.
serveTasks<ReadingTask>(async ({ reader, given, texts }, _need, give): Promise<ReadApart> => {
  const { read } = (await import(reader)) as { read: (given: unknown) => unknown };
  try {
    const answered = read(received(given, texts));
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
