import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import type { Profile } from '../../profile.ts';

/** Days for which the file counts. RFC 9116, 2.5.5: less than a year. */
const VALID_DAYS = 90;

/** Where the file is (RFC 9116, 3). */
export const securityTxtPath = '/.well-known/security.txt';

/**
 * Returns where to report a security problem, for programs (RFC 9116). It counts for 90 days from the day on which it is read: the profile that it is made from is
 * what the registry runs with.
 */
export function securityTxt({
  appUrl,
  profile: { securityEmail, securityPolicyUrl },
  now,
}: {
  appUrl: string;
  profile: Pick<Profile, 'securityEmail' | 'securityPolicyUrl'>;
  now: Date;
}): string {
  const fields: [string, string][] = [
    ['Contact', `mailto:${encodeURIComponent(securityEmail).replace('%40', '@')}`],
    ['Expires', instantAfter(`${utcDay(now)}T00:00:00Z`, VALID_DAYS * DAY_MS)],
    ['Preferred-Languages', 'en'],
    ['Canonical', `${appUrl}${securityTxtPath}`],
    ...(securityPolicyUrl === '' ? [] : [['Policy', securityPolicyUrl] as [string, string]]),
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
