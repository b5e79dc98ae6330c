import { AnnouncedInFile } from '@portal/contract/billing/fee-schedules';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import exampleFees from '../src/example-fees.json' with { type: 'json' };
import { announce } from '../src/modules/billing/fees/announcing.ts';
import { announcedTimes, firstDayWithout } from '../src/modules/billing/fees/fee-schedules.ts';
import type { Database } from '../src/platform/database/index.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** The announcements of the example registry, the earliest first. */
const announcements = z.array(AnnouncedInFile).parse(exampleFees);
/** The fees of its last year, for tests that announce others. */
export const { fees: lastFees } = announcements.at(-1)!;

/** Announces the fees of the example registry in one that has none. */
export const announceExample = (db: Database): Promise<void> =>
  db.change(line, async change => {
    for (const each of announcements) await announce(change, { ...each, announcedOn: each.announcedOn! });
  });

/** Announces the fees of the example's last year for the years after it too, until one. */
export async function announceUntil(db: Database, year: number): Promise<void> {
  const { member } = await announcedTimes(db.read);
  const next = firstDayWithout(member, member[0]!.validFrom);
  if (Number(next.slice(0, 4)) > year) return;
  await db.change(line, change =>
    announce(change, { validFrom: next, validUntil: `${year}-12-31`, announcedOn: member[0]!.validFrom, fees: lastFees }),
  );
}

/** Makes a registry of one that never announced fees. */
export const forgetFees = (db: Database): Promise<void> =>
  db.change(line, async change => {
    await sql`alter table fee_schedule disable trigger refuse_change_of_fees`.execute(change);
    await sql`delete from fee_schedule where not exists (select from invoice i where i.fee_schedule_id = fee_schedule.fee_schedule_id)`.execute(
      change,
    );
    await sql`alter table fee_schedule enable trigger refuse_change_of_fees`.execute(change);
  });
