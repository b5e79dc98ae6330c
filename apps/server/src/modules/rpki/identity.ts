import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import {
  assembleSigned,
  encodeCrlToBeSigned,
  encodeIdentityToBeSigned,
  encodeMessage,
  encodeMessageAttributes,
} from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { nodeCryptography } from './authorities/cryptography.ts';
import { addKey, type KeyRow, keysOf } from './authorities/keys.ts';
import type { CaSigner, MadeKey } from './authorities/signer.ts';

/** Days the registry's identity is valid: it is exchanged once, manually. */
const IDENTITY_DAYS = 20 * 365;
/** Clocks of other authorities may be slow. */
const BACKDATED_MS = HOUR_MS;

const newSerial = (): bigint => BigInt(`0x01${randomBytes(15).toString('hex')}`);
const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

/** The registry's identity certificate towards self-hosted authorities; null until the publisher has made it. */
export async function identityCertificate(read: Pick<Read, 'rows'>): Promise<Buffer | null> {
  const [row] = await read.rows<{ certificate: Buffer | null }>(
    sql`select k.certificate from rpki_key k join rpki_ca c using (ca_id) where c.kind = 'identity' and k.state = 'current'`,
  );
  return row?.certificate ?? null;
}

/** The registry's identity, made when the first account needs it. */
export async function ensureIdentity(change: Change, signer: CaSigner, now: Date): Promise<KeyRow> {
  const [found] = await change.rows<{ caId: number }>(sql`select ca_id from rpki_ca where kind = 'identity'`);
  if (found) return (await keysOf(change, [found.caId])).find(({ state }) => state === 'current')!;
  const [authority] = await change.rows<{ caId: number }>(
    sql`insert into rpki_ca (kind, handle, enabled_at) values ('identity', 'identity', ${change.now}::timestamptz) returning ca_id`,
  );
  const made = await signer.createAuthorityKey('identity');
  const row = await addKey(change, { caId: authority!.caId, state: 'current', made });
  const toBeSigned = encodeIdentityToBeSigned({
    serial: newSerial(),
    subject: row.keyIdentifier.toUpperCase(),
    subjectKeyId: bytesOf(row.keyIdentifier),
    publicKey: row.publicKey,
    issuer: null,
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: new Date(now.getTime() + IDENTITY_DAYS * DAY_MS),
  });
  const [signature] = await signer.sign([{ keyIdentifier: row.keyIdentifier, sealed: row.sealedPrivate, toBeSigned }]);
  const certificate = Buffer.from(assembleSigned(toBeSigned, signature!));
  await change.rows(sql`update rpki_key set certificate = ${certificate} where key_id = ${row.keyId}`);
  return { ...row, certificate };
}

type Signing = { signer: CaSigner; now: Date; takeKey: () => MadeKey };

/** Signs each answer with a one-time key, which the registry's identity certifies for a day (RFC 6492, section 3.1.1.4). */
export async function signAnswers(identity: KeyRow, answers: readonly string[], { signer, now, takeKey }: Signing): Promise<Uint8Array[]> {
  const issuer = { name: identity.keyIdentifier.toUpperCase(), keyId: bytesOf(identity.keyIdentifier) };
  const own = { keyIdentifier: identity.keyIdentifier, sealed: identity.sealedPrivate };
  const [notBefore, notAfter] = [new Date(now.getTime() - BACKDATED_MS), new Date(now.getTime() + DAY_MS)];
  const parts = answers.map(answer => {
    const key = takeKey();
    const content = new TextEncoder().encode(answer);
    const certificate = encodeIdentityToBeSigned({
      serial: newSerial(),
      subject: key.keyIdentifier.toUpperCase(),
      subjectKeyId: bytesOf(key.keyIdentifier),
      publicKey: key.publicKey,
      issuer,
      notBefore,
      notAfter,
    });
    // The number grows with time, as required; nothing is ever revoked, because no key signs twice.
    const number = BigInt(Math.floor(now.getTime() / 1000));
    const crl = encodeCrlToBeSigned({
      issuer: issuer.name,
      authorityKeyId: issuer.keyId,
      number,
      thisUpdate: notBefore,
      nextUpdate: notAfter,
      revoked: [],
    });
    return { key, content, certificate, crl, attributes: encodeMessageAttributes(nodeCryptography.sha256(content), now) };
  });
  const signatures = await signer.sign(
    parts.flatMap(({ key, certificate, crl, attributes }) => [
      { ...own, toBeSigned: certificate },
      { ...own, toBeSigned: crl },
      { keyIdentifier: key.keyIdentifier, sealed: key.sealed, toBeSigned: attributes },
    ]),
  );
  return parts.map(({ key, content, certificate, crl, attributes }, index) =>
    encodeMessage({
      content,
      certificate: assembleSigned(certificate, signatures[3 * index]!),
      crl: assembleSigned(crl, signatures[3 * index + 1]!),
      keyId: bytesOf(key.keyIdentifier),
      attributes,
      signature: signatures[3 * index + 2]!,
    }),
  );
}
