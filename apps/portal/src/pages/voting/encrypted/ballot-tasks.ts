import {
  type BallotOpening,
  choicesOf,
  createBallot,
  type Election,
  hexHash,
  isCredential,
  openedHolds,
  printOpenedBallot,
  readElection,
  rightKeyOf,
  secretOf,
} from '@portal/ballots';
import { TaskRefusal } from './worker-call.ts';

/** A ballot as everyone may see it: its tracker, in Base64 and in hexadecimal. */
export type SealedBallot = { tracker: string; trackerHex: string };
/** A ballot as it is sent to be cast. */
export type SentBallot = { ballot: string; rightKey: string };
/** A ballot opened for checking. */
export type OpenBallot = {
  tracker: string;
  /** Its numbers in the order of the ballot, the blank vote first, with the randomness of each in base 10. */
  numbers: { value: number; randomness: string }[];
  /** Whether its numbers, encrypted again, are those of the ballot. */
  holds: boolean;
  /** The file with which other programs check it. */
  file: string;
};

type Made = SentBallot & SealedBallot & { election: Election; opening: BallotOpening };

/**
 * A voting code in its one form, with a dash after each three characters.
 * @throws TaskRefusal for what isn’t one: its last character is a check digit
 */
export function readCode(typed: string): string {
  const characters = typed.replaceAll(/[\s\-\u2010-\u2015]/g, '');
  const code = characters.replaceAll(/...(?!$)/g, '$&-');
  if (characters.length !== 15)
    throw new TaskRefusal(`A voting code has 15 characters, such as 5fx-vbR-eAe-jsC-Ywu. This one has ${characters.length}.`);
  if (!isCredential(code))
    throw new TaskRefusal(
      'This isn’t a voting code. Compare it with the e-mail: capital and small letters differ, and 0, O, I and l don’t occur.',
    );
  return code;
}

/**
 * The ballot of one voter. It holds one ballot at a time, which is either handed over to be cast, and its opening forgotten, or opened to be checked, and then never
 * handed over: what is in a cast ballot can’t be shown to anyone.
 */
export function openBallotTasks() {
  let made: Made | null = null;
  let election: Promise<Election> | null = null;
  const take = (): Made => {
    if (!made) throw new Error('No ballot is encrypted');
    const taken = made;
    made = null;
    return taken;
  };
  return {
    /** Reads the election and makes the tables of powers, so that encrypting takes less. @returns its fingerprint */
    async prepare(parameters: string): Promise<string> {
      election = readElection(parameters);
      const { key, fingerprint } = await election;
      key.power(1n);
      return fingerprint;
    },

    /** Encrypts and signs a ballot. @param chosen places of answers, from 0; none for a blank ballot. @throws TaskRefusal for a wrong code */
    async encrypt(
      { code: typed, chosen }: { code: string; chosen: readonly number[] },
      onProgress: (done: number, all: number) => void,
    ): Promise<SealedBallot> {
      const code = readCode(typed);
      const of = await election!;
      const secret = await secretOf(code, of.uuid);
      const choices = [choicesOf(of.questions[0]!, chosen)];
      const { text, tracker, opening } = await createBallot(of, { secret, choices, onProgress });
      const trackerHex = await hexHash(text);
      made = { ballot: text, rightKey: await rightKeyOf(code, of.uuid), tracker, trackerHex, election: of, opening };
      return { tracker, trackerHex };
    },

    /** Hands the ballot over to be cast, and forgets what opens it. */
    seal(): SentBallot {
      const { ballot, rightKey } = take();
      return { ballot, rightKey };
    },

    /** Opens the ballot, which is then not handed over any more. */
    open(): OpenBallot {
      const { ballot: text, tracker, opening, election: of } = take();
      const [numbers, exponents] = [opening.choices[0]!, opening.randomness[0]!];
      return {
        tracker,
        numbers: numbers.map((value, place) => ({ value, randomness: `${exponents[place]!}` })),
        holds: openedHolds(of, { text, opening }),
        file: printOpenedBallot(of, { text, opening }),
      };
    },
  };
}

export type BallotTasks = ReturnType<typeof openBallotTasks>;
