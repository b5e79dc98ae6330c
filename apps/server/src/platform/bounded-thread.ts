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
  const queues = senderQueues(most);
  let worker: Worker | undefined;
  let running: Waiting | undefined;
  let isReady = false;
  let lastId = 0;

  const finish = (end: (task: Waiting) => void): void => {
    const task = running;
    limit.stop();
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
  const limit = timeLimit(lose);
  const tooLong = () => new TaskRefused('time', `It took longer than ${timeMs / SECOND_MS} seconds`);
  const begin = (): void => {
    limit.run(timeMs, tooLong);
    worker!.postMessage({ id: running!.id, task: running!.task } satisfies ToThread);
  };
  const hand = (id: number, supplied: unknown): void => {
    if (running?.id === id) worker!.postMessage({ id, supplied } satisfies ToThread);
  };
  const supply = async ({ id, supply: give }: Waiting, need: unknown): Promise<void> => {
    const left = limit.stop();
    try {
      const supplied = await give(need);
      if (running?.id === id) limit.run(left, tooLong);
      hand(id, supplied);
    } catch (error) {
      // The thread waits for data that will not come: restart it.
      if (running?.id === id) lose(error as Error);
    }
  };
  const hear = (message: FromThread): void => {
    if ('ready' in message) {
      isReady = true;
      if (running) begin();
    } else if (!('id' in message) || message.id !== running?.id) return;
    else if ('need' in message) void supply(running, message.need);
    else if ('portion' in message) takeOver(running, message.portion, id => hand(id, null));
    else if ('failure' in message) finish(({ reject }) => reject(new TaskFailed(message.failure)));
    else if ('answer' in message) finish(({ resolve }) => resolve(message.answer));
  };
  const start = (): Worker => {
    const started: Worker = startThread(file, memoryMb, {
      hear: message => worker === started && hear(message),
      ended: () => {
        if (worker !== started) return;
        worker = undefined;
        if (running) lose(new TaskRefused('ended', `It took more than ${memoryMb} MB of memory, or ended the program that read it`));
      },
    });
    isReady = false;
    return started;
  };
  function next(): void {
    if (running) return;
    running = queues.take();
    if (!running) return worker?.unref();
    if (!worker) {
      worker = begun(start, error => queueMicrotask(() => finish(({ reject }) => reject(error))));
      if (worker) limit.run(START_MS, () => new TaskRefused('ended', 'The program that reads it did not begin'));
    } else {
      worker.ref();
      if (isReady) begin();
    }
  }

  /** Withdraws a waiting task, or ends the thread if the task is running. */
  const giveUp = (sender: string, task: Waiting): void => {
    if (running === task) return lose(givenUp());
    queues.drop(sender, task);
    task.reject(givenUp());
  };

  return {
    /**
     * Runs a task in the thread and returns its answer. One task runs at a time per sender. @param supply returns what the thread asks for meanwhile;
     * `take` is handed each portion that comes before the answer; `signal` aborts the task @throws {TaskRefused}, {TaskFailed}, and what `supply` throws
     */
    ask: <Answer>(sender: string, task: unknown, { signal, ...asking }: Asking = {}): Promise<Answer> => {
      if (queues.isFull(sender)) return Promise.reject(new TaskRefused('busy', 'Earlier ones wait to be read'));
      const { waiting, promise } = waitingTask<Answer>(++lastId, task, asking);
      const stop = (): void => giveUp(sender, waiting);
      signal?.addEventListener('abort', stop, { once: true });
      queues.add(sender, waiting);
      if (signal?.aborted) stop();
      next();
      return promise.finally(() => signal?.removeEventListener('abort', stop));
    },
  };
}

export type BoundedThread = ReturnType<typeof boundedThread>;

const givenUp = (): TaskRefused => new TaskRefused('given-up', 'It was given up');

/** Returns a task, and the promise of its answer. */
function waitingTask<Answer>(id: number, task: unknown, { supply = () => Promise.resolve(null), take = () => {} }: Asking) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const waiting: Waiting = { id, task, supply, take, resolve: resolve as (answer: unknown) => void, reject };
  return { waiting, promise };
}

/** Takes over a portion. The next is asked for in a turn of its own: others that have arrived meanwhile would all be taken over in this one. */
function takeOver({ id, take }: Waiting, portion: unknown, askForNext: (id: number) => void): void {
  take(portion);
  setImmediate(() => askForNext(id));
}

/** Tasks that wait, by sender; the senders take turns. @param most tasks of one sender */
function senderQueues(most: number) {
  const queues = new Map<string, Waiting[]>();
  const tasksOf = (sender: string): Waiting[] => queues.get(sender) ?? [];
  return {
    isFull(sender: string): boolean {
      const { length } = tasksOf(sender);
      return length >= most || (length === 0 && queues.size >= MAX_SENDERS);
    },
    add(sender: string, task: Waiting): void {
      queues.set(sender, [...tasksOf(sender), task]);
    },
    /** Returns the next task; undefined if none waits. The next sender's turn comes before this one's next task. */
    take(): Waiting | undefined {
      const [first] = queues;
      if (!first) return undefined;
      const [sender, tasks] = first;
      queues.delete(sender);
      const task = tasks.shift();
      if (tasks.length > 0) queues.set(sender, tasks);
      return task;
    },
    drop(sender: string, task: Waiting): void {
      const left = tasksOf(sender).filter(each => each !== task);
      if (left.length > 0) queues.set(sender, left);
      else queues.delete(sender);
    },
  };
}

/** A limit of time for one thing after another. @param exceeded gets the refusal that `run` was given when its time is over */
function timeLimit(exceeded: (refused: TaskRefused) => void) {
  let timer: NodeJS.Timeout | undefined;
  let endsAt = 0;
  return {
    run(ms: number, refusal: () => TaskRefused): void {
      clearTimeout(timer);
      endsAt = performance.now() + ms;
      timer = setTimeout(() => exceeded(refusal()), Math.max(ms, 0));
    },
    /** Stops the limit, and returns the time that was left, in ms. */
    stop(): number {
      clearTimeout(timer);
      return endsAt - performance.now();
    },
  };
}

/** Starts a thread, unless there are no more threads or memory: then its task is refused, and the next one tries again. */
function begun(start: () => Worker, refuse: (error: TaskRefused) => void): Worker | undefined {
  try {
    return start();
  } catch (error) {
    refuse(new TaskRefused('ended', `The program that reads it can’t begin: ${(error as Error).message}`));
    return undefined;
  }
}

/** Starts a thread. `hear` gets its messages, `ended` is called when it fails or ends. */
function startThread(file: URL, memoryMb: number, { hear, ended }: { hear: (message: FromThread) => void; ended: () => void }): Worker {
  const started = new Worker(file, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  started.on('message', hear);
  started.on('error', ended);
  started.on('exit', ended);
  return started;
}
