import type { AnswerOf, QueryOf } from '@portal/contract';
import type { whois } from '@portal/contract/whois/whois';
import { sql } from 'kysely';
import { objectOfRow } from '../store/object-facts.ts';
import { nameOf, objectsOfAccount } from './object-list.ts';
import { setClasses } from '../store/set-names.ts';
import type { StoredObject } from '../store/update.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

type Query = QueryOf<typeof whois.complete>;

const classesOf: Record<Query['kind'], readonly string[]> = {
  contact: ['person', 'role'],
  role: ['role'],
  maintainer: ['mntner'],
  irt: ['irt'],
  organisation: ['organisation'],
  set: setClasses,
  'as-number': ['aut-num'],
  'key-cert': ['key-cert'],
};

/** Returns suggestions: the account's objects whose key or text contains the input, then others whose key begins with it. */
export async function complete({
  read,
  account: { accountName },
  query: { kind, q, limit },
}: Act<typeof whois.complete>): Promise<AnswerOf<typeof whois.complete>> {
  const classes = classesOf[kind];
  const typed = q.toLowerCase().replaceAll(/[\\%_]/g, '\\$&');
  const rows = await read.rows<StoredObject & { own: boolean }>(sql`
    select * from (
      (select o.*, true as own from whois_object o where o.class = any(${[...classes]}::text[]) and o.object_id in (${objectsOfAccount(accountName)})
        and (o.key like ${`%${typed}%`} or (${q.length >= 2} and o.text ilike ${`%${typed}%`}))
        order by o.key not like ${`${typed}%`}, o.key limit ${limit})
      union all
      (select o.*, false as own from whois_object o where o.class = any(${[...classes]}::text[]) and ${q.length >= 2}
        and o.key like ${`${typed}%`} and o.object_id not in (${objectsOfAccount(accountName)}) order by o.key limit ${limit})
    ) found order by own desc limit ${limit}`);
  return { rows: rows.map(row => ({ class: row.class, key: row.key, shown: row.shown, name: nameOf(objectOfRow(row)), own: row.own })) };
}
