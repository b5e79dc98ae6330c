import type { ErrorCode } from '@portal/contract';
import type { LongText } from '@portal/contract/long-text';
import { SECOND_MS } from '@portal/contract/days';
import { type BoundedThread, boundedThread, TaskRefused, type ThreadLimits } from './bounded-thread.ts';
import { tooMany } from './counted-limit.ts';
import { Failure, type Problem, refuseField } from './failure.ts';
import { HeldText } from './held-text.ts';
import type { Admitted } from './http/caller.ts';

/** A task for the thread: the file of the reader, and what its `read` is given. */
export type ReadingTask = { reader: string; given: unknown; texts: readonly SentText[] };
/** A long text on its way: the bytes of its JSON, and the field of the task that it is; null if it is the whole of it. `at`: the field of the call. */
export type SentText = Pick<HeldText, 'pieces' | 'bytes' | 'limit'> & { name: string | null; at: string };
/** The answer of the thread: the reader's result, or its refusal as data, because thrown errors can't be posted. */
export type ReadApart =
  | { answer: unknown; inPortions?: true }
  | { refused: { code: ErrorCode; message: string; problems: readonly Problem[] } };

/** Limits for one text. The largest that the portal accepts, 10 MB of CSV, takes 4 seconds. */
const limits: ThreadLimits = { memoryMb: 384, timeMs: 20 * SECOND_MS, waiting: 8 };
/** After how many seconds a caller whose earlier texts are waiting may try again. */
const RETRY_SECONDS = 10;

/** A thread for readers. Texts share one, as each holds the contract in memory. */
export const readingThread = (of: ThreadLimits): BoundedThread => boundedThread(new URL('./reading-thread.ts', import.meta.url), of);
const textsThread = readingThread(limits);

/** The sender of a text, for taking turns: an account, else a login. */
export const senderOf = ({ account, caller }: Admitted): string => account?.accountName ?? caller?.loginId ?? '';

/** Input of a reader, whose texts may be long ones. */
type Sendable<Given> = Given extends string
  ? LongText
  : Given extends Date
    ? Given
    : Given extends object
      ? { [Name in keyof Given]: Given[Name] extends string ? LongText : Given[Name] }
      : Given;

/** Takes the long texts out of what a reader is given. */
function sent(given: unknown, field: string): Pick<ReadingTask, 'given' | 'texts'> {
  const textAs = (name: string | null, { pieces, bytes, limit }: HeldText): SentText => ({ name, at: field, pieces, bytes, limit });
  if (given instanceof HeldText) return { given: null, texts: [textAs(null, given)] };
  if (typeof given !== 'object' || given === null) return { given, texts: [] };
  const held = Object.entries(given).flatMap(([name, each]) => (each instanceof HeldText ? [[name, each] as const] : []));
  if (held.length === 0) return { given, texts: [] };
  return {
    given: { ...given, ...Object.fromEntries(held.map(([name]) => [name, null])) },
    texts: held.map(([name, text]) => textAs(name, text)),
  };
}

/** Answer of a reader: of a generator the portions that it yielded, and what it returned after them. */
export type ReadOf<Reader extends (given: never) => unknown> =
  ReturnType<Reader> extends Generator<infer Portion, infer Answer> ? { portions: Portion[]; answer: Answer } : Awaited<ReturnType<Reader>>;

/**
 * Returns a function that reads a text in a thread with limits on time and memory, before the transaction that needs it (`afterReading`). What it
 * throws as a Failure is thrown here. Senders take turns: `senderOf` names them.
 * @param reader a file `*-thread.ts` that exports `read`; what it takes and returns is plain data. If that can be much, `read` is a generator, which yields it in
 * portions (`platform/portions.ts`): to take over one is a turn of the event loop @param thread the one for texts, unless others wait meanwhile
 */
export function readApart<Reader extends (given: never) => unknown>(reader: URL, thread: BoundedThread = textsThread) {
  /**
   * Reads a text. @param field of the call that has it, for a refusal; without one, no call waits for it, and a refusal is thrown as the thread gives it
   * @throws Failure of the reader; INVALID_REQUEST at the field where it takes too long or too much memory; TOO_MANY_REQUESTS while earlier ones of the sender wait
   */
  return async (sender: string, given: Sendable<Parameters<Reader>[0]>, field?: string): Promise<ReadOf<Reader>> => {
    const portions: unknown[] = [];
    const task: ReadingTask = { reader: reader.href, ...sent(given, field ?? 'body') };
    const read = await thread.ask<ReadApart>(sender, task, { take: portion => portions.push(portion) }).catch((error: unknown) => {
      if (!(error instanceof TaskRefused) || field === undefined) throw error;
      if (error.reason === 'busy') throw tooMany(RETRY_SECONDS);
      throw refuseField(field, 'Reading it takes longer, or more memory, than it may. Send it in smaller parts');
    });
    if ('answer' in read) return (read.inPortions ? { portions, answer: read.answer } : read.answer) as ReadOf<Reader>;
    const { code, message, problems } = read.refused;
    throw new Failure(code, message, {}, undefined, problems);
  };
}
