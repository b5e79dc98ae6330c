import type { AnswerOf } from '@portal/contract';
import { type ApplicationDraft, type ApplicationStep, emptyApplication } from '@portal/contract/applications/application-form';
import type { Application, ApplicationDetail, applications, ApplicationTerms } from '@portal/contract/applications/applications';
import { sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseWith, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { attach, detachOthers } from '../documents/index.ts';
import { attempt, clearAttempts, loginById, lockLogin } from '../identity/index.ts';
import { applicantsAgreement } from '../legal/index.ts';
import { isFree, proposeAccountNames, releaseAccountName } from './account-names.ts';
import { notifyApplicant } from './application-notices.ts';
import {
  byId,
  detailFor,
  DRAFT_DAYS,
  expiryOf,
  forApplicant,
  lockOwnRow,
  ownRow,
  recordEvent,
  referenceOf,
  type Row,
  rowsWhere,
} from './application-row.ts';
import { notifyReferrer } from './referral-row.ts';
import { applicationsTexts } from './mail-texts.ts';

/** Maximum number of open applications of a person, drafts included. */
const MAX_OPEN = 5;
const MAX_DRAFTS = 3;

/** The agreement that applicants accept: the legal text that asks them; without one, that of the profile. @param now ISO 8601 */
export async function currentAgreement(
  read: Pick<Read, 'rows'>,
  { profile, now }: { profile: Profile; now: string },
): Promise<ApplicationTerms['agreement']> {
  const text = await applicantsAgreement(read, now);
  return text ? { version: text.version, url: text.path } : { version: profile.agreementVersion, url: profile.agreementUrl };
}

/** Returns who may become a member, and the agreement. */
export const getApplicationTerms = async ({
  read,
  registry: { profile, now },
}: Act<typeof applications.getApplicationTerms>): Promise<ApplicationTerms> => ({
  economies: profile.serviceRegion,
  nationalRegistries: profile.nationalRegistries,
  agreement: await currentAgreement(read, { profile, now: now.toISOString() }),
  reviewTime: profile.applicationReview,
  maxDrafts: MAX_DRAFTS,
  draftDays: DRAFT_DAYS,
});

/** Lists the applications of a person, newest first, without deleted drafts. */
export async function listApplications({ read, caller }: Act<typeof applications.listApplications>): Promise<Application[]> {
  const where = sql`m.login_id = ${caller.loginId} and (m.form is not null or d.draft is not null) order by m.membership_application_id desc limit 50`;
  return (await read.rows(rowsWhere(where))).map(forApplicant);
}

export const getApplication = async ({
  read,
  caller,
  params: { applicationId },
}: Act<typeof applications.getApplication>): Promise<ApplicationDetail> => detailFor(read, await ownRow(read, applicationId, caller));

/** Starts an application with known values. @throws Failure TOO_MANY_DRAFTS */
export async function beginApplication(change: Change, caller: Caller, known: Partial<ApplicationDraft>): Promise<number> {
  // Locked per person, so that concurrent requests can't exceed the maximum.
  await lockLogin(change, caller.loginId);
  const [open] = await change.rows<{ drafts: number; all: number }>(sql`
    select count(*) filter (where state = 'draft')::int as drafts, count(*)::int as "all" from membership_application
    where login_id = ${caller.loginId} and resolved_at is null`);
  if (open!.drafts >= MAX_DRAFTS || open!.all >= MAX_OPEN)
    throw refuse('TOO_MANY_DRAFTS', { most: String(open!.drafts >= MAX_DRAFTS ? MAX_DRAFTS : MAX_OPEN) });
  const { membershipApplicationId } = await change
    .insertInto('membershipApplication')
    .values({ loginId: caller.loginId, startedAt: change.now, since: change.now })
    .returning('membershipApplicationId')
    .executeTakeFirstOrThrow();
  const login = await loginById(change, caller.loginId);
  const draft = { ...emptyApplication, billingEmail: login?.email ?? '', ...known };
  await change
    .insertInto('applicationDraft')
    .values({ membershipApplicationId, step: 'organisation', draft: JSON.stringify(draft), savedAt: change.now })
    .execute();
  await change.note({ application: referenceOf(membershipApplicationId) });
  return membershipApplicationId;
}

/** Starts an empty application. @throws Failure TOO_MANY_DRAFTS */
export async function startApplication({ change, caller }: Act<typeof applications.startApplication>): Promise<ApplicationDetail> {
  return detailFor(change, await byId(change, await beginApplication(change, caller, {})));
}

const what = { what: 'The application' };

/** Refuses unless it can be edited: a draft, or an application with an open question. @throws Failure WITH_REGISTRY, STALE with the present application */
export async function refuseUnlessWritable(change: Change, row: Row, version: number): Promise<void> {
  if (row.state !== 'draft' && row.state !== 'needs-info') throw refuseWithCurrent(await detailFor(change, row), 'WITH_REGISTRY', what);
  if (row.version !== version) throw refuseWithCurrent(await detailFor(change, row), 'STALE', what);
}

/** Saves the draft. @throws Failure NOT_FOUND, WITH_REGISTRY, STALE with the present application */
export async function saveDraft({
  change,
  caller,
  params: { applicationId },
  body: { version, step, draft, documentIds },
}: Act<typeof applications.saveDraft>): Promise<AnswerOf<typeof applications.saveDraft>> {
  const row = await lockOwnRow(change, applicationId, caller);
  await refuseUnlessWritable(change, row, version);
  await writeDraft(change, row.id, { version: version + 1, step, draft });
  const reference = referenceOf(row.id);
  await attach(change, row.loginId, documentIds, { reference, accountName: null, type: 'legal', visibility: 'corporate' });
  // Documents that the registry has received stay with it.
  if (row.form === null) await detachOthers(change, reference, documentIds);
  await change.note({ application: referenceOf(row.id), step });
  return { version: version + 1, savedAt: change.now, expiresAt: row.state === 'draft' ? expiryOf(change.now) : null };
}

async function writeDraft(
  change: Change,
  id: number,
  { version, step, draft }: { version: number; step: ApplicationStep; draft: ApplicationDraft },
): Promise<void> {
  await change
    .updateTable('applicationDraft')
    .set({ version, step, draft: JSON.stringify(draft), savedAt: change.now, remindedAt: null })
    .where('membershipApplicationId', '=', id)
    .execute();
}

/**
 * Returns whether a name is free, and alternatives. A caller who repeatedly tries taken names has to wait, so that this can't be used to enumerate accounts.
 * @throws Failure NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function checkAccountName({
  read,
  unrecorded,
  caller,
  params: { applicationId },
  body: { name },
  registry: { now },
}: Act<typeof applications.checkAccountName>): Promise<AnswerOf<typeof applications.checkAccountName>> {
  const db = { read, unrecorded };
  const row = await ownRow(db.read, applicationId, caller);
  const proposals = await proposeAccountNames(db.read, (row.draft ?? row.form)!, row.id);
  const wanted = name.trim().toUpperCase();
  if (wanted === '') return { free: null, proposals };
  const key = `account name ${caller.loginId}`;
  const { waitSeconds } = await attempt(db, key, now);
  if (waitSeconds > 0) throw refuseWith({ 'retry-after': String(waitSeconds) }, 'TOO_MANY_REQUESTS', { seconds: String(waitSeconds) });
  const free = await isFree(db.read, wanted, row.id);
  if (free) await clearAttempts(db, [key]);
  return { free, proposals };
}

/** Withdraws an undecided application; a draft is deleted. */
export async function withdrawApplication({ change, caller, row }: CaseAct<typeof applications.withdrawApplication, Row>): Promise<void> {
  await endApplication(change, row, 'withdrawn', caller);
  await change.note({ application: referenceOf(row.id), before: row.state, after: 'withdrawn' });
  if (row.state === 'draft') return;
  await notifyApplicant(change, row, {
    text: applicationsTexts.written('applicationWithdrawn', { orgName: row.form!.orgName, accountName: row.accountName! }),
  });
}

/** Ends an undecided application; its draft is deleted and the account name becomes free. */
export async function endApplication(change: Change, row: Row, state: 'withdrawn' | 'expired', by: Caller | null): Promise<void> {
  await change
    .updateTable('membershipApplication')
    .set({ state, since: change.now, resolvedAt: change.now })
    .where('membershipApplicationId', '=', row.id)
    .execute();
  await change.deleteFrom('applicationDraft').where('membershipApplicationId', '=', row.id).execute();
  await releaseAccountName(change, row.id);
  if (row.form === null) await detachOthers(change, referenceOf(row.id), []);
  await recordEvent(change, row.id, { kind: state, by });
  await notifyReferrer(change, row.id, 'declined');
}
