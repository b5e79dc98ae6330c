import { dayIn, daysAfter, yearsAfter } from '@portal/contract/days';
import type { Asked, LegalDraft, legal, LegalTextDetails } from '@portal/contract/legal/legal';
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
    .split(/\r\n?|\n/)
    .map(line => line.trimEnd())
    .join('\n')
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
  const rows = await versionRows(change, sql`v.text = ${text}`);
  const known = rows.find(({ version, endedAt }) => version !== null || endedAt === null);
  if (known) throw refuse('LEGAL_STATE', { why: `“${known.title}” has this name already. Open it, and write its next version` }).at('text');
  refuseDay(draft.validFrom, null, registry);
  await insertDraft(change, text, { ...draft, edition: lastEdition(rows) }, { loginId: caller.loginId, profile: registry.profile });
  await change.note({ text: draft.title, from: dayInFull(draft.validFrom), reason: draft.reason });
  return detailsOf(change, text, registry);
}

/** The last edition of a text's drafts, discarded ones too: what was shown to a second person is never the name of something else. */
const lastEdition = (rows: readonly VersionRow[]): number => Math.max(0, ...rows.map(({ edition }) => edition));

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
  const rows = await rowsOfText(change, text);
  const { draft, latest } = stateOfText(rows, registry.now);
  if (body.edition !== (draft?.edition ?? 0))
    throw refuseWithCurrent(await detailsOf(change, text, registry), 'STALE', { what: 'this draft' });
  refuseDay(body.validFrom, latest, registry);
  if (draft === null)
    await insertDraft(change, text, { ...body, edition: lastEdition(rows) }, { loginId: caller.loginId, profile: registry.profile });
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

/** Whether two versions have the same words, for the same people and on the same terms. */
const isSameText = (one: VersionRow, other: VersionRow): boolean =>
  one.title === other.title &&
  one.body === other.body &&
  one.graceDays === other.graceDays &&
  one.blocks === other.blocks &&
  one.asks.toSorted().join() === other.asks.toSorted().join();

/** A version that counts, or would. */
type Counted = Pick<VersionRow, 'text' | 'title' | 'asks' | 'beginsAt'>;

/** Returns two texts that would ask applicants at the same time, at or after an instant; null if no two do. Their form has one agreement. */
export function twoAgreements(counted: readonly Counted[], after: number): [Counted, Counted] | null {
  const spans = [...Map.groupBy(counted, ({ text }) => text).values()].flatMap(versions =>
    versions
      .toSorted((one, other) => Date.parse(one.beginsAt) - Date.parse(other.beginsAt))
      .map((version, n, all) => ({
        version,
        from: Date.parse(version.beginsAt),
        to: n + 1 < all.length ? Date.parse(all[n + 1]!.beginsAt) : Number.POSITIVE_INFINITY,
      }))
      .filter(({ version, to }) => version.asks.includes('applicants') && to > after),
  );
  for (const one of spans)
    for (const other of spans)
      if (one.version.text < other.version.text && one.from < other.to && other.from < one.to) return [one.version, other.version];
  return null;
}

/** At most one text is the agreement of applicants on any day: their form has one. @throws Failure LEGAL_STATE */
async function refuseSecondAgreement(change: Change, counted: (rows: VersionRow[]) => Counted[], now: Date): Promise<void> {
  // Of two texts at once: the second one sees the first.
  await lockByName(change, 'legal.agreement');
  const two = twoAgreements(counted(await versionRows(change, sql`v.version is not null and v.ended_at is null`)), now.getTime());
  if (two)
    throw refuse('LEGAL_STATE', {
      why: `applicants would accept “${two[0].title}” and “${two[1].title}” on the same day, and one text is what they accept. Put both into one, or let one ask others`,
    });
}

const askedWords: Record<Asked, string> = {
  logins: 'everyone with a login',
  corporate: 'a corporate contact of each account',
  applicants: 'applicants',
};
/** The people that a version asks and its terms, as the second person reads them. */
const wordsOfTerms = ({ asks, renews, graceDays, blocks }: VersionRow): Record<string, string> => ({
  asks: asks.length === 0 ? 'no one' : new Intl.ListFormat('en').format(asks.map(each => askedWords[each])),
  days: `${graceDays} days to accept it`,
  afterwards: blocks ? 'Changes wait until it’s accepted' : 'Nothing waits',
  earlierAcceptances: renews ? 'Everyone accepts it anew' : 'Count for it',
});

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
  if (latest !== null && isSameText(row, latest))
    throw refuse('LEGAL_STATE', { why: `the draft is word for word version ${latest.version}, for the same people and on the same terms` });
  refuseDay(row.validFrom, latest, registry);
  await refuseSecondAgreement(change, all => [...all, row], registry.now);
  await change.note({
    text: row.title,
    from: dayInFull(row.validFrom),
    reason: row.reason,
    ...wordsOfTerms(row),
    before: latest?.body ?? '',
    after: row.body,
  });
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
  await refuseSecondAgreement(change, all => all.filter(each => each.legalVersionId !== coming.legalVersionId), registry.now);
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
