import { parseReverseZone } from '@portal/number-resources';
import type { Change, Read } from '../../../platform/database/index.ts';
import { activeContacts } from '../../accounts/index.ts';
import { notifyPeople } from '../../identity/index.ts';
import { accountsHolding } from '../../resources/index.ts';
import { findObjects } from '../../whois/index.ts';
import { valuesIn } from '../domain-objects.ts';
import type { MailText } from '../../mail/index.ts';

/** The account that holds the addresses of a zone; null if none or several do. */
export async function holderOfZone(read: Read, zone: string): Promise<string | null> {
  try {
    const [holder, ...others] = await accountsHolding(read, [parseReverseZone(zone)]);
    return holder !== undefined && others.length === 0 ? holder : null;
  } catch {
    return null;
  }
}

/** Notifies the contacts that the domain object names, and the contacts of the holder who see its zones. */
export async function notifyZoneContacts(change: Change, zone: string, accountName: string | null, text: MailText): Promise<void> {
  const [domain] = await findObjects(change, [{ class: 'domain', key: zone }]);
  const handles = domain ? ['admin-c', 'tech-c', 'zone-c'].flatMap(attribute => valuesIn(domain.text, attribute)) : [];
  const keys = [...new Set(handles)].flatMap(key => (['person', 'role'] as const).map(each => ({ class: each, key: key.toUpperCase() })));
  const objects = keys.length === 0 ? [] : await findObjects(change, keys);
  const named = objects.flatMap(({ text }) => valuesIn(text, 'e-mail')).map(email => ({ fullName: '', email, loginId: null }));
  const contacts = accountName === null ? [] : await activeContacts(change, accountName, { permission: 'whois-domain-objects-view' });
  await notifyPeople(
    change,
    { topic: 'reverseDns.zones', accountName, text, path: `/resources/ReverseDNS?zone=${zone}`, act: 'View zone' },
    [...named, ...contacts],
  );
}
