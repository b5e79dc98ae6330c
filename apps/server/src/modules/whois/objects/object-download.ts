import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import { maxDownloadedRanges, type whoisDownload } from '@portal/contract/whois/download';
import type { WhoisClass } from '@portal/contract/whois/whois';
import { type NumberResource, parseResource, printAddress, ResourceSyntaxError } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import { mappedInTurns } from '../../../platform/breathing.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import { tableFile } from '../../../platform/table-file.ts';
import { listOf, objectOfRow } from '../store/object-facts.ts';
import { matches, nameOf, order } from './object-list.ts';
import { OBJECTS_AT_ONCE, publicCopy } from './public-copy.ts';
import { shownText } from '../store/shown-text.ts';
import type { StoredObject } from '../store/update.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

type Choice = QueryOf<typeof whoisDownload.countDownload>;

/** Returns whether the caller may see persons in full. Others get them as mirrors do: without names and addresses. */
const seesPersons = ({ permissions, asStaff }: AdmittedAccount): boolean => asStaff || permissions.has('contacts-details-view');

/** @throws Failure INVALID_REQUEST naming the invalid range, NO_PERMISSION for private assignments */
function chosen(account: AdmittedAccount, { classes, ranges, children, privateOnes, ...filters }: Choice) {
  if (privateOnes === 'yes' && !account.permissions.has('whois-private-objects-view')) throw refuse('NO_PERMISSION');
  const resources = resourcesOf(ranges);
  const only = classes === '' ? null : (classes.split(',') as WhoisClass[]);
  const conditions = [matches(account.accountName, { ...filters, q: '' })];
  if (only !== null) conditions.push(sql`o.class = any(${only}::text[])`);
  if (resources.length > 0)
    conditions.push(
      sql`(${sql.join(
        resources.map(each => isAbout(each, children === 'yes')),
        sql` or `,
      )})`,
    );
  return { objects: sql.join(conditions, sql` and `), assignments: assignmentsOf(account, resources, children === 'yes') };
}

function resourcesOf(ranges: string): NumberResource[] {
  const texts = ranges
    .split(/[,;\n]+/)
    .map(text => text.trim())
    .filter(text => text !== '');
  if (texts.length > maxDownloadedRanges)
    throw refuseField('ranges', `${texts.length} ranges entered. Enter at most ${maxDownloadedRanges}`);
  return texts.map(text => {
    try {
      return parseResource(text);
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      throw refuseField('ranges', error.message);
    }
  });
}

function isAbout(resource: NumberResource, inside: boolean): RawBuilder<unknown> {
  if (resource.family === 'asn') {
    const [first, last] = [resource.first, resource.last].map(String);
    return inside
      ? sql`((o.first_as >= ${first}::bigint and o.last_as <= ${last}::bigint) or o.origin between ${first}::bigint and ${last}::bigint)`
      : sql`(o.first_as = ${first}::bigint and o.last_as = ${last}::bigint)`;
  }
  return spans(sql`o.first`, sql`o.last`, resource, inside);
}

function spans(first: RawBuilder<unknown>, last: RawBuilder<unknown>, range: Exclude<NumberResource, { family: 'asn' }>, inside: boolean) {
  const [from, to] = [range.first, range.last].map(value => printAddress({ family: range.family, value }));
  return inside ? sql`(${first} >= ${from}::inet and ${last} <= ${to}::inet)` : sql`(${first} = ${from}::inet and ${last} = ${to}::inet)`;
}

function assignmentsOf({ accountName }: AdmittedAccount, resources: readonly NumberResource[], inside: boolean): RawBuilder<unknown> {
  const ranges = resources.flatMap(each => (each.family === 'asn' ? [] : [spans(sql`a.first`, sql`a.last`, each, inside)]));
  const about = resources.length === 0 ? sql`` : ranges.length === 0 ? sql`and false` : sql`and (${sql.join(ranges, sql` or `)})`;
  return sql`a.account_name = ${accountName} and a.visibility = 'private' ${about}`;
}

/** Returns the size of a download. @throws Failure as the contract lists */
export async function countDownload({
  read,
  account,
  query,
}: Act<typeof whoisDownload.countDownload>): Promise<AnswerOf<typeof whoisDownload.countDownload>> {
  const { objects, assignments } = chosen(account, query);
  const [classes, privates] = await Promise.all([
    read.rows<{
      class: string;
      objects: number;
      bytes: number;
    }>(sql`select o.class, count(*)::int as objects, sum(octet_length(o.text))::int as bytes
      from whois_object o where ${objects} group by o.class order by ${order}`),
    query.privateOnes === 'yes'
      ? read.rows<{ total: number }>(sql`select count(*)::int as total from assignment a where ${assignments}`)
      : [{ total: 0 }],
  ]);
  const sum = (of: 'objects' | 'bytes') => classes.reduce((total, each) => total + each[of], 0);
  return {
    objects: sum('objects'),
    bytes: sum('bytes'),
    classes,
    privateOnes: privates[0]!.total,
    masked: seesPersons(account) ? 0 : (classes.find(each => each.class === 'person')?.objects ?? 0),
  };
}

type PrivateRow = {
  kind: 'ipv4' | 'ipv6';
  resource: string;
  type: string;
  netname: string;
  descr: string | null;
  customer: string | null;
  economy: string | null;
  registeredOn: string;
  updatedAt: string;
};
type Batch = { objects: StoredObject[] } | { privates: PrivateRow[] };

/** Returns the selected objects of an account in full, in one file, without credentials. @throws Failure as the contract lists */
export async function downloadObjects({
  read,
  account,
  query: { format, gzip, ...query },
}: Act<typeof whoisDownload.downloadObjects>): Promise<Download> {
  const { objects, assignments } = chosen(account, query);
  const shown = (row: StoredObject): StoredObject =>
    seesPersons(account) || row.class !== 'person' ? row : { ...row, text: publicCopy(row.text, 'dummy') ?? '' };
  async function* batches(): AsyncGenerator<Batch> {
    const rows = read.stream<StoredObject>(
      sql<StoredObject>`select o.* from whois_object o where ${objects}
        order by ${order}, o.first nulls first, o.last desc, o.first_as nulls first, o.key`,
      OBJECTS_AT_ONCE,
    );
    for await (const batch of rows) yield { objects: await mappedInTurns(batch, shown) };
    if (query.privateOnes !== 'yes') return;
    const privates = read.stream<PrivateRow>(sql<PrivateRow>`select a.kind, a.resource, a.type, a.netname, a.descr, a.customer, a.economy,
      a.registered_on, a.updated_at from assignment a where ${assignments} order by a.kind, a.first, a.last desc`);
    for await (const batch of privates) yield { privates: batch };
  }
  const file = fileOf(`${account.accountName}-whois`, format, batches());
  return gzip === 'yes' ? packed(file) : file;
}

function fileOf(name: string, format: 'rpsl' | 'json' | 'csv', batches: AsyncGenerator<Batch>): Download {
  if (format === 'csv') return tableFile(name, 'csv', columns, table(batches));
  return format === 'rpsl'
    ? { fileName: `${name}.txt`, contentType: 'text/plain; charset=utf-8', chunks: texts(batches) }
    : { fileName: `${name}.json`, contentType: 'application/json; charset=utf-8', chunks: json(batches) };
}

const packed = ({ fileName, chunks }: Download): Download => ({
  fileName: `${fileName}.gz`,
  contentType: 'application/gzip',
  chunks: Readable.from(chunks).compose(createGzip()) as AsyncIterable<Uint8Array>,
});

/** Columns of the table, stable for scripts. `maintainers` are separated by spaces. */
const columns = ['class', 'key', 'name', 'maintainers', 'version', 'changedAt', 'kept', 'private'] as const;

const classOf = ({ kind }: PrivateRow): string => (kind === 'ipv4' ? 'inetnum' : 'inet6num');

type TableRow = Record<Exclude<(typeof columns)[number], 'version'>, string> & { version: number | null };

async function* table(batches: AsyncIterable<Batch>): AsyncGenerator<TableRow[]> {
  for await (const batch of batches)
    yield 'objects' in batch
      ? await mappedInTurns(batch.objects, row => {
          const object = objectOfRow(row);
          return {
            class: row.class,
            key: row.shown,
            name: nameOf(object),
            maintainers: listOf(object, 'mnt-by').join(' '),
            version: row.version,
            changedAt: row.changedAt,
            kept: row.kept ? 'yes' : 'no',
            private: 'no',
          };
        })
      : batch.privates.map(row => ({
          class: classOf(row),
          key: row.resource,
          name: row.netname,
          maintainers: '',
          version: null,
          changedAt: row.updatedAt,
          kept: 'no',
          private: 'yes',
        }));
}

async function* texts(batches: AsyncIterable<Batch>): AsyncGenerator<string> {
  for await (const batch of batches)
    yield 'objects' in batch
      ? (await mappedInTurns(batch.objects, ({ text }) => `${shownText(text).trimEnd()}\n\n`)).join('')
      : batch.privates.map(row => `${commentOf(row)}\n\n`).join('');
}

/** A private assignment as comments: resubmitted, it isn't an object. */
const commentOf = ({ resource, type, netname, customer, descr, economy, registeredOn }: PrivateRow): string =>
  [
    `private ${type}: ${resource}`,
    `netname: ${netname}`,
    ...(customer === null ? [] : [`customer: ${customer}`]),
    ...(descr === null ? [] : [`descr: ${descr}`]),
    ...(economy === null ? [] : [`country: ${economy}`]),
    `registered: ${registeredOn}`,
  ]
    .map(line => `# ${line.replaceAll(/\s+/g, ' ')}`)
    .join('\n');

async function* json(batches: AsyncIterable<Batch>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    const lines =
      'objects' in batch
        ? await mappedInTurns(batch.objects, jsonOf)
        : batch.privates.map(row => JSON.stringify({ private: true, ...row }));
    if (lines.length === 0) continue;
    yield before + lines.join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

function jsonOf(row: StoredObject): string {
  const shown = { ...row, text: shownText(row.text) };
  const attributes = objectOfRow(shown).attributes.map(({ name, value, comment }) => ({
    name,
    value,
    ...(comment !== null && { comment }),
  }));
  return JSON.stringify({ class: row.class, key: row.shown, version: row.version, attributes });
}
