import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf, BodyOf } from '@portal/contract';
import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import { consentDays, missingConsent, type WhoisConsent, type whoisConsents } from '@portal/contract/whois/consents';
import { sql } from 'kysely';
import { type Change, type Database, frequent, ownActivity, type Read } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { lockAccount } from '../../accounts/index.ts';
import { whyOf } from '../consents/agreement.ts';
import { outcomeMessage } from './outcome.ts';
import { rightsOf, writingRights } from '../rights/rights.ts';
import { updatesOfText } from '../store/syntax.ts';
import type { ObjectLimit } from '../submit/write-limits.ts';
import { carryOutConsent, submitForAccount } from './submit-for-account.ts';
import { columns, consentOf, type ConsentRow, decideConsent, keysOf, table, consentAnswer } from '../consents/consent-row.ts';
import { notifyOwners, notifyRequester } from '../consents/consent-notices.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

/** Maximum number of waiting updates of one account. */
const MAX_WAITING = 50;
const MAX_OBJECTS = 200;
/** How long decided ones are listed. */
const SHOWN_DAYS = 30;
/** Days on which reminders are sent. */
const REMINDERS = [3, 6];

/** Returns the account's own requests that are waiting or were decided within a month, the latest first. */
export async function consentsAskedBy(read: Pick<Read, 'rows'>, accountName: string): Promise<WhoisConsent[]> {
  const since = sql`(w.state = 'waiting' or w.decided_at > now() - make_interval(days => ${SHOWN_DAYS}))`;
  const rows = await read.rows<ConsentRow>(
    frequent(sql`select ${columns} from ${table} where w.account_name = ${accountName} and ${since} order by w.asked_at desc limit 500`),
  );
  return rows.map(consentAnswer);
}

/** Returns the requests that wait for the caller's consent, and the account's own; decided ones for a month. */
export async function listConsents({
  read,
  account,
}: {
  read: Read;
  account: AdmittedAccount;
}): Promise<AnswerOf<typeof whoisConsents.listConsents>> {
  const since = sql`(w.state = 'waiting' or w.decided_at > now() - make_interval(days => ${SHOWN_DAYS}))`;
  const [toAnswer, asked] = await Promise.all([
    consentsToAnswer(read, account),
    read.rows<ConsentRow>(
      sql`select ${columns} from ${table} where w.account_name = ${account.accountName} and ${since} order by w.asked_at desc limit 100`,
    ),
  ]);
  return { toAnswer, asked: asked.map(consentAnswer) };
}

/** Returns the updates of others that wait for the consent of the maintainers of a person, the most urgent first. */
export async function consentsToAnswer(read: Read, account: AdmittedAccount): Promise<WhoisConsent[]> {
  const { maintainers } = await rightsOf(read, account.accountName, account.contactId);
  if (maintainers.size === 0) return [];
  const rows =
    await read.rows<ConsentRow>(sql`select ${columns} from ${table} where w.state = 'waiting' and w.maintainers && ${[...maintainers]}::text[]
      order by w.due_at limit 100`);
  return rows.map(consentAnswer);
}

/**
 * Stores an update until the other party consents, if that is the only thing missing, and mails those who can. Otherwise nothing is stored, and the outcomes give
 * the reasons. @throws Failure NO_PERMISSION, ACCOUNT_SUSPENDED, ACCOUNT_RESTRICTED_IRT, INVALID_REQUEST, NOTHING_TO_DO
 */
export async function askForConsent({
  change,
  account,
  body: { text },
  registry: { profile, config: limits },
}: {
  change: Change;
  account: AdmittedAccount;
  body: BodyOf<typeof whoisConsents.askForConsent>;
  registry: { profile: Profile; config: ObjectLimit };
}): Promise<AnswerOf<typeof whoisConsents.askForConsent>> {
  const credentials = await writingRights(change, account);
  if (text.includes('\u0000')) throw refuseField('text', 'This isn’t a text');
  const updates = updatesOfText(text);
  if (updates.length === 0 || updates.length > MAX_OBJECTS)
    throw refuseField('text', `This text has ${updates.length} objects. Send 1 to ${MAX_OBJECTS}`);
  const outcomes = await submitForAccount(change, account, updates, {
    credentials,
    mode: 'best-effort',
    dryRun: true,
    profile,
    limits,
    exception: 'asksForConsent',
  });
  const messages = outcomes.map((outcome, index) => outcomeMessage(outcome, updates[index]!.text));
  const names = missingConsent(outcomes);
  if (names === null || keysOf(names).includes(profile.hostmasterMaintainer.toLowerCase())) {
    await change.note({ failed: true });
    return { outcomes: messages, consent: null };
  }
  const objects = outcomes.map(({ class: objectClass, shown }) => `${objectClass} ${shown}`);
  const why = whyOf(outcomes);
  await lockAccount(change, account.accountName);
  const [open] = await change.rows<{ total: number }>(
    sql`select count(*)::int as total from whois_consent where account_name = ${account.accountName} and state = 'waiting'`,
  );
  if (open!.total >= MAX_WAITING) throw refuse('NOTHING_TO_DO', { why: `${MAX_WAITING} updates of this account already wait for consent` });
  const dueAt = instantAfter(change.now, consentDays * DAY_MS);
  const [kept] = await change.rows<{
    consentId: number;
  }>(sql`insert into whois_consent (account_name, contact_id, text, objects, maintainers, why, asked_at, due_at)
    values (${account.accountName}, ${account.contactId}::uuid, ${text}, ${objects}::text[], ${keysOf(names)}::text[], ${why}, ${change.now}::timestamptz, ${dueAt}::timestamptz)
    on conflict (account_name, md5(text)) where state = 'waiting' do nothing returning consent_id`);
  if (!kept) throw refuse('NOTHING_TO_DO', { why: `this already waits for ${names.join(' or ')}` });
  const row = await consentOf(change, kept.consentId);
  await change.note({ objects, waitsFor: names, until: utcDay(dueAt) });
  await notifyOwners(change, row, profile, `${row.askedBy} of ${row.accountName} asks you to agree`);
  return { outcomes: messages, consent: consentAnswer(row) };
}

/**
 * Agrees to a waiting update, which is then made with the requester's rights and this consent, or refuses it.
 * @throws Failure NOT_FOUND, NO_PERMISSION, ACCOUNT_SUSPENDED, ALREADY_RESOLVED
 */
export async function answerConsent({
  change,
  account,
  params: { consentId },
  body: { agree, reason },
  registry: { profile, config: limits },
}: Act<typeof whoisConsents.answerConsent>): Promise<AnswerOf<typeof whoisConsents.answerConsent>> {
  const { maintainers, who } = await writingRights(change, account);
  const row = await waiting(change, consentId, ({ maintainers: asked }) => keysOf(asked).some(key => maintainers.has(key)));
  if (!agree) {
    const refused = await decideConsent(change, row, { state: 'refused', reason, by: account.contactId });
    await notifyRequester(change, refused, `${who} rejected it${reason === '' ? '' : `: ${reason}`}.`);
    return { consent: consentAnswer(refused), outcomes: null };
  }
  const { outcomes, updates, decided } = await carryOutConsent(change, account, row, { maintainers, profile, limits, dryRun: false });
  await notifyRequester(
    change,
    decided,
    decided.state === 'accepted'
      ? `${who} approved it. The update is saved.`
      : `${who} approved it, but the update now has problems: ${decided.reason}.`,
  );
  return { consent: consentAnswer(decided), outcomes: outcomes.map((outcome, index) => outcomeMessage(outcome, updates[index]!.text)) };
}

/** @throws Failure NOT_FOUND, NO_PERMISSION, ACCOUNT_SUSPENDED, ALREADY_RESOLVED */
export async function withdrawConsent({
  change,
  account,
  params: { consentId },
}: {
  change: Change;
  account: AdmittedAccount;
  params: { consentId: string };
}): Promise<WhoisConsent> {
  await writingRights(change, account);
  const row = await waiting(change, consentId, ({ accountName }) => accountName === account.accountName);
  return consentAnswer(await decideConsent(change, row, { state: 'withdrawn', reason: '', by: account.contactId }));
}

/** An account that the request does not concern gets the answer for an unknown one. */
async function waiting(change: Change, consentId: string, concerns: (row: ConsentRow) => boolean): Promise<ConsentRow> {
  const id = isRowId(consentId) ? Number(consentId) : -1;
  await change.rows(sql`select from whois_consent where consent_id = ${id} for update`);
  const row = await consentOf(change, id);
  if (!row || !concerns(row)) throw refuse('NOT_FOUND', { what: 'This request' });
  if (row.state !== 'waiting' || Date.parse(row.dueAt) <= Date.parse(change.now))
    throw refuse('ALREADY_RESOLVED', { what: 'This request' });
  return row;
}

/** Reminds those who have not answered, and ends requests whose time is over. Returns how many mails were written. */
export async function expireConsents(db: Database, profile: Profile, now: Date): Promise<number> {
  const due = await db.read.rows<{
    consentId: number;
    accountName: string;
    isOver: boolean;
  }>(sql`select consent_id::int as consent_id, account_name, due_at <= ${now.toISOString()}::timestamptz as is_over from whois_consent
    where state = 'waiting' and (due_at <= ${now.toISOString()}::timestamptz
      or asked_at + make_interval(days => (${REMINDERS}::int[])[reminders + 1]) <= ${now.toISOString()}::timestamptz) order by consent_id`);
  await eachAlone(
    due,
    ({ consentId, accountName }) => `consent ${consentId} of ${accountName}`,
    async ({ consentId, accountName, isOver }) => {
      const activity = isOver
        ? ownActivity('whois.consents.expireConsents', 'Ended a request for consent that had no answer', accountName)
        : ownActivity('whois.consents.expireConsents', 'Sent a reminder of a request for consent', accountName);
      await db.change(activity, async change => {
        await change.rows(sql`select from whois_consent where consent_id = ${consentId} for update`);
        const row = await consentOf(change, consentId);
        if (row.state !== 'waiting') return;
        if (isOver)
          return notifyRequester(
            change,
            await decideConsent(change, row, { state: 'expired', reason: '', by: null }),
            `There was no answer within ${consentDays} days, so no changes were made. You can ask again.`,
          );
        await change.rows(sql`update whois_consent set reminders = reminders + 1 where consent_id = ${consentId}`);
        await change.note({ objects: row.objects, reminded: row.maintainers });
        await notifyOwners(change, row, profile, `Reminder: ${row.askedBy} of ${row.accountName} asks you to agree`);
      });
    },
  );
  return due.length;
}
