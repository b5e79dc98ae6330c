import { randomBytes } from 'node:crypto';
import { SECOND_MS } from '@portal/contract/days';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Config } from '../../../config.ts';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { OidcPayloads } from '../protocol/oidc-payloads.ts';
import { factorName } from './factor-names.ts';

/** A passkey of a person (WebAuthn): a key that their device proves to hold after verifying them. */
export type Passkey = {
  /** Credential id, base64url. */
  credentialId: string;
  /** Name given by the person. */
  name: string;
  /** Bound to one device, or copied between those of the person. */
  deviceType: 'singleDevice' | 'multiDevice';
  transports: string[];
  enrolledAt: string;
  lastUsedAt: string | null;
};

/** A passkey that was proven, not stored yet. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'deviceType' | 'transports'> & {
  loginId: string;
  /** COSE key. */
  publicKey: Uint8Array;
  counter: number;
  /** The authenticator model, self-reported and not proof of anything. */
  aaguid: string;
};

/** Why an answer of a browser is not accepted, in words for the person; `copied`: the key's counter went back, so a copy of it is in use. */
export type PasskeyRefusal = { refused: string; why: 'malformed' | 'expired' | 'unknown' | 'copied' };

export const MAX_PASSKEYS = 20;
const CHALLENGE_SECONDS = 300;
/** ES256, EdDSA and RS256: what every authenticator in use can do at least one of (COSE algorithms). */
const algorithms = [-8, -7, -257];

/** Loads the library on first use: with its dependencies it is 300 files, which would slow down every start. */
const webAuthn = () => import('@simplewebauthn/server');

const relyingParty = ({ appUrl }: Config): { origin: string; id: string } => {
  const { origin, hostname } = new URL(appUrl);
  return { origin, id: hostname };
};

/** The passkeys of a person, oldest first. */
export function listPasskeys(read: Read, loginId: string): Promise<Passkey[]> {
  return read
    .selectFrom('loginPasskey')
    .leftJoin('passkeyUse', 'passkeyUse.credentialId', 'loginPasskey.credentialId')
    .select([
      'loginPasskey.credentialId',
      'name',
      sql<Passkey['deviceType']>`device_type`.as('deviceType'),
      'transports',
      'enrolledAt',
      'passkeyUse.usedAt as lastUsedAt',
    ])
    .where('loginId', '=', loginId)
    .orderBy('enrolledAt')
    .orderBy('loginPasskey.credentialId')
    .execute();
}

/**
 * Returns the options for creating a passkey (WebAuthn 5.4): discoverable and with user verification. The challenge is valid for one answer
 * within five minutes, from this person, under the same `bound`.
 * @param bound the interaction or session that the page belongs to.
 */
export async function passkeyCreation(
  db: Database,
  config: Config,
  person: { loginId: string; email: string; fullName: string; product: string },
  bound: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const there = await listPasskeys(db.read, person.loginId);
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: person.product,
    rpID: relyingParty(config).id,
    userID: new Uint8Array(Buffer.from(person.loginId)),
    userName: person.email,
    userDisplayName: person.fullName,
    challenge: await newChallenge(db, 'create', person.loginId, bound),
    timeout: CHALLENGE_SECONDS * SECOND_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: there.map(({ credentialId, transports }) => ({ id: credentialId, transports: transports as never })),
    supportedAlgorithmIDs: algorithms,
  });
}

/**
 * Returns the options for proving a passkey: any of this relying party to sign in without a name, those of `loginId` as a second factor. The challenge is
 * valid for one answer within five minutes under the same `loginId` and `bound`.
 */
export async function passkeyRequest(
  db: Database,
  config: Config,
  loginId: string | null,
  bound: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const theirs = loginId === null ? [] : await listPasskeys(db.read, loginId);
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    challenge: await newChallenge(db, 'get', loginId, bound),
    timeout: CHALLENGE_SECONDS * SECOND_MS,
    userVerification: 'required',
    allowCredentials: theirs.map(({ credentialId, transports }) => ({ id: credentialId, transports: transports as never })),
  });
}

type Ceremony = 'create' | 'get';
const challenges = (db: Database): OidcPayloads => new OidcPayloads(db, 'PasskeyChallenge');
/** A challenge is found only by its person and purpose. */
const challengeName = (ceremony: Ceremony, loginId: string | null, bound: string, challenge: string): string =>
  JSON.stringify([ceremony, loginId, bound, challenge]);

async function newChallenge(db: Database, ceremony: Ceremony, loginId: string | null, bound: string): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  const name = challengeName(ceremony, loginId, bound, Buffer.from(challenge).toString('base64url'));
  await challenges(db).upsert(name, {}, CHALLENGE_SECONDS);
  return challenge;
}

/** Consumes an issued challenge; false if it is unknown, too old or consumed. */
async function takeChallenge(
  db: Database,
  ceremony: Ceremony,
  loginId: string | null,
  bound: string,
  clientDataJSON: string,
): Promise<boolean> {
  const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown };
  if (typeof challenge !== 'string') return false;
  const name = challengeName(ceremony, loginId, bound, challenge);
  const found = await challenges(db).find(name);
  if (!found || found.consumed) return false;
  return challenges(db)
    .consume(name)
    .then(
      () => true,
      () => false,
    );
}

const base64url = z.string().check(z.regex(/^[\w-]+={0,2}$/), z.maxLength(20_000));
const RegistrationAnswer = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10))),
  }),
});
const SignInAnswer = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.nullish(z.string().check(z.regex(/^[\w-]*={0,2}$/), z.maxLength(200))),
  }),
});

function readAnswer<T extends z.ZodMiniType>(schema: T, answer: string): z.output<T> | null {
  try {
    const parsed = z.safeParse(schema, JSON.parse(answer));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const malformed: PasskeyRefusal = { refused: 'The browser’s answer can’t be read. Try again.', why: 'malformed' };
const expired: PasskeyRefusal = {
  refused: 'This took longer than five minutes or was sent twice. Try again.',
  why: 'expired',
};
const notStored: PasskeyRefusal = {
  refused: 'This passkey couldn’t be verified. Use one that asks for your fingerprint, face or PIN.',
  why: 'malformed',
};
const unknown: PasskeyRefusal = { refused: 'This passkey doesn’t belong to a login here. Log in another way.', why: 'unknown' };
const copied: PasskeyRefusal = {
  refused: 'This passkey was refused because a copy may be in use. Log in another way, then remove it.',
  why: 'copied',
};

/**
 * Checks a browser's answer to `passkeyCreation` (untrusted JSON). Never throws because of the answer. The challenge is consumed even if the answer is refused.
 */
export async function verifyNewPasskey(
  db: Database,
  config: Config,
  { loginId, bound, answer }: { loginId: string; bound: string; answer: string },
): Promise<NewPasskey | PasskeyRefusal> {
  const read = readAnswer(RegistrationAnswer, answer);
  if (!read) return malformed;
  const { clientDataJSON } = read.response;
  if (!isJson(clientDataJSON)) return malformed;
  if (!(await takeChallenge(db, 'create', loginId, bound, clientDataJSON))) return expired;
  const { origin, id } = relyingParty(config);
  const { verifyRegistrationResponse } = await webAuthn();
  try {
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: { ...read, clientExtensionResults: {} } as RegistrationResponseJSON,
      // Taken above: single use needs the database.
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!made || made.credential.id !== read.id) return notStored;
    return {
      loginId,
      credentialId: made.credential.id,
      publicKey: made.credential.publicKey,
      counter: made.credential.counter,
      deviceType: made.credentialDeviceType,
      transports: read.response.transports ?? [],
      aaguid: made.aaguid,
    };
  } catch {
    return notStored;
  }
}

/**
 * Stores a proven passkey. @throws Failure INVALID_REQUEST for too many, a known one, or an invalid name.
 */
export async function addPasskey(change: Change, passkey: NewPasskey, name: string): Promise<void> {
  const { loginId, credentialId, publicKey, counter, deviceType, transports } = passkey;
  await change.selectFrom('login').select('loginId').where('loginId', '=', loginId).forUpdate().execute();
  const there = await listPasskeys(change, loginId);
  if (there.length >= MAX_PASSKEYS)
    throw refuse('INVALID_REQUEST', { detail: `you can have at most ${MAX_PASSKEYS} passkeys. Remove one first` });
  const { numInsertedOrUpdatedRows } = await change
    .insertInto('loginPasskey')
    .values({
      credentialId,
      loginId,
      name: factorName(name),
      publicKey: Buffer.from(publicKey),
      transports,
      deviceType,
      enrolledAt: change.now,
    })
    .onConflict(conflict => conflict.column('credentialId').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) throw refuse('INVALID_REQUEST', { detail: 'this passkey is already added' });
  await change.insertInto('passkeyUse').values({ credentialId, counter, usedAt: null }).execute();
}

/** The person who proved a passkey, and how (RFC 8176): `hwk` in one device or `swk` synced between devices, and `user` with user verification. */
export type AcceptedPasskey = {
  loginId: string;
  /** Number of times all their sessions had been ended when it was looked up. */
  sessionsEnded: number;
  credentialId: string;
  amr: ['hwk' | 'swk', 'user'];
};

/**
 * Verifies a browser's answer to `passkeyRequest` (untrusted JSON), given the same `loginId` and `bound`. Never throws because of the answer. The
 * challenge is consumed even if the answer is refused; of the same answer sent several times concurrently one is accepted.
 */
export async function acceptPasskey(
  db: Database,
  config: Config,
  { loginId, bound, answer, now }: { loginId: string | null; bound: string; answer: string; now: Date },
): Promise<AcceptedPasskey | PasskeyRefusal> {
  const read = readAnswer(SignInAnswer, answer);
  if (!read) return malformed;
  const { clientDataJSON, userHandle } = read.response;
  if (!isJson(clientDataJSON)) return malformed;
  if (!(await takeChallenge(db, 'get', loginId, bound, clientDataJSON))) return expired;
  const known = await db.read
    .selectFrom('loginPasskey')
    .innerJoin('login', 'login.loginId', 'loginPasskey.loginId')
    .select(['login.loginId', 'sessionsEnded', 'publicKey', 'deviceType'])
    .where('credentialId', '=', read.id)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  if (!known || (loginId !== null && known.loginId !== loginId)) return unknown;
  // WebAuthn 7.2: without a list of allowed credentials the answer must name the person, and it must be the right one.
  if (userHandle ? Buffer.from(userHandle, 'base64url').toString() !== known.loginId : loginId === null) return unknown;
  const { origin, id } = relyingParty(config);
  let counter: number;
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...read, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // The counter is compared in the database, so that two concurrent answers can't both pass.
      credential: { id: read.id, publicKey: new Uint8Array(known.publicKey), counter: 0 },
    });
    if (!verified) return notStored;
    counter = authenticationInfo.newCounter;
  } catch {
    return notStored;
  }
  if (!(await raiseCounter(db, read.id, counter, now))) return copied;
  const { sessionsEnded, deviceType } = known;
  return { loginId: known.loginId, sessionsEnded, credentialId: read.id, amr: [deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user'] };
}

/** The signature counter must grow (WebAuthn 6.1.1); passkeys that are copied between devices always say 0. False if it didn't. */
async function raiseCounter(db: Database, credentialId: string, counter: number, now: Date): Promise<boolean> {
  const row = { counter, usedAt: now.toISOString() };
  const { numInsertedOrUpdatedRows } = await db.unrecorded
    .insertInto('passkeyUse')
    .values({ credentialId, ...row })
    .onConflict(conflict =>
      conflict
        .column('credentialId')
        .doUpdateSet(row)
        .where(eb => eb.or([eb('passkeyUse.counter', '<', counter), eb.and([eb('passkeyUse.counter', '=', 0), eb.val(counter === 0)])])),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

function isJson(encoded: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/**
 * Renames a passkey. False when the person has no such passkey. @throws Failure INVALID_REQUEST for an invalid name.
 */
export async function renamePasskey(change: Change, loginId: string, credentialId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await change
    .updateTable('loginPasskey')
    .set({ name: factorName(name) })
    .where('loginId', '=', loginId)
    .where('credentialId', '=', credentialId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Removes a passkey. False when the person has no such passkey. */
export async function removePasskey(change: Change, loginId: string, credentialId: string): Promise<boolean> {
  const { numDeletedRows } = await change
    .deleteFrom('loginPasskey')
    .where('loginId', '=', loginId)
    .where('credentialId', '=', credentialId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Passkey providers by their published AAGUID; only used to suggest a name. */
const keepers: Record<string, string> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on macOS',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
};

/** The default name of a passkey: where it is stored, or where it was made (`Chrome on Linux`). */
export const passkeyNameOf = ({ aaguid }: Pick<NewPasskey, 'aaguid'>, device: string | null): string =>
  keepers[aaguid] ?? device ?? 'Passkey';
