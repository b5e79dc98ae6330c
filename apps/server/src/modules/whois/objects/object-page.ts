import type { AnswerOf } from '@portal/contract';
import type { whois, WhoisClass, WhoisObject, WhoisVersion } from '@portal/contract/whois/whois';
import { isClassName, readKey } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { reclaimable } from '../rights/reclaimable.ts';
import { heldBy } from '../store/protected-attributes.ts';
import { maintainersIn, objectOfRow } from '../store/object-facts.ts';
import { changeableAttributes } from './object-list.ts';
import { rightsOf } from '../rights/rights.ts';
import { shownText, textForOthers } from '../store/shown-text.ts';
import type { Credentials, StoredObject } from '../store/update.ts';
import { findObjects, referringAttributes } from '../store/stored-objects.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

type ObjectName = { class: WhoisClass; key: string };

/** Class and normalised key of the requested object. @throws Failure NOT_FOUND for an impossible key of the class */
function identify({ class: objectClass, key: written }: ObjectName): { class: WhoisClass; key: string } {
  const key = isClassName(objectClass) ? readKey(objectClass, written)?.key : undefined;
  if (key === undefined) throw refuse('NOT_FOUND', { what: `${objectClass} ${written}` });
  return { class: objectClass, key };
}

async function rowOf(read: Pick<Read, 'rows'>, asked: ObjectName): Promise<StoredObject> {
  const [row] = await findObjects(read, [identify(asked)]);
  if (!row) throw refuse('NOT_FOUND', { what: `${asked.class} ${asked.key}` });
  return row;
}

/** Any object, and what the caller may do with it. @throws Failure NOT_FOUND */
export async function getObject({ read, account, query: asked }: Act<typeof whois.getObject>): Promise<WhoisObject> {
  const row = await rowOf(read, asked);
  const [{ suspended, ...rights }, references] = await Promise.all([
    rightsOf(read, account.accountName, account.contactId),
    countReferences(read, row),
  ]);
  const { text, version, createdAt, changedAt, keptFor, shown } = row;
  const may = suspended
    ? { mayEdit: false, mayDelete: false, why: `${account.accountName} is suspended until its renewal is paid` }
    : rightsOver(row, rights);
  return {
    class: asked.class,
    key: row.key,
    shown,
    text: isOwn(row, rights) || account.asStaff ? shownText(text) : textForOthers(text),
    version,
    createdAt,
    changedAt,
    keptFor,
    ...may,
    mayReclaim: !suspended && (await reclaimable(read, [row], rights)).has(row.objectId),
    changeable: may.mayEdit ? changeableAttributes(row) : null,
    references,
  };
}

/** Whether the caller maintains an object or holds it, and reads all of it. */
const isOwn = (row: StoredObject, rights: Credentials): boolean =>
  heldBy(row, rights) || maintainersIn(objectOfRow(row), 'mnt-by').some(each => rights.maintainers.has(each));

function rightsOver(row: StoredObject, rights: Credentials): Pick<WhoisObject, 'mayEdit' | 'mayDelete' | 'why'> {
  const no = (why: string) => ({ mayEdit: false, mayDelete: false, why });
  if (row.kept) {
    if (heldBy(row, rights))
      return {
        mayEdit: true,
        mayDelete: false,
        why: 'The registry manages this object. You can change everything except key, status, names and maintainers',
      };
    return no('The registry manages this object');
  }
  const maintainers = maintainersIn(objectOfRow(row), 'mnt-by');
  if (!maintainers.some(each => rights.maintainers.has(each)))
    return no(`It’s maintained by ${maintainers.map(each => each.toUpperCase()).join(', ')}, which you can’t use`);
  if (row.class === 'domain' && !rights.mayWriteDomains) return no('You need the permission to update reverse domain objects');
  if (row.registryMaintained) return { mayEdit: true, mayDelete: false, why: 'Only the registry can delete it' };
  return { mayEdit: true, mayDelete: true, why: null };
}

const referrers = (row: { class: string; key: string; objectId?: number }) => sql`whois_reference r where r.value = ${row.key}
  and r.attribute = any(${referringAttributes(row.class)}::text[]) and r.object_id <> ${row.objectId ?? 0}`;

async function countReferences(read: Read, row: StoredObject): Promise<number> {
  const [counted] = await read.rows<{ total: number }>(sql`select count(distinct r.object_id)::int as total from ${referrers(row)}`);
  return counted!.total;
}

/** A page of the objects that refer to an object. @throws Failure NOT_FOUND */
export async function listReferences({
  read,
  query: asked,
}: Act<typeof whois.listReferences>): Promise<AnswerOf<typeof whois.listReferences>> {
  const row = await rowOf(read, asked);
  const [rows, total] = await Promise.all([
    read.rows<{ class: string; key: string; shown: string; attributes: string[] }>(sql`select o.class, o.key, o.shown, r.attributes from (
        select r.object_id, array_agg(r.attribute order by r.attribute) as attributes from ${referrers(row)} group by r.object_id
        order by r.object_id limit ${asked.limit} offset ${asked.offset}) r join whois_object o using (object_id) order by o.object_id`),
    countReferences(read, row),
  ]);
  return { rows, total };
}

type VersionRow = {
  version: number;
  operation: 'ADD' | 'DEL';
  before: 'ADD' | 'DEL' | null;
  serial: number;
  reason: string;
  at: string;
  contactName: string | null;
  accountName: string | null;
  text: string;
  textBefore: string | null;
};

const versionColumns = sql`j.version, j.operation, j.serial, j.reason, j.happened_at as at, c.full_name as contact_name, a.account_name,
  j.text, b.operation as before, b.text as text_before`;
const versionSource = (asked: {
  class: string;
  key: string;
}) => sql`whois_journal j join activity a using (activity_id) left join contact c on c.contact_id::text = a.contact_id
  left join whois_journal b on b.class = j.class and b.key = j.key and b.version = j.version - 1 where j.class = ${asked.class} and j.key = ${asked.key}`;

function versionOf(row: VersionRow, account: AdmittedAccount): WhoisVersion {
  const operation = row.operation === 'DEL' ? 'delete' : row.before === 'ADD' ? 'modify' : 'create';
  const by =
    row.contactName !== null && row.accountName === account.accountName
      ? row.contactName
      : row.contactName !== null || row.accountName !== null
        ? 'A contact of another account'
        : 'The registry';
  return {
    version: row.version,
    operation,
    at: row.at,
    by: row.accountName === account.accountName && row.contactName === null ? 'The registry' : by,
    reason: row.reason,
    serial: row.serial,
  };
}

/** The versions of an object, newest first, also of a deleted one. @throws Failure NOT_FOUND */
export async function listVersions({
  read,
  account,
  query: asked,
}: Act<typeof whois.listVersions>): Promise<AnswerOf<typeof whois.listVersions>> {
  const identity = identify(asked);
  const [rows, [counted]] = await Promise.all([
    read.rows<VersionRow>(
      sql`select ${versionColumns} from ${versionSource(identity)} order by j.version desc limit ${asked.limit} offset ${asked.offset}`,
    ),
    read.rows<{ total: number }>(
      sql`select count(*)::int as total from whois_journal where class = ${identity.class} and key = ${identity.key}`,
    ),
  ]);
  if (counted!.total === 0) throw refuse('NOT_FOUND', { what: `${asked.class} ${asked.key}` });
  return { rows: rows.map(row => versionOf(row, account)), total: counted!.total };
}

/** One version with its text and the one before. @throws Failure NOT_FOUND */
export async function getVersion({
  read,
  account,
  query: asked,
}: Act<typeof whois.getVersion>): Promise<AnswerOf<typeof whois.getVersion>> {
  const [row] = await read.rows<VersionRow>(
    sql`select ${versionColumns} from ${versionSource(identify(asked))} and j.version = ${asked.version}`,
  );
  if (!row) throw refuse('NOT_FOUND', { what: `Version ${asked.version} of ${asked.class} ${asked.key}` });
  const rights = await rightsOf(read, account.accountName, account.contactId);
  // A version belongs to who maintained it then: a holder doesn't read what the one before kept private.
  const shown = (text: string): string =>
    (account.asStaff || maintainersIn(objectOfRow({ class: asked.class, text }), 'mnt-by').some(each => rights.maintainers.has(each))
      ? shownText
      : textForOthers)(text);
  return { ...versionOf(row, account), text: shown(row.text), before: row.before === 'ADD' ? shown(row.textBefore!) : null };
}
