import type { ResourceRecord } from '@portal/contract/records/records';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { type NumberResource, printResource } from '@portal/number-resources';
import { rangeOf, readKey } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { relationOf } from '../resources/index.ts';
import { type Known, objectAddress } from './known-object.ts';

/** Maximum number of versions on one page. */
const VERSIONS = 50;

type VersionRow = {
  class: string;
  key: string;
  shown: string;
  version: number;
  operation: 'ADD' | 'DEL';
  at: string;
  name: string | null;
  accountName: string | null;
};

/** Versions of the objects of exactly these numbers, deleted ones too. */
export async function versionsOf(
  read: Read,
  account: AdmittedAccount,
  known: readonly Known[],
  resource: NumberResource,
): Promise<ResourceRecord['history']> {
  const exact = new Map<string, { class: string; key: string }>();
  const want = (objectClass: string, key: string | undefined): void => {
    if (key !== undefined) exact.set(`${objectClass} ${key}`, { class: objectClass, key });
  };
  for (const { class: objectClass, key, object } of known) {
    const range = rangeOf(object);
    if (range && range.family === resource.family && relationOf(range, resource) === 'exact') want(objectClass, key);
  }
  const text = printResource(resource);
  if (resource.family === 'asn') want('aut-num', readKey('aut-num', text)?.key);
  else want(resource.family === 'ipv4' ? 'inetnum' : 'inet6num', readKey(resource.family === 'ipv4' ? 'inetnum' : 'inet6num', text)?.key);
  const wanted = [...exact.values()];
  const rows = await read.rows<VersionRow>(sql`
    select j.class, j.key, j.shown, j.version, j.operation, j.happened_at as at, c.full_name as name, y.account_name
    from (select j.* from unnest(${wanted.map(each => each.class)}::text[], ${wanted.map(each => each.key)}::text[]) as w (class, key)
      cross join lateral (select * from whois_journal j where j.class = w.class and j.key = w.key order by version desc limit ${VERSIONS}) j
      order by j.serial desc limit ${VERSIONS}) j
    join activity y using (activity_id) left join contact c on c.contact_id::text = y.contact_id and c.account_name = ${account.accountName}
    order by j.serial desc`);
  return rows.map(({ class: objectClass, key, shown, version, operation, at, name, accountName }) => ({
    at,
    what: `${operation === 'DEL' ? 'Deleted' : version === 1 ? 'Created' : 'Changed'} ${objectClass} ${spacedKey(shown)}, version ${version}`,
    by: name ?? (accountName !== null && accountName !== account.accountName ? 'A contact of another account' : 'The registry'),
    link: `${objectAddress(objectClass, key)}&view=history`,
  }));
}
