import { SECOND_MS } from '@portal/contract/days';
import { breathing } from '../breathing.ts';
import type { HeldBody } from '../held-body.ts';
import { readApart, readingThread, senderOf } from '../reading-apart.ts';
import type { read } from './body-thread.ts';
import type { Admitted } from './caller.ts';

/** Bodies have a thread of their own: a text in the other one may take seconds. The largest body takes half a second, and before the first one the contract is loaded. */
const bodyApart = readApart<typeof read>(
  new URL('./body-thread.ts', import.meta.url),
  readingThread({ memoryMb: 192, timeMs: 20 * SECOND_MS, waiting: 8 }),
);

/** The parsed body of a call, from one with many values. @throws Failure INVALID_REQUEST; TOO_MANY_REQUESTS while earlier ones of the caller wait */
export async function heldInput(endpoint: string, { pieces, bytes, dryRun, long }: HeldBody, who: Admitted): Promise<unknown> {
  const given = { endpoint, pieces, bytes, dryRun, longName: long?.name ?? null };
  const { portions, answer } = await bodyApart(senderOf(who), given, 'body');
  const breathe = breathing();
  // Inner lists came first: each is put where the items around it are.
  for (const { path, items } of portions.toSorted((a, b) => a.path.length - b.path.length)) {
    const list = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], answer) as unknown[];
    for (const item of items) list.push(item);
    await breathe();
  }
  if (long) (answer as Record<string, unknown>)[long.name] = long.text;
  return answer;
}
