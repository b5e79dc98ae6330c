import type { BrandChange } from '@portal/contract/brand/brand';
import { type BrandValueName, brandValueNames } from '@portal/contract/brand/brand-values';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import { fileOf } from '../../dated-profile.ts';
import type { Config } from '../../config.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { previewCode } from './preview.ts';

/** A change as it is stored, with the names of its people. */
export type ChangeRow = {
  brandChangeId: number;
  validFrom: string | null;
  beginsAt: string | null;
  changed: Partial<Record<BrandValueName, { before: string; after: string }>>;
  reason: string;
  preparedBy: string;
  preparedAt: string;
  proposedBy: string | null;
  confirmedBy: string | null;
  confirmedAt: string | null;
  endedBy: string | null;
  endedAt: string | null;
};

/** Changes, the newest first. */
export const changeRows = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<ChangeRow[]> =>
  read.rows<ChangeRow>(sql`
    select c.brand_change_id, c.valid_from::text as valid_from, c.begins_at, c.changed, c.reason, c.prepared_at, c.confirmed_at, c.ended_at,
      p.full_name as prepared_by, a.full_name as proposed_by, s.full_name as confirmed_by, e.full_name as ended_by
    from brand_change c join login p on p.login_id = c.prepared_by left join login a on a.login_id = c.proposed_by
    left join login s on s.login_id = c.confirmed_by left join login e on e.login_id = c.ended_by
    where ${where} order by coalesce(c.begins_at, 'infinity') desc, c.brand_change_id desc`);

/** Returns a change by its id. @throws Failure NOT_FOUND */
export async function changeRow(read: Pick<Read, 'rows'>, changeId: string): Promise<ChangeRow> {
  const [row] = isRowId(changeId) ? await changeRows(read, sql`c.brand_change_id = ${Number(changeId)}`) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The change of the brand' });
  return row;
}

/** The values that a change sets, in the order of the page. */
export const valuesOf = ({ changed }: Pick<ChangeRow, 'changed'>) =>
  brandValueNames.flatMap(name => {
    const value = changed[name];
    return value === undefined ? [] : [{ name, ...value }];
  });

/** Whether a change is in force, or will be. */
export const counts = ({ confirmedAt, endedAt }: ChangeRow): boolean => confirmedAt !== null && endedAt === null;

/** The moment, and the settings. */
export type At = { now: Date; profile: Profile; config: Config };

function stateOf({ confirmedAt, endedAt, beginsAt }: ChangeRow, { now }: At): BrandChange['state'] {
  if (endedAt !== null) return confirmedAt === null ? 'discarded' : 'withdrawn';
  if (confirmedAt === null) return 'prepared';
  return Date.parse(beginsAt!) <= now.getTime() ? 'in-force' : 'confirmed';
}

/** Every value as it was once a change had begun. @param rows all changes */
function versionOf(row: ChangeRow, rows: readonly ChangeRow[], { profile }: At): NonNullable<BrandChange['version']> {
  const file = fileOf(profile);
  const until = rows.filter(each => counts(each) && !isAfter(each, row));
  return brandValueNames.map(name => ({ name, value: until.find(({ changed }) => name in changed)?.changed[name]?.after ?? file[name] }));
}

const isAfter = (one: ChangeRow, other: ChangeRow): boolean =>
  Date.parse(one.beginsAt!) > Date.parse(other.beginsAt!) || (one.beginsAt === other.beginsAt && one.brandChangeId > other.brandChangeId);

/** Returns a change as the contract has it. @param rows all changes, the newest first */
export function changeOf(row: ChangeRow, rows: readonly ChangeRow[], at: At): BrandChange {
  const { brandChangeId, changed: _, ...rest } = row;
  const changeId = String(brandChangeId);
  const state = stateOf(row, at);
  return {
    ...rest,
    changeId,
    state,
    values: valuesOf(row),
    version: state === 'in-force' ? versionOf(row, rows, at) : null,
    preview: state === 'prepared' || state === 'confirmed' ? previewCode(at.config, changeId, at.now) : null,
  };
}
