import { TaskRefusal, type WorkerReply, type WorkerRequest, type WorkerTasks } from '../src/pages/voting/encrypted/worker-call.ts';

/** Returns a worker class whose tasks run on the thread of the test, for `vi.stubGlobal('Worker', …)`. @param open makes the tasks of one worker */
export const workerHere = (open: () => WorkerTasks) =>
  class extends EventTarget {
    readonly #tasks = open();

    postMessage({ id, task, input }: WorkerRequest): void {
      const reply = (data: WorkerReply) => this.dispatchEvent(new MessageEvent('message', { data }));
      void (async () => {
        try {
          reply({ id, answer: await this.#tasks[task]!(input as never, () => undefined) });
        } catch (error) {
          const expected = error instanceof TaskRefusal || (error as Error).name === 'Refusal';
          reply({ id, problem: (error as Error).message, expected });
        }
      })();
    }

    terminate(): void {
      // It has no thread.
    }
  };
