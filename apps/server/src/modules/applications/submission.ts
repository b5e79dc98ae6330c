import { addressLinesOf, type ApplicationDraft, problemsOfApplication } from '@portal/contract/applications/application-form';
import type { ApplicationDetail, applications } from '@portal/contract/applications/applications';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseFields } from '../../platform/failure.ts';
import type { CaseAct } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { acceptAsApplicant } from '../legal/index.ts';
import { registrationKeyColumn, registrationKeyOf, reserveAccountName } from './account-names.ts';
import { notifyApplicant } from './application-notices.ts';
import { byId, detailFor, documentsOf, recordEvent, referenceOf, type Row } from './application-row.ts';
import { currentAgreement, refuseUnlessWritable } from './drafts.ts';
import { notifyReferrer } from './referral-row.ts';
import { applicationsTexts } from './mail-texts.ts';

/** Returns the draft as submitted: trimmed, with one address line per line. */
const tidied = (draft: ApplicationDraft): ApplicationDraft => {
  const trimmed = Object.fromEntries(
    Object.entries(draft).map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]),
  ) as ApplicationDraft;
  return {
    ...trimmed,
    accountName: trimmed.accountName.toUpperCase(),
    postalAddress: addressLinesOf(draft.postalAddress).join('\n'),
    billingAddress: addressLinesOf(draft.billingAddress).join('\n'),
  };
};

/** A registration number already used by a member of the same economy. */
export async function memberWithNumber(read: Read, { registrationNumber, economy }: ApplicationDraft): Promise<boolean> {
  const key = registrationKeyOf(registrationNumber);
  if (key === null) return false;
  const [found] = await read.rows<{ accountName: string }>(sql`
    select a.account_name from account a join organisation o using (account_name)
    where a.economy = ${economy} and a.account_status <> 'closed' and o.registration_number <> ''
      and ${registrationKeyColumn} = ${key} limit 1`);
  return found !== undefined;
}

/**
 * Checks a submission, reserves its account name, and stores it. With an accepted agreement version it is the first submission; without, it goes back
 * into review. @throws Failure INVALID_REQUEST with all problems, EMAIL_NOT_VERIFIED, ORGANISATION_IS_MEMBER, ACCOUNT_NAME_TAKEN
 */
async function handIn(change: Change, row: Row, profile: Profile, agreementVersion?: string): Promise<ApplicationDraft> {
  const form = tidied(row.draft!);
  const problems = problemsOfApplication(form, (await documentsOf(change, row.id)).length);
  if (form.economy !== '' && !profile.serviceRegion.includes(form.economy))
    problems.unshift({ step: 'organisation', field: 'economy', message: 'Choose an economy of the service region' });
  if (problems.length > 0) throw refuseFields(problems.map(({ field, message }) => ({ field, message })));
  if (!row.emailVerified) throw refuse('EMAIL_NOT_VERIFIED', { email: row.applicantEmail });
  if (await memberWithNumber(change, form)) throw refuse('ORGANISATION_IS_MEMBER', { economy: form.economy });
  if (!(await reserveAccountName(change, form.accountName, row.id)))
    throw refuse('ACCOUNT_NAME_TAKEN', { name: form.accountName }).at('accountName');
  await change
    .updateTable('membershipApplication')
    .set({
      form: JSON.stringify(form),
      orgName: form.orgName,
      economy: form.economy,
      accountName: form.accountName,
      registrationKey: registrationKeyOf(form.registrationNumber),
      since: change.now,
      ...(agreementVersion === undefined
        ? { state: 'in-review' }
        : { state: 'submitted', submittedAt: change.now, agreementVersion, agreedAt: change.now }),
    })
    .where('membershipApplicationId', '=', row.id)
    .execute();
  return form;
}

/**
 * Submits an application. Repeating it returns the present application.
 * @throws Failure STALE, AGREEMENT_CHANGED, INVALID_REQUEST, ACCOUNT_NAME_TAKEN, ORGANISATION_IS_MEMBER, EMAIL_NOT_VERIFIED
 */
export async function submitApplication({
  change,
  caller,
  row,
  body: { version, agreementVersion },
  registry: { profile },
}: CaseAct<typeof applications.submitApplication, Row>): Promise<ApplicationDetail> {
  if (row.state !== 'draft') return detailFor(change, row);
  await refuseUnlessWritable(change, row, version);
  const agreement = await currentAgreement(change, { profile, now: change.now });
  if (agreementVersion !== agreement.version) throw refuse('AGREEMENT_CHANGED', { version: agreement.version });
  const form = await handIn(change, row, profile, agreementVersion);
  await acceptAsApplicant(change, { agreement: agreementVersion, loginId: caller.loginId, accountName: null, acceptedAt: change.now });
  await recordEvent(change, row.id, { kind: 'submitted', by: caller });
  await change.note({
    application: referenceOf(row.id),
    organisation: form.orgName,
    accountName: form.accountName,
    agreement: agreementVersion,
  });
  await notifyApplicant(change, row, {
    text: applicationsTexts.written('applicationReceived', {
      orgName: form.orgName,
      accountName: form.accountName,
      applicationReview: profile.applicationReview,
    }),
  });
  await notifyReferrer(change, row.id, 'submitted');
  return detailFor(change, await byId(change, row.id));
}

/** Answers the registry's question, and submits the changes. @throws Failure as for `submitApplication` */
export async function answerApplication({
  change,
  caller,
  row,
  body: { version, answer },
  registry: { profile },
}: CaseAct<typeof applications.answerApplication, Row>): Promise<ApplicationDetail> {
  await refuseUnlessWritable(change, row, version);
  const form = await handIn(change, row, profile);
  await recordEvent(change, row.id, { kind: 'answer', by: caller, words: answer });
  await change.note({ application: referenceOf(row.id), question: row.question, answer, accountName: form.accountName });
  return detailFor(change, await byId(change, row.id));
}
