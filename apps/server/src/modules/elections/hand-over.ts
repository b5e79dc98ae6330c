import { isRowId } from '@portal/contract/row-ids';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

/** The hand-over to the voting system: an opaque voter, the number of votes, and the expiry. */
export type HandOver = { voter: string; votes: number; electionId: string; generation: number; expiresAt: string };

const sign = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url');

/**
 * The address of a ballot with the signed hand-over in its query: `voter`, `votes`, `election`, `round`, `exp` (seconds since 1970) and `signature`, the
 * HMAC-SHA256 (base64url) of `vote.<voter>.<votes>.<election>.<round>.<exp>`. The voting system accepts a voter once a round, and none after `exp`.
 */
export function handOverAddress(url: string, secret: string, { voter, votes, electionId, generation, expiresAt }: HandOver): string {
  const address = new URL(url);
  const exp = Math.floor(Date.parse(expiresAt) / 1000);
  const values = { voter, votes, election: electionId, round: generation, exp };
  for (const [name, value] of Object.entries(values)) address.searchParams.set(name, String(value));
  address.searchParams.set('signature', sign(secret, `vote.${voter}.${votes}.${electionId}.${generation}.${exp}`));
  return address.href;
}

/** Returns the signature of the report that a voter has voted. */
export const reportSignature = (secret: string, voter: string, votedAt: string): string => sign(secret, `voted.${voter}.${votedAt}`);

/** Returns whether the voting system signed a report. Without a secret none is accepted. */
export function isReportSigned(
  secret: string,
  { voter, votedAt, signature }: { voter: string; votedAt: string; signature: string },
): boolean {
  if (secret === '') return false;
  const [expected, given] = [Buffer.from(reportSignature(secret, voter, votedAt)), Buffer.from(signature)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** A voting system: where its ballots are, and the key it shares with the portal. */
export type VotingSystem = { url: string; secret: string };

/** The ballots of the registry itself, for windows without an address. Their key follows from SECRET_KEY. */
export const ownBallots = (config: Secrets & { appUrl: string }): VotingSystem => ({
  url: `${config.appUrl}/ballots/vote`,
  secret: derivedKeys(config, 'ballots')[0].toString('base64url'),
});

/** Reads the hand-over in the query of a ballot's address; null if the portal didn't sign it. The caller checks its expiry. */
export function readHandOver(secret: string, query: Readonly<Record<string, unknown>>): HandOver | null {
  const [voter, votes, electionId, round, exp, signature] = ['voter', 'votes', 'election', 'round', 'exp', 'signature'].map(name =>
    typeof query[name] === 'string' ? query[name] : '',
  ) as [string, string, string, string, string, string];
  if (!/^[0-9a-f-]{36}$/.test(voter) || ![votes, electionId, round, exp].every(text => isRowId(text))) return null;
  const expected = Buffer.from(sign(secret, `vote.${voter}.${votes}.${electionId}.${round}.${exp}`));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  return { voter, votes: Number(votes), electionId, generation: Number(round), expiresAt: new Date(Number(exp) * 1000).toISOString() };
}
