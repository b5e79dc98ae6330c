import type { RecordMark, ResourceRecord } from '@portal/contract/records/records';
import { type RpslObject, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { findObjects, nameOf, objectOfRow } from '../whois/index.ts';
import { objectAddress } from './known-object.ts';

const contactAttributes = ['org', 'admin-c', 'tech-c', 'abuse-c', 'mnt-irt'] as const;
const contactClasses: Record<(typeof contactAttributes)[number], readonly string[]> = {
  org: ['organisation'],
  'admin-c': ['person', 'role'],
  'tech-c': ['person', 'role'],
  'abuse-c': ['role'],
  'mnt-irt': ['irt'],
};

type People = {
  contacts: ResourceRecord['contacts'];
  mailboxes: ResourceRecord['irtMailboxes'];
  marks: (own: boolean) => RecordMark[];
};

/** Returns the contacts of an object, with the mailboxes of its IRTs and the marks of both. */
export async function contactsOf(read: Read, object: RpslObject | null): Promise<People> {
  if (!object) return { contacts: [], mailboxes: [], marks: () => [] };
  const named = contactAttributes.flatMap(attribute => [...new Set(valuesOf(object, attribute))].map(handle => ({ attribute, handle })));
  const irts = named.filter(({ attribute }) => attribute === 'mnt-irt').map(({ handle }) => handle.toLowerCase());
  const [rows, mailboxes] = await Promise.all([
    findObjects(
      read,
      named.flatMap(({ attribute, handle }) => contactClasses[attribute].map(each => ({ class: each, key: handle.toLowerCase() }))),
    ),
    irts.length === 0
      ? []
      : read.rows<ResourceRecord['irtMailboxes'][number]>(
          sql`select irt, mailbox, state from irt_contact where irt = any(${irts}::text[]) order by irt, mailbox, attribute`,
        ),
  ]);
  const contacts = named.map(({ attribute, handle }) => {
    const row = rows.find(each => contactClasses[attribute].includes(each.class) && each.key === handle.toLowerCase());
    return {
      attribute,
      handle: row?.shown ?? handle,
      class: row?.class ?? null,
      name: row ? nameOf(objectOfRow(row)) : '',
      link: row ? objectAddress(row.class, row.key) : null,
    };
  });
  const marks = (own: boolean): RecordMark[] => {
    const found: RecordMark[] = contacts
      .filter(each => each.class === null)
      .map(({ attribute, handle }) => ({
        mark: 'invalid',
        code: 'contact-missing',
        message: `${attribute} refers to ${handle}, which doesn’t exist`,
        fix: own ? { label: 'Edit object', link: objectAddress(object.class, object.attributes[0]!.value) } : null,
      }));
    const unread = mailboxes.filter(({ state }) => state !== 'valid' && state !== 'pending');
    for (const { irt, mailbox, state } of own ? unread : [])
      found.push({
        mark: 'warning',
        code: 'irt-not-validated',
        message: `${mailbox} of ${irt.toUpperCase()} is ${state}: not validated`,
        fix: { label: 'Validate', link: '/admin/irt-validation' },
      });
    if (irts.length === 0 && object.class !== 'as-block')
      found.push({
        mark: 'invalid',
        code: 'no-irt',
        message: `${object.class} ${object.attributes[0]!.value} has no IRT, so there is no abuse contact`,
        fix: own ? { label: 'Add an IRT', link: objectAddress(object.class, object.attributes[0]!.value) } : null,
      });
    else if (
      own &&
      contacts.some(({ attribute, name }) => attribute === 'mnt-irt' && name !== '') &&
      unread.length === 0 &&
      mailboxes.length > 0
    )
      found.push({
        mark: 'valid',
        code: 'irt',
        message: `Abuse reports go to ${mailboxes
          .map(({ mailbox }) => mailbox)
          .filter((each, index, all) => all.indexOf(each) === index)
          .join(', ')}`,
        fix: null,
      });
    return found;
  };
  return { contacts, mailboxes, marks };
}
