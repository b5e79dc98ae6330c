import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import type { NirDelegation, nirDelegations } from '@portal/contract/nir/delegations';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { searchedResource } from '../resources/index.ts';
import { cursorOf, readCursor } from './page-cursor.ts';
import { hasNumbers } from './sought-numbers.ts';

/** Maximum number of rows counted for a list; beyond it just says that there are more. */
const COUNTED = 10_000;

type Row = NirDelegation & { start: string; assignmentId: string | null };
type Filter = Pick<QueryOf<typeof nirDelegations.listNirDelegations>, 'kind' | 'subaccountId' | 'q'>;

const columns = sql`d.nir_delegation_id::text as delegation_id, d.resource, d.kind, d.size::text, d.type, d.netname, d.subaccount_id::text, s.name as subaccount,
  e.name as entity, d.pool, d.delegated_on::text, d.start::text, d.assignment_id::text`;
const named = sql`join subaccount s using (subaccount_id) join nir_entity e on e.entity_id = s.entity_id`;

const rowOf = ({ start: _start, assignmentId: _assignmentId, ...row }: Row): NirDelegation => row;

/**
 * Returns the matching delegations. A resource is looked up by its first number; other text in the netnames, or as the beginning of a sub-account's
 * name, whose ids are found first to avoid joining millions of rows.
 */
async function matchingOf(read: Read, accountName: string, { kind, subaccountId, q }: Filter): Promise<RawBuilder<unknown>> {
  const conditions = [sql`d.account_name = ${accountName}`, sql`d.kind = ${kind}`];
  if (subaccountId !== undefined) conditions.push(sql`d.subaccount_id = ${subaccountId}::bigint`);
  if (q !== '') {
    const sought = searchedResource(q);
    if (sought?.family === kind) conditions.push(hasNumbers(accountName, sought));
    else {
      const members = await read.rows<{ id: string }>(
        sql`select subaccount_id::text as id from subaccount where account_name = ${accountName} and lower(name) like ${containsPattern(q.toLowerCase())} limit 200`,
      );
      conditions.push(
        sql`(lower(d.netname) like ${containsPattern(q.toLowerCase())} or d.subaccount_id = any(${members.map(({ id }) => id)}::bigint[]))`,
      );
    }
  }
  return sql.join(conditions, sql` and `);
}

/** A page of sub-accounts' delegations ordered by number, starting after the last one of the previous page (keyset pagination). */
export async function listNirDelegations({
  read,
  account: { accountName },
  query: { after, limit, ...filter },
}: Act<typeof nirDelegations.listNirDelegations>): Promise<AnswerOf<typeof nirDelegations.listNirDelegations>> {
  const matching = await matchingOf(read, accountName, filter);
  const [start] = after === undefined ? [] : readCursor(after, 1);
  if (start !== undefined && !/^\d{1,39}$/.test(start)) readCursor('', 1);
  const rows = await read.rows<Row>(sql`
    select ${columns} from (select d.* from nir_delegation d where ${matching} ${start === undefined ? sql`` : sql`and d.start > ${start}::numeric`}
      order by d.start limit ${limit + 1}) d ${named} order by d.start`);
  const [counted] = await read.rows<{ total: number }>(
    sql`select count(*)::int as total from (select 1 from nir_delegation d where ${matching} limit ${COUNTED + 1}) d`,
  );
  const page = rows.slice(0, limit);
  return {
    rows: page.map(rowOf),
    next: rows.length > limit ? cursorOf(page.at(-1)!.start) : null,
    total: Math.min(counted!.total, COUNTED),
    more: counted!.total > COUNTED,
  };
}

/** Columns of the file, stable for scripts. */
const fileColumns = ['resource', 'kind', 'size', 'type', 'netname', 'subaccount', 'entity', 'pool', 'delegatedOn'] as const;

/** All delegations that match as a file. */
export const exportNirDelegations = async ({
  read,
  account: { accountName },
  query: { format, ...filter },
}: Act<typeof nirDelegations.exportNirDelegations>): Promise<Download> =>
  tableFile(`${accountName}-${filter.kind}-sub-accounts`, format, fileColumns, streamNirDelegations(read, accountName, filter));

/** All matches, in batches. */
async function* streamNirDelegations(read: Read, accountName: string, filter: Filter): AsyncGenerator<NirDelegation[]> {
  const matching = await matchingOf(read, accountName, filter);
  const rows = read.stream<Row>(sql<Row>`select ${columns} from nir_delegation d ${named} where ${matching} order by d.start`);
  for await (const batch of rows) yield batch.map(rowOf);
}

/** Delegations by their ids, in that order. @throws Failure NOT_FOUND if one belongs to another account */
export async function delegationRows(read: Pick<Read, 'rows'>, accountName: string, ids: readonly string[]): Promise<Row[]> {
  const valid = ids.filter(id => isRowId(id));
  const rows = await read.rows<Row>(sql`select ${columns} from nir_delegation d ${named}
    where d.account_name = ${accountName} and d.nir_delegation_id = any(${valid}::bigint[]) order by d.kind, d.start`);
  if (rows.length < new Set(ids).size) throw refuse('NOT_FOUND', { what: ids.length === 1 ? 'The delegation' : 'One of the delegations' });
  return rows;
}

/** One delegation for the staff of a national registry. @throws Failure NOT_FOUND */
export const delegationOf = async (read: Pick<Read, 'rows'>, accountName: string, id: string): Promise<NirDelegation> =>
  rowOf((await delegationRows(read, accountName, [id]))[0]!);
