import type { Admitted, Caller } from './caller.ts';
import { Turns } from './turns.ts';

/**
 * Calls of each login and each account under way at a time, in one process. They are few beside the connections of a process (`database/connections.ts`), and more than a
 * page asks for: browsers send six requests at a time.
 */
const limits = {
  reads: { running: 6, waiting: 100 },
  changes: { running: 3, waiting: 100 },
  changesOfAccount: { running: 6, waiting: 200 },
  // A file takes its time to arrive, and nothing else of its sender waits for it.
  files: { running: 4, waiting: 20 },
};

/** The turns of the calls that one process answers. */
export type CallTurns = {
  /** Waits for the turn of a read or change. @returns what ends it @throws Failure TOO_MANY_REQUESTS */
  take: (who: Admitted, isRead: boolean) => Promise<() => void>;
  /** The same for a file that is about to arrive. */
  takeFile: (who: Admitted) => Promise<() => void>;
};

/** Programs with a key have turns of their own: they never hold up the pages of the person who made it. */
const nameOf = ({ amr, sid, loginId }: Caller): string => (amr.includes('api-key') ? sid! : loginId);

/** Returns the turns of a process. A login waits for its own turn before that of its account: no two wait for each other. */
export function callTurns(): CallTurns {
  const [reads, changes, changesOfAccount] = [new Turns(limits.reads), new Turns(limits.changes), new Turns(limits.changesOfAccount)];
  const files = new Turns(limits.files);
  return {
    takeFile: ({ caller }) => files.take(caller ? nameOf(caller) : ''),
    async take({ caller, account }, isRead) {
      const ends: (() => void)[] = [];
      const end = (): void => ends.toReversed().forEach(each => each());
      try {
        if (caller) ends.push(await (isRead ? reads : changes).take(nameOf(caller)));
        if (account && !isRead) ends.push(await changesOfAccount.take(account.accountName));
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}
