import type { AnswerOf, BodyOf } from '@portal/contract';
import { type ApplicationDraft, type ApplicationStep, emptyApplication } from '@portal/contract/applications/application-form';
import type { Application, ApplicationDetail, applications, ApplicationTerms } from '@portal/contract/applications/applications';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import type { Change, Database, Read } from '../../platform/database/index.ts';
import { refuse, refuseWith, refuseWithCurrent } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { attach, detachOthers } from '../documents/index.ts';
import { attempt, clearAttempts, loginById } from '../identity/index.ts';
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

/** How many applications a person may have open at a time, drafts among them. */
const MOST_OPEN = 5;
const MOST_DRAFTS = 3;

/** Who may become a member, and what is agreed to. */
export const termsOf = ({ serviceRegion, nationalRegistries, agreementVersion, agreementUrl }: Profile): ApplicationTerms => ({
  economies: serviceRegion,
  nationalRegistries,
  agreement: { version: agreementVersion, url: agreementUrl },
  mostDrafts: MOST_DRAFTS,
  draftDays: DRAFT_DAYS,
});

/** The applications of a person, newest first; drafts that were thrown away are not among them. */
export async function listApplications(read: Read, caller: Caller): Promise<Application[]> {
  const where = sql`m.login_id = ${caller.loginId} and (m.form is not null or d.draft is not null) order by m.membership_application_id desc limit 50`;
  return (await read.rows(rowsWhere(where))).map(forApplicant);
}

export const getApplication = async (read: Read, applicationId: string, caller: Caller): Promise<ApplicationDetail> =>
  detailFor(read, await ownRow(read, applicationId, caller));

/** Begins an application with what is known already. @throws Failure TOO_MANY_DRAFTS */
export async function beginApplication(change: Change, caller: Caller, known: Partial<ApplicationDraft>): Promise<number> {
  // One at a time for each person, so that many at once cannot slip through.
  await change.selectFrom('login').select('loginId').where('loginId', '=', caller.loginId).forNoKeyUpdate().execute();
  const [open] = await change.rows<{ drafts: number; all: number }>(sql`
    select count(*) filter (where state = 'DRAFT')::int as drafts, count(*)::int as "all" from membership_application
    where login_id = ${caller.loginId} and resolved_at is null`);
  if (open!.drafts >= MOST_DRAFTS || open!.all >= MOST_OPEN)
    throw refuse('TOO_MANY_DRAFTS', { most: String(open!.drafts >= MOST_DRAFTS ? MOST_DRAFTS : MOST_OPEN) });
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

/** Begins an empty application. @throws Failure TOO_MANY_DRAFTS */
export async function startApplication(change: Change, caller: Caller): Promise<ApplicationDetail> {
  return detailFor(change, await byId(change, await beginApplication(change, caller, {})));
}

const what = { what: 'The application' };

/** What may be written in: a draft, and an application about which the registry asks. @throws Failure WITH_REGISTRY, STALE with the application as it is */
export async function refuseUnlessWritable(change: Change, row: Row, version: number): Promise<void> {
  if (row.state !== 'DRAFT' && row.state !== 'INFO_REQUESTED') throw refuseWithCurrent(await detailFor(change, row), 'WITH_REGISTRY', what);
  if (row.version !== version) throw refuseWithCurrent(await detailFor(change, row), 'STALE', what);
}

/** Keeps what was written so far. @throws Failure NOT_FOUND, WITH_REGISTRY, STALE with the application as it is */
export async function saveDraft(
  change: Change,
  applicationId: string,
  { version, step, draft, documentIds }: BodyOf<typeof applications.saveDraft>,
  caller: Caller,
): Promise<AnswerOf<typeof applications.saveDraft>> {
  const row = await lockOwnRow(change, applicationId, caller);
  await refuseUnlessWritable(change, row, version);
  await writeDraft(change, row.id, { version: version + 1, step, draft });
  const reference = referenceOf(row.id);
  await attach(change, row.loginId, documentIds, { reference, accountName: null, type: 'LEGAL', visibility: 'CORPORATE' });
  // What the registry has got is not taken away from it.
  if (row.form === null) await detachOthers(change, reference, documentIds);
  await change.note({ application: referenceOf(row.id), step });
  return { version: version + 1, savedAt: change.now, expiresAt: row.state === 'DRAFT' ? expiryOf(change.now) : null };
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
 * Whether a name can be had, and which can. Whoever keeps asking for names that are taken has to wait: it is no list of accounts.
 * @throws Failure NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function checkAccountName(
  db: Pick<Database, 'read' | 'unrecorded'>,
  applicationId: string,
  { name }: { name: string },
  { caller, now }: { caller: Caller; now: Date },
): Promise<AnswerOf<typeof applications.checkAccountName>> {
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

/** Withdraws an application that is not decided; a draft is thrown away with what was written. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
export async function withdrawApplication(change: Change, applicationId: string, caller: Caller): Promise<void> {
  const row = await lockOwnRow(change, applicationId, caller);
  if (row.resolvedAt !== null) throw refuseWithCurrent(await detailFor(change, row), 'ALREADY_RESOLVED', what);
  await endApplication(change, row, 'WITHDRAWN', caller);
  await change.note({ application: referenceOf(row.id), before: row.state, after: 'WITHDRAWN' });
  if (row.state === 'DRAFT') return;
  await notifyApplicant(change, row, {
    subject: 'the application was withdrawn',
    body: [`You withdrew the application of ${row.form!.orgName}. The account name ${row.accountName} is free again.`],
  });
}

/** Ends an application that nobody decided; the draft goes, and so does the hold on the account name. */
export async function endApplication(change: Change, row: Row, state: 'WITHDRAWN' | 'EXPIRED', by: Caller | null): Promise<void> {
  await change
    .updateTable('membershipApplication')
    .set({ state, since: change.now, resolvedAt: change.now })
    .where('membershipApplicationId', '=', row.id)
    .execute();
  await change.deleteFrom('applicationDraft').where('membershipApplicationId', '=', row.id).execute();
  await releaseAccountName(change, row.id);
  if (row.form === null) await detachOthers(change, referenceOf(row.id), []);
  await recordEvent(change, row.id, { kind: state, by });
  await notifyReferrer(change, row.id, 'DECLINED');
}
