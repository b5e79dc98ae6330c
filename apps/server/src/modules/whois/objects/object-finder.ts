import { spacedKey } from '@portal/contract/whois/spaced-key';
import type { SearchHit } from '@portal/contract/search/search';
import { parseObject } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Search } from '../../../platform/finder.ts';
import type { Find, FindEverywhere } from '../../../platform/module.ts';
import { nameOf } from './object-list.ts';

/** Maximum number of matching keys considered for sorting. */
const SOUGHT = 300;
const views = ['whois-domain-objects-view', 'whois-private-objects-view', 'whois-principal-mntner-access'] as const;

type Row = { class: string; shown: string; text: string; own: boolean };

/** Objects whose key begins with the text, from the index of keys: the account's first, then exact matches. */
function byKey({ read, text, most }: Search, accountName: string | null): Promise<Row[]> {
  const start = `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return read.rows<Row>(sql`
    select class, shown, text, own from (
      select distinct o.object_id, o.class, o.shown, o.key, o.text, coalesce(o.kept_for = ${accountName}, false) or exists (
        select from whois_reference m join maintainer_link l on l.maintainer = m.value
        where m.object_id = o.object_id and m.attribute = 'mnt-by' and l.account_name = ${accountName}) as own
      from (select object_id from whois_key where key like ${start} limit ${SOUGHT}) k join whois_object o using (object_id)) found
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
