import { sql } from 'kysely';
import { type ActNames, nameById } from '../../platform/act-names.ts';

export const whoisNames: ActNames = {
  // Those who agree are of another account than the one that asks.
  consent: nameById(async ({ read, id, account }) => {
    const [row] = await read.rows<{ objects: string[]; by: string }>(sql`select c.objects, c.account_name as by from whois_consent c
      where c.consent_id = ${id} and exists (select from maintainer_link m where m.account_name = ${account} and upper(m.maintainer) = any(select upper(one) from unnest(c.maintainers) one))`);
    return row && `${row.objects.slice(0, 3).join(', ')} by ${row.by}`;
  }),
};
