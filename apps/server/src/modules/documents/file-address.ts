import { fileAddressSeconds } from '@portal/contract/documents/documents';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

const PURPOSE = 'file address';

/** The target of an address: a document or an invoice by its number in the database, an e-invoice by that of its document without dashes, or a certificate of membership or attendance by its code. */
export type Addressed = { what: 'document' | 'certificate' | 'invoice' | 'e-invoice' | 'attendance'; id: string };

const signatureOf = (key: Buffer, { what, id }: Addressed, loginId: string, until: number): Buffer =>
  createHmac('sha256', key).update(`${what} ${id} ${until} ${loginId}`).digest();

/** The address of a file for one person, valid for a minute. It reveals neither the person nor the file's name. */
export function fileAddress(secrets: Secrets, addressed: Addressed, loginId: string, now: Date): { address: string; expiresAt: string } {
  const until = Math.floor(now.getTime() / 1000) + fileAddressSeconds;
  const signature = signatureOf(derivedKeys(secrets, PURPOSE)[0], addressed, loginId, until).toString('base64url');
  return {
    address: `${addressed.what}-${addressed.id}-${until}-${signature}`,
    expiresAt: new Date(until * 1000).toISOString(),
  };
}

/** Returns the target of an address for a person: null for another person's, or an invalid one; `expired` after its minute. */
export function readFileAddress(secrets: Secrets, address: string, loginId: string, now: Date): Addressed | 'expired' | null {
  const match = /^(document|certificate|invoice|e-invoice|attendance)-([0-9A-Z]{1,16})-(\d{10,12})-([\w-]{43})$/.exec(address);
  if (!match) return null;
  const addressed = { what: match[1] as Addressed['what'], id: match[2]! };
  const until = Number(match[3]);
  const given = Buffer.from(match[4]!, 'base64url');
  const matches = derivedKeys(secrets, PURPOSE).some(key => {
    const expected = signatureOf(key, addressed, loginId, until);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!matches) return null;
  return now.getTime() / 1000 > until ? 'expired' : addressed;
}
