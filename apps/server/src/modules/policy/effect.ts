import { type Download, holdsOneOf } from '@portal/contract';
import type { policy, PolicyEffect, PolicyMet } from '@portal/contract/policy/policy';
import { policyRow } from '@portal/contract/policy/policy-values';
import { confirmedValues, fileOf, leafOf, withValues } from '../../dated-profile.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { tableFile } from '../../platform/table-file.ts';
import { type ChangeRow, changeRow } from './change-rows.ts';
import { isSame, profileBefore } from './changes.ts';

/** Of each value, so many rows are shown; the file has all. */
const SHOWN = 12;

/** Returns what a change affects now, value by value: rows only of what the reader sees elsewhere, counts of everything. */
async function metBy(
  read: Read,
  row: ChangeRow,
  { now, today, profile, modules }: Registry,
  { staffPermissions }: Pick<Caller, 'staffPermissions'>,
): Promise<{ met: PolicyMet[]; moved: PolicyEffect['moved'] }> {
  const file = fileOf(profile);
  const others = (await confirmedValues(read)).filter(
    ({ beginsAt, name }) => beginsAt !== row.beginsAt || row.values.every(each => each.name !== name),
  );
  const before = profileBefore(file, others, row.beginsAt);
  const after = withValues(before, row.values);
  const met: PolicyMet[] = [];
  for (const { name } of row.values) {
    const effect = modules.find(({ policyEffects }) => policyEffects?.[name])?.policyEffects?.[name];
    if (!effect) throw new Error(`No module says what a change of "${name}" affects`);
    const { rows, ...found } = await effect(read, { name, before, after, ofAllDays: profile, now, today, validFrom: row.validFrom });
    const seen = rows
      .filter(({ needs }) => holdsOneOf(staffPermissions, needs, true))
      .map(({ what, detail, link, before: was, after: is, numbers }) => ({ what, detail, link, before: was, after: is, numbers }));
    met.push({ name, ...found, rows: seen, unseen: rows.length - seen.length });
  }
  const moved = row.values.flatMap(({ name, before: was }) => {
    const is = String(leafOf(before, name));
    return row.confirmedAt === null && row.endedAt === null && !isSame(name, is, was) ? [{ name, now: is }] : [];
  });
  return { met, moved };
}

/** Returns the effect of a change on what is there now. @throws Failure NOT_FOUND */
export async function getPolicyEffect({
  read,
  caller,
  params: { changeId },
  registry,
}: Act<typeof policy.getPolicyEffect>): Promise<PolicyEffect> {
  const { met, moved } = await metBy(read, await changeRow(read, changeId, registry), registry, caller);
  return {
    changeId,
    at: registry.now.toISOString(),
    met: met.map(each => ({ ...each, rows: each.rows.slice(0, SHOWN) })),
    moved,
  };
}

const columns = ['value', 'what', 'detail', 'before', 'after'] as const;

/** Everything that a change is different for, as far as the reader sees it elsewhere. @throws Failure NOT_FOUND */
export async function exportPolicyEffect({
  read,
  caller,
  params: { changeId },
  query: { format },
  registry,
}: Act<typeof policy.exportPolicyEffect>): Promise<Download> {
  const row = await changeRow(read, changeId, registry);
  const rows = async function* () {
    for (const { name, rows: found } of (await metBy(read, row, registry, caller)).met)
      yield found.map(({ what, detail, before, after }) => ({ value: policyRow(name).title, what, detail, before, after }));
  };
  return tableFile(`policy-from-${row.validFrom}`, format, columns, rows());
}
