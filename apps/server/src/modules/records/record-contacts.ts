import type { RecordMark, ResourceRecord } from '@portal/contract/records/records';
import { type RpslObject, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { frequent, type Read } from '../../platform/database/index.ts';
import { readersDay } from '../../platform/day-words.ts';
import { nameOf, objectOfRow } from '../whois/index.ts';
import type { HealthPart } from './contributions.ts';
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
  health: (own: boolean) => HealthPart[];
};

type Mailbox = ResourceRecord['irtMailboxes'][number] & {
  askedAt: string | null;
  validatedAt: string | null;
  /** When the IRT is marked invalid in whois, and when the account is restricted, unless the mailbox answers. */
  invalidOn: string | null;
  restrictedOn: string | null;
};

type Contact = People['contacts'][number];

const isUnread = ({ state }: Mailbox): boolean => state !== 'valid' && state !== 'pending';

/** Contacts that an object names, and that don't exist. */
const missingContacts = (object: RpslObject, contacts: readonly Contact[], own: boolean): RecordMark[] =>
  contacts
    .filter(each => each.class === null)
    .map(({ attribute, handle }) => ({
      about: attribute === 'mnt-irt' ? 'abuse' : 'registration',
      mark: 'invalid',
      code: 'contact-missing',
      message: `${attribute} refers to ${handle}, which doesn’t exist`,
      fix: own ? { label: 'Edit object', link: objectAddress(object.class, object.attributes[0]!.value) } : null,
    }));

/** Mailboxes of the holder that don't answer yet, or no longer. */
function unvalidatedMailboxes(mailboxes: readonly Mailbox[]): RecordMark[] {
  const found: RecordMark[] = [];
  for (const { irt, mailbox, state, restrictedOn } of mailboxes.filter(isUnread))
    found.push({
      about: 'abuse',
      mark: 'warning',
      code: 'irt-not-validated',
      message:
        state === 'restricted'
          ? `${mailbox} of ${irt.toUpperCase()} isn’t validated, so changes of the account are restricted`
          : `${mailbox} of ${irt.toUpperCase()} isn’t validated and is marked invalid in whois${restrictedOn ? `. Changes of the account are restricted from ${readersDay(restrictedOn)}` : ''}`,
      fix: { label: 'Validate', link: '/admin/irt-validation' },
    });
  const pending = Map.groupBy(
    mailboxes.filter(({ state }) => state === 'pending'),
    ({ irt, askedAt, invalidOn }) => [irt, askedAt, invalidOn].join(),
  );
  for (const [first, ...others] of [...pending.values()] as [Mailbox, ...Mailbox[]][]) {
    const { irt, askedAt, invalidOn } = first;
    const names = [...new Set([first, ...others].map(({ mailbox }) => mailbox))].join(' and ');
    found.push({
      about: 'abuse',
      mark: 'warning',
      code: 'irt-awaits-code',
      message: `${askedAt ? `${others.length > 0 ? 'Codes were' : 'The code was'} sent to ${names} on ${readersDay(askedAt)}` : `A code is on its way to ${names}`}${invalidOn ? `. Without ${others.length > 0 ? 'them' : 'it'}, ${irt.toUpperCase()} is marked invalid in whois on ${readersDay(invalidOn)}` : ''}`,
      fix: { label: others.length > 0 ? 'Enter the codes' : 'Enter the code', link: '/admin/irt-validation' },
    });
  }
  return found;
}

/** The IRT of an object: that it has none, or to which mailboxes abuse reports go. */
function abuseContact(
  object: RpslObject,
  { contacts, mailboxes, hasIrt }: { contacts: readonly Contact[]; mailboxes: readonly Mailbox[]; hasIrt: boolean },
  own: boolean,
): RecordMark[] {
  if (!hasIrt && object.class !== 'as-block')
    return [
      {
        about: 'abuse',
        mark: 'invalid',
        code: 'no-irt',
        message: `${object.class} ${object.attributes[0]!.value} has no IRT, so there is no abuse contact`,
        fix: own ? { label: 'Add an IRT', link: objectAddress(object.class, object.attributes[0]!.value) } : null,
      },
    ];
  if (
    own &&
    contacts.some(({ attribute, name }) => attribute === 'mnt-irt' && name !== '') &&
    !mailboxes.some(isUnread) &&
    mailboxes.length > 0
  )
    return [
      {
        about: 'abuse',
        mark: 'valid',
        code: 'irt',
        message: `Abuse reports go to ${mailboxes
          .map(({ mailbox }) => mailbox)
          .filter((each, index, all) => all.indexOf(each) === index)
          .join(', ')}`,
        fix: null,
      },
    ];
  return [];
}

/** Whether the mailboxes of the IRTs of an object answer. */
function abuseHealth(mailboxes: readonly Mailbox[], own: boolean): HealthPart {
  const states = new Set(mailboxes.map(({ state }) => state));
  const validated = mailboxes
    .map(({ validatedAt }) => validatedAt ?? '')
    .toSorted()
    .at(-1);
  return {
    about: 'abuse',
    ...(states.has('restricted') || states.has('invalid')
      ? { mark: 'warning', word: 'Not validated' }
      : states.has('pending')
        ? { mark: own ? 'warning' : 'info', word: 'Awaiting validation' }
        : { mark: 'valid', word: mailboxes.length > 0 ? 'Validated' : 'Named' }),
    facts: own && validated ? [{ label: 'Validated', text: '', at: validated, link: null, mono: false }] : [],
    actions: own ? [{ label: 'IRT validation', link: '/admin/irt-validation' }] : [],
  };
}

/** Characters of contacts that are read for their names; longer ones, and those beyond all of these, are called by their handles. */
const LONGEST_CONTACT = 16_384;
const READ_CONTACTS = 262_144;

type ContactRow = { class: string; key: string; shown: string; text: string | null };

/** The contacts of these names that exist. */
const contactRows = (read: Read, wanted: readonly { class: string; key: string }[]): Promise<ContactRow[]> =>
  read.rows<ContactRow>(sql`select class, key, shown, case when own <= ${LONGEST_CONTACT} and reached <= ${READ_CONTACTS} then text end as text from (
    select o.class, o.key, o.shown, o.text, octet_length(o.text) as own,
      sum(least(octet_length(o.text), ${LONGEST_CONTACT})) over (order by o.class, o.key) as reached
    from (select distinct class, key from unnest(${wanted.map(each => each.class)}::text[], ${wanted.map(each => each.key)}::text[]) as w (class, key)) w
      join whois_object o using (class, key)) o`);

/** The mailboxes of these IRTs, and whether they answer. */
async function mailboxesOf(
  read: Read,
  irts: readonly string[],
  { irtInvalidDays, irtRestrictDays }: Pick<Config, 'irtInvalidDays' | 'irtRestrictDays'>,
): Promise<Mailbox[]> {
  if (irts.length === 0) return [];
  return read.rows<Mailbox>(
    frequent(sql`select irt, mailbox, state, asked_at, validated_at, coalesce(clock_from, asked_at) + make_interval(days => ${irtInvalidDays}::int) as invalid_on,
        coalesce(clock_from, asked_at) + make_interval(days => ${irtRestrictDays}::int) as restricted_on
      from irt_contact where irt = any(${irts}::text[]) order by irt, mailbox, attribute`),
  );
}

const irtsOf = (object: RpslObject): string[] => [...new Set(valuesOf(object, 'mnt-irt'))].map(handle => handle.toLowerCase());

/** Returns the mailboxes for abuse reports that the IRTs of an object have. */
export const abuseMailboxes = (
  read: Read,
  object: RpslObject | null,
  config: Pick<Config, 'irtInvalidDays' | 'irtRestrictDays'>,
): Promise<Pick<Mailbox, 'mailbox' | 'state'>[]> => mailboxesOf(read, object ? irtsOf(object) : [], config);

/** Returns the contacts of an object, with the mailboxes of its IRTs and the marks of both. */
export async function contactsOf(
  read: Read,
  object: RpslObject | null,
  config: Pick<Config, 'irtInvalidDays' | 'irtRestrictDays'>,
): Promise<People> {
  if (!object) return { contacts: [], mailboxes: [], marks: () => [], health: () => [] };
  const named = contactAttributes.flatMap(attribute => [...new Set(valuesOf(object, attribute))].map(handle => ({ attribute, handle })));
  const irts = irtsOf(object);
  const [rows, mailboxes] = await Promise.all([
    contactRows(
      read,
      named.flatMap(({ attribute, handle }) => contactClasses[attribute].map(each => ({ class: each, key: handle.toLowerCase() }))),
    ),
    mailboxesOf(read, irts, config),
  ]);
  const contacts = named.map(({ attribute, handle }) => {
    const row = rows.find(each => contactClasses[attribute].includes(each.class) && each.key === handle.toLowerCase());
    return {
      attribute,
      handle: row?.shown ?? handle,
      class: row?.class ?? null,
      name: row ? (row.text === null ? row.shown : nameOf(objectOfRow({ class: row.class, text: row.text }))) : '',
      link: row ? objectAddress(row.class, row.key) : null,
    };
  });
  const marks = (own: boolean): RecordMark[] => [
    ...missingContacts(object, contacts, own),
    ...(own ? unvalidatedMailboxes(mailboxes) : []),
    ...abuseContact(object, { contacts, mailboxes, hasIrt: irts.length > 0 }, own),
  ];
  const health = (own: boolean): HealthPart[] => (irts.length === 0 ? [] : [abuseHealth(mailboxes, own)]);
  return { contacts, mailboxes: mailboxes.map(({ irt, mailbox, state }) => ({ irt, mailbox, state })), marks, health };
}
