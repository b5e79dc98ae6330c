import type { RecordLane, ResourceRecord } from '@portal/contract/records/records';
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

/** A version of an object, as the history names it, and what the time line needs of it. */
export type Version = ResourceRecord['history'][number] & Pick<VersionRow, 'class' | 'key' | 'shown' | 'version' | 'operation'>;

/** Versions of the objects of exactly these numbers, deleted ones too. */
export async function versionsOf(
  read: Read,
  account: AdmittedAccount,
  known: readonly Known[],
  resource: NumberResource,
): Promise<Version[]> {
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
    class: objectClass,
    key,
    shown,
    version,
    operation,
    at,
    what: `${operation === 'DEL' ? 'Deleted' : version === 1 ? 'Created' : 'Changed'} ${objectClass} ${spacedKey(shown)}, version ${version}`,
    by: name ?? (accountName !== null && accountName !== account.accountName ? 'A contact of another account' : 'The registry'),
    link: `${objectAddress(objectClass, key)}&view=history`,
  }));
}

const lanes = [
  { id: 'whois', title: 'Whois', classes: ['inetnum', 'inet6num', 'aut-num'], look: 'object' },
  { id: 'route-objects', title: 'Route objects', classes: ['route', 'route6'], look: 'object' },
  { id: 'reverse-dns', title: 'Reverse DNS', classes: ['domain'], look: 'reverse' },
] as const;

/** The same versions as rows of the time line: each lasts until the next one, or until the object was deleted. */
export function lanesOfVersions(versions: readonly Version[], resource: NumberResource): RecordLane[] {
  return lanes.flatMap(({ id, title, classes, look }): RecordLane[] => {
    if (resource.family === 'asn' && id !== 'whois') return [];
    const of = versions.filter(version => (classes as readonly string[]).includes(version.class));
    const spans = [...Map.groupBy(of, version => `${version.class} ${version.key}`).values()].flatMap(own => {
      const ordered = own.toSorted((a, b) => a.version - b.version);
      return ordered.flatMap(({ operation, at, version, shown }, index) =>
        operation === 'DEL'
          ? []
          : [{ from: at, until: ordered[index + 1]?.at ?? null, text: `${spacedKey(shown)}, version ${version}`, look }],
      );
    });
    return spans.length === 0 ? [] : [{ id, title, spans: spans.toSorted((a, b) => (a.from < b.from ? -1 : 1)) }];
  });
}
