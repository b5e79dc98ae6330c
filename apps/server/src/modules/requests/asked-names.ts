import type { RequestForm } from '@portal/contract/requests/request-form';
import { receivesNumbers } from '@portal/contract/requests/whois-names';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { type AskedPart, type ObjectDefaults, objectDefaultsOf } from '../whois/index.ts';
import { isOpen, type Row } from './request-row.ts';

/** Returns the part of a form about the whois objects of the received numbers. */
export const askedOf = ({ netname, adminContact, techContact, maintainer, abuseMailbox }: RequestForm): AskedPart => ({
  netname,
  adminC: adminContact,
  techC: techContact,
  maintainer,
  abuseMailbox,
});

/** Returns the receiving account's names for the whois objects, for this party; null if it receives nothing, or the case is closed. */
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
