import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import { readContact } from './read-contact.ts';
import { namedContacts } from './named-contacts.ts';
import type { Shown } from './shown-object.ts';

/** An object with the contacts it names: irt, organisation, role, person, each once. */
export type Block = Shown & { contacts: Shown[] };

/** Which contacts are read along: all, those who are told of abuse, none. */
export type Contacts = 'all' | 'abuse' | 'none';

const abuseAttributes = new Set(['mnt-irt', 'abuse-c']);

const READ = preparedQuery<Shown & { n: number }>(`
select a.n, o.object_id, o.class, o.key, o.shown, o.text
from unnest((select $1::int[]), (select $2::bigint[])) as a(n, object_id)
join whois_object o using (object_id)`);

/** Reads objects in the order of their ids; those that are gone meanwhile are left out. */
const readRows = inBatches(async (db: Database, asked: readonly (readonly number[])[]): Promise<Shown[][]> => {
  const wanted = asked.flatMap((objectIds, n) => objectIds.map(objectId => ({ n, objectId })));
  const rows = await db.read.rows(
    READ(
      wanted.map(({ n }) => n),
      wanted.map(({ objectId }) => objectId),
    ),
  );
  const found = asked.map(() => new Map<number, Shown>());
  for (const row of rows) found[row.n]!.set(row.objectId, row);
  return asked.map((objectIds, n) => objectIds.flatMap(id => found[n]!.get(id) ?? []));
});

/** Reads what was found in its order, with contacts if they are wanted. */
export async function readBlocks(db: Database, found: readonly { objectId: number; read?: Shown }[], contacts: Contacts): Promise<Block[]> {
  const unread = found.filter(({ read }) => !read).map(({ objectId }) => objectId);
  const rows = unread.length === 0 ? [] : await readRows(db, unread);
  const byId = new Map(rows.map(row => [row.objectId, row]));
  const all = found.flatMap(({ objectId, read }) => read ?? byId.get(objectId) ?? []);
  return Promise.all(all.map(row => withContacts(db, row, contacts)));
}

async function withContacts(db: Database, row: Shown, wanted: Contacts): Promise<Block> {
  if (wanted === 'none') return { ...row, contacts: [] };
  const contacts: Shown[] = [];
  const waiting: Promise<Shown | null>[] = [];
  const add = (contact: Shown | null): void => {
    if (contact && !contacts.some(({ objectId }) => objectId === contact.objectId)) contacts.push(contact);
  };
  for (const { attribute, key } of namedContacts(row.text)) {
    if (wanted === 'abuse' && !abuseAttributes.has(attribute)) continue;
    const contact = readContact(db, attribute, key);
    if (contact instanceof Promise) waiting.push(contact);
    else add(contact);
  }
  if (waiting.length > 0) for (const contact of await Promise.all(waiting)) add(contact);
  return { ...row, contacts };
}
