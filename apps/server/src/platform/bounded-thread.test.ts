import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SECOND_MS } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import type { TestTask } from '../../test/bounded-tasks.ts';
import { boundedThread, type TaskRefused } from './bounded-thread.ts';

const file = new URL('../../test/bounded-tasks.ts', import.meta.url);
const threadOf = (timeMs: number, waiting = 100) => boundedThread(file, { memoryMb: 48, timeMs, waiting });
type TestThread = ReturnType<typeof threadOf>;

const echo = (thread: TestThread, text: string, sender = 'one') => thread.ask<string>(sender, { kind: 'echo', text } satisfies TestTask);
const never = (thread: TestThread, signal?: AbortSignal) =>
  thread.ask('one', { kind: 'never' } satisfies TestTask, signal ? { signal } : {});
/** Reason and sentence of a refusal. */
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: TaskRefused) => ({ reason: error.reason, message: error.message }),
  );

describe('a thread with limits', () => {
  test('answers stay with their questions, of several senders and in the order of each', async () => {
    const thread = threadOf(10 * SECOND_MS);
    const answered: string[] = [];
    const names = ['a', 'b', 'c'].flatMap(sender => [1, 2, 3].map(number => ({ sender, text: `${sender}${number}` })));
    await Promise.all(
      names.map(async ({ sender, text }) => {
        expect(await echo(thread, text, sender)).toBe(text);
        answered.push(text);
      }),
    );
    // The first began before the others asked; then one of each sender in turn.
    expect(answered).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2', 'b3', 'c3']);
  });

  test('a task that asks for more gets its own, and the next task none of it', async () => {
    const thread = threadOf(10 * SECOND_MS);
    const asking = (what: string) =>
      thread.ask('one', { kind: 'ask', what, times: 3 } satisfies TestTask, { supply: need => Promise.resolve(`given ${String(need)}`) });
    const [first, echoed, second] = await Promise.all([asking('x'), echo(thread, 'between'), asking('y')]);
    expect(first).toEqual(['given x 0', 'given x 1', 'given x 2']);
    expect(echoed).toBe('between');
    expect(second).toEqual(['given y 0', 'given y 1', 'given y 2']);
  });

  test('the time for which it waits for what it asked is not counted', async () => {
    const thread = threadOf(SECOND_MS);
    expect(await echo(thread, 'it has begun')).toBe('it has begun');
    // Answered when a longer limit has passed, which another thread has.
    const late = async () => (await refusalOf(never(threadOf(1.2 * SECOND_MS))))!.reason;
    expect(await thread.ask('one', { kind: 'ask', what: 'x', times: 1 } satisfies TestTask, { supply: late })).toEqual(['time']);
  });

  test('a task that has no end is refused with the limit, and the next is answered by a new thread', async () => {
    const thread = threadOf(SECOND_MS / 2);
    const [refusal, answer] = await Promise.all([refusalOf(never(thread)), echo(thread, 'next')]);
    expect(refusal).toEqual({ reason: 'time', message: 'It took longer than 0.5 seconds' });
    expect(answer).toBe('next');
  });

  test('a task that takes more memory is refused, and the next is answered by a new thread', async () => {
    const thread = threadOf(30 * SECOND_MS);
    const [refusal, answer] = await Promise.all([refusalOf(thread.ask('one', { kind: 'grow' } satisfies TestTask)), echo(thread, 'next')]);
    expect(refusal).toEqual({ reason: 'ended', message: 'It took more than 48 MB of memory, or ended the program that read it' });
    expect(answer).toBe('next');
  });

  test('a task that ends the thread is refused, and the next is answered by a new thread', async () => {
    const thread = threadOf(10 * SECOND_MS);
    const [refusal, answer] = await Promise.all([refusalOf(thread.ask('one', { kind: 'exit' } satisfies TestTask)), echo(thread, 'next')]);
    expect(refusal?.reason).toBe('ended');
    expect(answer).toBe('next');
  });

  test('a defect fails the task alone', async () => {
    const thread = threadOf(10 * SECOND_MS);
    await expect(thread.ask('one', { kind: 'fail' } satisfies TestTask)).rejects.toThrow(/A defect/);
    expect(await echo(thread, 'next')).toBe('next');
  });

  test('what can’t be supplied fails the task alone', async () => {
    const thread = threadOf(10 * SECOND_MS);
    const asked = thread.ask('one', { kind: 'ask', what: 'x', times: 1 } satisfies TestTask, {
      supply: () => Promise.reject(new Error('No connection')),
    });
    await expect(asked).rejects.toThrow('No connection');
    expect(await echo(thread, 'next')).toBe('next');
  });

  test('of one sender only so many wait, and another sender’s is answered before them', async () => {
    const thread = threadOf(10 * SECOND_MS, 2);
    const running = echo(thread, 'runs');
    const waiting = [echo(thread, 'waits'), echo(thread, 'waits too')];
    expect(await refusalOf(echo(thread, 'too many'))).toEqual({ reason: 'busy', message: 'Earlier ones wait to be read' });
    expect(await echo(thread, 'of another', 'two')).toBe('of another');
    expect(await Promise.all([running, ...waiting])).toEqual(['runs', 'waits', 'waits too']);
    expect(await echo(thread, 'afterwards')).toBe('afterwards');
  });

  test('a task is given up while it waits, while it runs, and before it was asked', async () => {
    const thread = threadOf(60 * SECOND_MS);
    const [waiting, running] = [new AbortController(), new AbortController()];
    const [first, second] = [refusalOf(never(thread, running.signal)), refusalOf(never(thread, waiting.signal))];
    waiting.abort();
    expect(await second).toEqual({ reason: 'given-up', message: 'It was given up' });
    running.abort();
    expect((await first)?.reason).toBe('given-up');
    expect((await refusalOf(never(thread, running.signal)))?.reason).toBe('given-up');
    expect(await echo(thread, 'next')).toBe('next');
  });

  test('it keeps no process alive', async () => {
    const program = `const { boundedThread } = await import(${JSON.stringify(new URL('./bounded-thread.ts', import.meta.url).href)});
      const thread = boundedThread(new URL(${JSON.stringify(file.href)}), { memoryMb: 48, timeMs: 10_000, waiting: 1 });
      console.log(await thread.ask('one', { kind: 'echo', text: 'answered' }));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
      {
        timeout: 60 * SECOND_MS,
      },
    );
    expect(stdout).toBe('answered\n');
  });
});
