import { type Registry, RegistryUnreachable } from '@portal/client';

type Watching = { seconds: number; isJson: boolean; say: (line: string) => void; note: (line: string) => void; signal?: AbortSignal };

/** Prints each new line of the account's activity log until it is ended; with `isJson` an object a line. */
export async function watch(registry: Registry, { seconds, isJson, say, note, signal }: Watching): Promise<void> {
  let last: number | null = null;
  let isLost = false;
  while (!signal?.aborted) {
    try {
      const fresh = [];
      for await (const line of registry.each('activityLog.listActivities', { query: { limit: 50 } })) {
        // The first look finds where to begin.
        if (last === null || line.activityId <= last) {
          last ??= line.activityId;
          break;
        }
        fresh.push(line);
      }
      for (const line of fresh.reverse()) {
        say(
          isJson
            ? JSON.stringify(line)
            : `${line.at}  ${line.what}${line.object === '' ? '' : `  ${line.object}`}  ${line.actor.name}${line.result === 'done' ? '' : `  (${line.result})`}`,
        );
        last = line.activityId;
      }
      last ??= 0;
      isLost = false;
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      if (!isLost) note(`registry: ${error.message}. Trying again.`);
      isLost = true;
    }
    await pause(seconds * 1_000, signal);
  }
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
