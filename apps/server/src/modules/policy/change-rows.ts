import type { PolicyChange } from '@portal/contract/policy/policy';
import { policyLeadHours, type PolicyValueName } from '@portal/contract/policy/policy-values';
import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import { fileOf, type PolicyLeaf } from '../../dated-profile.ts';
import type { Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';

/** A change as it is stored, with the names of its people. */
export type ChangeRow = {
  policyChangeId: number;
  validFrom: string;
  beginsAt: string;
  reason: string;
  decision: string;
  preparedBy: string;
  preparedByEmail: string;
  preparedAt: string;
  proposedBy: string | null;
  confirmedBy: string | null;
  confirmedAt: string | null;
  endedBy: string | null;
  endedAt: string | null;
  announcementId: string | null;
  announcementState: NonNullable<PolicyChange['announcement']>['state'] | null;
  values: { name: PolicyValueName; before: PolicyLeaf; value: PolicyLeaf }[];
};

/** The module that keeps announcements. */
export const announcementsIn = ({ modules }: Modules) => modules.find(each => each.writtenAnnouncements)!.writtenAnnouncements!;

type Modules = Pick<ModuleContext, 'modules'>;

/** Changes, the latest day first. */
export async function changeRows(read: Pick<Read, 'rows'>, where: RawBuilder<unknown>, context: Modules): Promise<ChangeRow[]> {
  const rows = await storedRows(read, where);
  const states = await announcementsIn(context).statesOf(
    read,
    rows.flatMap(({ announcementId }) => announcementId ?? []),
  );
  return rows.map(row => ({ ...row, announcementState: row.announcementId === null ? null : (states.get(row.announcementId) ?? null) }));
}

const storedRows = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>) =>
  read.rows<Omit<ChangeRow, 'announcementState'>>(sql`
    select c.policy_change_id, c.valid_from, c.begins_at, c.reason, c.decision, c.prepared_at, c.confirmed_at, c.ended_at, c.announcement_id::text as announcement_id,
      p.full_name as prepared_by, p.email as prepared_by_email, a.full_name as proposed_by, s.full_name as confirmed_by, e.full_name as ended_by,
      (select jsonb_agg(jsonb_build_object('name', v.name, 'before', v.before, 'value', v.value) order by v.name)
        from policy_value v where v.policy_change_id = c.policy_change_id) as values
    from policy_change c join login p on p.login_id = c.prepared_by left join login a on a.login_id = c.proposed_by
    left join login s on s.login_id = c.confirmed_by left join login e on e.login_id = c.ended_by
    where ${where} order by c.valid_from desc, c.policy_change_id desc`);

/** Returns a change by its id. @throws Failure NOT_FOUND */
export async function changeRow(read: Pick<Read, 'rows'>, changeId: string, context: Modules): Promise<ChangeRow> {
  const [row] = isRowId(changeId) ? await changeRows(read, sql`c.policy_change_id = ${Number(changeId)}`, context) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The change of the policy' });
  return row;
}

/** The last instant at which a change is confirmed or withdrawn. */
export const lastInstant = ({ beginsAt }: Pick<ChangeRow, 'beginsAt'>): string => instantBefore(beginsAt, policyLeadHours * HOUR_MS);

/** The time, and the policy with its file. */
type At = { now: Date; profile: Profile };

/** Values of a change that the profile file fixes: they have no effect. */
export const fixedIn = ({ values }: Pick<ChangeRow, 'values'>, profile: Profile): PolicyValueName[] =>
  values.flatMap(({ name }) => (fileOf(profile).fixed.includes(name) ? [name] : []));

function stateOf(row: ChangeRow, { now, profile }: At): PolicyChange['state'] {
  const { confirmedAt, endedAt, beginsAt, values } = row;
  if (endedAt !== null) return confirmedAt === null ? 'discarded' : 'withdrawn';
  if (confirmedAt === null) return 'prepared';
  if (fixedIn(row, profile).length === values.length) return 'fixed';
  return Date.parse(beginsAt) <= now.getTime() ? 'in-force' : 'confirmed';
}

/** Returns a change as the contract has it. */
export function changeOf(row: ChangeRow, at: At): PolicyChange {
  const { policyChangeId, beginsAt: _, values, announcementId, announcementState, ...rest } = row;
  return {
    ...rest,
    changeId: String(policyChangeId),
    state: stateOf(row, at),
    values: values.map(({ name, before, value }) => ({ name, before: String(before), after: String(value) })),
    until: lastInstant(row),
    announcement: announcementId === null ? null : { announcementId, state: announcementState! },
    fixed: fixedIn(row, at.profile),
  };
}
