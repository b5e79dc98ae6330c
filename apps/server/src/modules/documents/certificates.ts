import type { AnswerOf, Download } from '@portal/contract';
import { HOUR_MS, utcDay } from '@portal/contract/days';
import type { documents } from '@portal/contract/documents/documents';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { accountNamed, refuseSuspended } from '../accounts/index.ts';
import type { MembershipCertificate } from './certificate-pdf.ts';
import { printCertificate } from './certificate-printer.ts';
import { fileAddress } from './file-address.ts';
import { theLast } from '../../platform/clock-watch.ts';

/** Crockford's base 32: no ambiguous letters. 80 bits, so that codes can't be guessed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const newCode = (): string => [...randomBytes(16)].map(byte => alphabet[byte & 31]).join('');

/** A code in its written form: `7QX2-M0VD-9KEH-41TR`. */
export const spelled = (code: string): string => code.match(/.{4}/g)!.join('-');

/** Parses a typed code; null if it can't be one. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code) ? code : null;
}

/** Content of a certificate of another module, for the page at which anyone checks it. */
export type CheckedCertificate = { title: string; issuedOn: string; facts: readonly (readonly [label: string, value: string])[] };

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Finds an issued certificate of the module by its code, or null. */
    findsCertificate?: (read: Read, code: string) => Promise<CheckedCertificate | null>;
  }
}

/** Maximum number of certificates per person and hour. */
const MAX_IN_AN_HOUR = 30;

/**
 * Issues a certificate of membership: the registry's data at this moment, stored under a code that anyone can check.
 * @throws Failure ACCOUNT_SUSPENDED, NOT_FOUND if the account is not a member's, TOO_MANY_REQUESTS
 */
export async function issueCertificate({
  change,
  account: { accountName },
  caller: { loginId },
  registry: { config: secrets },
}: Act<typeof documents.issueCertificate>): Promise<AnswerOf<typeof documents.issueCertificate>> {
  const account = await accountNamed(change, accountName);
  refuseSuspended(account);
  if (account.accountStatus !== 'open') throw refuse('NOT_FOUND', { what: 'A membership to certify' });
  const { since, until } = theLast(HOUR_MS, change.now);
  await refuseBeyond(change, {
    of: `documents.certificates-${accountName}-${loginId}`,
    counted: sql`select count(*) as count from membership_certificate
      where account_name = ${accountName} and issued_by = ${loginId} and issued_at between ${since}::timestamptz and ${until}::timestamptz`,
    limit: MAX_IN_AN_HOUR,
    seconds: 600,
  });
  const code = newCode();
  await change
    .insertInto('membershipCertificate')
    .values({
      code,
      accountName,
      orgName: account.orgName,
      economy: account.economy,
      memberSince: account.memberSince,
      validUntil: account.expiryDate,
      issuedBy: loginId,
      issuedAt: change.now,
    })
    .execute();
  await change.note({ certificate: spelled(code) });
  const address = fileAddress(secrets, { what: 'certificate', id: code }, loginId, new Date(change.now));
  return { ...address, fileName: fileNameOf(accountName, change.now), code: spelled(code) };
}

const fileNameOf = (accountName: string, issuedAt: string): string => `certificate-${accountName}-${utcDay(issuedAt)}.pdf`;

/** An issued certificate, and the present facts about the account. */
export async function findCertificate(
  read: Read,
  code: string,
): Promise<(MembershipCertificate & { now: { orgName: string; accountStatus: string; expiryDate: string | null } }) | null> {
  const [row] = await read.rows<
    MembershipCertificate & { nowOrgName: string; accountStatus: string; expiryDate: string | null }
  >(sql`select c.code, c.account_name, c.org_name, c.economy, c.member_since, c.valid_until, c.issued_at, a.org_name as now_org_name, a.account_status,
      a.expiry_date from membership_certificate c join account a using (account_name) where c.code = ${code}`);
  if (!row) return null;
  const { nowOrgName, accountStatus, expiryDate, ...certificate } = row;
  return { ...certificate, now: { orgName: nowOrgName, accountStatus, expiryDate } };
}

/** The certificate as a PDF, printed when it is fetched. @throws Failure NOT_FOUND */
export async function certificateFile(
  read: Read,
  code: string,
  { profile: { registryName }, config: { appUrl, certificateFonts } }: PolicyAndSettings,
): Promise<Download> {
  const found = await findCertificate(read, code);
  if (!found) throw refuse('NOT_FOUND', { what: 'The certificate' });
  const { now: _, ...certificate } = found;
  const pdf = await printCertificate({
    ...certificate,
    spelledCode: spelled(code),
    registryName,
    checkAt: `${appUrl}/certificates/${spelled(code)}`,
    fonts: [...certificateFonts],
  });
  return {
    fileName: fileNameOf(certificate.accountName, certificate.issuedAt),
    contentType: 'application/pdf',
    bytes: pdf.length,
    chunks: (async function* () {
      yield pdf;
    })(),
  };
}
