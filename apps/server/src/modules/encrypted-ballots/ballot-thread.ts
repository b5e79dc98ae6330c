import { ballotRefused, orRefused } from './refused.ts';
import { type Election, hexHash, opensslPowers, readElection, trackerOf, verifyBallot } from './protocol.ts';

/** A ballot as it was sent, and the election as its archive has it. */
export type CastTask = { parameters: string; ballot: string };
/** Facts that are kept beside a ballot in which all proofs hold. */
export type VerifiedBallot = { tracker: string; credential: bigint; credentialHash: string };

/** The election of the last ballot: its table of powers serves all of its ballots. */
let open: { text: string; election: Promise<Election> } | null = null;

/** Verifies the signature, the elements and the proofs of a ballot. @throws Failure BALLOT_REFUSED */
export const read = ({ parameters, ballot: text }: CastTask): Promise<VerifiedBallot> =>
  orRefused(async () => {
    if (open?.text !== parameters) open = { text: parameters, election: readElection(parameters) };
    const { credential } = await verifyBallot(await open.election, text, { powers: opensslPowers });
    return { tracker: await trackerOf(text), credential, credentialHash: await hexHash(`${credential}`) };
  }, ballotRefused);
