import type { RequestForm } from '@portal/contract/requests/request-form';
import { receivesNumbers } from '@portal/contract/requests/whois-names';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { type AskedPart, type ObjectDefaults, objectDefaultsOf } from '../whois/index.ts';
import { isOpen, type Row } from './request-row.ts';

/** Returns the part of a form that is about the whois objects of what it receives. */
export const askedOf = ({ netname, adminContact, techContact, maintainer, abuseMailbox }: RequestForm): AskedPart => ({
  netname,
  adminC: adminContact,
  techC: techContact,
  maintainer,
  abuseMailbox,
});

/** Returns the names that the account that receives by a case has for its objects, for this party; null where it receives nothing, or the case is closed. */
export async function whoisNamesOf(
  read: Pick<Read, 'rows'>,
  row: Row,
  reader: string | null,
  profile: Profile,
): Promise<ObjectDefaults | null> {
  const receiver = receivesNumbers(row.kind, row.form) ? row.accountName : row.recipientName;
  if (receiver === null || !isOpen(row) || (reader !== null && reader !== receiver)) return null;
  return objectDefaultsOf(read, receiver, profile);
}
