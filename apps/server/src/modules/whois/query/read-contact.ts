import type { ClassName } from '@portal/rpsl';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import { copyOf } from './copy/followed-copy.ts';
import type { Contact, Shown } from './shown-object.ts';

/** Bytes of the longest contact in answers about others. */
const LONGEST_CONTACT = 16_384;

type Row = Omit<Shown, 'text'> & { n: number; text: string | null };

const CONTACTS = preparedQuery<Row>(`
select a.n, o.object_id, o.class, o.key, o.shown, case when octet_length(o.text) <= ${LONGEST_CONTACT} then o.text end as text
from unnest((select $1::int[]), (select $2::text[]), (select $3::text[])) as a(n, class, key)
cross join lateral (select object_id, class, key, shown, text from whois_object where class = a.class and key = a.key offset 0) o`);

const classesOf = (attribute: string): readonly ClassName[] =>
  attribute === 'mnt-irt' ? ['irt'] : attribute === 'org' ? ['organisation'] : ['role', 'person'];

const fetchContacts = inBatches(async (db: Database, asked: readonly { attribute: string; key: string }[]): Promise<(Contact | null)[]> => {
  const wanted = asked.flatMap(({ attribute, key }, n) => classesOf(attribute).map(name => ({ n, name, key })));
  const rows = await db.read.rows(
    CONTACTS(
      wanted.map(({ n }) => n),
      wanted.map(({ name }) => name),
      wanted.map(({ key }) => key),
    ),
  );
  const answers: (Contact | null)[] = asked.map(() => null);
  for (const { text, ...row } of rows) answers[row.n] = text === null ? { tooLong: row.shown } : { ...row, text };
  return answers;
});

/** The contact named in an attribute; null if it doesn't exist. */
export function readContact(db: Database, attribute: string, key: string): Contact | null | Promise<Contact | null> {
  const copy = copyOf(db);
  if (copy === null) return fetchContacts(db, { attribute, key });
  for (const className of classesOf(attribute)) {
    const contact = copy.named(className, key, LONGEST_CONTACT);
    if (contact !== null) return contact;
  }
  return null;
}
