import type { Download } from '@portal/contract';
import type { policy, PolicyDesk, PolicyValue } from '@portal/contract/policy/policy';
import { policyRow, policyValueNames } from '@portal/contract/policy/policy-values';
import { sql } from 'kysely';
import { fileOf, kindOf, leafOf, type PolicyLeaf } from '../../dated-profile.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { tableFile } from '../../platform/table-file.ts';
import { type ChangeRow, changeOf, changeRows } from './change-rows.ts';
import { earliestDay } from './changes.ts';

/** Changes that ended without counting are listed so many back. */
const ENDED = 20;

const counts = ({ confirmedAt, endedAt }: ChangeRow): boolean => confirmedAt !== null && endedAt === null;

/** Values of the policy on a day, and its changes. */
export async function getPolicy({ read, query: { on }, registry }: Act<typeof policy.getPolicy>): Promise<PolicyDesk> {
  const { today, profile, config } = registry;
  const rows = await changeRows(read, sql`true`, registry);
  const file = fileOf(profile);
  const day = on ?? today;
  const confirmed = rows.filter(counts);
  const values = policyValueNames.map((name): PolicyValue => {
    const fixed = file.fixed.includes(name);
    const changes = fixed
      ? []
      : confirmed.flatMap(row => row.values.filter(each => each.name === name).map(({ value }) => ({ row, value })));
    const since = changes.find(({ row }) => row.validFrom <= day);
    const next = changes.findLast(({ row }) => row.validFrom > day);
    const of = ({ row }: { row: ChangeRow }) => ({ day: row.validFrom, changeId: String(row.policyChangeId) });
    const inFile = String(leafOf(file, name));
    return {
      name,
      value: since ? String(since.value) : inFile,
      since: since ? of(since) : null,
      next: next ? { ...of(next), value: String(next.value) } : null,
      inFile,
      fixed,
      bounds: kindOf(name).kind,
    };
  });
  let ended = 0;
  const listed = rows.filter(row => row.endedAt === null || (ended += 1) <= ENDED);
  return {
    today,
    on: day,
    timeZone: profile.timeZone,
    currency: profile.currency,
    file: config.profile.split('/').at(-1)!,
    earliest: earliestDay(1, registry),
    values,
    changes: listed.map(row => changeOf(row, registry)),
  };
}

const columns = [
  'name',
  'title',
  'from',
  'value',
  'before',
  'reason',
  'decision',
  'proposed_by',
  'confirmed_by',
  'confirmed_at',
  'state',
] as const;
type Line = Record<(typeof columns)[number], string>;

/** Every value with each day from which it changed. The first line of a value is that of the profile file. */
export function exportPolicy({
  read,
  query: { format },
  registry: { now, profile, modules },
}: Act<typeof policy.exportPolicy>): Promise<Download> {
  const file = fileOf(profile);
  const lines = async function* (): AsyncGenerator<Line[]> {
    const rows = (await changeRows(read, sql`c.confirmed_at is not null`, { modules })).toReversed();
    for (const name of policyValueNames) {
      const title = policyRow(name).title;
      const of = (value: PolicyLeaf, more: Partial<Line>): Line => ({
        name,
        title,
        from: '',
        value: String(value),
        before: '',
        reason: '',
        decision: '',
        proposed_by: '',
        confirmed_by: '',
        confirmed_at: '',
        state: '',
        ...more,
      });
      yield [
        of(leafOf(file, name), { state: file.fixed.includes(name) ? 'fixed by the profile file' : 'of the profile file' }),
        ...rows.flatMap(row =>
          row.values
            .filter(each => each.name === name)
            .map(({ value, before }) =>
              of(value, {
                from: row.validFrom,
                before: String(before),
                reason: row.reason,
                decision: row.decision,
                proposed_by: row.proposedBy!,
                confirmed_by: row.confirmedBy!,
                confirmed_at: row.confirmedAt!,
                state: changeOf(row, { now, profile }).state,
              }),
            ),
        ),
      ];
    }
  };
  return Promise.resolve(tableFile('policy', format, columns, lines()));
}
