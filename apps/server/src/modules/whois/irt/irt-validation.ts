import { DAY_MS, instantAfter, MINUTE_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../config.ts';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { eachAttempted, type RowFailure, RowsFailed } from '../../../platform/each-alone.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { remarkIrts } from './irt-remarks.ts';
import { lockWhois } from '../store/lock.ts';
import { newCode } from '../maintainers/mailed-code.ts';
import { whoisTexts } from '../mail-texts.ts';

/** Days of a round, and which mailboxes are asked at all (policy prop-125 leaves them to settings). */
export type IrtTimers = Pick<
  Config,
  'irtEveryDays' | 'irtRemindDays' | 'irtInvalidDays' | 'irtWarnDays' | 'irtRestrictDays' | 'irtAttributes'
>;
export type IrtMailing = { appUrl: string; box: SecretBox; profile: Profile };
type Cycle = IrtMailing & { now: Date; timers: IrtTimers };

const WRONG_CODES = 5;
const WRONG_MINUTES = 15;
/** Irts that existed before validation began are spread over the next half year. */
const KNOWN_AFTER_DAYS = 1;
/** Mailboxes written to in one change. */
const MAILBOXES_AT_ONCE = 100;
/** The same where irts are marked invalid: until the change is saved, all others of whois wait. */
const MARKED_AT_ONCE = 20;
/** Irts whose mailboxes become known in one change, for the same reason. */
const FOLLOWED_AT_ONCE = 1_000;
/** Days until a mailbox that could not be written to is tried again. */
const FAILED_AGAIN_DAYS = 1;

const validating = ownActivity('whois.irts.validateMailboxes', 'Sent IRT validation codes and marked unvalidated mailboxes');

type Row = {
  irt: string;
  mailbox: string;
  attribute: 'e-mail' | 'abuse-mailbox';
  state: 'valid' | 'pending' | 'invalid' | 'restricted';
  mails: number;
  askedAt: string | null;
  clockFrom: string | null;
  restarted: boolean;
};

/** Mailboxes of irts, without the registry's own; irts that it keeps for accounts belong to those. */
const named = (attributes: readonly string[]) => sql`(
  select o.key as irt, k.key as mailbox, 'e-mail' as attribute, o.created_at from whois_object o join whois_key k on k.object_id = o.object_id
    where o.class = 'irt' and (not o.registry_maintained or o.kept_for is not null) and k.key like '%@%' and 'e-mail' = any(${[...attributes]}::text[])
  union select o.key, r.value, 'abuse-mailbox', o.created_at from whois_object o join whois_reference r on r.object_id = o.object_id
    where o.class = 'irt' and (not o.registry_maintained or o.kept_for is not null) and r.attribute = 'abuse-mailbox' and 'abuse-mailbox' = any(${[...attributes]}::text[]))`;

/**
 * Runs the validation of irt mailboxes once (policy prop-125): asks new ones and those whose half year is over; reminds and warns those that did not
 * answer, marks them invalid in whois, and restricts their accounts. Even after a late run, the time between two mails is never shorter than the
 * settings say. A mailbox that can't be written to is tried again after a day. Returns how many mailboxes were written to.
 * @throws {RowsFailed} after the last one, naming those that failed
 */
export async function validateIrtMailboxes(db: Database, cycle: Cycle): Promise<number> {
  const { now, timers } = cycle;
  if (timers.irtEveryDays === 0) return 0;
  await followObjects(db, cycle);
  let written = 0;
  const failures: RowFailure[] = [];
  for (;;) {
    const due = await db.read.rows<{ mailbox: string; marks: boolean }>(sql`select mailbox, bool_or(${MARKS}) as marks from irt_contact
      where due_at <= ${now.toISOString()}::timestamptz group by mailbox order by 2, min(due_at), mailbox limit ${MAILBOXES_AT_ONCE}`);
    if (due.length === 0) break;
    const { marks } = due[0]!;
    const mailboxes = due.filter(each => each.marks === marks).slice(0, marks ? MARKED_AT_ONCE : MAILBOXES_AT_ONCE);
    const step = await db.change(validating, change =>
      takeSteps(change, { mailboxes: mailboxes.map(({ mailbox }) => mailbox), marks, ...cycle }),
    );
    written += step.mailboxes;
    failures.push(...step.failed);
  }
  if (failures.length > 0) throw new RowsFailed(failures);
  return written;
}

/** SQL: the next mail to this row of `irt_contact` says that it is marked invalid in whois, as `nextOf` has it. */
const MARKS = sql`state <> 'valid' and mails >= 2`;

/**
 * Takes the next step of some mailboxes whose mail is due. Most steps only write a mail, and hold up no change of whois.
 * @param marks whether irts are marked invalid too. A mailbox of which that is true only since it was chosen is left to the next look
 */
async function takeSteps(
  change: Change,
  { mailboxes, marks, ...cycle }: Cycle & { mailboxes: readonly string[]; marks: boolean },
): Promise<{ mailboxes: number; failed: readonly RowFailure[] }> {
  const { now, profile } = cycle;
  if (marks) await lockWhois(change);
  const due = await change.rows<
    Row & { marks: boolean }
  >(sql`select irt, mailbox, attribute, state, mails, asked_at, clock_from, restarted, ${MARKS} as marks
    from irt_contact where mailbox = any(${[...mailboxes]}::text[]) and due_at <= ${now.toISOString()}::timestamptz order by mailbox, irt, attribute for update`);
  const invalid: string[] = [];
  const chosen = [...Map.groupBy(due, ({ mailbox }) => mailbox)].filter(([, rows]) => marks || !rows.some(row => row.marks));
  const failed = await eachAttempted(
    change,
    chosen,
    ([, rows]) => `the mailbox of ${listed(rows.map(({ irt }) => irt))}`,
    async ([, rows]) => {
      invalid.push(...(await takeStep(change, rows, cycle)));
    },
    ([mailbox]) =>
      change.rows(sql`update irt_contact set due_at = ${inDays(now, FAILED_AGAIN_DAYS)}::timestamptz
        where mailbox = ${mailbox} and due_at <= ${now.toISOString()}::timestamptz`),
  );
  await remarkIrts(change, invalid, profile);
  await change.note({ mailboxes: chosen.length - failed.length, ...(failed.length > 0 && { failed: failed.map(({ row }) => row) }) });
  return { mailboxes: chosen.length - failed.length, failed };
}

const inDays = (from: Date | string, days: number): string => instantAfter(from, days * DAY_MS);

/** Makes the mailboxes follow the irts of whois: an irt that lost one is without its remark, and a new one is asked. */
async function followObjects(db: Database, cycle: Cycle): Promise<void> {
  const { irtAttributes } = cycle.timers;
  for (;;) {
    const [work] = await db.read.rows<{ differs: boolean }>(sql`select
      exists (select from ${named(irtAttributes)} n where not exists
        (select from irt_contact c where c.irt = n.irt and c.mailbox = n.mailbox and c.attribute = n.attribute))
      or exists (select from irt_contact c where not exists
        (select from ${named(irtAttributes)} n where c.irt = n.irt and c.mailbox = n.mailbox and c.attribute = n.attribute)) as differs`);
    if (!work!.differs) return;
    await db.change(validating, async change => {
      await lockWhois(change);
      await remarkIrts(change, await followSome(change, cycle), cycle.profile);
    });
  }
}

/** Removes mailboxes that no irt names any more, and takes up some that one names now. Returns the irts that lost one. */
async function followSome(change: Change, { now, timers }: Cycle): Promise<string[]> {
  const gone = await change.rows<Row>(sql`delete from irt_contact c where not exists
    (select from ${named(timers.irtAttributes)} n where c.irt = n.irt and c.mailbox = n.mailbox and c.attribute = n.attribute)
    returning irt, mailbox, attribute, state, mails, asked_at, clock_from, restarted`);
  const fresh = await change.rows<
    Pick<Row, 'irt' | 'mailbox' | 'attribute'> & { isKnown: boolean; isOld: boolean; validatedAt: string | null }
  >(sql`
    select n.irt, n.mailbox, n.attribute, exists (select from irt_contact c where c.irt = n.irt) as is_known,
      n.created_at < ${inDays(now, -KNOWN_AFTER_DAYS)}::timestamptz as is_old,
      (select max(validated_at) from irt_contact c where c.mailbox = n.mailbox and c.state = 'valid') as validated_at
    from ${named(timers.irtAttributes)} n
    where not exists (select from irt_contact c where c.irt = n.irt and c.mailbox = n.mailbox and c.attribute = n.attribute)`);
  const lost = new Set(gone.map(({ irt }) => irt));
  // An irt is taken up whole: what is true of its first mailbox is of its second. One that lost a mailbox is among the first, because what it lost is known only now.
  const irts = [...new Set(fresh.map(({ irt }) => irt))].toSorted((a, b) => Number(lost.has(b)) - Number(lost.has(a)));
  const taken = new Set(irts.slice(0, Math.max(FOLLOWED_AT_ONCE, lost.size)));
  const rows = fresh
    .filter(({ irt }) => taken.has(irt))
    .map(({ irt, mailbox, attribute, isKnown, isOld, validatedAt }) => {
      const replaced = gone.find(
        each => each.irt === irt && each.attribute === attribute && each.state !== 'valid' && each.askedAt !== null,
      );
      const base = { irt, mailbox, attribute, clockFrom: null as string | null, restarted: false, validatedAt };
      // The same mailbox answered for another irt, or as another attribute.
      if (validatedAt !== null) return { ...base, state: 'valid', dueAt: inDays(validatedAt, timers.irtEveryDays) };
      if (replaced)
        return {
          ...base,
          // The period until the restriction restarts once a round.
          clockFrom: replaced.restarted ? replaced.clockFrom : now.toISOString(),
          restarted: true,
          state: replaced.restarted && replaced.state === 'restricted' ? 'restricted' : 'pending',
          dueAt: now.toISOString(),
        };
      if (!isKnown && !lost.has(irt) && isOld) {
        const share = createHash('sha256').update(mailbox).digest().readUInt16BE() / 65_536;
        return { ...base, state: 'valid', dueAt: inDays(now, share * timers.irtEveryDays) };
      }
      return { ...base, state: 'pending', dueAt: now.toISOString() };
    });
  if (rows.length > 0)
    await change.rows(sql`insert into irt_contact (irt, mailbox, attribute, state, due_at, clock_from, restarted, validated_at)
      select * from unnest(${rows.map(r => r.irt)}::text[], ${rows.map(r => r.mailbox)}::text[], ${rows.map(r => r.attribute)}::text[],
        ${rows.map(r => r.state)}::text[], ${rows.map(r => r.dueAt)}::timestamptz[], ${rows.map(r => r.clockFrom)}::timestamptz[],
        ${rows.map(r => r.restarted)}::boolean[], ${rows.map(r => r.validatedAt)}::timestamptz[])`);
  return [...lost];
}

/** Returns the next state of a row whose mail is due. */
function nextOf(
  row: Row,
  { now, timers }: Cycle,
): { state: Row['state']; mails: number; askedAt: string; clockFrom: string; dueAt: string | null } {
  const days = [0, timers.irtRemindDays, timers.irtInvalidDays, timers.irtWarnDays, timers.irtRestrictDays];
  const isNew = row.state === 'valid' || row.mails === 0;
  const mails = isNew ? 1 : row.mails + 1;
  const askedAt = isNew || row.askedAt === null ? now.toISOString() : row.askedAt;
  const clockFrom = (row.state === 'valid' ? null : row.clockFrom) ?? askedAt;
  const gap = Math.max(0, (days[mails] ?? 0) - (days[mails - 1] ?? 0));
  // Even if the days are over, there is a day between two mails.
  const onClock = new Date(Math.max(now.getTime() + DAY_MS, new Date(clockFrom).getTime() + (days[mails] ?? 0) * DAY_MS)).toISOString();
  const dueAt = mails >= days.length ? null : row.restarted && mails >= 3 ? onClock : inDays(now, gap);
  const state = row.state === 'restricted' || mails >= 5 ? 'restricted' : mails >= 3 ? 'invalid' : 'pending';
  return { state, mails, askedAt, clockFrom, dueAt };
}

/** Writes to one mailbox for all its due rows. Returns the irts whose remarks change. */
async function takeStep(change: Change, rows: readonly Row[], cycle: Cycle): Promise<string[]> {
  const { mailbox } = rows[0]!;
  let most = 0;
  const changed: string[] = [];
  for (const row of rows) {
    const { state, mails, askedAt, clockFrom, dueAt } = nextOf(row, cycle);
    most = Math.max(most, mails);
    if (state !== row.state && state !== 'pending') changed.push(row.irt);
    await change.rows(sql`update irt_contact set state = ${state}, mails = ${mails}, asked_at = ${askedAt}::timestamptz,
      clock_from = ${clockFrom}::timestamptz, due_at = ${dueAt}::timestamptz, restarted = restarted and ${row.state !== 'valid'}
      where irt = ${row.irt} and mailbox = ${mailbox} and attribute = ${row.attribute}`);
  }
  await mailCode(change, mailbox, { ...cycle, mail: most });
  if (most >= 3)
    await notifyContactsOf(
      change,
      rows.map(({ irt }) => irt),
      { mailbox, mail: most, ...cycle },
    );
  return changed;
}

const hashOf = (mailbox: string, code: string): string => createHash('sha256').update(`irt ${mailbox} ${code}`).digest('hex');

const listed = (irts: readonly string[]): string => {
  const names = [...new Set(irts)].map(irt => irt.toUpperCase());
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
};

/** Mails a new code to a mailbox and invalidates earlier ones. `mail`: its number within the round, from 1; null for a resend on request. */
export async function mailCode(
  change: Change,
  mailbox: string,
  { mail, appUrl, box, profile, timers }: IrtMailing & { mail: number | null; timers: IrtTimers },
): Promise<void> {
  const code = newCode();
  const rows = await change.rows<{ irt: string; askedAt: string | null }>(sql`update irt_contact set code_hash = ${hashOf(mailbox, code)},
    sent_at = ${change.now}::timestamptz, wrong_codes = 0, wrong_at = null where mailbox = ${mailbox} and state <> 'valid' returning irt, asked_at`);
  const irts = listed(rows.map(({ irt }) => irt).toSorted());
  const asked = rows.map(({ askedAt }) => askedAt ?? change.now).toSorted()[0] ?? change.now;
  const day = (days: number): string => utcDay(inDays(asked, days));
  const why: Record<number, string> = {
    1: `Policy requires IRT mailboxes to be validated twice a year. Without an answer, it’s marked invalid in whois on ${day(timers.irtInvalidDays)}.`,
    2: `There is no answer yet. Without one, it’s marked invalid in whois on ${day(timers.irtInvalidDays)}.`,
    3: `There was no answer, so it’s now marked invalid in whois. Without one by ${day(timers.irtRestrictDays)}, its accounts can’t change whois objects.`,
    4: `There is no answer yet. Without one by ${day(timers.irtRestrictDays)}, its accounts can’t change whois objects.`,
    5: 'There was no answer, so its accounts can’t change whois objects now. Enter the code to lift this immediately.',
  };
  const subjects: Record<number, string> = {
    1: 'Please validate',
    2: 'Reminder: please validate',
    3: 'Invalid',
    4: 'Still invalid',
    5: 'Restricted',
  };
  await sendMail(
    change,
    {
      topic: 'whois.irt',
      recipient: mailbox,
      text: whoisTexts.written('mailbox', {
        outcome: mail === null ? 'Code' : subjects[mail]!,
        mailbox,
        irts,
        source: profile.source,
        aCodeWas: mail === null ? 'A code was asked for again; earlier ones count no more.' : why[mail]!,
        appUrl,
      }),
      link: code,
    },
    box,
  );
}

/** Notifies the corporate and technical contacts of the accounts behind irts that a mailbox doesn't answer. */
async function notifyContactsOf(
  change: Change,
  irts: readonly string[],
  { mailbox, mail, timers }: { mailbox: string; mail: number; timers: IrtTimers },
): Promise<void> {
  const people = await change.rows<{ accountName: string; loginId: string | null; email: string; fullName: string }>(sql`
    select distinct on (c.account_name, lower(c.email)) c.account_name, c.login_id, c.email, c.full_name from whois_object i
    left join whois_reference r on r.object_id = i.object_id and r.attribute = 'mnt-by' left join maintainer_link l on l.maintainer = r.value
    join contact c on c.account_name in (l.account_name, i.kept_for)
    where i.class = 'irt' and i.key = any(${[...irts]}::text[]) and c.status = 'active' and c.contact_types && '{corporate,technical}'::text[]
    order by c.account_name, lower(c.email)`);
  const what: Record<number, string> = {
    3: `It’s now marked invalid in whois. In ${timers.irtRestrictDays - timers.irtInvalidDays} days the account can’t change whois objects.`,
    4: `In ${timers.irtRestrictDays - timers.irtWarnDays} days the account can’t change whois objects.`,
    5: 'The account can’t change whois objects until the mailbox is validated. You can still view everything.',
  };
  for (const { accountName, loginId, email, fullName } of people) {
    await sendMail(change, {
      topic: 'whois.irt',
      recipient: email,
      recipientName: fullName,
      loginId,
      accountName,
      text:
        mail === 5
          ? whoisTexts.written('restrictedMailbox', { mailbox, irts: listed(irts), what: what[mail]! })
          : whoisTexts.written('noAnswerMailbox', { mailbox, irts: listed(irts), what: what[mail]! }),
      path: '/admin/irt-validation',
      act: 'Open IRT validation',
    });
  }
}

export type CodeResult = 'validated' | 'wrong' | 'wait' | 'none';

type CodeRow = { irt: string; codeHash: string | null; wrongCodes: number; wrongAt: string | null };

/** Returns whether a code is right, and how many wrong ones came before it within a quarter of an hour. */
function judge(rows: readonly CodeRow[], { mailbox, code }: { mailbox: string; code: string }, now: Date) {
  const hash = rows.find(({ codeHash }) => codeHash !== null)?.codeHash;
  const since = now.getTime() - WRONG_MINUTES * MINUTE_MS;
  const wrong = Math.max(0, ...rows.map(({ wrongCodes, wrongAt }) => (wrongAt !== null && Date.parse(wrongAt) > since ? wrongCodes : 0)));
  if (!hash) return { result: 'none' as const, wrong };
  if (wrong >= WRONG_CODES) return { result: 'wait' as const, wrong };
  const tried = hashOf(mailbox, code.toUpperCase().replaceAll(/[\s-]/g, ''));
  return { result: timingSafeEqual(Buffer.from(tried), Buffer.from(hash)) ? ('validated' as const) : ('wrong' as const), wrong };
}

const codeRows = (mailbox: string) => sql<CodeRow>`
  select irt, code_hash, wrong_codes, wrong_at from irt_contact where mailbox = ${mailbox} order by irt, attribute`;
const mailboxOf = (given: { mailbox: string }): string => given.mailbox.trim().toLowerCase();

/** Returns what `takeCode` would answer now, for people who aren't signed in: only a code that changes something may leave a line in the activity log. */
export async function judgeCode(read: Read, given: { mailbox: string; code: string }, now: Date): Promise<CodeResult> {
  const mailbox = mailboxOf(given);
  return judge(await read.rows(codeRows(mailbox)), { mailbox, code: given.code }, now).result;
}

/**
 * Takes the code of a mailbox and validates all irts that name it. A wrong one is counted, so it is returned as a result and not thrown; after five
 * the next attempt waits a quarter of an hour.
 */
export async function takeCode(
  change: Change,
  given: { mailbox: string; code: string },
  { profile, timers }: { profile: Profile; timers: IrtTimers },
): Promise<CodeResult> {
  const mailbox = mailboxOf(given);
  await lockWhois(change);
  const rows = await change.rows(sql<CodeRow>`${codeRows(mailbox)} for update`);
  const { result, wrong } = judge(rows, { mailbox, code: given.code }, new Date(change.now));
  if (result === 'none' || result === 'wait') return result;
  if (result === 'wrong') {
    await change.rows(sql`update irt_contact set wrong_codes = ${wrong + 1}, wrong_at = case when ${wrong} = 0 then ${change.now}::timestamptz else wrong_at end
      where mailbox = ${mailbox}`);
    await change.note({ mailbox, result: 'wrong code' });
    return 'wrong';
  }
  await change.rows(sql`update irt_contact set state = 'valid', code_hash = null, mails = 0, asked_at = null, clock_from = null, restarted = false,
    wrong_codes = 0, wrong_at = null, validated_at = ${change.now}::timestamptz, due_at = ${inDays(change.now, timers.irtEveryDays)}::timestamptz where mailbox = ${mailbox}`);
  const irts = rows.map(({ irt }) => irt);
  await remarkIrts(change, irts, profile);
  await sendMail(change, {
    topic: 'whois.irt',
    recipient: mailbox,
    text: whoisTexts.written('validatedMailbox', { mailbox, irts: listed(irts), nextOn: utcDay(inDays(change.now, timers.irtEveryDays)) }),
  });
  await change.note({ mailbox, result: 'validated' });
  return 'validated';
}
