import * as z from 'zod';
import { ownActivity } from '../../platform/database/index.ts';
import { taskType } from '../../platform/tasks.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';

/** Maximum number of ROAs listed in one notice. */
const LISTED = 50;

/** Notifies contacts of an account that ROAs are no longer published because their prefixes aren't certified: returned, transferred or suspended. */
export const noticeLostRoas = taskType({
  name: 'rpki.noticeLostRoas',
  summary: 'Notify about ROAs that are no longer published',
  input: z.object({ accountName: z.string(), roas: z.array(z.string()) }),
  run: async ({ db, taskId, input: { accountName, roas } }) => {
    const summary = roas.length === 1 ? 'Stopped publishing a ROA' : `Stopped publishing ${roas.length} ROAs`;
    await db.change(ownActivity('rpki.noticeLostRoas', summary, accountName), async change => {
      // A task may run twice; the notice goes out once.
      const [notified] = await change
        .selectFrom('activity')
        .select('activityId')
        .where('action', '=', 'rpki.noticeLostRoas')
        .where('details', '@>', JSON.stringify({ taskId }))
        .execute();
      if (notified) return;
      await change.note({ taskId, removed: roas });
      const people = await activeContacts(change, accountName, { permission: 'rescert-view' });
      await notifyPeople(
        change,
        {
          topic: 'rpki.roas',
          accountName,
          subject: `ROAs of ${accountName} are no longer published`,
          body: [
            `Their prefixes are not certified for ${accountName} any more: ${roas.slice(0, LISTED).join(', ')}${roas.length > LISTED ? ` and ${roas.length - LISTED} more` : ''}.`,
            'Routes that relied on them change from valid to not found, or to invalid where another ROA covers them. The ROAs are kept, and are published again when the prefixes are certified again.',
          ],
          path: '/resources/rpki/index',
          act: 'Look at RPKI',
        },
        people,
      );
    });
  },
});
