import * as z from 'zod';
import { ownActivity } from '../../platform/database/index.ts';
import { taskType } from '../../platform/tasks.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { rpkiTexts } from './mail-texts.ts';

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
          text: rpkiTexts.written('roasNoLongerPublished', {
            accountName,
            roas: roas.slice(0, LISTED).join(', '),
            howMany: roas.length > LISTED ? ` and ${roas.length - LISTED} more` : '',
          }),
          path: '/resources/rpki/index',
          act: 'Look at RPKI',
        },
        people,
      );
    });
  },
});
