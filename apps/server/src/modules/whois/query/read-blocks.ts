import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import { readContact } from './read-contact.ts';
import { namedContacts, readNamed } from './named-contacts.ts';
import type { Shown } from './shown-object.ts';

/** An object with the contacts it names: irt, organisation, role, person, each once. */
export type Block = Shown & { contacts: Shown[] };

/** The contacts to include: all, abuse contacts, or none. */
export type Contacts = 'all' | 'abuse' | 'none';

const abuseAttributes = new Set(['mnt-irt', 'abuse-c']);

const READ = preparedQuery<Shown & { n: number }>(`
select a.n, o.object_id, o.class, o.key, o.shown, o.text
from unnest((select $1::int[]), (select $2::bigint[])) as a(n, object_id)
join whois_object o using (object_id)`);

/** Reads objects in the order of their ids, skipping those deleted meanwhile. */
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

/** Reads the found objects in order, with contacts if requested; synchronously if everything is in memory. */
export function readBlocks(
  db: Database,
  found: readonly { objectId: number; read?: Shown }[],
  contacts: Contacts,
): Block[] | Promise<Block[]> {
  const unread = found.filter(({ read }) => !read).map(({ objectId }) => objectId);
  if (unread.length > 0) return readUnread(db, found, unread, contacts);
  return together(found.map(({ read }) => withContacts(db, read!, contacts)));
}

async function readUnread(
  db: Database,
  found: readonly { objectId: number; read?: Shown }[],
  unread: readonly number[],
  contacts: Contacts,
): Promise<Block[]> {
  const byId = new Map((await readRows(db, unread)).map(row => [row.objectId, row]));
  const all = found.flatMap(({ objectId, read }) => read ?? byId.get(objectId) ?? []);
  return together(all.map(row => withContacts(db, row, contacts)));
}

const together = <Each>(all: (Each | Promise<Each>)[]): Each[] | Promise<Each[]> =>
  all.some(each => each instanceof Promise) ? Promise.all(all) : (all as Each[]);

function withContacts(db: Database, row: Shown, wanted: Contacts): Block | Promise<Block> {
  if (wanted === 'none') return { ...row, contacts: [] };
  const all = row.named === undefined ? namedContacts(row.text) : readNamed(row.named);
  const named = all.filter(({ attribute }) => wanted === 'all' || abuseAttributes.has(attribute));
  const contacts = together(named.map(({ attribute, key }) => readContact(db, attribute, key)));
  return contacts instanceof Promise ? contacts.then(found => blockOf(row, found)) : blockOf(row, contacts);
}

function blockOf(row: Shown, named: readonly (Shown | null)[]): Block {
  const contacts: Shown[] = [];
  for (const contact of named) if (contact && !contacts.some(({ objectId }) => objectId === contact.objectId)) contacts.push(contact);
  return { ...row, contacts };
}
