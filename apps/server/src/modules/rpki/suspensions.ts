import { dayIn, daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Attention } from '@portal/contract/home/home';
import type { Suspension } from '@portal/contract/rpki/rpki';
import type { AttentionSubject } from '../../platform/attention.ts';
import { type Change, ownActivity, type Read } from '../../platform/database/index.ts';
import { dayInFull, dayInWords } from '../../platform/day-words.ts';
import { taskType } from '../../platform/tasks.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { rpkiTexts } from './mail-texts.ts';

/** The rule of the registry profile: days from a suspension until the account's RPKI objects are withdrawn, null for never, and the time zone of these days. */
export type SuspensionRule = { days: number | null; timeZone: string };

/** Notifies the contacts of a suspended account of the day on which its RPKI objects are withdrawn, once per suspension. */
export const noticeSuspension = taskType({
  name: 'rpki.noticeSuspension',
  summary: 'Notify of the day on which RPKI is withdrawn',
  input: z.object({ accountName: z.string(), withdrawsOn: z.string() }),
  run: async ({ db, taskId, input: { accountName, withdrawsOn } }) => {
    const summary = `Notified of the day on which RPKI is withdrawn: ${dayInFull(withdrawsOn)}`;
    await db.change(ownActivity('rpki.noticeSuspension', summary, accountName), async change => {
      // A task may run twice; the notice goes out once.
      const [notified] = await change.rows(
        sql`select 1 from activity where action = 'rpki.noticeSuspension' and details @> ${JSON.stringify({ taskId })}::jsonb`,
      );
      if (notified) return;
      await change.note({ taskId, withdrawsOn });
      const corporate = await activeContacts(change, accountName, { types: ['corporate'] });
      const readers = await activeContacts(change, accountName, { permission: 'rescert-view' });
      await notifyPeople(
        change,
        {
          topic: 'rpki.roas',
          accountName,
          text: rpkiTexts.written('rpkiWithdrawnUnlessAccountOpen', { accountName, withdrawsOn: dayInFull(withdrawsOn) }),
          path: '/resources/rpki/index',
          act: 'Look at RPKI',
        },
        [...corporate, ...readers],
      );
    });
  },
});

/**
 * Records which of these accounts are suspended and until when they are published, and which no longer are. Returns the published ones: open ones,
 * and suspended ones before their day. @param accountNames accounts that a publication processes
 */
export async function publishedAccounts(
  change: Change,
  accountNames: readonly string[],
  { days, timeZone }: SuspensionRule,
  now: Date,
): Promise<ReadonlySet<string>> {
  const names = sql`${[...accountNames]}::text[]`;
  const at = sql`${now.toISOString()}::timestamptz`;
  await change.rows(sql`delete from rpki_suspension s using account a where a.account_name = s.account_name and a.account_status <> 'suspended'
    and s.account_name = any(${names})`);
  const day = days === null ? null : daysAfter(dayIn(timeZone, now), days);
  const noticed = await change.rows<{ accountName: string }>(sql`
    insert into rpki_suspension (account_name, noticed_at, withdraws_on, withdraws_at)
    select a.account_name, ${at}, ${day}::date, ${days === 0 ? at : sql`${day}::date::timestamp at time zone ${timeZone}`}
    from account a where a.account_status = 'suspended' and a.account_name = any(${names})
      and (exists (select from rpki_ca c where c.account_name = a.account_name and c.state = 'active')
        or exists (select from rpki_child d where d.account_name = a.account_name and d.state = 'active'))
    order by 1 on conflict do nothing returning account_name`);
  await change.rows(
    sql`update rpki_suspension set withdrawn_at = ${at} where account_name = any(${names}) and withdrawn_at is null and withdraws_at <= ${at}`,
  );
  if (days !== null && days > 0)
    for (const { accountName } of noticed) await change.enqueue(noticeSuspension, { accountName, withdrawsOn: day! });
  const published = await change.rows<{ accountName: string }>(
    sql`select account_name from account a where account_name = any(${names}) and ${isPublished}`,
  );
  return new Set(published.map(({ accountName }) => accountName));
}

/** Whether an account `a` is published: it is open, or suspended and its day has not come. */
export const isPublished = sql<boolean>`(a.account_status = 'open' or a.account_status = 'suspended'
  and exists (select from rpki_suspension s where s.account_name = a.account_name and s.withdrawn_at is null))`;

/** Returns the suspension of an account for RPKI; null if it isn't suspended, or had nothing in RPKI then. */
export async function suspensionOf(read: Pick<Read, 'rows'>, accountName: string): Promise<Suspension | null> {
  const [suspension] = await read.rows<Suspension>(sql`select s.withdraws_on, s.withdrawn_at
    from rpki_suspension s join account a using (account_name) where s.account_name = ${accountName} and a.account_status = 'suspended'`);
  return suspension ?? null;
}

/** The day on which the RPKI objects of a suspended account are or were withdrawn. */
export async function rpkiAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (account.asStaff || !account.permissions.has('rescert-view')) return [];
  const suspension = await suspensionOf(read, account.accountName);
  if (!suspension || suspension.withdrawsOn === null) return [];
  const { withdrawsOn, withdrawnAt } = suspension;
  return [
    {
      attentionId: 'rpki-suspension',
      urgency: 'urgent',
      due: withdrawsOn,
      title: withdrawnAt === null ? `RPKI is withdrawn on ${dayInWords(withdrawsOn)}` : 'RPKI is withdrawn',
      detail:
        withdrawnAt === null
          ? 'The account is suspended. Certificate, ROAs and provider authorisations stay published until then; if it is open again before, nothing is lost.'
          : 'The account is suspended. Validators find no certificate and no ROAs of it; everything comes back when it is open again.',
      action: { label: 'Open RPKI', link: '/resources/rpki/index' },
      forWhom: 'account',
    },
  ];
}
