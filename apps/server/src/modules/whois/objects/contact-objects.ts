import type { AnswerOf } from '@portal/contract';
import type { WhoisContact, whoisContacts } from '@portal/contract/whois/contacts';
import { valueOf, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { objectOfRow } from '../store/object-facts.ts';
import { nameOf, objectsOfAccount } from './object-list.ts';
import type { StoredObject } from '../store/update.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

/** Maximum number of objects on the page; more are changed by bulk update. */
const MAX = 1_000;

/** Person and role objects of an account, with the number of objects that name them, by attribute, including those of other accounts. */
export async function listContacts({
  read,
  account: { accountName },
}: Act<typeof whoisContacts.listContacts>): Promise<AnswerOf<typeof whoisContacts.listContacts>> {
  const rows = await read.rows<StoredObject>(sql`select o.* from whois_object o
    where o.object_id in (${objectsOfAccount(accountName)}) and o.class in ('person', 'role') order by o.class desc, o.key limit ${MAX}`);
  const uses = await read.rows<{ value: string; attribute: string; objects: number }>(sql`
    select value, attribute, count(distinct object_id)::int as objects from whois_reference
    where value = any(${rows.map(({ key }) => key)}::text[]) and attribute in ('admin-c', 'tech-c', 'zone-c', 'abuse-c', 'author', 'ping-hdl')
    group by value, attribute order by 3 desc, 2`);
  return {
    rows: rows.map(row => {
      const object = objectOfRow(row);
      return {
        class: row.class as WhoisContact['class'],
        key: row.key,
        shown: row.shown,
        name: nameOf(object),
        address: valuesOf(object, 'address'),
        country: valueOf(object, 'country') ?? null,
        phones: valuesOf(object, 'phone'),
        emails: valuesOf(object, 'e-mail'),
        changedAt: row.changedAt,
        uses: uses.flatMap(({ value, attribute, objects }) => (value === row.key ? [{ attribute, objects }] : [])),
      };
    }),
  };
}
