import { Refusal } from '@portal/ballots';
import { TaskRefusal, type WorkerReply, type WorkerRequest, type WorkerTasks } from './worker-call.ts';

/** Answers a page from its worker, one task after the other. Refusals of the protocol, and `TaskRefusal`, are sentences for the person. */
export function serveWorker(tasks: WorkerTasks): void {
  const reply = (message: WorkerReply) => self.postMessage(message);
  let before: Promise<void> = Promise.resolve();
  const run = async ({ id, task, input }: WorkerRequest): Promise<void> => {
    try {
      reply({ id, answer: await tasks[task]!(input as never, (done, all) => reply({ id, progress: { done, all } })) });
    } catch (error) {
      const expected = error instanceof Refusal || error instanceof TaskRefusal;
      reply({ id, problem: error instanceof Error ? error.message : String(error), expected });
    }
  };
  self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
    before = before.then(() => run(data));
  });
}
