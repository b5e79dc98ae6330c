import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import { readContact } from './contact-cache.ts';
import type { Shown } from './shown-object.ts';

/** An object as it is read: `contacts` has a line `attribute key` for each it names. */
export type BlockRow = Shown & { contacts: string | null };
/** An object with the contacts it names: irt, organisation, role, person, each once; `named`: their keys, also of those there are not. */
export type Block = Shown & { contacts: Shown[]; named: readonly string[] };

/** Which contacts are read along: all, those who are told of abuse, none. */
export type Contacts = 'all' | 'abuse' | 'none';

const contactAttributes = ['mnt-irt', 'org', 'admin-c', 'tech-c', 'zone-c', 'abuse-c', 'ping-hdl'];
const abuseAttributes = new Set(['mnt-irt', 'abuse-c']);

/** SQL: the contacts the object of this id names. */
export const referencesOf = (objectId: string): string =>
  `(select string_agg(r.attribute || ' ' || r.value, E'\\n') from whois_reference r where r.object_id = ${objectId} and r.attribute in (${contactAttributes.map(name => `'${name}'`).join(', ')}))`;

const READ = preparedQuery<BlockRow & { n: number }>(`
select a.n, o.object_id, o.class, o.key, o.shown, o.text, case when a.contacts then ${referencesOf('o.object_id')} end as contacts
from unnest((select $1::int[]), (select $2::bigint[]), (select $3::boolean[])) as a(n, object_id, contacts)
join whois_object o using (object_id)`);

/** Reads objects in the order of their ids; those that are gone meanwhile are left out. */
const readRows = inBatches(
  async (db: Database, asked: readonly { objectIds: readonly number[]; contacts: boolean }[]): Promise<BlockRow[][]> => {
    const wanted = asked.flatMap(({ objectIds, contacts }, n) => objectIds.map(objectId => ({ n, objectId, contacts })));
    const rows = await db.read.rows(
      READ(
        wanted.map(({ n }) => n),
        wanted.map(({ objectId }) => objectId),
        wanted.map(({ contacts }) => contacts),
      ),
    );
    const found = asked.map(() => new Map<number, BlockRow>());
    for (const row of rows) found[row.n]!.set(row.objectId, row);
    return asked.map(({ objectIds }, n) => objectIds.flatMap(id => found[n]!.get(id) ?? []));
  },
);

/** Reads what was found in its order, with contacts if they are wanted. */
export async function readBlocks(
  db: Database,
  found: readonly { objectId: number; read?: BlockRow }[],
  contacts: Contacts,
): Promise<Block[]> {
  const unread = found.filter(({ read }) => !read).map(({ objectId }) => objectId);
  const rows = unread.length === 0 ? [] : await readRows(db, { objectIds: unread, contacts: contacts !== 'none' });
  const byId = new Map(rows.map(row => [row.objectId, row]));
  const all = found.flatMap(({ objectId, read }) => read ?? byId.get(objectId) ?? []);
  return Promise.all(all.map(row => withContacts(db, row, contacts)));
}

async function withContacts(db: Database, row: BlockRow, wanted: Contacts): Promise<Block> {
  if (wanted === 'none' || row.contacts === null) return { ...row, contacts: [], named: [] };
  const contacts: Shown[] = [];
  const named: string[] = [];
  const waiting: Promise<Shown | null>[] = [];
  const add = (contact: Shown | null): void => {
    if (contact && !contacts.some(({ objectId }) => objectId === contact.objectId)) contacts.push(contact);
  };
  for (const line of row.contacts.split('\n')) {
    const blank = line.indexOf(' ');
    const attribute = line.slice(0, blank);
    if (wanted === 'abuse' && !abuseAttributes.has(attribute)) continue;
    const key = line.slice(blank + 1);
    named.push(key);
    const contact = readContact(db, attribute, key);
    if (contact instanceof Promise) waiting.push(contact);
    else add(contact);
  }
  if (waiting.length > 0) for (const contact of await Promise.all(waiting)) add(contact);
  return { ...row, contacts, named };
}
