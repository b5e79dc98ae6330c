import { attributes, type ClassName } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Item, StoredObject } from './update.ts';

/** Number of an item, and an object that it has to do with. */
export type Pair = { no: number; objectId: number };

export type Referrers = { total: number; first: readonly StoredObject[] };

export const idOf = (objectClass: string, key: string): string => `${objectClass} ${key}`;

/** Attributes whose references prevent an object of a class from being deleted; routes don't prevent the deletion of an aut-num. */
export const referringAttributes = (objectClass: string): string[] =>
  objectClass === 'aut-num'
    ? []
    : Object.entries(attributes)
        .filter(([, rule]) => rule.refersTo.includes(objectClass as ClassName))
        .map(([name]) => name);

const columns = sql`o.object_id, o.class, o.key, o.shown, o.text, o.version, host(o.first) as first, host(o.last) as last, o.first_as, o.last_as,
  o.registry_maintained, o.kept_for, o.kept, o.created_at, o.changed_at`;

/** Rows by class and key, in one statement. */
export async function findObjects(read: Pick<Read, 'rows'>, wanted: readonly { class: string; key: string }[]): Promise<StoredObject[]> {
  if (wanted.length === 0) return [];
  // `offset 0` keeps the planner from joining before it knows how big the table is: it looks each of them up.
  return read.rows<StoredObject>(sql`select ${columns}
    from unnest(${wanted.map(w => w.class)}::text[], ${wanted.map(w => w.key)}::text[]) as w (class, key)
    cross join lateral (select * from whois_object where class = w.class and key = w.key offset 0) o`);
}

/** Objects that a submission has to do with, each once, by class and key and by id. */
export type KnownObjects = {
  find(objectClass: string, key: string): StoredObject | undefined;
  all(): Iterable<StoredObject>;
  keep(row: StoredObject): void;
  /** Lists the objects of pairs by the number of their item; those not known yet are read. */
  grouped(found: readonly Pair[]): Promise<Map<number, StoredObject[]>>;
};

/** Returns the objects of the items, to which others are added as they are read. */
export function knownObjects(read: Pick<Read, 'rows'>, items: readonly Item[]): KnownObjects {
  const byName = new Map<string, StoredObject>();
  const byId = new Map<number, StoredObject>();
  const keep = (row: StoredObject): void => {
    if (byId.has(row.objectId)) return;
    byName.set(idOf(row.class, row.key), row);
    byId.set(row.objectId, row);
  };
  for (const { stored } of items) if (stored) keep(stored);
  return {
    find: (objectClass, key) => byName.get(idOf(objectClass, key)),
    all: () => byId.values(),
    keep,
    grouped: async found => {
      const missing = [...new Set(found.map(({ objectId }) => objectId))].filter(id => !byId.has(id));
      if (missing.length > 0)
        (await read.rows<StoredObject>(sql`select ${columns} from whois_object o where object_id = any(${missing}::bigint[])`)).forEach(
          keep,
        );
      const lists = new Map<number, StoredObject[]>();
      for (const { no, objectId } of found) {
        const list = lists.get(no) ?? [];
        const row = byId.get(objectId)!;
        if (!list.includes(row)) list.push(row);
        lists.set(no, list);
      }
      return lists;
    },
  };
}
