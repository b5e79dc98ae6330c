import { dayIn, daysAfter, yearsAfter } from '@portal/contract/days';
import type { LegalDraft, legal, LegalTextDetails } from '@portal/contract/legal/legal';
import { sql } from 'kysely';
import { type Change, lockByName } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { instantOfLocal } from '../../platform/zone-offset.ts';
import type { Profile } from '../../profile.ts';
import { detailsOf } from './legal-desk.ts';
import { rowsOfText, stateOfText, type VersionRow, versionRows } from './versions.ts';

type Now = Pick<Registry, 'now' | 'today' | 'profile'>;

/** A version is at most so many years ahead. */
const MAX_YEARS = 5;

/** The first instant of a day, in the zone of the registry. ISO 8601. */
export const beginningOf = (day: string, { timeZone }: Pick<Profile, 'timeZone'>): string =>
  new Date(instantOfLocal(timeZone, Date.parse(day))).toISOString();

const lockText = (change: Change, text: string): Promise<void> => lockByName(change, `legal.text-${text}`);

/** The page of a text. */
const linkOf = (text: string): string => `/desk/legal?text=${encodeURIComponent(text)}`;

/** Refuses a day that has begun, is far away, or isn’t after that of the version before. @throws Failure LEGAL_DAY */
function refuseDay(validFrom: string, latest: VersionRow | null, { today, profile, now }: Now): void {
  const after = latest !== null && latest.validFrom > today ? latest.validFrom : dayIn(profile.timeZone, now);
  const why =
    latest !== null && after === latest.validFrom
      ? `Version ${latest.version} takes effect on ${dayInFull(after)}`
      : 'Everyone can read it before its day begins';
  if (validFrom <= after)
    throw refuse('LEGAL_DAY', { why: `Choose ${dayInFull(daysAfter(after, 1))} or a later day. ${why}` }).at('validFrom');
  const last = yearsAfter(today, MAX_YEARS);
  if (validFrom > last) throw refuse('LEGAL_DAY', { why: `Choose ${dayInFull(last)} or an earlier day` }).at('validFrom');
}

/** Paragraphs are separated by one empty line, however they were typed. */
const tidied = (body: string): string =>
  body
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');

const columnsOf = ({ edition, ...draft }: LegalDraft, profile: Profile) => ({
  ...draft,
  body: tidied(draft.body),
  asks: [...new Set(draft.asks)],
  edition: edition + 1,
  beginsAt: beginningOf(draft.validFrom, profile),
});

/** Writes the draft of a new text. @throws Failure LEGAL_STATE, LEGAL_DAY */
export async function startLegalText({
  change,
  caller,
  body: { text, ...draft },
  registry,
}: Act<typeof legal.startLegalText>): Promise<LegalTextDetails> {
  await lockText(change, text);
  const [known] = await versionRows(change, sql`v.text = ${text} and (v.version is not null or v.ended_at is null)`);
  if (known) throw refuse('LEGAL_STATE', { why: `“${known.title}” has this name already. Open it, and write its next version` }).at('text');
  refuseDay(draft.validFrom, null, registry);
  await insertDraft(change, text, { ...draft, edition: 0 }, { loginId: caller.loginId, profile: registry.profile });
  await change.note({ text: draft.title, from: dayInFull(draft.validFrom), reason: draft.reason });
  return detailsOf(change, text, registry);
}

const insertDraft = (change: Change, text: string, draft: LegalDraft, { loginId, profile }: { loginId: string; profile: Profile }) =>
  change
    .insertInto('legalVersion')
    .values({ ...columnsOf(draft, profile), text, preparedBy: loginId, preparedAt: change.now })
    .execute();

/** Writes the draft of the next version, or changes it. @throws Failure NOT_FOUND, STALE with the text as it is, LEGAL_DAY */
export async function saveLegalDraft({
  change,
  caller,
  params: { text },
  body,
  registry,
}: Act<typeof legal.saveLegalDraft>): Promise<LegalTextDetails> {
  await lockText(change, text);
  const { draft, latest } = stateOfText(await rowsOfText(change, text), registry.now);
  if (body.edition !== (draft?.edition ?? 0))
    throw refuseWithCurrent(await detailsOf(change, text, registry), 'STALE', { what: 'this draft' });
  refuseDay(body.validFrom, latest, registry);
  if (draft === null) await insertDraft(change, text, body, { loginId: caller.loginId, profile: registry.profile });
  else
    await change
      .updateTable('legalVersion')
      .set({ ...columnsOf(body, registry.profile), preparedBy: caller.loginId, preparedAt: change.now })
      .where('legalVersionId', '=', draft.legalVersionId)
      .execute();
  await change.note({ text: body.title, from: dayInFull(body.validFrom), reason: body.reason });
  return detailsOf(change, text, registry);
}

/** @throws Failure LEGAL_STATE */
function draftIn(rows: readonly VersionRow[], now: Date): VersionRow {
  const { draft } = stateOfText(rows, now);
  if (draft === null) throw refuse('LEGAL_STATE', { why: 'the text has no draft' });
  return draft;
}

/** Discards the draft. @throws Failure NOT_FOUND, LEGAL_STATE */
export async function discardLegalDraft({
  change,
  caller,
  params: { text },
  registry,
}: Act<typeof legal.discardLegalDraft>): Promise<void> {
  await lockText(change, text);
  const { legalVersionId, title } = draftIn(await rowsOfText(change, text), registry.now);
  await change
    .updateTable('legalVersion')
    .set({ endedBy: caller.loginId, endedAt: change.now })
    .where('legalVersionId', '=', legalVersionId)
    .execute();
  await change.note({ text: title });
}

/** At most one text is the agreement of applicants: their form has one. @throws Failure LEGAL_STATE */
async function refuseSecondAgreement(change: Change, { text, asks }: VersionRow): Promise<void> {
  if (!asks.includes('applicants')) return;
  const [other] = await change.rows<{ title: string }>(sql`
    select v.title from legal_version v where v.text <> ${text} and 'applicants' = any (v.asks) and v.version is not null and v.ended_at is null
      and not exists (select from legal_version w where w.text = v.text and w.version > v.version and w.ended_at is null) limit 1`);
  if (other)
    throw refuse('LEGAL_STATE', {
      why: `applicants accept “${other.title}”, and one text is what they accept. Put both into one, or let that one ask others`,
    });
}

/**
 * Confirms the draft, once a second person has approved it: it is the next version from its day on.
 * @throws Failure NOT_FOUND, STALE, LEGAL_STATE, LEGAL_DAY
 * @throws SecondPersonNeeded
 */
export async function confirmLegalDraft({
  change,
  caller,
  params: { text },
  body: { edition },
  hasSecondPerson,
  registry,
}: Act<typeof legal.confirmLegalDraft>): Promise<LegalTextDetails> {
  await lockText(change, text);
  const rows = await rowsOfText(change, text);
  const row = draftIn(rows, registry.now);
  // What the second person compared is what they confirm.
  if (row.edition !== edition) throw refuseWithCurrent(await detailsOf(change, text, registry), 'STALE', { what: 'this draft' });
  const { latest, coming } = stateOfText(rows, registry.now);
  if (coming !== null)
    throw refuse('LEGAL_STATE', { why: `version ${coming.version} is still to come. Withdraw it first, or wait for its day` });
  if (latest !== null && latest.body === row.body && latest.title === row.title)
    throw refuse('LEGAL_STATE', { why: `the draft is word for word version ${latest.version}` });
  refuseDay(row.validFrom, latest, registry);
  await refuseSecondAgreement(change, row);
  await change.note({ text: row.title, from: dayInFull(row.validFrom), reason: row.reason, before: latest?.body ?? '', after: row.body });
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({
      title: `Let “${row.title}” take effect on ${dayInFull(row.validFrom)}`.slice(0, 150),
      link: linkOf(text),
    });
  // A rehearsal has no second person yet.
  if (caller.approvedBy)
    await change
      .updateTable('legalVersion')
      .set({
        version: Math.max(0, ...rows.map(({ version }) => version ?? 0)) + 1,
        // Everyone accepts the first one.
        renews: latest === null || row.renews,
        proposedBy: caller.loginId,
        confirmedBy: caller.approvedBy,
        confirmedAt: change.now,
      })
      .where('legalVersionId', '=', row.legalVersionId)
      .execute();
  return detailsOf(change, text, registry);
}

/**
 * Withdraws the version to come, once a second person has approved it.
 * @throws Failure NOT_FOUND, LEGAL_STATE
 * @throws SecondPersonNeeded
 */
export async function withdrawLegalVersion({
  change,
  caller,
  params: { text },
  body: { version },
  hasSecondPerson,
  registry,
}: Act<typeof legal.withdrawLegalVersion>): Promise<LegalTextDetails> {
  await lockText(change, text);
  const { coming } = stateOfText(await rowsOfText(change, text), registry.now);
  if (coming?.version !== version)
    throw refuse('LEGAL_STATE', { why: `version ${version} isn’t one to come. A new version replaces one in force` });
  await change.note({ text: coming.title, version, from: dayInFull(coming.validFrom) });
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({ title: `Withdraw version ${version} of “${coming.title}”`.slice(0, 150), link: linkOf(text) });
  if (caller.approvedBy)
    await change
      .updateTable('legalVersion')
      .set({ endedBy: caller.loginId, endedWith: caller.approvedBy, endedAt: change.now })
      .where('legalVersionId', '=', coming.legalVersionId)
      .execute();
  return detailsOf(change, text, registry);
}
