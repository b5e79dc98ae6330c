import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { ElectionValues } from '@portal/contract/elections/elections';
import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { opensslPowers as powers } from '../../../packages/ballots/node/openssl-powers.ts';
import {
  choicesOf,
  createBallot,
  createCertificate,
  createPolynomial,
  createShare,
  decryptPartly,
  keyShareJson,
  newCredential,
  newSeed,
  openShare,
  parseJson,
  polynomialJson,
  printPartialDecryption,
  publicOf,
  readElection,
  readKeyInput,
  readKeyShare,
  readSignedMessage,
  rightKeyOf,
  secretOf,
  signedMessageJson,
  verifyArchive,
  verifyCertificates,
  votingRightOf,
} from '../../../packages/ballots/src/index.ts';
import { publishElection } from '../src/modules/elections/index.ts';
import { exampleElection, inDays } from './example-election.ts';
import type { TestPortal } from './portal.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const json = (text: string) => parseJson(text, 'A message of the test', { length: 1_000_000, depth: 10, values: 50_000 });

export const answers = ['Ada', 'Bo', 'Cy'];
/** People of the demo registry who are trustees, and the one who is the credential authority: of no account, and not of the registry. */
export const trusteeNames = ['hana', 'olive', 'tilda'] as const;
export const authorityName = 'nadia';

/** The address of the login of a demo person. */
export const emailOf = async ({ db }: TestPortal, name: string): Promise<string> =>
  (await db.read.selectFrom('login').select('email').where('username', '=', name).executeTakeFirstOrThrow()).email;

/** An election with encrypted ballots as a draft, with its answers, authority and trustees. */
export async function draftEncrypted(
  portal: TestPortal,
  { threshold = 2, values = {} }: { threshold?: number | null; values?: Partial<ElectionValues> } = {},
): Promise<string> {
  const stella = await portal.as('stella');
  const body = exampleElection({
    title: 'Council, encrypted',
    description: 'Two seats',
    seats: 2,
    maxSelections: 2,
    windows: [{ kind: 'member-vote', opensAt: inDays(-1), closesAt: inDays(1), url: '' }],
    ...values,
  });
  const { electionId } = (await stella(api.elections.addElection, { body: { ...body, ballots: 'encrypted' } })).data!;
  await stella(api.electionOptions.saveOptions, { electionId, body: { rows: answers.map(name => ({ name, statement: '' })) } });
  const appointed = await stella(api.encryptedBallotSetup.appointTrustees, {
    electionId,
    body: {
      authority: await emailOf(portal, authorityName),
      trustees: await Promise.all(trusteeNames.map(name => emailOf(portal, name))),
      threshold,
    },
  });
  expect(appointed.errors).toBe(undefined);
  return electionId;
}

/** Private credentials by account, as the credential authority makes them. */
export type Credentials = { uuid: string; byAccount: Map<string, { credential: string; votes: number }> };

/** The list that a credential authority sends: credentials with their votes, and rights. */
export async function credentialList({ uuid, byAccount }: Credentials): Promise<string> {
  const credentials: string[] = [];
  const rights: string[] = [];
  for (const [account, { credential, votes }] of byAccount) {
    const number = publicOf(await secretOf(credential, uuid));
    credentials.push(`${number} ${votes}`);
    rights.push(await votingRightOf(await rightKeyOf(credential, uuid), account, number));
  }
  return `${credentials.join('\n')}\n\n${rights.join('\n')}\n`;
}

/** The authority takes the roll, and makes a credential for each account. */
export async function makeCredentials(portal: TestPortal, electionId: string): Promise<Credentials> {
  await (await portal.as('dora'))(api.encryptedBallotSetup.fixRoll, { electionId });
  const { uuid, rows } = (await (await portal.as(authorityName))(api.ballotCredentials.takeRoll, { electionId })).data!;
  return { uuid, byAccount: new Map(rows.map(({ accountName, votes }) => [accountName, { credential: newCredential(), votes }])) };
}

export const sendTrusteeMessage = async (
  portal: TestPortal,
  name: string,
  input: { electionId: string; step: TrusteeStep; message: string },
) =>
  (await portal.as(name))(api.ballotTrustees.sendTrusteeMessage, {
    electionId: input.electionId,
    body: { step: input.step, message: input.message },
  });

/** The ballot as a trustee sees it. */
export const trusteeView = async (portal: TestPortal, name: string, electionId: string) =>
  (await (await portal.as(name))(api.ballotTrustees.getTrustee, { electionId })).data!;

/** Certificates of all trustees as keys. */
export const keysOf = (certificates: readonly string[]) =>
  verifyCertificates(
    certificates.map(text => readSignedMessage(json(text), 'a certificate')),
    { powers },
  );

/** The trustees make their key together, in three steps. @returns their seeds by name */
export async function makeThresholdKey(portal: TestPortal, electionId: string, threshold = 2): Promise<Map<string, string>> {
  const seeds = new Map(trusteeNames.map(name => [name, newSeed()]));
  const send = async (name: string, step: TrusteeStep, message: object) =>
    expect((await sendTrusteeMessage(portal, name, { electionId, step, message: JSON.stringify(message) })).errors).toBe(undefined);
  for (const [name, seed] of seeds) await send(name, 'certificate', signedMessageJson(await createCertificate(seed)));
  for (const [name, seed] of seeds) {
    const keys = await keysOf((await trusteeView(portal, name, electionId)).certificates!);
    await send(name, 'polynomial', polynomialJson(await createPolynomial(keys, { seed, threshold })));
  }
  for (const [name, seed] of seeds) {
    const { certificates, input } = await trusteeView(portal, name, electionId);
    const share = await createShare(await keysOf(certificates!), readKeyInput(json(input!), 'the input'), { seed, powers });
    await send(name, 'share', keyShareJson(share));
  }
  return seeds;
}

/** An election up to voting, and the secrets of all but the registry. */
export async function openEncrypted(
  portal: TestPortal,
  given: {
    values?: Partial<ElectionValues>;
    publish?: (electionId: string, version: number) => Promise<unknown>;
    /** Once the roll is fixed, before its credentials are made. */
    onRoll?: (electionId: string) => Promise<void>;
  } = {},
) {
  const electionId = await draftEncrypted(portal, given);
  if (given.onRoll) {
    await (await portal.as('dora'))(api.encryptedBallotSetup.fixRoll, { electionId });
    await given.onRoll(electionId);
  }
  const credentials = await makeCredentials(portal, electionId);
  const sent = await (await portal.as(authorityName))(api.ballotCredentials.sendCredentials, {
    electionId,
    body: { credentials: await credentialList(credentials) },
  });
  expect(sent.errors).toBe(undefined);
  const seeds = await makeThresholdKey(portal, electionId);
  // Accounts have had the time to object to the roll.
  await portal.db.change(line, change =>
    change.rows(sql`update election set roll_frozen_at = now() - interval '20 days' where election_id = ${Number(electionId)}`),
  );
  const [stella, dora] = await Promise.all([portal.as('stella'), portal.as('dora')]);
  expect((await dora(api.encryptedBallotSetup.setUpBallot, { electionId })).errors).toBe(undefined);
  const { version } = (await stella(api.elections.getElection, { electionId })).data!;
  if (given.publish) await given.publish(electionId, version);
  else
    await portal.db.change(line, change =>
      publishElection({
        change,
        params: { electionId },
        body: { version },
        publishedAt: new Date(instantAfter(Date.now(), -9 * DAY_MS)),
        registry: portal.context,
      }),
    );
  return { electionId, credentials, seeds };
}

export type OpenEncrypted = Awaited<ReturnType<typeof openEncrypted>>;

/** The archive as everyone downloads it. */
export async function archiveOf(portal: TestPortal, electionId: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await portal.request(`/elections/${electionId}/archive`);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

/** All of an archive, verified with the package. */
export const verified = async (bytes: Uint8Array) =>
  verifyArchive(
    (async function* () {
      yield bytes;
    })(),
    { powers },
  );

/** A ballot of an account, and what is sent with it. @param chosen places of answers, from 0 */
export async function ballotOf(
  portal: TestPortal,
  { electionId, credentials }: Pick<OpenEncrypted, 'electionId' | 'credentials'>,
  account: string,
  chosen: readonly number[],
  as: string,
) {
  const { parameters } = (await (await portal.as(as))(api.ballotCasting.getBallotForm, { account, electionId })).data!;
  const election = await readElection(parameters);
  const { credential } = credentials.byAccount.get(account)!;
  const secret = await secretOf(credential, credentials.uuid);
  const { text, tracker } = await createBallot(election, { secret, choices: [choicesOf(election.questions[0]!, chosen)] });
  return { ballot: text, rightKey: await rightKeyOf(credential, credentials.uuid), tracker };
}

/** Sends a ballot. */
export const cast = async (
  portal: TestPortal,
  electionId: string,
  { as, account, body }: { as: string; account: string; body: { ballot: string; rightKey: string } },
) => (await portal.as(as))(api.ballotCasting.castBallot, { account, electionId, body: { ballot: body.ballot, rightKey: body.rightKey } });

/** A trustee decrypts the sums of the archive with the share of the seed. */
export async function decryptAs(
  portal: TestPortal,
  { electionId, seeds }: OpenEncrypted,
  name: (typeof trusteeNames)[number],
): Promise<string> {
  const { certificates, share, number } = await trusteeView(portal, name, electionId);
  const { election, tally } = await verified(await archiveOf(portal, electionId));
  const privateKey = await openShare(await keysOf(certificates!), readKeyShare(json(share!), 'the share').privateKey, seeds.get(name)!);
  const [message] = await printPartialDecryption(await decryptPartly(election, tally!.tally, { privateKey }), number);
  return message;
}
