import type { ClassName } from '@portal/rpsl';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import { copyOf } from './copy/followed-copy.ts';
import type { Shown } from './shown-object.ts';

const CONTACTS = preparedQuery<Shown & { n: number }>(`
select a.n, o.object_id, o.class, o.key, o.shown, o.text
from unnest((select $1::int[]), (select $2::text[]), (select $3::text[])) as a(n, class, key)
cross join lateral (select object_id, class, key, shown, text from whois_object where class = a.class and key = a.key offset 0) o`);

const classesOf = (attribute: string): readonly ClassName[] =>
  attribute === 'mnt-irt' ? ['irt'] : attribute === 'org' ? ['organisation'] : ['role', 'person'];

const fetchContacts = inBatches(async (db: Database, asked: readonly { attribute: string; key: string }[]): Promise<(Shown | null)[]> => {
  const wanted = asked.flatMap(({ attribute, key }, n) => classesOf(attribute).map(name => ({ n, name, key })));
  const rows = await db.read.rows(
    CONTACTS(
      wanted.map(({ n }) => n),
      wanted.map(({ name }) => name),
      wanted.map(({ key }) => key),
    ),
  );
  const answers: (Shown | null)[] = asked.map(() => null);
  for (const row of rows) answers[row.n] = row;
  return answers;
});

/** The contact named in an attribute; null if it doesn't exist. */
export function readContact(db: Database, attribute: string, key: string): Shown | null | Promise<Shown | null> {
  const copy = copyOf(db);
  if (copy === null) return fetchContacts(db, { attribute, key });
  for (const className of classesOf(attribute)) {
    const contact = copy.named(className, key);
    if (contact !== null) return contact;
  }
  return null;
}
