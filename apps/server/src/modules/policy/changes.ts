import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { DAY_MS, dayIn, daysAfter, HOUR_MS, utcDay, yearsAfter } from '@portal/contract/days';
import type { PolicyChange, policy, PolicyProposal } from '@portal/contract/policy/policy';
import {
  noticeOf,
  plainDecimal,
  policyLeadHours,
  policyRow,
  policyValues,
  type PolicyValueName,
  policyValueWords,
} from '@portal/contract/policy/policy-values';
import { sql } from 'kysely';
import { confirmedValues, type DatedValue, fileOf, kindOf, leafOf, type PolicyLeaf, timesOf } from '../../dated-profile.ts';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import { refuse, refuseField, refuseFields } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import type { Registry } from '../../platform/registry.ts';
import { instantOfLocal } from '../../platform/zone-offset.ts';
import { orderProblems, type Profile } from '../../profile.ts';
import { announcementsIn, type ChangeRow, changeOf, changeRow, lastInstant } from './change-rows.ts';

type Now = Pick<Registry, 'now' | 'today' | 'profile'>;

/** A change is at most so many years ahead. */
const MAX_YEARS = 10;

/** Returns the instant at which a day of the registry begins. */
export const beginningOfDay = (day: string, { timeZone }: Pick<Profile, 'timeZone'>): string =>
  new Date(instantOfLocal(timeZone, Date.parse(day))).toISOString();

/** Returns the first day from which a change can count that is confirmed after so many days' notice. */
export function earliestDay(notice: number, { now, today, profile }: Now): string {
  const day = daysAfter(today, notice);
  return Date.parse(beginningOfDay(day, profile)) - policyLeadHours * HOUR_MS > now.getTime() ? day : daysAfter(day, 1);
}

/** Reads a value as it was typed. Undefined where it is none. */
function readValue(name: PolicyValueName, text: string): PolicyLeaf | undefined {
  const { read } = kindOf(name);
  const { unit } = policyRow(name);
  if (unit !== 'money' && unit !== 'share') return read(/^\d{1,9}$/.test(text) ? Number(text) : undefined) as PolicyLeaf | undefined;
  // Kept as it is written in full, so that 5000 and 5000.00 are one value.
  return read(text) === undefined ? undefined : (read(plainDecimal(unit, text)) as PolicyLeaf | undefined);
}

/** Reads the values of a proposal. @throws Failure INVALID_REQUEST that names the bounds */
function readValues(values: PolicyProposal['values']): { name: PolicyValueName; value: PolicyLeaf }[] {
  const read = values.map(({ name, value }) => ({ name, value: readValue(name, value) }));
  const wrong = read.flatMap(({ name, value }, place) =>
    value === undefined ? [{ field: `values.${place}.value`, message: `${policyRow(name).title}: enter ${kindOf(name).kind}` }] : [],
  );
  if (wrong.length > 0) throw refuseFields(wrong);
  return read as { name: PolicyValueName; value: PolicyLeaf }[];
}

const titleOf = (name: string): string => (name in policyValues ? policyRow(name as PolicyValueName).title : name);
const inQuotes = (names: readonly string[]): string => new Intl.ListFormat('en').format(names.map(name => `“${titleOf(name)}”`));
export const inWords = (name: PolicyValueName, value: PolicyLeaf, { currency }: Pick<Profile, 'currency'>): string =>
  policyValueWords(name, String(value), currency);

type Proposed = { validFrom: string; beginsAt: string; values: readonly { name: PolicyValueName; value: PolicyLeaf }[] };

/**
 * Refuses a change that can't count as it is: its day, what the file fixes, another change of that day, and values above those that they may not be above, on any day.
 * Returns the profile of the last day before it counts. @throws Failure POLICY_DAY, POLICY_FIXED, POLICY_TAKEN, INVALID_REQUEST
 */
async function refuseUnsuitable(change: Pick<Read, 'rows'>, { validFrom, beginsAt, values }: Proposed, registry: Now): Promise<Profile> {
  const file = fileOf(registry.profile);
  const names = values.map(({ name }) => name);
  const fixed = names.filter(name => file.fixed.includes(name));
  if (fixed.length > 0) throw refuse('POLICY_FIXED', { values: inQuotes(fixed) });
  refuseDay(validFrom, names, registry);
  const [taken] = await change.rows<{ name: PolicyValueName; who: string }>(sql`
    select v.name, l.full_name as who from policy_value v join policy_change c using (policy_change_id) join login l on l.login_id = c.proposed_by
    where v.is_confirmed and v.valid_from = ${validFrom}::date and v.name = any (${names}::text[]) order by v.name limit 1`);
  if (taken) throw refuse('POLICY_TAKEN', { value: `“${titleOf(taken.name)}”`, day: dayInFull(validFrom), who: taken.who }).at('validFrom');
  const confirmed = await confirmedValues(change);
  refuseDisorder(file, [...confirmed, ...values.map(value => ({ ...value, beginsAt }))], beginsAt);
  refuseBeforeOthers(file, confirmed, { beginsAt, values });
  return profileBefore(file, confirmed, beginsAt);
}

/** Refuses a change that comes before confirmed ones of the same values: people who confirmed and read those were told another value until then. @throws Failure POLICY_FOLLOWED */
function refuseBeforeOthers(
  file: Profile,
  confirmed: readonly DatedValue[],
  { beginsAt, values }: Pick<Proposed, 'beginsAt' | 'values'>,
): void {
  for (const { name, value } of values) {
    const next = confirmed.find(each => each.name === name && Date.parse(each.beginsAt) > Date.parse(beginsAt));
    if (!next || isSame(name, next.before, value)) continue;
    throw refuse('POLICY_FOLLOWED', {
      value: `“${titleOf(name)}”`,
      day: dayInFull(dayIn(file.timeZone, new Date(next.beginsAt))),
      before: inWords(name, next.before, file),
    }).at('validFrom');
  }
}

/** Whether two values are the same, however each is written. */
export const isSame = (name: PolicyValueName, one: PolicyLeaf, other: PolicyLeaf): boolean => {
  const { unit } = policyRow(name);
  const plain = (value: PolicyLeaf): string => (unit === 'money' || unit === 'share' ? plainDecimal(unit, String(value)) : String(value));
  return plain(one) === plain(other);
};

/** Returns the profile that counts right before an instant. */
export const profileBefore = (file: Profile, values: readonly DatedValue[], instant: string): Profile =>
  timesOf(file, values).findLast(({ from }) => from < Date.parse(instant))!.profile;

function refuseDay(validFrom: string, names: readonly PolicyValueName[], registry: Now): void {
  const notice = noticeOf(names);
  const earliest = earliestDay(notice, registry);
  if (validFrom < earliest) {
    const begun = validFrom <= registry.today ? 'This day has begun already. ' : '';
    const why =
      notice > 1
        ? `Members plan with ${inQuotes(names.filter(name => policyRow(name).notice === notice))}, which they know ${notice} days before`
        : `A change is confirmed at least ${policyLeadHours} hour before its day begins, so that every process knows it in time`;
    throw refuse('POLICY_DAY', { why: `${begun}Choose ${dayInFull(earliest)} or a later day. ${why}` }).at('validFrom');
  }
  const latest = yearsAfter(registry.today, MAX_YEARS);
  if (validFrom > latest) throw refuse('POLICY_DAY', { why: `Choose ${dayInFull(latest)} or an earlier day` }).at('validFrom');
}

/** Refuses values that would be above those that they may not be above, from an instant on. */
function refuseDisorder(file: Profile, values: readonly Omit<DatedValue, 'before'>[], beginsAt: string): void {
  const inTime = values.toSorted((one, other) => Date.parse(one.beginsAt) - Date.parse(other.beginsAt));
  for (const { from, profile } of timesOf(file, inTime)) {
    const [problem] = from >= Date.parse(beginsAt) ? orderProblems(profile) : [];
    if (!problem) continue;
    const { less, more } = problem;
    const day = dayIn(file.timeZone, new Date(from));
    throw refuseField(
      'values',
      `From ${dayInFull(day)}, “${titleOf(less[0])}” (${less[1]}) would be above “${titleOf(more[0])}” (${more[1]})`,
    );
  }
}

const lockPolicy = (change: Change): Promise<void> => lockByName(change, 'policy.changes');

/** Facts of a change for the log and for the second person. */
const noteOf = (
  { validFrom, reason, decision }: Pick<ChangeRow, 'validFrom' | 'reason' | 'decision'>,
  values: ChangeRow['values'],
  profile: Profile,
) => ({
  from: dayInFull(validFrom),
  ...Object.fromEntries(
    values.map(({ name, before, value }) => [
      policyRow(name).title,
      `${inWords(name, before, profile)}, then ${inWords(name, value, profile)}`,
    ]),
  ),
  reason,
  ...(decision !== '' && { decision }),
});

/** Keeps a change as prepared, to see what it affects before it is confirmed. @throws Failure POLICY_DAY, POLICY_FIXED, POLICY_TAKEN, POLICY_FOLLOWED, NOTHING_TO_DO, INVALID_REQUEST */
export async function preparePolicyChange({
  change,
  caller,
  body,
  registry,
}: Act<typeof policy.preparePolicyChange>): Promise<PolicyChange> {
  const { validFrom, reason, decision } = body;
  const beginsAt = beginningOfDay(validFrom, registry.profile);
  const values = readValues(body.values);
  const before = await refuseUnsuitable(change, { validFrom, beginsAt, values }, registry);
  const changed = values.map(({ name, value }) => ({ name, value, before: leafOf(before, name) }));
  const same = changed.filter(each => isSame(each.name, each.value, each.before));
  if (same.length > 0) {
    const names = inQuotes(same.map(({ name }) => name));
    throw refuse('NOTHING_TO_DO', { why: `on ${dayInFull(validFrom)}, ${names} ${same.length === 1 ? 'is' : 'are'} already so` });
  }
  const { policyChangeId } = await change
    .insertInto('policyChange')
    .values({ validFrom, beginsAt, reason, decision, preparedBy: caller.loginId, preparedAt: change.now })
    .returning('policyChangeId')
    .executeTakeFirstOrThrow();
  await change
    .insertInto('policyValue')
    .values(
      changed.map(({ name, value, before: was }) => ({
        policyChangeId,
        name,
        value: JSON.stringify(value),
        before: JSON.stringify(was),
        validFrom,
      })),
    )
    .execute();
  await change.note(noteOf(body, changed, registry.profile));
  return changeOf(await changeRow(change, String(policyChangeId), registry), registry);
}

/** Locks the policy, and returns a change of it. @throws Failure NOT_FOUND */
async function lockedChange(change: Change, changeId: string, registry: Pick<Registry, 'modules'>): Promise<ChangeRow> {
  await lockPolicy(change);
  return changeRow(change, changeId, registry);
}

/** Refuses a change that is over, or confirmed. @throws Failure POLICY_ENDED */
function refuseUnlessPrepared({ confirmedAt, confirmedBy, endedAt, endedBy }: ChangeRow, act: string): void {
  if (endedAt !== null) throw refuse('POLICY_ENDED', { act, why: `${endedBy!} ended it on ${dayInFull(utcDay(endedAt))}` });
  if (confirmedAt !== null) throw refuse('POLICY_ENDED', { act, why: `${confirmedBy!} confirmed it on ${dayInFull(utcDay(confirmedAt))}` });
}

/** Discards a prepared change. @throws Failure NOT_FOUND, POLICY_ENDED */
export async function discardPolicyChange({
  change,
  caller,
  params: { changeId },
  registry,
}: Act<typeof policy.discardPolicyChange>): Promise<void> {
  const row = await lockedChange(change, changeId, registry);
  refuseUnlessPrepared(row, 'discarded');
  await change
    .updateTable('policyChange')
    .set({ endedBy: caller.loginId, endedAt: change.now })
    .where('policyChangeId', '=', row.policyChangeId)
    .execute();
  await change.note(noteOf(row, row.values, registry.profile));
}

const linkOf = (changeId: string): string => `/desk/policy?change=${changeId}`;

/**
 * Confirms a prepared change, once a second person has approved it: its values count from its day on. Where members plan with them, the draft of an announcement is written.
 * @throws Failure NOT_FOUND, POLICY_ENDED, POLICY_DAY, POLICY_FIXED, POLICY_TAKEN, POLICY_FOLLOWED, POLICY_MOVED, INVALID_REQUEST
 * @throws SecondPersonNeeded
 */
export async function confirmPolicyChange(
  { change, caller, params: { changeId }, hasSecondPerson, registry }: Act<typeof policy.confirmPolicyChange>,
  perform: RouteContext['perform'],
): Promise<PolicyChange> {
  const row = await lockedChange(change, changeId, registry);
  refuseUnlessPrepared(row, 'confirmed');
  const before = await refuseUnsuitable(change, row, registry);
  for (const { name, before: was } of row.values) {
    const now = leafOf(before, name);
    if (!isSame(name, now, was))
      throw refuse('POLICY_MOVED', {
        value: `“${titleOf(name)}”`,
        before: inWords(name, was, registry.profile),
        now: inWords(name, now, registry.profile),
      });
  }
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({ title: `Change the policy from ${dayInFull(row.validFrom)}`, link: linkOf(changeId) });
  await change.note(noteOf(row, row.values, registry.profile));
  // A rehearsal has no second person yet.
  if (caller.approvedBy) {
    const announcementId = await draftAnnouncement({ change, caller, row, registry }, perform);
    await change
      .updateTable('policyChange')
      .set({ proposedBy: caller.loginId, confirmedBy: caller.approvedBy, confirmedAt: change.now, announcementId })
      .where('policyChangeId', '=', row.policyChangeId)
      .execute();
    await change.updateTable('policyValue').set({ isConfirmed: true }).where('policyChangeId', '=', row.policyChangeId).execute();
  }
  return changeOf(await changeRow(change, changeId, registry), registry);
}

/** Writes the draft of an announcement to members, where they plan with the values; staff who announce edit and publish it. Returns its id. */
async function draftAnnouncement(
  {
    change,
    caller,
    row,
    registry: { profile },
  }: Pick<Act<typeof policy.confirmPolicyChange>, 'change' | 'caller' | 'registry'> & { row: ChangeRow },
  perform: RouteContext['perform'],
): Promise<number | null> {
  const values = forMembers(row);
  if (values.length === 0) return null;
  const body = draftOf(`Policy from ${dayInFull(row.validFrom)}`, [
    `From ${dayInFull(row.validFrom)}:`,
    ...values.map(
      ({ name, before, value }) =>
        `- ${policyRow(name).title}: ${inWords(name, value, profile)}, until then ${inWords(name, before, profile)}`,
    ),
  ]);
  const { announcementId } = (await perform('announcements.desk.addAnnouncement', { change, caller, body })) as { announcementId: string };
  return Number(announcementId);
}

/** Values of a change that members plan with, or that decide what they get. */
const forMembers = ({ values }: Pick<ChangeRow, 'values'>): ChangeRow['values'] => values.filter(({ name }) => policyRow(name).members);

/** Whether a change is announced to members. */
export const tellsMembers = (row: Pick<ChangeRow, 'values'>): boolean => forMembers(row).length > 0;

const draftOf = (title: string, lines: readonly string[]): AnnouncementValues => ({
  category: 'policy',
  severity: 'info',
  title,
  body: lines.join('\n'),
  audience: 'members',
  resources: [],
  economies: [],
  kinds: [],
  requiresAck: false,
  publishAt: null,
  expiresAt: null,
});

/**
 * Takes back what members would read of a change that is withdrawn: a draft is deleted. Where they have read it, the draft of an announcement is written that says that
 * the values stay.
 */
async function announceWithdrawal(
  { change, caller, row, registry }: Pick<Act<typeof policy.withdrawPolicyChange>, 'change' | 'caller' | 'registry'> & { row: ChangeRow },
  perform: RouteContext['perform'],
): Promise<void> {
  if (row.announcementId === null) return;
  const keep = (announcementId: number | null) =>
    change.updateTable('policyChange').set({ announcementId }).where('policyChangeId', '=', row.policyChangeId).execute();
  // A draft is deleted: nothing may name it any more.
  if (row.announcementState === 'draft') await keep(null);
  const { profile } = registry;
  const isOut = await announcementsIn(registry).takeBackUnread(
    change,
    Number(row.announcementId),
    'The change of the policy was withdrawn',
  );
  if (!isOut) return;
  const body = draftOf(`The policy doesn’t change on ${dayInFull(row.validFrom)}`, [
    `The change from ${dayInFull(row.validFrom)} that was announced is withdrawn. These values stay as they are:`,
    ...forMembers(row).map(({ name, before }) => `- ${policyRow(name).title}: ${inWords(name, before, profile)}`),
  ]);
  const { announcementId } = (await perform('announcements.desk.addAnnouncement', { change, caller, body })) as { announcementId: string };
  await keep(Number(announcementId));
}

/**
 * Withdraws a confirmed change before its day, once a second person has approved it.
 * @throws Failure NOT_FOUND, POLICY_ENDED
 * @throws SecondPersonNeeded
 */
export async function withdrawPolicyChange(
  { change, caller, params: { changeId }, hasSecondPerson, registry }: Act<typeof policy.withdrawPolicyChange>,
  perform: RouteContext['perform'],
): Promise<PolicyChange> {
  const row = await lockedChange(change, changeId, registry);
  const ended = (why: string) => refuse('POLICY_ENDED', { act: 'withdrawn', why });
  if (row.endedAt !== null) throw ended(`${row.endedBy!} ended it already`);
  if (row.confirmedAt === null) throw ended('it isn’t confirmed. Discard it');
  if (Date.parse(lastInstant(row)) < registry.now.getTime())
    throw ended(`its day begins within ${policyLeadHours} hour, or has begun. Prepare a change that sets the values back`);
  const file = fileOf(registry.profile);
  const rest = (await confirmedValues(change)).filter(
    ({ name, beginsAt }) => beginsAt !== row.beginsAt || row.values.every(each => each.name !== name),
  );
  const disorder = timesOf(file, rest).find(({ from, profile }) => from >= Date.parse(row.beginsAt) && orderProblems(profile).length > 0);
  if (disorder)
    throw ended(`the change from ${dayInFull(dayIn(file.timeZone, new Date(disorder.from)))} needs it. Withdraw that one first`);
  const follows = rest.find(
    each =>
      Date.parse(each.beginsAt) > Date.parse(row.beginsAt) &&
      row.values.some(({ name, value }) => name === each.name && isSame(name, each.before, value)),
  );
  if (follows)
    throw ended(
      `the change of “${titleOf(follows.name)}” from ${dayInFull(dayIn(file.timeZone, new Date(follows.beginsAt)))} was confirmed with it. Withdraw that one first`,
    );
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({ title: `Withdraw the change of the policy from ${dayInFull(row.validFrom)}`, link: linkOf(changeId) });
  await change.note(noteOf(row, row.values, registry.profile));
  if (caller.approvedBy) {
    await change
      .updateTable('policyChange')
      .set({ endedBy: caller.loginId, endedWith: caller.approvedBy, endedAt: change.now })
      .where('policyChangeId', '=', row.policyChangeId)
      .execute();
    await announceWithdrawal({ change, caller, row, registry }, perform);
    await change.updateTable('policyValue').set({ isConfirmed: false }).where('policyChangeId', '=', row.policyChangeId).execute();
  }
  return changeOf(await changeRow(change, changeId, registry), registry);
}

/** How long before its day staff are reminded of a change, in ms. */
export const REMIND_BEFORE_MS = 7 * DAY_MS;
