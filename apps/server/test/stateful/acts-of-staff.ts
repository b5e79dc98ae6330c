import { api } from '@portal/contract/api';
import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { scheduleOf } from '../../src/platform/periodic-work.ts';
import { type Act, idle, outcomeOf, type Dice } from './act.ts';
import type { World } from './world.ts';

type Invoice = { number: string; due: string; account: string };
const invoicesIn = (world: World, ...states: string[]): Promise<Invoice[]> =>
  world.rows<Invoice>(
    sql`select number, (total - paid - credited)::text as due, account_name as account from invoice where state = any(${states}::text[]) order by invoice_id desc limit 30`,
  );

async function pay(world: World, dice: Dice): Promise<string> {
  const found = dice.pick(await invoicesIn(world, 'issued', 'partly-paid'));
  if (!found) return idle;
  const share = dice.pick([1, 1, 1, 0.5, 1.2])!;
  return outcomeOf(
    await (await world.as('stella'))(api.billing.recordPayment, {
      invoiceNumber: found.number,
      body: {
        amount: Math.max(0.01, Number(found.due) * share).toFixed(2),
        receivedOn: world.day(0),
        reference: `TT ${dice.below(1_000_000_000)} ${found.number}`,
      },
    }),
  );
}

async function correct(world: World, dice: Dice): Promise<string> {
  const stella = await world.as('stella');
  if (dice.chance(30)) {
    const dora = await world.as('dora');
    const [owed] = await world.rows<{ account: string; credit: string }>(
      sql`select account_name as account, sum(amount)::text as credit from account_credit group by 1 having sum(amount) > 0 order by 1 offset ${dice.below(3)} limit 1`,
    );
    if (!owed) return idle;
    const amount = Math.max(0.01, Number(owed.credit) * dice.pick([1, 0.5, 1.5])!).toFixed(2);
    return outcomeOf(
      await dora(api.corrections.recordRefund, {
        accountName: owed.account,
        body: { amount, refundedOn: world.day(0), reference: `RF ${dice.below(1_000_000_000)}`, reason: 'Drawn' },
      }),
    );
  }
  const found = dice.pick(await invoicesIn(world, 'issued', 'partly-paid', 'paid'));
  if (!found) return idle;
  if (dice.chance(15))
    return outcomeOf(await stella(api.billing.cancelInvoice, { invoiceNumber: found.number, body: { reason: 'Drawn' } }));
  return outcomeOf(
    await stella(api.corrections.issueCreditNote, {
      invoiceNumber: found.number,
      body: { amount: (1 + dice.below(500)).toFixed(2), reason: 'Drawn' },
    }),
  );
}

/** Works that ask the world outside, or other processes do. */
const elsewhere = /^(reverseDns\.|mail\.|tickets\.|platform\.check|identity\.|webhooks\.)/;

/** The ballot box opens by the clock of the database, which stands still here: votes that are over by the world's clock are over by that too. */
const endVotes = (world: World): Promise<unknown> =>
  world.portal.db.change({ action: 'test', summary: 'Ended votes', traceId: '0'.repeat(32) }, change =>
    change.rows(sql`update election_window set opens_at = least(opens_at, now() - interval '2 days'), closes_at = now() - interval '1 minute'
      where closes_at between now() and ${world.now().toISOString()}::timestamptz`),
  );

/** Machines do what is due: some of it now, or after some time. */
async function work(world: World, dice: Dice): Promise<string> {
  const { context } = world.portal;
  if (dice.chance(50)) world.advance(dice.pick([MINUTE_MS, 20 * MINUTE_MS, HOUR_MS, 30 * HOUR_MS])!);
  await endVotes(world);
  const schedule = scheduleOf(context.modules).filter(({ name }) => !elsewhere.test(name));
  const often = schedule.filter(({ name }) => /^(requests|billing|resources|elections|ballots|platform)\./.test(name));
  for (const { run } of [dice.pick(often)!, dice.pick(often)!, dice.pick(schedule)!]) await run(context, null);
  return 'ok';
}

async function tasks(world: World): Promise<string> {
  await world.portal.runTasks();
  return 'ok';
}

/** Suspends an account as the clock of billing does, or opens it. */
async function suspend(world: World, dice: Dice): Promise<string> {
  const suspended = await world.rows<{ account: string }>(
    sql`select account_name as account from account where account_status = 'suspended' order by 1`,
  );
  const found = suspended.length > 1 || dice.chance(60) ? dice.pick(suspended) : dice.pick(await world.actors());
  if (!found) return idle;
  const status = suspended.some(({ account }) => account === found.account) ? 'open' : 'suspended';
  await world.portal.db.change(
    { action: 'billing.suspendAccount', summary: 'Suspended or opened', traceId: '0'.repeat(32), accountName: found.account },
    change => change.rows(sql`update account set account_status = ${status} where account_name = ${found.account}`),
  );
  return status;
}

/** Acts of staff and machines. */
export const actsOfStaff: readonly Act[] = [
  { name: 'record a payment', weight: 7, run: pay },
  { name: 'credit or refund', weight: 2, run: correct },
  { name: 'let time pass', weight: 8, run: work },
  { name: 'run tasks', weight: 2, run: tasks },
  { name: 'suspend or open', weight: 1, run: suspend },
];
