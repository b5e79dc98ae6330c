import { policyRow } from '@portal/contract/policy/policy-values';
import { instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { notifyPeople } from '../identity/index.ts';
import { holdersOf } from '../roles/index.ts';
import { changeRows, fixedIn } from './change-rows.ts';
import { policyTexts } from './mail-texts.ts';
import { inWords, REMIND_BEFORE_MS, tellsMembers } from './changes.ts';

/** Reminds those who look after the policy, a week before, of confirmed changes whose day comes, once each. */
export async function remindOfChanges(
  db: Database,
  { now, profile, modules }: { now: Date } & Pick<ModuleContext, 'profile' | 'modules'>,
): Promise<void> {
  const due = sql`c.confirmed_at is not null and c.ended_at is null and c.reminded_at is null
    and c.begins_at > ${now.toISOString()}::timestamptz and c.begins_at <= ${instantAfter(now, REMIND_BEFORE_MS)}::timestamptz`;
  // A change that the profile file fixes in whole has no effect on its day.
  const dueRows = async (read: Pick<Read, 'rows'>) =>
    (await changeRows(read, due, { modules })).filter(row => fixedIn(row, profile).length < row.values.length);
  const rows = await dueRows(db.read);
  if (rows.length === 0) return;
  await db.change(ownActivity('policy.remindOfChanges', 'Reminded of changes of the policy'), async change => {
    const people = await holdersOf(change, ['policy', 'audit'], change.now);
    for (const row of await dueRows(change)) {
      const { policyChangeId, validFrom } = row;
      const fixed = fixedIn(row, profile);
      const values = row.values.filter(({ name }) => !fixed.includes(name));
      await change.updateTable('policyChange').set({ remindedAt: change.now }).where('policyChangeId', '=', policyChangeId).execute();
      await notifyPeople(
        change,
        {
          topic: 'staff.cases',
          accountName: null,
          text: policyTexts.written('policyComes', {
            policyDay: dayInFull(validFrom),
            policyValues: values
              .map(
                ({ name, before, value }) =>
                  `${policyRow(name).title}: ${inWords(name, value, profile)}, until then ${inWords(name, before, profile)}`,
              )
              .join('\n'),
            notAnnounced:
              tellsMembers(row) && row.announcementState !== 'published'
                ? 'It isn’t announced to members yet, who plan with it: the draft waits on the desk’s page Announcements.'
                : '',
          }),
          path: `/desk/policy?change=${policyChangeId}`,
          act: 'View the change',
        },
        people,
      );
    }
    await change.note({ changes: rows.length });
  });
}
