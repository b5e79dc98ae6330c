import { spacedKey } from '@portal/contract/whois/spaced-key';
import type { SearchHit } from '@portal/contract/search/search';
import { parseObject } from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import type { Search } from '../../../platform/finder.ts';
import type { Find, FindEverywhere } from '../../../platform/module.ts';
import { columnsOf, searchedResource } from '../../resources/index.ts';
import { nameOf } from './object-list.ts';

/** Maximum number of matching keys considered for sorting. */
const SOUGHT = 300;
const views = ['whois-domain-objects-view', 'whois-private-objects-view', 'whois-principal-mntner-access'] as const;

type Row = { class: string; shown: string; text: string; own: boolean };

/** The networks, routes and zones that begin in some addresses, from the index of each. */
function inAddresses({ first, last }: { first: string | null; last: string | null }): RawBuilder<unknown> {
  const within = sql`first >= ${first}::inet and first <= ${last}::inet`;
  const of = (classes: RawBuilder<unknown>) =>
    sql`(select object_id from whois_object where ${classes} and ${within} order by first limit ${SOUGHT})`;
  return sql`union ${of(sql`class in ('inetnum', 'inet6num')`)} union ${of(sql`class in ('route', 'route6')`)}
    union ${of(sql`class = 'domain' and first is not null`)}`;
}

/** The addresses that a text names, or begins: `198.18.12` stands for all that begin so. Null for other words. */
function addressesOf(text: string): { first: string | null; last: string | null } | null {
  const begun = /^\d{1,3}(\.\d{1,3}){1,2}\.?$/.test(text) ? text.replace(/\.$/, '').split('.') : null;
  const sought = searchedResource(begun ? `${[...begun, '0', '0', '0'].slice(0, 4).join('.')}/${8 * begun.length}` : text);
  return sought && sought.family !== 'asn' ? columnsOf(sought) : null;
}

/** Objects whose key begins with the text, from the index of keys, and those of the addresses that it names: the account's first, then exact matches. */
function byKey({ read, text, most }: Search, accountName: string | null): Promise<Row[]> {
  const start = `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const addresses = addressesOf(text.trim());
  return read.rows<Row>(sql`
    select class, shown, text, own from (
      select distinct o.object_id, o.class, o.shown, o.key, o.text, coalesce(o.kept_for = ${accountName}, false) or exists (
        select from whois_reference m join maintainer_link l on l.maintainer = m.value
        where m.object_id = o.object_id and m.attribute = 'mnt-by' and l.account_name = ${accountName}) as own
      from ((select object_id from whois_key where key like ${start} limit ${SOUGHT}) ${addresses ? inAddresses(addresses) : sql``}) k join whois_object o using (object_id)) found
    order by own desc, key <> ${text.toLowerCase()}, class, key limit ${most}`);
}

const hit = ({ own, ...row }: Row): SearchHit => {
  const { class: objectClass, shown } = row;
  const { object } = parseObject(row.text);
  const name = object ? nameOf(object) : '';
  return {
    section: 'whois',
    text: spacedKey(shown),
    note: [objectClass, name, own ? '' : 'another holder’s'].filter(Boolean).join(', '),
    link: `/resources/whois-updates-js/all?${String(new URLSearchParams({ class: objectClass, key: shown }))}`,
    kind: null,
  };
};

/** Whois objects by key: of the account first, then of other holders, which everyone can read. */
export const findWhoisObjects: Find = async ({ account, ...search }) =>
  views.some(view => account.permissions.has(view)) ? (await byKey(search, account.accountName)).map(hit) : [];

/** Whois objects of all holders by key. The results link to RDAP, which needs no account. */
export const findWhoisEverywhere: FindEverywhere = {
  permissions: ['accounts'],
  find: async search =>
    (await byKey(search, null)).flatMap(row => {
      const path = rdapPaths[row.class]?.(row.shown);
      return path === undefined ? [] : [{ ...hit({ ...row, own: true }), link: path }];
    }),
};

const entity = (shown: string): string => `/rdap/entity/${encodeURIComponent(shown)}`;
const rdapPaths: Readonly<Record<string, (shown: string) => string>> = {
  person: entity,
  role: entity,
  mntner: entity,
  irt: entity,
  organisation: entity,
  'aut-num': shown => `/rdap/autnum/${shown.slice(2)}`,
  domain: shown => `/rdap/domain/${shown}`,
  inetnum: shown => `/rdap/ip/${shown.split(' ')[0]}`,
  inet6num: shown => `/rdap/ip/${shown}`,
};
