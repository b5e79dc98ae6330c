import type { MemoryBound } from '../memory-bound.ts';
import { BusyLane } from './busy-lane.ts';
import type { Admitted, Caller } from './caller.ts';
import { DirectCalls } from './direct-calls.ts';
import { Turns } from './turns.ts';

/**
 * How many calls of each login and account may run at a time in one process: few compared with the connections of a process
 * (`database/connections.ts`), and more than a page needs, as browsers send six requests at a time.
 */
const limits = {
  reads: { running: 6, waiting: 100 },
  changes: { running: 3, waiting: 100 },
  changesOfAccount: { running: 6, waiting: 200 },
  // A file takes time to arrive, and the sender's other calls don't wait for it.
  files: { running: 4, waiting: 20 },
  // A file is made while it is sent, long after the call itself is over.
  downloads: { running: 4, waiting: 20 },
};

/** Time, in ms, after which a call gives its place in the lane to the next one: work rarely takes longer, so it waits for another system. */
const LANE_MS = 2_000;
/** Time, in ms, for which a call of the lane gives way to direct ones before it begins, and a file before each part of it that is made. */
const GIVES_WAY_MS = 250;
const PART_GIVES_WAY_MS = 50;

/** Returns a function that ends something once, and ends it after so many ms at the latest. */
function heldFor(ms: number, end: () => void): () => void {
  const timer = setTimeout(end, ms).unref();
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Limits concurrent calls in one process. */
export type CallTurns = {
  /** Waits until a read or change may run. @param isLong whether it takes long by its kind @returns a function that ends its turn @throws Failure TOO_MANY_REQUESTS */
  take: (who: Admitted, call: { isRead: boolean; isLong: boolean }) => Promise<() => void>;
  /** The same for an upload. */
  takeFile: (who: Admitted) => Promise<() => void>;
  /** The same for a download, which lasts until its last part is sent. */
  takeDownload: (who: Admitted) => Promise<() => void>;
  /** Waits for a place among the downloads that are made now. */
  takeMade: (who: Admitted) => Promise<() => void>;
  /** Waits a moment, while calls that wait for no one are worked on. */
  giveWay: () => Promise<void>;
  /** @throws Failure MEMORY_SHORT where this process has no memory for what takes much */
  requireRoom: () => void;
};

/** Programs with an API key are limited separately: they never slow down the pages of the person who created it. */
const nameOf = ({ amr, sid, loginId }: Caller): string => (amr.includes('api-key') ? sid! : loginId);

/** Returns the call limits of a process. A login waits for its own turn before that of its account, so two calls can't deadlock. */
export function callTurns(memory?: Pick<MemoryBound, 'requireRoom'>): CallTurns {
  const [reads, changes, changesOfAccount] = [new Turns(limits.reads), new Turns(limits.changes), new Turns(limits.changesOfAccount)];
  const [files, downloads] = [new Turns(limits.files), new Turns(limits.downloads)];
  // Apart: a file may take minutes to make, and a call of someone who was busy doesn't wait for that.
  const [lane, made, direct] = [new BusyLane(), new BusyLane(), new DirectCalls()];
  const inLane = async (name: string): Promise<() => void> => {
    const end = await lane.take(name);
    await direct.giveWay(GIVES_WAY_MS);
    return heldFor(LANE_MS, end);
  };
  const requireRoom = (): void => memory?.requireRoom();
  return {
    requireRoom,
    takeFile: ({ caller }) => files.take(caller ? nameOf(caller) : ''),
    takeDownload: ({ caller }) => downloads.take(caller ? nameOf(caller) : ''),
    takeMade: ({ caller }) => made.take(caller ? nameOf(caller) : ''),
    giveWay: () => direct.giveWay(PART_GIVES_WAY_MS),
    async take({ caller, account }, { isRead, isLong }) {
      const ends: (() => void)[] = [];
      const end = (): void => ends.toReversed().forEach(each => each());
      try {
        if (!caller) return end;
        const name = nameOf(caller);
        ends.push(lane.asks(name));
        ends.push(await (isRead ? reads : changes).take(name));
        if (account && !isRead) ends.push(await changesOfAccount.take(account.accountName));
        // Last, so that no place in the lane is held while waiting for something else.
        ends.push(isLong || lane.isBusy(name) ? await inLane(name) : direct.begin());
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}
