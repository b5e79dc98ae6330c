import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import { READ_BYTES } from './read-bytes.ts';
import { readContact } from './read-contact.ts';
import { type NamedContact, namedContacts, readNamed } from './named-contacts.ts';
import type { Contact, Shown } from './shown-object.ts';

/** An object with the contacts it names: irt, organisation, role, person, each once. `leftOut`: those that are too long, or too many. */
export type Block = Shown & { contacts: Shown[]; leftOut: readonly string[] };

/** The contacts to include: all, abuse contacts, or none. */
export type Contacts = 'all' | 'abuse' | 'none';

/** The first of some found objects, and how many of these they cover. */
export type BlocksPart = { blocks: Block[]; taken: number };
type Sought = { objectId: number; read?: Shown };
/** Read objects with their places among the found ones, of which `taken` are covered. */
type Rows = { rows: readonly { row: Shown; place: number }[]; taken: number };

const abuseAttributes = new Set(['mnt-irt', 'abuse-c']);

/** Objects that are read together, contacts that are read with them, and contacts of one object. */
const MAX_OBJECTS = 200;
const MAX_CONTACTS = 400;
const MAX_CONTACTS_OF_ONE = 100;

const READ = preparedQuery<{ n: number; place: number; bytes: number } & Shown>(`
select n, place, object_id, class, key, shown, text, bytes from (
  select a.n, a.place::int as place, o.object_id, o.class, o.key, o.shown, o.text, octet_length(o.text) as own,
    (sum(octet_length(o.text)) over (partition by a.n order by a.place))::float8 as bytes
  from unnest((select $1::int[]), (select $2::int[]), (select $3::bigint[])) as a (n, place, object_id)
  join whois_object o using (object_id)) o
where bytes - own < ${READ_BYTES}`);

/** Reads objects in the order of their ids, skipping those deleted meanwhile, until `READ_BYTES` are reached; `taken`: ids that this covers. */
const readRows = inBatches(async (db: Database, asked: readonly (readonly number[])[]): Promise<Rows[]> => {
  const wanted = asked.flatMap((objectIds, n) => objectIds.map((objectId, place) => ({ n, place, objectId })));
  const rows = await db.read.rows(
    READ(
      wanted.map(({ n }) => n),
      wanted.map(({ place }) => place),
      wanted.map(({ objectId }) => objectId),
    ),
  );
  const found = asked.map(() => [] as typeof rows);
  for (const row of rows) found[row.n]!.push(row);
  return found.map((own, n) => {
    own.sort((a, b) => a.place - b.place);
    const last = own.at(-1);
    const taken = last && last.bytes >= READ_BYTES ? last.place + 1 : asked[n]!.length;
    return { rows: own.map(({ n: _n, bytes: _bytes, place, ...row }) => ({ row, place })), taken };
  });
});

/**
 * Reads the first of the found objects in order, with contacts if requested: as many as there are bytes for, and at least one. Synchronously if everything
 * is in memory.
 */
export function readBlocks(db: Database, found: readonly Sought[], contacts: Contacts): BlocksPart | Promise<BlocksPart> {
  const unread = found.findIndex(({ read }) => !read);
  if (unread === 0) return readUnread(db, found, contacts);
  const rows: { row: Shown; place: number }[] = [];
  let characters = 0;
  for (const { read } of unread < 0 ? found : found.slice(0, unread)) {
    if (rows.length >= MAX_OBJECTS || characters >= READ_BYTES) break;
    rows.push({ row: read!, place: rows.length });
    characters += read!.text.length;
  }
  return withContacts(db, { rows, taken: rows.length }, contacts);
}

async function readUnread(db: Database, found: readonly Sought[], contacts: Contacts): Promise<BlocksPart> {
  const next = found.slice(0, MAX_OBJECTS).findIndex(({ read }) => read);
  const ids = found.slice(0, next < 0 ? MAX_OBJECTS : next).map(({ objectId }) => objectId);
  return withContacts(db, await readRows(db, ids), contacts);
}

const together = <Each>(all: (Each | Promise<Each>)[]): Each[] | Promise<Each[]> =>
  all.some(each => each instanceof Promise) ? Promise.all(all) : (all as Each[]);

/** Adds contacts to the first of some objects: as many as have no more than `MAX_CONTACTS`, and at least one. */
function withContacts(db: Database, { rows, taken }: Rows, wanted: Contacts): BlocksPart | Promise<BlocksPart> {
  if (wanted === 'none') return { blocks: rows.map(({ row }) => ({ ...row, contacts: [], leftOut: [] })), taken };
  const blocks: (Block | Promise<Block>)[] = [];
  let contacts = 0;
  for (const { row } of rows) {
    const named = contactsOf(row, wanted);
    contacts += Math.min(named.length, MAX_CONTACTS_OF_ONE);
    if (contacts > MAX_CONTACTS && blocks.length > 0) break;
    blocks.push(withNamed(db, row, named));
  }
  const covered = blocks.length < rows.length ? rows[blocks.length - 1]!.place + 1 : taken;
  const all = together(blocks);
  return all instanceof Promise ? all.then(read => ({ blocks: read, taken: covered })) : { blocks: all, taken: covered };
}

function contactsOf(row: Shown, wanted: Contacts): readonly NamedContact[] {
  const all = row.named === undefined ? namedContacts(row.text) : readNamed(row.named);
  return wanted === 'all' ? all : all.filter(({ attribute }) => abuseAttributes.has(attribute));
}

function withNamed(db: Database, row: Shown, named: readonly NamedContact[]): Block | Promise<Block> {
  const shown = named.slice(0, MAX_CONTACTS_OF_ONE);
  const others = named.slice(MAX_CONTACTS_OF_ONE).map(({ key }) => key.toUpperCase());
  const contacts = together(shown.map(({ attribute, key }) => readContact(db, attribute, key)));
  return contacts instanceof Promise ? contacts.then(found => blockOf(row, found, others)) : blockOf(row, contacts, others);
}

function blockOf(row: Shown, named: readonly (Contact | null)[], others: readonly string[]): Block {
  const contacts: Shown[] = [];
  const tooLong: string[] = [];
  for (const contact of named) {
    if (contact === null) continue;
    if ('tooLong' in contact) tooLong.push(contact.tooLong);
    else if (!contacts.some(({ objectId }) => objectId === contact.objectId)) contacts.push(contact);
  }
  return { ...row, contacts, leftOut: [...new Set([...tooLong, ...others])] };
}
