import type { ClassName } from '@portal/rpsl';
import { type Database, inBatches } from '../../../platform/database/index.ts';
import { statement } from './statement.ts';

export type Shown = { objectId: number; class: ClassName; key: string; shown: string; text: string };
/** An object with the contacts it names: irt, organisation, role, person, each once. */
export type Block = Shown & { contacts: Shown[] };

/** Which contacts are read along: all, those who are told of abuse, none. */
export type Contacts = 'all' | 'abuse' | 'none';

/** Which contacts of an object stand behind it: those it names in these attributes. */
const referred: readonly (readonly [attribute: string, className: ClassName])[] = [
  ['mnt-irt', 'irt'],
  ['org', 'organisation'],
  ...['admin-c', 'tech-c', 'zone-c', 'abuse-c', 'ping-hdl'].flatMap(
    attribute =>
      [
        [attribute, 'role'],
        [attribute, 'person'],
      ] as const,
  ),
];

const READ = statement<Shown & { n: number; of: number | null }>(`
with a as materialized (
  select a.n, a.contacts, o.object_id, o.class, o.key, o.shown, o.text
  from unnest((select $1::int[]), (select $2::bigint[]), (select $3::text[])) as a(n, object_id, contacts) join whois_object o using (object_id))
select n, null::bigint as of, object_id, class, key, shown, text from a
union all
select a.n, a.object_id as of, c.object_id, c.class, c.key, c.shown, c.text from a
cross join lateral (select attribute, value from whois_reference r where r.object_id = a.object_id
  and (a.contacts = 'all' or (a.contacts = 'abuse' and r.attribute in ('mnt-irt', 'abuse-c'))) offset 0) r
join (values ${referred.map(([attribute, className]) => `('${attribute}', '${className}')`).join(', ')}) m(attribute, class) on m.attribute = r.attribute
cross join lateral (select object_id, class, key, shown, text from whois_object o where o.class = m.class and o.key = r.value offset 0) c`);

/** Reads objects in the order of their ids, with their contacts if they are wanted. */
export const readBlocks = inBatches(
  async (db: Database, asked: readonly { objectIds: readonly number[]; contacts: Contacts }[]): Promise<Block[][]> => {
    const wanted = asked.flatMap(({ objectIds, contacts }, n) => objectIds.map(objectId => ({ n, objectId, contacts })));
    const rows = await READ(
      db.read,
      wanted.map(({ n }) => n),
      wanted.map(({ objectId }) => objectId),
      wanted.map(({ contacts }) => contacts),
    );
    const blocks = asked.map(() => new Map<number, Block>());
    for (const row of rows) {
      if (row.of === null) blocks[row.n]!.set(row.objectId, { ...row, contacts: [] });
      else {
        const contacts = blocks[row.n]!.get(row.of)?.contacts;
        if (contacts && !contacts.some(({ objectId }) => objectId === row.objectId)) contacts.push(row);
      }
    }
    return asked.map(({ objectIds }, n) => objectIds.flatMap(id => blocks[n]!.get(id) ?? []));
  },
);
