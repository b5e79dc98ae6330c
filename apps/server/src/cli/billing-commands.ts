import { dayIn } from '@portal/contract/days';
import { beginBilling } from '../modules/billing/index.ts';
import { ownActivity } from '../platform/database/index.ts';
import { type CommandRuns, CommandFailure } from './command.ts';

/** Returns whether a text is a valid date. */
function isDay(text: string): boolean {
  const instant = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** The functions of these commands; commands.ts declares their names, options and help. */
export const billingCommands = {
  'billing begin': async context => {
    const [firstEnd] = context.args as [string];
    if (!isDay(firstEnd)) throw new CommandFailure(`"${firstEnd}" isn’t a date such as 2027-01-31.`);
    const today = dayIn(context.profile.timeZone, new Date());
    if (firstEnd < today)
      throw new CommandFailure(
        `The earliest day is today, ${today} in ${context.profile.timeZone}: terms that ended before are left alone.`,
      );
    const db = await context.openDatabase();
    const begun = await db.change(ownActivity('operator.beginBilling', 'Began to bill memberships'), change =>
      beginBilling(change, firstEnd),
    );
    if (!begun) throw new CommandFailure('Memberships are billed already.');
    context.say(`Memberships whose term ends on ${firstEnd} or later are billed. The worker handles them every hour.`);
  },
} satisfies CommandRuns;
