import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import type { IrtMailbox, whoisIrts } from '@portal/contract/whois/irts';
import { readKey } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Change, frequent, type Read } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { bulkChange } from '../updates/bulk-change.ts';
import { irtsOfAccount, restrictingMailboxes } from '../updates/irt-restriction.ts';
import { mailCode, takeCode } from './irt-validation.ts';
import { rightsOf } from '../rights/rights.ts';
import { findObjects } from '../store/stored-objects.ts';
import type { Registry } from '../../../platform/registry.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

const RESENDS_A_DAY = 3;
type Row = Omit<IrtMailbox, 'invalidAt' | 'restrictedAt' | 'resendsLeft' | 'askedAt'> & {
  askedAt: string | null;
  clockFrom: string | null;
  resends: number;
  undeliverable: boolean;
};

const after = (from: string, days: number): string => instantAfter(from, days * DAY_MS);

/** Returns whether a contact may ask: corporate and technical contacts, and users of a maintainer. */
async function mayAsk(read: Pick<Read, 'rows'>, account: AdmittedAccount): Promise<boolean> {
  if (account.asStaff || account.contactId === null) return false;
  if (account.contactTypes.some(type => type === 'corporate' || type === 'technical')) return true;
  return (await rightsOf(read, account.accountName, account.contactId)).maintainers.size > 0;
}

/** The mailboxes of the irts an account maintains, those that need attention first. */
export async function listMailboxes({
  read,
  account,
  registry: { config: timers, now },
}: {
  read: Read;
  account: AdmittedAccount;
  registry: Pick<Registry, 'config' | 'now'>;
}): Promise<AnswerOf<typeof whoisIrts.listMailboxes>> {
  const [rows, restrictedBy, may] = await Promise.all([
    mailboxesOf(read, account.accountName, { config: timers, now }),
    restrictingMailboxes(read, account.accountName),
    mayAsk(read, account),
  ]);
  return { restrictedBy, mayAsk: may, rows };
}

/** Returns the mailboxes of the irts of an account, those that need attention first. */
export async function mailboxesOf(
  read: Pick<Read, 'rows'>,
  accountName: string,
  { config: timers, now }: Pick<Registry, 'config' | 'now'>,
): Promise<IrtMailbox[]> {
  const today = utcDay(now);
  const rows = await read.rows<Row>(
    frequent(sql`select o.shown as irt, c.mailbox, c.attribute, c.state, c.validated_at, c.due_at, c.asked_at, c.sent_at, c.clock_from, c.mails,
      c.wrong_codes, case when c.resent_on = ${today}::date then c.resends else 0 end as resends,
      c.asked_at is not null and exists (select from mail m where m.recipient = c.mailbox and m.refused_at is not null and m.written_at >= c.asked_at) as undeliverable
      from irt_contact c join whois_object o on o.class = 'irt' and o.key = c.irt where c.irt in (${irtsOfAccount(accountName)})
      order by array_position('{restricted,invalid,pending,valid}'::text[], c.state), c.irt, c.mailbox, c.attribute`),
  );
  return rows.map(({ resends, undeliverable, clockFrom, ...row }): IrtMailbox => {
    const asked = row.state === 'valid' ? null : row.askedAt;
    const isRestricted = row.state === 'restricted';
    return {
      ...row,
      state: row.state === 'pending' && undeliverable ? 'undeliverable' : row.state,
      invalidAt: asked === null || row.state === 'invalid' || isRestricted ? null : after(asked, timers.irtInvalidDays),
      restrictedAt: asked === null || isRestricted ? null : after(clockFrom ?? asked, timers.irtRestrictDays),
      resendsLeft: row.state === 'valid' ? 0 : Math.max(0, RESENDS_A_DAY - resends),
    };
  });
}

/** Refuses mailboxes of other accounts' irts as if they didn't exist. */
async function ownRows(
  change: Change,
  { accountName }: AdmittedAccount,
  mailbox: string,
): Promise<{ state: string; resends: number; mails: number }[]> {
  const rows = await change.rows<{ state: string; resends: number; mails: number }>(sql`select state, mails,
    case when resent_on = ${utcDay(change.now)}::date then resends else 0 end as resends from irt_contact
    where mailbox = ${mailbox} and irt in (${irtsOfAccount(accountName)}) order by irt, attribute for update`);
  if (rows.length === 0) throw refuse('NOT_FOUND', { what: `The mailbox ${mailbox}` });
  return rows;
}

/** @throws Failure NOT_FOUND, NO_PERMISSION, NOTHING_TO_DO, TOO_MANY_CODES */
export async function sendCode({
  change,
  account,
  body: { mailbox },
  registry: { profile, config: timers, box },
}: Act<typeof whoisIrts.sendCode>): Promise<AnswerOf<typeof whoisIrts.sendCode>> {
  const { appUrl } = timers;
  const options = { profile, appUrl, box, timers };
  if (!(await mayAsk(change, account))) throw refuse('NO_PERMISSION');
  const rows = (await ownRows(change, account, mailbox)).filter(({ state, mails }) => state !== 'valid' && mails > 0);
  if (rows.length === 0) throw refuse('NOTHING_TO_DO', { why: `${mailbox} doesn’t need a code` });
  const resends = Math.max(...rows.map(each => each.resends)) + 1;
  if (resends > RESENDS_A_DAY) throw refuse('TOO_MANY_CODES');
  await change.rows(
    sql`update irt_contact set resends = ${resends}, resent_on = ${utcDay(change.now)}::date where mailbox = ${mailbox} and state <> 'valid'`,
  );
  await mailCode(change, mailbox, { ...options, mail: null });
  await change.note({ mailbox });
  return { resendsLeft: RESENDS_A_DAY - resends };
}

/** @throws Failure NOT_FOUND */
export async function enterCode({
  change,
  account,
  body: { mailbox, code },
  registry: { profile, config: timers, box },
}: Act<typeof whoisIrts.enterCode>): Promise<AnswerOf<typeof whoisIrts.enterCode>> {
  const { appUrl } = timers;
  const options = { profile, appUrl, box, timers };
  await ownRows(change, account, mailbox);
  return { result: await takeCode(change, { mailbox, code }, options) };
}

/**
 * Names an irt in resources of the account: in those without one of the account's own, in all, or in the chosen ones.
 * @throws Failure NOT_FOUND and those of `bulkChange`
 */
export async function attachIrt({
  change,
  account,
  body: { irt, to, keys: chosen },
  registry: { profile, config: limits },
}: Act<typeof whoisIrts.attachIrt>): Promise<AnswerOf<typeof whoisIrts.attachIrt>> {
  const key = readKey('irt', irt)?.key;
  const [row] = key === undefined ? [] : await findObjects(change, [{ class: 'irt', key }]);
  if (!row) throw refuse('NOT_FOUND', { what: `The IRT ${irt}` });
  const own = irtsOfAccount(account.accountName);
  const resources = await change.rows<{ class: 'inetnum' | 'inet6num' | 'aut-num'; key: string }>(sql`select class, key from whois_object o
    where kept_for = ${account.accountName} and class in ('inetnum', 'inet6num', 'aut-num')
      and (${to !== 'without'} or not exists (select from whois_reference r where r.object_id = o.object_id and r.attribute = 'mnt-irt' and r.value in (${own})))`);
  const keys =
    to !== 'chosen'
      ? resources
      : resources.filter(each =>
          chosen.some(
            ({ class: objectClass, key: wanted }) => objectClass === each.class && readKey(objectClass, wanted)?.key === each.key,
          ),
        );
  if (keys.length === 0) return { objects: 0, matched: 0, outcomes: [], taskId: null };
  return bulkChange({
    change,
    account,
    body: { choose: { keys }, actions: [{ action: 'set', attribute: 'mnt-irt', newValue: row.shown }], mode: 'best-effort', dryRun: false },
    exception: 'namesIrt',
    registry: { profile, config: limits },
  });
}
