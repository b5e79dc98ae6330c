import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { endingPublicationHours } from '@portal/contract/rpki/rpki';
import { sql } from 'kysely';
import { ownActivity } from '../../../platform/database/index.ts';
import { eachAlone } from '../../../platform/each-alone.ts';
import type { PeriodicWork } from '../../../platform/module.ts';
import { announceEndingFiles } from '../change-notices.ts';

export const endingMs = endingPublicationHours * HOUR_MS;

type Ending = { childId: number; accountName: string; endsAt: string; vrps: number };

/** Warns members, once per expiry, that what their own authority publishes is about to expire for validators. */
export const warnOfEndingFiles: PeriodicWork = {
  name: 'rpki.warnOfEndingFiles',
  every: 10,
  run: async ({ db, clock }) => {
    const now = clock();
    const ending = await db.read.rows<Ending>(sql`
      select j.child_id, c.account_name, j.ends_at, (select count(*)::int from rpki_child_vrp v where v.child_id = j.child_id) as vrps
      from rpki_child_judgement j join rpki_child c using (child_id)
      where c.state = 'active' and j.ends_at > ${now.toISOString()}::timestamptz and j.ends_at < ${instantAfter(now, endingMs)}::timestamptz
        and j.warned_of is distinct from j.ends_at order by j.ends_at limit 500`);
    await eachAlone(
      ending,
      ({ childId, accountName }) => `authority ${childId} of ${accountName}`,
      ({ childId, accountName, endsAt, vrps }) =>
        db.change(ownActivity('rpki.warnOfEndingFiles', 'Warned that published files end', accountName), async change => {
          const warned = await change.rows(
            sql`update rpki_child_judgement set warned_of = ends_at where child_id = ${childId} and ends_at = ${endsAt}::timestamptz and warned_of is distinct from ends_at returning 1`,
          );
          // Republished or warned meanwhile.
          if (warned.length === 0) return;
          await change.note({ endsAt, payloads: vrps });
          await announceEndingFiles(change, accountName, { endsAt, payloads: vrps });
        }),
    );
  },
};
