import type { AnswerOf, BodyOf } from '@portal/contract';
import { consentCanWait, consentDays, missingWord, type WhoisConsent, type whoisConsents } from '@portal/contract/whois/consents';
import { valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { type AdmittedAccount, FreshFactorNeeded } from '../../../platform/endpoints.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Profile } from '../../../profile.ts';
import { lockAccount } from '../../accounts/index.ts';
import { sendMail } from '../../mail/index.ts';
import { admitCredentialChange } from '../updates/credential-change.ts';
import { refuseRestricted } from '../irt/irt-restriction.ts';
import { followInLedger } from '../ledger/ledger-of-outcomes.ts';
import { objectOfRow } from '../objects/object-facts.ts';
import { outcomeToTell } from '../updates/outcome.ts';
import { rightsOf, writingRights } from '../maintainers/rights.ts';
import { submit } from '../submit/submit.ts';
import { identityOf, readText } from '../submit/syntax.ts';
import { type Credentials, isError, type WhoisOutcome, type WhoisUpdate } from '../submit/update.ts';
import { updatesOfText } from '../updates/update-task.ts';
import { findObjects } from '../submit/world.ts';

/** Updates of one account that wait at a time. */
const MOST_WAITING = 50;
const MOST_OBJECTS = 200;
/** Decided ones stay in sight so long. */
const SHOWN_DAYS = 30;
/** On these days those who are asked are reminded (domain/resources.md 6.4). */
const REMINDERS = [3, 6];
const DAY_MS = 86_400_000;

type Row = WhoisConsent & { contactId: string; email: string; loginId: string | null };

const columns = sql`w.consent_id::int as consent_id, w.account_name, w.contact_id::text as contact_id, c.full_name as asked_by, c.email, c.login_id::text as login_id,
  w.objects, w.text, (select array_agg(coalesce(o.shown, upper(m.key)) order by m.key) from unnest(w.maintainers) as m (key)
    left join whois_object o on o.class = 'mntner' and o.key = m.key) as maintainers,
  w.why, w.state, w.reason, w.asked_at, w.due_at, w.decided_at`;
const table = sql`whois_consent w join contact c using (contact_id)`;
const toTell = ({ contactId: _contactId, email: _email, loginId: _login, ...consent }: Row): WhoisConsent => consent;
const keysOf = (names: readonly string[]): string[] => names.map(name => name.toLowerCase());

/** What waits for the caller's word, and what the account waits with; decided ones for a month. */
export async function listConsents(read: Read, account: AdmittedAccount): Promise<AnswerOf<typeof whoisConsents.listConsents>> {
  const rights = await rightsOf(read, account.accountName, account.contactId);
  const since = sql`(w.state = 'waiting' or w.decided_at > now() - make_interval(days => ${SHOWN_DAYS}))`;
  const [toAnswer, asked] = await Promise.all([
    read.rows<Row>(sql`select ${columns} from ${table} where w.state = 'waiting' and w.maintainers && ${[...rights.maintainers]}::text[]
      order by w.due_at limit 100`),
    read.rows<Row>(
      sql`select ${columns} from ${table} where w.account_name = ${account.accountName} and ${since} order by w.asked_at desc limit 100`,
    ),
  ]);
  return { toAnswer: toAnswer.map(toTell), asked: asked.map(toTell) };
}

/**
 * Keeps an update until somebody agrees to it, when that alone is missing, and writes to those who can. Otherwise nothing is kept, and the outcomes say
 * what stands against it. @throws Failure NO_PERMISSION, ACCOUNT_SUSPENDED, ACCOUNT_RESTRICTED_IRT, INVALID_REQUEST, NOTHING_TO_DO
 */
export async function askForConsent(
  change: Change,
  account: AdmittedAccount,
  { text }: BodyOf<typeof whoisConsents.askForConsent>,
  { profile, isFresh }: { profile: Profile; isFresh: boolean },
): Promise<AnswerOf<typeof whoisConsents.askForConsent>> {
  const credentials = await writingRights(change, account);
  if (text.includes('\u0000')) throw refuseField('text', 'This text holds zero bytes, so it is no text');
  const updates = updatesOfText(text);
  if (updates.length === 0 || updates.length > MOST_OBJECTS)
    throw refuseField('text', `There are ${updates.length} objects in this text; send 1 to ${MOST_OBJECTS}`);
  await refuseRestricted(
    change,
    account.accountName,
    updates.map(update => update.text),
  );
  await admitCredentialChange(change, updates, isFresh);
  const outcomes = await submit(change, updates, {
    credentials,
    mode: 'best-effort',
    dryRun: true,
    profile,
    tell: false,
    register: account.accountName,
  });
  const told = outcomes.map((outcome, index) => outcomeToTell(outcome, updates[index]!.text));
  const names = missingWord(outcomes);
  if (names === null || keysOf(names).includes(profile.hostmasterMaintainer.toLowerCase())) {
    await change.note({ failed: true });
    return { outcomes: told, consent: null };
  }
  const objects = outcomes.map(({ class: objectClass, shown }) => `${objectClass} ${shown}`);
  const why = outcomes.flatMap(({ problems }) => problems.filter(isError))[0]!.message.replace(/, of which you may use none$/, '');
  await lockAccount(change, account.accountName);
  const [open] = await change.rows<{ total: number }>(
    sql`select count(*)::int as total from whois_consent where account_name = ${account.accountName} and state = 'waiting'`,
  );
  if (open!.total >= MOST_WAITING)
    throw refuse('NOTHING_TO_DO', { why: `${MOST_WAITING} updates of this account wait for consent already` });
  const dueAt = new Date(Date.parse(change.now) + consentDays * DAY_MS).toISOString();
  const [kept] = await change.rows<{
    consentId: number;
  }>(sql`insert into whois_consent (account_name, contact_id, text, objects, maintainers, why, asked_at, due_at)
    values (${account.accountName}, ${account.contactId}::uuid, ${text}, ${objects}::text[], ${keysOf(names)}::text[], ${why}, ${change.now}::timestamptz, ${dueAt}::timestamptz)
    on conflict (account_name, md5(text)) where state = 'waiting' do nothing returning consent_id`);
  if (!kept) throw refuse('NOTHING_TO_DO', { why: `this waits for ${names.join(' or ')} already` });
  const row = await rowOf(change, kept.consentId);
  await change.note({ objects, waitsFor: names, until: dueAt.slice(0, 10) });
  await tellAsked(change, row, profile, `${row.askedBy} of ${row.accountName} asks you to agree`);
  return { outcomes: told, consent: toTell(row) };
}

/**
 * Agrees to an update that waits, which is then done with the rights of who asked and this word, or refuses it.
 * @throws Failure NOT_FOUND, NO_PERMISSION, ACCOUNT_SUSPENDED, ALREADY_RESOLVED
 */
export async function answerConsent(
  change: Change,
  account: AdmittedAccount,
  consentId: string,
  { agree, reason }: BodyOf<typeof whoisConsents.answerConsent>,
  { profile, isFresh }: { profile: Profile; isFresh: boolean },
): Promise<AnswerOf<typeof whoisConsents.answerConsent>> {
  const { maintainers, who } = await writingRights(change, account);
  const row = await waiting(change, consentId, ({ maintainers: asked }) => keysOf(asked).some(key => maintainers.has(key)));
  if (!agree) {
    const refused = await decide(change, row, { state: 'refused', reason, by: account.contactId });
    await tellAsker(change, refused, `${who} refused it${reason === '' ? '' : `: ${reason}`}.`);
    return { consent: toTell(refused), outcomes: null };
  }
  // What somebody else wrote is let through with one's own word: not by whoever finds a browser open (identity.md S24).
  if (!isFresh) throw new FreshFactorNeeded();
  const { outcomes, updates, decided } = await carryOut(change, account, row, { maintainers, profile, dryRun: false });
  await tellAsker(
    change,
    decided,
    decided.state === 'accepted'
      ? `${who} agreed, and it is done.`
      : `${who} agreed, but by now something else stands against it: ${decided.reason}.`,
  );
  return { consent: toTell(decided), outcomes: outcomes.map((outcome, index) => outcomeToTell(outcome, updates[index]!.text)) };
}

/** Does what waits, with the rights of who asked as they are now and the word of these maintainers; a rehearsal decides nothing. */
async function carryOut(
  change: Change,
  account: AdmittedAccount,
  row: Row,
  { maintainers, profile, dryRun }: { maintainers: ReadonlySet<string>; profile: Profile; dryRun: boolean },
): Promise<{ outcomes: WhoisOutcome[]; updates: WhoisUpdate[]; decided: Row }> {
  const agreed = new Set(keysOf(row.maintainers).filter(key => maintainers.has(key)));
  const { suspended, ...credentials } = await rightsOf(change, row.accountName, row.contactId);
  const updates = suspended ? [] : updatesOfText(row.text);
  const options = { credentials: { ...credentials, agreed }, mode: 'atomic', profile, register: row.accountName } as const;
  const outcomes = await submit(change, updates, { ...options, dryRun });
  if (dryRun) return { outcomes, updates, decided: row };
  await followInLedger(change, row.accountName, outcomes);
  const against = outcomes.filter(({ state }) => state === 'failed').flatMap(({ problems }) => problems.filter(isError));
  const isDone = updates.length > 0 && against.length === 0;
  const decided = await decide(change, row, {
    state: isDone ? 'accepted' : 'failed',
    reason: isDone ? '' : (against[0]?.message ?? `The account ${row.accountName} cannot change anything at the moment`).slice(0, 500),
    by: account.contactId,
  });
  return { outcomes, updates, decided };
}

/**
 * The other holder sends the very routes that wait for its word (domain/resources.md 2.4.6): that is its word, so they are written as they were asked
 * for, and nobody waits any more. Null where nothing waits for just these, or something else stands against what was sent.
 * @throws FreshFactorNeeded as for any other agreement
 */
export async function agreeBySending(
  change: Change,
  account: AdmittedAccount,
  updates: readonly WhoisUpdate[],
  { credentials, profile, dryRun, isFresh }: { credentials: Credentials; profile: Profile; dryRun: boolean; isFresh: boolean },
): Promise<WhoisOutcome[] | null> {
  const names = updates.flatMap(({ operation, text }) => {
    const { object, deletes } = readText(text);
    const identity = object && identityOf(object);
    const isNew = (operation === 'create' || operation === 'auto') && deletes === null;
    return isNew && identity && routeClasses.includes(identity.class) ? [`${identity.class} ${identity.shown}`] : [];
  });
  if (names.length === 0 || names.length !== updates.length || credentials.maintainers.size === 0) return null;
  const [found] = await change.rows<{ consentId: number }>(sql`select consent_id::int as consent_id from whois_consent
    where state = 'waiting' and due_at > ${change.now}::timestamptz and account_name <> ${account.accountName}
      and maintainers && ${[...credentials.maintainers]}::text[] and objects @> ${names}::text[] and objects <@ ${names}::text[]
    order by consent_id limit 1 for update`);
  if (!found) return null;
  const sent = await submit(change, updates, { credentials, mode: 'best-effort', dryRun: true, profile, tell: false });
  const missing = sent.flatMap(({ problems }) => problems.filter(isError));
  // mnt-by may name the maintainer of who asked, when the text is sent as it waits.
  if (missing.length === 0 || !missing.every(({ code }) => consentCanWait(code) || code === 'not-authorised')) return null;
  const row = await rowOf(change, found.consentId);
  const rehearsed = await carryOut(change, account, row, { maintainers: credentials.maintainers, profile, dryRun: true });
  if (rehearsed.outcomes.length === 0 || rehearsed.outcomes.some(({ state }) => state === 'failed')) return null;
  const note = (outcome: WhoisOutcome): WhoisOutcome => ({
    ...outcome,
    problems: [
      ...outcome.problems,
      {
        severity: 'info',
        code: 'waited-for-you',
        attribute: null,
        line: null,
        message: `${row.accountName} asked for this route and waited for your word, so it is written as it was asked for`,
      },
    ],
  });
  if (dryRun) return rehearsed.outcomes.map(note);
  if (!isFresh) throw new FreshFactorNeeded();
  const { outcomes, decided } = await carryOut(change, account, row, { maintainers: credentials.maintainers, profile, dryRun: false });
  await tellAsker(change, decided, `${credentials.who} sent it too, and it is done.`);
  await tellSender(change, account, decided);
  return outcomes.map(note);
}

const routeClasses = ['route', 'route6'];

/** @throws Failure NOT_FOUND, NO_PERMISSION, ACCOUNT_SUSPENDED, ALREADY_RESOLVED */
export async function withdrawConsent(change: Change, account: AdmittedAccount, consentId: string): Promise<WhoisConsent> {
  await writingRights(change, account);
  const row = await waiting(change, consentId, ({ accountName }) => accountName === account.accountName);
  return toTell(await decide(change, row, { state: 'withdrawn', reason: '', by: account.contactId }));
}

const rowOf = async (read: Pick<Read, 'rows'>, consentId: number): Promise<Row> =>
  (await read.rows<Row>(sql`select ${columns} from ${table} where w.consent_id = ${consentId}`))[0]!;

/** Whose business it is not is not told that it is there. */
async function waiting(change: Change, consentId: string, concerns: (row: Row) => boolean): Promise<Row> {
  const id = /^\d{1,15}$/.test(consentId) ? Number(consentId) : -1;
  await change.rows(sql`select from whois_consent where consent_id = ${id} for update`);
  const row = await rowOf(change, id);
  if (!row || !concerns(row)) throw refuse('NOT_FOUND', { what: 'This request' });
  if (row.state !== 'waiting' || Date.parse(row.dueAt) <= Date.parse(change.now))
    throw refuse('ALREADY_RESOLVED', { what: 'This request' });
  return row;
}

async function decide(
  change: Change,
  row: Row,
  { state, reason, by }: { state: WhoisConsent['state']; reason: string; by: string | null },
): Promise<Row> {
  await change.rows(sql`update whois_consent set state = ${state}, reason = ${reason}, decided_at = ${change.now}::timestamptz, decided_by = ${by}::uuid
    where consent_id = ${row.consentId}`);
  await change.note({ objects: row.objects, of: row.accountName, answer: state, ...(reason !== '' && { reason }) });
  return rowOf(change, row.consentId);
}

const titleOf = ({ objects }: WhoisConsent): string => (objects.length === 1 ? objects[0]! : `${objects.length} objects`);

/**
 * Writes to those who can agree: upd-to of the maintainers, corporate and technical contacts of accounts that use them, and where an irt is named
 * those it names itself.
 */
async function tellAsked(change: Change, row: Row, profile: Profile, words: string): Promise<void> {
  const keys = keysOf(row.maintainers);
  const irts = [...row.text.matchAll(/^mnt-irt:\s*(\S+)/gim)].map(([, name]) => ({ class: 'irt', key: name!.toLowerCase() }));
  const objects = await findObjects(change, [...keys.map(key => ({ class: 'mntner', key })), ...irts]);
  const people = await change.rows<{ accountName: string; loginId: string | null; email: string; fullName: string }>(sql`
    select distinct on (lower(c.email)) c.account_name, c.login_id::text as login_id, c.email, c.full_name from maintainer_link l join contact c using (account_name)
    where l.maintainer = any(${keys}::text[]) and c.status = 'ACTIVE' and c.contact_types && '{corporate,technical}'::text[] order by lower(c.email)`);
  const letters = new Map<string, { recipient: string; recipientName?: string; loginId?: string | null; accountName?: string }>();
  for (const object of objects) {
    // Another's irt only: one's own needs nobody's word.
    const parsed = objectOfRow(object);
    if (object.class === 'irt' && !valuesOf(parsed, 'mnt-by').some(name => keys.includes(name.toLowerCase()))) continue;
    const addresses = object.class === 'irt' ? [...valuesOf(parsed, 'irt-nfy'), ...valuesOf(parsed, 'e-mail')] : valuesOf(parsed, 'upd-to');
    for (const recipient of addresses) letters.set(recipient.toLowerCase(), { recipient });
  }
  for (const { email, fullName, loginId, accountName } of people)
    letters.set(email.toLowerCase(), { recipient: email, recipientName: fullName, loginId, accountName });
  for (const letter of letters.values())
    await sendMail(change, {
      topic: 'whois.objects',
      ...letter,
      subject: `Your consent is asked for: ${titleOf(row)}`,
      body: [
        `${words} to a change in the ${profile.source} database. ${row.why}.`,
        row.text.slice(0, 4_000).trimEnd(),
        `Whoever may use ${row.maintainers.join(' or ')} can agree to it or refuse it, until ${row.dueAt.slice(0, 10)}. Without an answer nothing changes.`,
      ].join('\n\n'),
      path: '/resources/whois-updates-js/all',
      act: 'Answer',
      answerBy: row.dueAt,
    });
}

async function tellSender(change: Change, account: AdmittedAccount, row: Row): Promise<void> {
  const [sender] = await change.rows<{ email: string; fullName: string; loginId: string | null }>(
    sql`select email, full_name, login_id::text as login_id from contact where contact_id = ${account.contactId}::uuid`,
  );
  if (sender)
    await sendMail(change, {
      topic: 'whois.objects',
      recipient: sender.email,
      recipientName: sender.fullName,
      loginId: sender.loginId,
      accountName: account.accountName,
      subject: `Agreed by sending it: ${titleOf(row)}`,
      body: `${row.askedBy} of ${row.accountName} had asked for your consent to what you sent. It is written as ${row.accountName} asked for it:\n\n${row.text.slice(0, 4_000).trimEnd()}`,
      path: '/resources/whois-updates-js/all',
      act: 'Open whois updates',
    });
}

async function tellAsker(change: Change, row: Row, words: string): Promise<void> {
  await sendMail(change, {
    topic: 'whois.objects',
    recipient: row.email,
    recipientName: row.askedBy,
    loginId: row.loginId,
    accountName: row.accountName,
    subject: `${{ accepted: 'Agreed', failed: 'Agreed, but not possible any more', expired: 'No answer' }[row.state as string] ?? 'Refused'}: ${titleOf(row)}`,
    body: `You asked ${row.maintainers.join(' or ')} for consent.\n\n${words}`,
    path: '/resources/whois-updates-js/all',
    act: 'Open whois updates',
  });
}

/** Reminds those who have not answered, and ends what nobody answered in time. Answers how many were written about. */
export async function attendToConsents(db: Database, profile: Profile, now: Date): Promise<number> {
  const due = await db.read.rows<{
    consentId: number;
    accountName: string;
  }>(sql`select consent_id::int as consent_id, account_name from whois_consent
    where state = 'waiting' and (due_at <= ${now.toISOString()}::timestamptz
      or asked_at + make_interval(days => (${REMINDERS}::int[])[reminders + 1]) <= ${now.toISOString()}::timestamptz) order by consent_id`);
  for (const { consentId, accountName } of due) {
    const activity = {
      action: 'whois.consents.attendToConsents',
      summary: 'Attended to a whois update that waits for consent',
      traceId: crypto.randomUUID().replaceAll('-', ''),
      accountName,
    };
    await db.change(activity, async change => {
      await change.rows(sql`select from whois_consent where consent_id = ${consentId} for update`);
      const row = await rowOf(change, consentId);
      if (row.state !== 'waiting') return;
      if (Date.parse(row.dueAt) <= now.getTime())
        return tellAsker(
          change,
          await decide(change, row, { state: 'expired', reason: '', by: null }),
          `Nobody answered within ${consentDays} days, so nothing was changed. You can ask again.`,
        );
      await change.rows(sql`update whois_consent set reminders = reminders + 1 where consent_id = ${consentId}`);
      await change.note({ objects: row.objects, reminded: row.maintainers });
      await tellAsked(change, row, profile, `Reminder: ${row.askedBy} of ${row.accountName} asks you to agree`);
    });
  }
  return due.length;
}
