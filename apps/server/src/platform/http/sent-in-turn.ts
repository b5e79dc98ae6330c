import type { Download } from '@portal/contract';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { tooMany } from '../counted-limit.ts';
import type { CallTurns } from './call-turns.ts';
import type { Admitted } from './caller.ts';
import { Spool } from './spool.ts';

/**
 * A download that takes its turn when its first part is read, and ends it after the last one, or when the reader goes away. One that is made now, with a connection of the
 * database, is made ahead of its reader, who may take hours for it: three slow readers would otherwise take all connections of a process.
 */
export function sentInTurn(download: Download, turns: CallTurns, who: Admitted): Download {
  const { chunks, bytes } = download;
  async function* parts() {
    const end = await turns.takeDownload(who);
    try {
      yield* bytes === undefined ? madeAhead(chunks, turns, who) : chunks;
    } finally {
      end();
    }
  }
  return { ...download, chunks: parts() };
}

/** Makes a download in its turn (`busy-lane.ts`), as fast as it can be made, and gives its parts as its reader takes them. @throws Failure TOO_MANY_REQUESTS */
function madeAhead(chunks: AsyncIterable<string | Uint8Array>, turns: CallTurns, who: Admitted): AsyncIterable<Uint8Array> {
  if (Spool.isFull) throw tooMany(MINUTE_MS / SECOND_MS);
  turns.requireRoom();
  const spool = new Spool();
  const make = async (): Promise<void> => {
    const end = await turns.takeMade(who);
    try {
      for await (const part of chunks) {
        if (spool.isDropped) return;
        await spool.add(part);
        await turns.giveWay();
      }
      spool.end();
    } catch (error) {
      spool.end({ error });
    } finally {
      end();
    }
  };
  void make();
  return spool.read();
}
