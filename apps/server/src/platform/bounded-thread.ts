import { SECOND_MS } from '@portal/contract/days';
import { Worker } from 'node:worker_threads';

/** Limits of a thread. `memoryMb`: its heap; what is beyond ends it. `timeMs`: of one task, without the time for which it waits for bytes. `waiting`: tasks of one sender. */
export type ThreadLimits = { memoryMb: number; timeMs: number; waiting: number };

/**
 * Messages of the protocol: a task, a request for more data, that data, a portion of the result, a request for the next, and the result or what is left of it.
 * `serveTasks` in the thread's file is the other end.
 */
export type ToThread = { id: number; task: unknown } | { id: number; supplied: unknown };
export type FromThread =
  | { ready: true }
  | { id: number; need: unknown }
  | { id: number; portion: unknown }
  | { id: number; answer: unknown }
  | { id: number; failure: string };

/**
 * Thrown if a task has no answer: it exceeded its time limit, the thread ended, its sender has too many tasks waiting, or the caller aborted it. The
 * process goes on.
 */
export class TaskRefused extends Error {
  readonly reason: 'time' | 'ended' | 'busy' | 'given-up';
  constructor(reason: TaskRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Thrown if the thread failed at a task because of a defect in its program, which the sender may have found. */
export class TaskFailed extends Error {}

/** How long, in ms, a thread may take to start and load its program. */
const START_MS = 30 * SECOND_MS;
/** Senders with waiting tasks. */
const MAX_SENDERS = 1000;

type Waiting = {
  id: number;
  task: unknown;
  supply: (need: unknown) => Promise<unknown>;
  take: (portion: unknown) => void;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
};

type Asking = { supply?: Waiting['supply']; take?: Waiting['take']; signal?: AbortSignal };

/**
 * Runs untrusted input in a thread with limits, so that hostile input costs its sender a refusal and others nothing: one task at a time, senders take
 * turns, and a task that exceeds its time limit is ended. The thread starts with the first task, restarts after a task that ended it, and doesn't
 * keep the process alive.
 * @param file of the thread; it calls `serveTasks`
 */
export function boundedThread(file: URL, { memoryMb, timeMs, waiting: most }: ThreadLimits) {
  const queues = new Map<string, Waiting[]>();
  let worker: Worker | undefined;
  let running: Waiting | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;
  let left = 0;
  let startedAt = 0;
  let lastId = 0;

  const finish = (end: (task: Waiting) => void): void => {
    const task = running;
    clearTimeout(timer);
    running = undefined;
    if (task) end(task);
    next();
  };
  /** Terminates the thread, which wouldn't stop otherwise. The next task starts another. */
  const lose = (error: Error): void => {
    const lost = worker;
    worker = undefined;
    void lost?.terminate();
    finish(({ reject }) => reject(error));
  };
  const limit = (ms: number, refused: TaskRefused): void => {
    clearTimeout(timer);
    startedAt = performance.now();
    timer = setTimeout(() => lose(refused), ms);
  };
  const limitTask = (): void => limit(Math.max(left, 0), new TaskRefused('time', `It took longer than ${timeMs / SECOND_MS} seconds`));
  const begin = (): void => {
    left = timeMs;
    limitTask();
    worker!.postMessage({ id: running!.id, task: running!.task } satisfies ToThread);
  };
  const supply = async ({ id, supply: give }: Waiting, need: unknown): Promise<void> => {
    left -= performance.now() - startedAt;
    clearTimeout(timer);
    try {
      const supplied = await give(need);
      if (running?.id !== id) return;
      limitTask();
      worker!.postMessage({ id, supplied } satisfies ToThread);
    } catch (error) {
      // The thread waits for data that will not come: restart it.
      if (running?.id === id) lose(error as Error);
    }
  };
  /** Takes over a portion. The next is asked for in a turn of its own: others that have arrived meanwhile would all be taken over in this one. */
  const take = ({ id, take: keep }: Waiting, portion: unknown): void => {
    keep(portion);
    setImmediate(() => {
      if (running?.id === id) worker!.postMessage({ id, supplied: null } satisfies ToThread);
    });
  };
  const hear = (message: FromThread): void => {
    if ('ready' in message) {
      isReady = true;
      if (running) begin();
    } else if (!('id' in message) || message.id !== running?.id) return;
    else if ('need' in message) void supply(running, message.need);
    else if ('portion' in message) take(running, message.portion);
    else if ('failure' in message) finish(({ reject }) => reject(new TaskFailed(message.failure)));
    else if ('answer' in message) finish(({ resolve }) => resolve(message.answer));
  };
  const start = (): Worker => {
    const started = new Worker(file, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    isReady = false;
    const ended = (): void => {
      if (worker !== started) return;
      worker = undefined;
      if (running) lose(new TaskRefused('ended', `It took more than ${memoryMb} MB of memory, or ended the program that read it`));
    };
    started.on('message', (message: FromThread) => worker === started && hear(message));
    started.on('error', ended);
    started.on('exit', ended);
    return started;
  };
  function next(): void {
    if (running) return;
    const [first] = queues;
    if (!first) {
      worker?.unref();
      return;
    }
    // The next sender's turn comes before this one's next task.
    const [sender, tasks] = first;
    queues.delete(sender);
    running = tasks.shift()!;
    if (tasks.length > 0) queues.set(sender, tasks);
    if (worker) worker.ref();
    else {
      worker = start();
      limit(START_MS, new TaskRefused('ended', 'The program that reads it did not begin'));
      return;
    }
    if (isReady) begin();
  }

  /** Withdraws a waiting task, or ends the thread if the task is running. */
  const giveUp = (sender: string, task: Waiting): void => {
    const error = new TaskRefused('given-up', 'It was given up');
    if (running === task) return lose(error);
    const left = queues.get(sender)?.filter(each => each !== task) ?? [];
    if (left.length > 0) queues.set(sender, left);
    else queues.delete(sender);
    task.reject(error);
  };

  return {
    /**
     * Runs a task in the thread and returns its answer. One task runs at a time per sender. @param supply returns what the thread asks for meanwhile;
     * `take` is handed each portion that comes before the answer; `signal` aborts the task @throws {TaskRefused}, {TaskFailed}, and what `supply` throws
     */
    ask: <Answer>(
      sender: string,
      task: unknown,
      { supply = () => Promise.resolve(null), take: keep = () => {}, signal }: Asking = {},
    ): Promise<Answer> => {
      let cleanUp = (): void => {};
      return new Promise<Answer>((resolve, reject) => {
        const tasks = queues.get(sender) ?? [];
        if (tasks.length >= most || (tasks.length === 0 && queues.size >= MAX_SENDERS))
          return reject(new TaskRefused('busy', 'Earlier ones wait to be read'));
        const waiting: Waiting = { id: ++lastId, task, supply, take: keep, resolve: resolve as (answer: unknown) => void, reject };
        const stop = (): void => giveUp(sender, waiting);
        signal?.addEventListener('abort', stop, { once: true });
        cleanUp = () => signal?.removeEventListener('abort', stop);
        tasks.push(waiting);
        queues.set(sender, tasks);
        if (signal?.aborted) stop();
        next();
      }).finally(() => cleanUp());
    },
  };
}

export type BoundedThread = ReturnType<typeof boundedThread>;
