import { sql } from 'kysely';
import { type Database, type JsonValue, ownActivity } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Profile } from '../../../profile.ts';
import { notifyRegistryBilling } from '../billing-notices.ts';
import { kindInWords, missingFees } from './fee-schedules.ts';
import { billingTexts } from '../mail-texts.ts';

/** The kinds of accounts of which missing fees were named, with the first day of each. */
type Warned = { [kind: string]: string };

/** Returns of what staff were warned, from what the run before noted. */
export const warnedOf = (noted: JsonValue | null): Warned =>
  noted !== null && typeof noted === 'object' && !Array.isArray(noted) ? (noted as Warned) : {};

/**
 * Warns the registry's staff once, a quarter before, that terms which begin on a day have no announced fees: they would not be billed.
 * @param before as `warnedOf` returns it
 * @returns the days that are missing now
 */
export async function warnOfMissingFees(
  db: Database,
  { today, profile }: { today: string; profile: Profile },
  before: Warned,
): Promise<Warned> {
  const missing = await missingFees(db.read, today);
  const [begun] = await db.read.rows(sql`select 1 from billing_start`);
  if (!begun) return {};
  // Warned anew where some fees came, and others are missing after them.
  const fresh = missing.filter(({ kind, from }) => before[kind] === undefined || (from > today && from > before[kind]));
  if (fresh.length > 0)
    await db.change(ownActivity('billing.feeSchedules.warnOfMissingFees', 'Warned that fees are missing'), async change => {
      await change.note(Object.fromEntries(fresh.map(({ kind, from }) => [kind, from])));
      await notifyRegistryBilling(change, profile, {
        text: billingTexts.written('noFeesAnnounced', {
          from: dayInFull(fresh[0]!.from),
          termsOfThat: fresh
            .map(
              ({ kind, from }) =>
                `Terms of ${kindInWords(kind)} that begin on ${dayInFull(from)} or later have no announced fees. They are not billed until there are some.`,
            )
            .join('\n\n'),
        }),
        path: '/desk/fees',
        act: 'Prepare fees',
      });
    });
  return Object.fromEntries(missing.map(({ kind, from }) => [kind, from]));
}
