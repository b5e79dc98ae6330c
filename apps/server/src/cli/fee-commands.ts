import fs from 'node:fs/promises';
import { AnnouncedInFile, type FeeEffect } from '@portal/contract/billing/fee-schedules';
import { dayIn } from '@portal/contract/days';
import { formatMoney } from '@portal/number-resources';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { announce, announcedFees, effectOf } from '../modules/billing/index.ts';
import { type Change, ownActivity } from '../platform/database/index.ts';
import { type CommandContext, CommandFailure, type CommandRuns } from './command.ts';

const FeeFile = z.array(AnnouncedInFile, { error: 'Write a list of fees, as “registry fees” prints it' });

/** Returns the fees of a file, the earliest first. @throws CommandFailure naming each place that is wrong, and what would be right */
async function readFees(file: string, today: string): Promise<AnnouncedInFile[]> {
  let given: unknown;
  try {
    given = JSON.parse(await fs.readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandFailure(`${file} is not JSON: ${error.message}.`);
    throw error;
  }
  const { data, error } = FeeFile.safeParse(Array.isArray(given) ? given : [given]);
  if (error) throw new CommandFailure(error.issues.map(issue => `${file}, ${placeOf(issue.path)}: ${wordsOf(issue)}.`).join('\n'));
  const late = data.find(({ announcedOn = today }) => announcedOn > today);
  if (late)
    throw new CommandFailure(
      `${file}: the fees from ${late.validFrom} can’t have been announced on ${late.announcedOn}: today is ${today}.`,
    );
  return data.sort((a, b) => a.validFrom.localeCompare(b.validFrom));
}

const placeOf = ([entry, ...rest]: readonly PropertyKey[]): string =>
  [...(typeof entry === 'number' ? [`entry ${entry + 1}`] : []), ...(rest.length > 0 ? [rest.map(String).join('.')] : [])].join(', ');

const wordsOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `${issue.keys.map(key => `“${key}”`).join(' and ')} isn’t known here`
    : issue.message.replace(/\.$/, '');

/** Prints what fees do to the bills of all accounts. */
function sayEffect(
  { say }: CommandContext,
  { announcement, currency, accounts, compared, first, after, more, less, same, largest }: FeeEffect,
): void {
  const money = (amount: string): string => formatMoney(currency, amount);
  say(`Fees from ${announcement.validFrom} until ${announcement.validUntil}`);
  say(
    compared === null
      ? `  ${accounts} accounts pay ${money(after)}; no fees are announced for the day before`
      : `  ${accounts - first} accounts pay ${money(compared.after)}, and ${money(compared.before)} by the fees before: ${more.accounts} pay more, ${less.accounts} less, ${same} the same`,
  );
  if (compared !== null && first > 0) say(`  ${first} accounts have no fees on the day before; with them all pay ${money(after)}`);
  for (const { accountName, before: was, after: is, difference } of largest.slice(0, 5))
    say(`  ${accountName} ${was === null ? money(is) : `${money(was)}, then ${money(is)} (${difference})`}`);
}

async function announceAll(context: CommandContext, change: Change, fees: readonly AnnouncedInFile[], today: string): Promise<void> {
  // Once memberships are billed, late fees are billed from the day on which they are entered: no one pays or is suspended for days before it.
  const [billed] = await change.rows(sql`select 1 from billing_start`);
  const late = billed ? fees.find(({ validFrom, announcedOn = today }) => validFrom <= today && announcedOn < today) : undefined;
  if (late)
    throw new CommandFailure(
      `The fees from ${late.validFrom} have begun and were not announced here on ${late.announcedOn}. Leave announcedOn out: they count from today.`,
    );
  for (const { announcedOn = today, ...announcement } of fees) {
    sayEffect(context, await effectOf(change, announcement, context.profile));
    await announce(change, { ...announcement, announcedOn });
  }
  await change.note({ from: fees.map(({ validFrom }) => validFrom) });
}

/** The functions of these commands; commands.ts declares their names, options and help. */
export const feeCommands = {
  fees: async context => {
    const db = await context.openDatabase();
    const announced = await announcedFees(db.read, dayIn(context.profile.timeZone, new Date()));
    if (announced.length === 0) throw new CommandFailure('No fees are announced. See: npm run registry -- fees announce --help');
    const rows = announced
      .toReversed()
      .map(({ validFrom, validUntil, announcedOn, fees }) => ({ validFrom, validUntil, announcedOn, fees }));
    context.say(JSON.stringify(rows, null, 2));
  },
  'fees announce': async context => {
    const today = dayIn(context.profile.timeZone, new Date());
    const fees = await readFees(context.args[0]!, today);
    const db = await context.openDatabase();
    const line = ownActivity('operator.announceFees', 'Announced fees');
    const run = (change: Change): Promise<void> => announceAll(context, change, fees, today);
    if (context.options['dry-run'] === true) {
      await db.rehearse(line, run);
      context.say('Nothing is announced: that was a dry run.');
    } else {
      await db.change(line, run);
      context.say('Announced. These fees are never changed; what has not begun can be withdrawn on the desk’s page Fees.');
    }
  },
} satisfies CommandRuns;
