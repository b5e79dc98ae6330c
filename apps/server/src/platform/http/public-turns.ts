import { Failure } from '../failure.ts';
import { addressGroup } from '../line-server.ts';
import { Turns } from './turns.ts';

/** How many questions of one address are answered at a time, and how many more wait: a page asks the database some twenty times. */
const OF_ADDRESS = { running: 2, waiting: 20 };
/** Of all addresses: fewer than the connections that read, so that members always have some, however many strangers ask from however many places. */
const OF_ALL = { running: 3, waiting: 1000 };

/** Does work for anyone who isn't signed in, in the turn of the address. @throws Failure TOO_MANY_REQUESTS if too many already wait */
export type PublicTurn = <T>(address: string, work: () => Promise<T>) => Promise<T>;

/** Whether work had no turn, because too many wait. */
export const hadNoTurn = (error: unknown): boolean => error instanceof Failure && error.code === 'TOO_MANY_REQUESTS';

/** Returns the turns that a process gives to strangers: those of an address first, so that one with many questions takes no turn of others. */
export function publicTurns(): PublicTurn {
  const [ofAddress, ofAll] = [new Turns(OF_ADDRESS), new Turns(OF_ALL)];
  return async (address, work) => {
    const end = await ofAddress.take(addressGroup(address));
    try {
      const endOfAll = await ofAll.take('');
      try {
        return await work();
      } finally {
        endOfAll();
      }
    } finally {
      end();
    }
  };
}
