import { isRowId } from '@portal/contract/row-ids';
import { type AnswerOf, type Permission, permissions } from '@portal/contract';
import type { ActivityChange, activityLog } from '@portal/contract/activity-log/activity-log';
import { sql } from 'kysely';
import type { ColumnWords, Shape, TableWords } from '../../platform/activity-words.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { findLine, type Reading, sees } from './activity-lines.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** Maximum number of rows shown of one activity. */
const maxRows = 100;

type Values = Record<string, unknown>;
type RowChange = {
  rowChangeId: number;
  tableName: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
  before: Values | null;
  after: Values | null;
};

/**
 * One line with the rows it changed: only rows of this account, only columns with words, and of those only what the reader may see elsewhere. @throws
 * Failure NOT_FOUND
 */
export async function getActivity({
  params: { activityId },
  ...reading
}: Act<typeof activityLog.getActivity>): Promise<AnswerOf<typeof activityLog.getActivity>> {
  const { read, account } = reading;
  const { tables } = vocabularyOf(reading.registry.modules);
  const line = isRowId(activityId) ? await findLine(reading, Number(activityId)) : null;
  if (!line) throw refuse('NOT_FOUND', { what: 'This line of the activity log' });
  const owned = (owner: TableWords['owner']): string[] => Object.keys(tables).filter(table => tables[table]!.owner === owner);
  const [rows, [seal], [cut]] = await Promise.all([
    read.rows<RowChange>(sql`
      select r.row_change_id, r.table_name, r.operation, r.before, r.after from row_change r
      where r.activity_id = ${line.activityId} and (
        (r.table_name = any (${owned('account_name')}::text[]) and ${account.accountName} in (r.before ->> 'account_name', r.after ->> 'account_name'))
        or (r.table_name = any (${owned('contact_id')}::text[]) and coalesce(r.after, r.before) ->> 'contact_id' in
          (select contact_id::text from contact where account_name = ${account.accountName})))
      order by r.row_change_id limit ${maxRows + 1}`),
    read.rows<{ at: string; hash: string }>(
      sql`select sealed_at as at, encode(hash, 'hex') as hash from activity_seal where activity_id = ${line.activityId}`,
    ),
    // A row that was forgotten has lost the name of its account with the rest.
    read.rows<{ rows: number }>(
      sql`select count(*)::int as rows from row_change where activity_id = ${line.activityId} and digest_as_sealed is not null`,
    ),
  ]);
  const shown = merged(rows.slice(0, maxRows), tables).map(row => ownSides(row, account.accountName));
  const names = await contactNames(reading, shown);
  const withheld = new Map<Permission, number>();
  const changes: ActivityChange[] = [];
  for (const row of shown) {
    const lacking = lackingFor(row, reading);
    if (lacking) withheld.set(lacking, (withheld.get(lacking) ?? 0) + 1);
    else changes.push(changeOf(row, reading, names));
  }
  return {
    line,
    // A change of internal columns only is not shown.
    changes: changes.filter(({ operation, columns }) => operation !== 'changed' || columns.length > 0),
    more: rows.length > maxRows,
    withheld: [...withheld].map(([permission, count]) => ({ permission: permissions[permission].label, rows: count })),
    forgotten: cut?.rows ?? 0,
    seal: seal ?? null,
  };
}

/** A row changed several times in one activity: its state before the first and after the last change; nothing if it was created and deleted. */
function merged(rows: readonly RowChange[], tables: Vocabulary['tables']): RowChange[] {
  const byKey = new Map<string, RowChange>();
  for (const row of rows) {
    const values = row.after ?? row.before ?? {};
    const key = JSON.stringify([row.tableName, ...tables[row.tableName]!.key.map(column => values[column])]);
    const earlier = byKey.get(key);
    const before = earlier ? earlier.before : row.before;
    if (before === null && row.after === null) byKey.delete(key);
    else
      byKey.set(key, {
        ...row,
        rowChangeId: earlier?.rowChangeId ?? row.rowChangeId,
        operation: before === null ? 'INSERT' : row.after === null ? 'DELETE' : 'UPDATE',
        before,
      });
  }
  return [...byKey.values()];
}

/** Versions of the row that belonged to another holder are hidden from this account. */
function ownSides(row: RowChange, accountName: string): RowChange {
  const own = (side: Values | null): Values | null =>
    side !== null && 'account_name' in side && side.account_name !== accountName ? null : side;
  return { ...row, before: own(row.before), after: own(row.after) };
}

/** The permission missing for showing the row, or null. */
function lackingFor(
  { tableName, before, after }: RowChange,
  { account, registry }: Pick<Reading, 'account' | 'registry'>,
): Permission | null {
  const { needs } = vocabularyOf(registry.modules).tables[tableName]!;
  if (needs && !sees(account, needs)) return needs;
  const isPrivate = tableName === 'assignment' && [before, after].some(side => side?.visibility === 'private');
  return isPrivate && !sees(account, 'whois-private-objects-view') ? 'whois-private-objects-view' : null;
}

type Names = ReadonlyMap<string, string>;

/** Names of the account's contacts that the rows mention. */
async function contactNames({ read, account, registry }: Reading, rows: readonly RowChange[]): Promise<Names> {
  const { tables } = vocabularyOf(registry.modules);
  const ids = new Set<string>();
  for (const { tableName, before, after } of rows)
    for (const [name, { shape }] of [...Object.entries(tables[tableName]!.columns), ['contact_id', { shape: 'contact' }] as const])
      for (const side of [before, after]) {
        const id = shape === 'contact' ? side?.[name] : null;
        if (typeof id === 'string') ids.add(id);
      }
  if (ids.size === 0) return new Map();
  const found = await read.rows<{ contactId: string; fullName: string }>(
    sql`select contact_id, full_name from contact where account_name = ${account.accountName} and contact_id = any (${[...ids]}::uuid[])`,
  );
  return new Map(found.map(({ contactId, fullName }) => [contactId, fullName]));
}

const operations = { INSERT: 'added', UPDATE: 'changed', DELETE: 'removed' } as const;

function changeOf(
  { rowChangeId, tableName, operation, before, after }: RowChange,
  { account, registry }: Pick<Reading, 'account' | 'registry'>,
  names: Names,
): ActivityChange {
  const { what, name, columns } = vocabularyOf(registry.modules).tables[tableName]!;
  const row = after ?? before ?? {};
  const named = name.map(column => row[column]).find(value => typeof value === 'string' && value !== '') as string | undefined;
  return {
    rowChangeId,
    operation: operations[operation],
    what,
    name: named === undefined ? '' : (names.get(named) ?? (name.includes('full_name') || !/_id$|_by$/.test(name[0]!) ? named : '')),
    columns: Object.entries(columns)
      .filter(([, { needs }]) => sees(account, needs))
      .map(([column, words]) => ({
        label: words.label,
        shape: shapeOnScreen(words.shape),
        before: valueOf(words, before?.[column], names),
        after: valueOf(words, after?.[column], names),
      }))
      .filter(({ before: was, after: is }) => JSON.stringify(was) !== JSON.stringify(is)),
  };
}

const shapeOnScreen = (shape: Shape): ActivityChange['columns'][number]['shape'] =>
  shape === 'time' || shape === 'date' ? shape : shape === 'list' || shape === 'permissions' ? 'list' : 'text';

const labelOf = (key: string): string => (permissions as Record<string, { label: string }>)[key]?.label ?? key;

/** A value in words; null for no value, or an empty text or list. */
function valueOf({ shape }: ColumnWords, value: unknown, names: Names): string[] | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value) && value.length === 0) return null;
  if (Array.isArray(value)) return value.map(each => (shape === 'permissions' ? labelOf(String(each)) : String(each)));
  if (shape === 'yes-no') return [value === true ? 'yes' : 'no'];
  const text = String(value as string | number | boolean);
  if (shape === 'word') return [text.toLowerCase().replaceAll(/[_-]/g, ' ')];
  // `in-review` is two words.
  if (shape === 'state') return [text.replaceAll('-', ' ')];
  if (shape === 'permission') return [labelOf(text)];
  if (shape === 'contact') return [names.get(text) ?? 'Registry staff'];
  if (shape === 'time') return [new Date(text).toISOString()];
  return [text];
}
