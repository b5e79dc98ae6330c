import type { AnswerOf, QueryOf } from '@portal/contract';
import { type whois, type WhoisClass, whoisClasses, type WhoisListing } from '@portal/contract/whois/whois';
import { attributeRule, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import { mappedInTurns } from '../../../platform/breathing.ts';
import type { Read } from '../../../platform/database/index.ts';
import { containsPattern } from '../../../platform/search-text.ts';
import { OBJECTS_AT_ONCE } from './public-copy.ts';
import { changeableOf } from '../store/protected-attributes.ts';
import { listOf, objectOfRow } from '../store/object-facts.ts';
import type { StoredObject } from '../store/update.ts';
import { referringAttributes } from '../store/stored-objects.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Download } from '@portal/contract';
import type { whoisExport } from '@portal/contract/whois/export';
import { tableFile } from '../../../platform/table-file.ts';

type Query = Omit<QueryOf<typeof whois.listObjects>, 'offset' | 'limit'>;
type Filters = Pick<Query, 'q' | 'maintainer' | 'changedSince' | 'unreferenced'>;

/** Ids of all objects of an account: those its maintainers maintain, and those the registry keeps for it. */
export const objectsOfAccount = (accountName: string): RawBuilder<{ objectId: number }> => sql`
  select object_id from whois_object where kept_for = ${accountName}
  union select r.object_id from maintainer_link l join whois_reference r on r.value = l.maintainer and r.attribute = 'mnt-by' where l.account_name = ${accountName}`;

/** Classes in the order in which they are listed. */
export const order = sql`array_position(${[...whoisClasses]}::text[], o.class)`;

/** Attributes that can refer to an object of a class, to find objects that nothing refers to. */
const referring = [...new Set(whoisClasses.flatMap(referringAttributes))];

/** A page of the whois objects of an account, with the number of matches by class. */
export async function listObjects({
  read,
  account: { accountName },
  query: { offset, limit, ...query },
}: Act<typeof whois.listObjects>): Promise<AnswerOf<typeof whois.listObjects>> {
  const matching = matches(accountName, query);
  const [rows, classes] = await Promise.all([
    read.rows<StoredObject>(sql`select o.* from whois_object o where ${matching}
      ${ofClass(query)} order by ${orderOf(query)} limit ${limit} offset ${offset}`),
    read.rows<{ class: string; objects: number }>(
      sql`select o.class, count(*)::int as objects from whois_object o where ${matching} group by o.class order by ${order}`,
    ),
  ]);
  const counted = query.class === undefined ? classes : classes.filter(each => each.class === query.class);
  return { rows: rows.map(listingOf), total: counted.reduce((sum, { objects }) => sum + objects, 0), classes };
}

/** All objects that match, in batches, for a download. */
async function* streamObjects(read: Read, accountName: string, query: Query): AsyncGenerator<WhoisListing[]> {
  const rows = read.stream<StoredObject>(
    sql<StoredObject>`select o.* from whois_object o where ${matches(accountName, query)} ${ofClass(query)} order by ${orderOf(query)}`,
    OBJECTS_AT_ONCE,
  );
  for await (const batch of rows) yield await mappedInTurns(batch, listingOf);
}

const ofClass = ({ class: only }: Query): RawBuilder<unknown> => (only === undefined ? sql`` : sql`and o.class = ${only}`);

function orderOf({ sort, direction }: Query): RawBuilder<unknown> {
  const down = direction === 'desc' ? sql`desc` : sql`asc`;
  const by = sort === 'changedAt' ? sql`o.changed_at ${down}` : sort === 'shown' ? sql`o.shown ${down}` : sql`${order} ${down}`;
  return sql`${by}, ${order}, o.first nulls first, o.last desc, o.first_as nulls first, o.key`;
}

/** Returns the condition that selects the objects of a query in an account. */
export function matches(accountName: string, { q, maintainer, changedSince, unreferenced }: Filters): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`o.object_id in (${objectsOfAccount(accountName)})`];
  if (q !== '') conditions.push(sql`(o.shown ilike ${containsPattern(q)} or o.text ilike ${containsPattern(q)})`);
  if (maintainer !== undefined)
    conditions.push(
      sql`exists (select from whois_reference m where m.object_id = o.object_id and m.attribute = 'mnt-by' and m.value = ${maintainer.toLowerCase()})`,
    );
  if (changedSince !== undefined) conditions.push(sql`o.changed_at >= ${changedSince}::date`);
  if (unreferenced === 'yes')
    conditions.push(
      sql`not exists (select from whois_reference u where u.value = o.key and u.attribute = any(${referring}::text[]) and u.object_id <> o.object_id)`,
    );
  return sql.join(conditions, sql` and `);
}

function listingOf(row: StoredObject): WhoisListing {
  const object = objectOfRow(row);
  const { class: objectClass, key, shown, version, changedAt, kept } = row;
  return {
    class: objectClass as WhoisClass,
    key,
    shown,
    name: nameOf(object),
    maintainers: listOf(object, 'mnt-by'),
    version,
    changedAt,
    kept,
  };
}

/** Returns the name of an object besides its key. */
export function nameOf(object: RpslObject): string {
  const name =
    object.class === 'person' || object.class === 'role'
      ? object.class
      : ['netname', 'as-name', 'org-name'].find(each => valueOf(object, each) !== undefined);
  return (name === undefined ? valuesOf(object, 'descr')[0] : valueOf(object, name)) ?? '';
}

/** Returns the attributes that a holder may change in an object the registry keeps; null for the account's own objects. */
export const changeableAttributes = (row: StoredObject): string[] | null =>
  row.kept ? changeableOf(row.class).filter(name => attributeRule(name) !== undefined) : null;

/** Columns of the download, stable for scripts. `maintainers` are separated by spaces. */
const objectFile = ['class', 'key', 'name', 'maintainers', 'version', 'changedAt', 'kept'] as const;

async function* fileRows(batches: AsyncIterable<WhoisListing[]>) {
  for await (const rows of batches)
    yield rows.map(row => ({ ...row, key: row.shown, maintainers: row.maintainers.join(' '), kept: row.kept ? 'yes' : 'no' }));
}

/** The objects of an account that match, as a file. */
export async function exportObjects({ read, account: { accountName }, query }: Act<typeof whoisExport.exportObjects>): Promise<Download> {
  return tableFile(`${accountName}-whois-objects`, query.format, objectFile, fileRows(streamObjects(read, accountName, query)));
}
