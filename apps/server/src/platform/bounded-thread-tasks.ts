import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './bounded-thread.ts';

/**
 * Runs the tasks of a bounded thread, one after the other. @param answer its `need` asks the parent for more; its `give` hands over a portion of the result,
 * and waits until the parent asks for the next
 */
export function serveTasks<Task>(
  answer: (task: Task, need: <Given>(what: unknown) => Promise<Given>, give: (portion: unknown) => Promise<void>) => unknown,
): void {
  const port = parentPort!;
  let take: ((supplied: unknown) => void) | undefined;
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  port.on('message', (message: ToThread) => {
    if ('supplied' in message) return take?.(message.supplied);
    const { id, task } = message;
    const need = <Given>(what: unknown): Promise<Given> =>
      new Promise(resolve => {
        take = resolve as (supplied: unknown) => void;
        send({ id, need: what });
      });
    const give = (portion: unknown): Promise<void> =>
      new Promise(resolve => {
        take = () => resolve();
        send({ id, portion });
      });
    void (async () => answer(task as Task, need, give))().then(
      answered => send({ id, answer: answered }),
      (error: unknown) => send({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  send({ ready: true });
}
