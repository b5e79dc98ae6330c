/** Tasks of a program in a worker, by name: functions of one value that answer with one. */
export type WorkerTasks = Readonly<Record<string, (input: never, onProgress: (done: number, all: number) => void) => unknown>>;

/** Messages between a page and its worker. */
export type WorkerRequest = { id: number; task: string; input: unknown };
export type WorkerReply =
  | { id: number; progress: { done: number; all: number } }
  | { id: number; answer: unknown }
  /** `expected`: a sentence for the person; otherwise a defect. */
  | { id: number; problem: string; expected: boolean };

/** Refusal of a task, in a sentence for the person. */
export class TaskRefusal extends Error {}

type InputOf<Task> = Task extends (input: infer Input, ...rest: never) => unknown ? Input : never;
type AnswerOf<Task> = Task extends (...given: never) => infer Answer ? Awaited<Answer> : never;

export type WorkerProgram<Tasks extends WorkerTasks> = {
  /**
   * Runs a task of the worker, after those that it was given before.
   * @param onProgress called with how much is done, and of how much
   * @throws TaskRefusal with a sentence for the person
   * @throws Error when the program in the worker fails, or isn’t loaded
   */
  run: <Name extends keyof Tasks & string>(
    task: Name,
    input: InputOf<Tasks[Name]>,
    onProgress?: (done: number, all: number) => void,
  ) => Promise<AnswerOf<Tasks[Name]>>;
  /** Ends the worker with all that it holds. */
  end: () => void;
};

type Rules = { createScriptURL: (address: string) => string };
type PolicyWindow = Window & { trustedTypes?: { createPolicy: (name: string, rules: Rules) => Rules } };
let rules: Rules | null = null;

/** The address of a worker for a browser with Trusted Types: files of this build only. */
function workerAddress(address: string): string {
  const own: Rules = {
    createScriptURL(given) {
      const { origin, pathname } = new URL(given, document.baseURI);
      if (origin !== location.origin || !/-worker(-[\w-]+)?\.(js|ts)$/.test(pathname))
        throw new TypeError(`${given} is no worker of the portal`);
      return given;
    },
  };
  rules ??= (window as PolicyWindow).trustedTypes?.createPolicy('worker', own) ?? own;
  return rules.createScriptURL(address);
}

type Waiting = { resolve: (answer: never) => void; reject: (problem: Error) => void; onProgress: (done: number, all: number) => void };

/** Starts a worker of the build. @param address of its file, as the bundler names it (`?worker&url`) */
export function openWorker<Tasks extends WorkerTasks>(address: string): WorkerProgram<Tasks> {
  const worker = new Worker(workerAddress(address), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let lost: Error | null = null;
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    if ('progress' in data) return asked.onProgress(data.progress.done, data.progress.all);
    waiting.delete(data.id);
    if ('answer' in data) asked.resolve(data.answer as never);
    else asked.reject(data.expected ? new TaskRefusal(data.problem) : new Error(data.problem));
  });
  worker.addEventListener('error', ({ message }) => {
    lost = new Error(message || 'The program couldn’t be loaded. Check your connection and reload the page.');
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
  });
  return {
    run: (task, input, onProgress = () => undefined) =>
      new Promise((resolve, reject) => {
        if (lost) return reject(lost);
        const id = ++last;
        waiting.set(id, { resolve, reject, onProgress });
        worker.postMessage({ id, task, input } satisfies WorkerRequest);
      }),
    end: () => worker.terminate(),
  };
}
