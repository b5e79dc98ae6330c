import { dayIn, monthsInWords } from '@portal/contract/days';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { Profile } from '../../profile.ts';
import { lockAccount, setAccountStatus } from '../accounts/index.ts';
import { lockedResources } from '../resources/index.ts';
import { areHoldingsStopped } from '../restraints/index.ts';
import { notifyAllContacts } from './organisation-notices.ts';
import { organisationsTexts } from './mail-texts.ts';

/** Note of requests that end because their account was closed. */
export const ENDED_WITH_ACCOUNT = 'The account was closed.';

/** Closes a locked account, for any reason. Its contacts no longer find it from the next call on. */
export async function closeAccount(change: Change, accountName: string): Promise<void> {
  // The member can no longer follow its other requests.
  const note = ENDED_WITH_ACCOUNT;
  await change
    .updateTable('organisationChange')
    .set({ state: 'rejected', note, resolvedAt: change.now })
    .where('accountName', '=', accountName)
    .where('resolvedAt', 'is', null)
    .execute();
  await change
    .updateTable('accountClosureRequest')
    .set({ state: 'rejected', note, resolvedAt: change.now })
    .where('accountName', '=', accountName)
    .where('state', '=', 'submitted')
    .execute();
  await change
    .updateTable('accountClosureRequest')
    .set({ state: 'closed', endedAt: change.now })
    .where('accountName', '=', accountName)
    .where('state', '=', 'approved')
    .execute();
  await setAccountStatus(change, accountName, 'closed');
}

/**
 * Closes the accounts whose approved day has come, in the registry's time zone. From the next call on the account looks non-existent to its
 * contacts. Each is its own change and skips what another process has done. An account with a locked resource stays open; a restrained one
 * closes once it no longer is.
 */
export async function closeDueAccounts(
  db: Database,
  { now, profile: { timeZone, reactivationMonths } }: { now: Date; profile: Pick<Profile, 'timeZone' | 'reactivationMonths'> },
): Promise<void> {
  const due = await db.read
    .selectFrom('accountClosureRequest')
    .select(['accountClosureRequestId as id', 'accountName', 'closeOn'])
    .where('state', '=', 'approved')
    .where('closeOn', '<=', dayIn(timeZone, now))
    .orderBy('closeOn')
    .execute();
  await eachAlone(
    due,
    ({ accountName }) => accountName,
    async ({ id, accountName, closeOn }) => {
      if (await areHoldingsStopped(db.read, accountName, now)) return;
      const [locked] = await lockedResources(db.read, accountName);
      if (locked !== undefined) {
        const kept = ownActivity('organisations.closures.keepOpen', 'Kept the account open', accountName);
        await db.change(kept, change => keepOpen(change, { id, accountName, closeOn, locked }));
        return;
      }
      const activity = ownActivity('organisations.closures.closeAccount', 'Closed the account', accountName);
      await db.change(activity, async change => {
        const { accountStatus, orgName } = await lockAccount(change, accountName);
        if (await areHoldingsStopped(change, accountName, now)) return;
        const closing = await change
          .updateTable('accountClosureRequest')
          .set({ state: 'closed', endedAt: change.now })
          .where('accountClosureRequestId', '=', id)
          .where('state', '=', 'approved')
          .returning('accountClosureRequestId')
          .executeTakeFirst();
        if (!closing) return;
        await closeAccount(change, accountName);
        await change.note({ request: `CLOSE-${id}`, closeOn, before: { accountStatus }, after: { accountStatus: 'closed' } });
        await notifyAllContacts(change, {
          accountName,
          text: organisationsTexts.written('accountClosed', {
            accountName,
            orgName,
            ifThisIs: reactivationMonths === 0 ? '' : `If this is a mistake, write to us within ${monthsInWords(reactivationMonths)}.`,
          }),
        });
      });
    },
  );
}

/** Cancels a closure whose account locked resources after the approval: someone wants to keep them, so the account stays open. */
async function keepOpen(
  change: Change,
  { id, accountName, closeOn, locked }: { id: number; accountName: string; closeOn: string; locked: string },
): Promise<void> {
  await lockAccount(change, accountName);
  const note = `${locked} is locked by the account. Release the lock and ask again.`;
  const kept = await change
    .updateTable('accountClosureRequest')
    .set({ state: 'rejected', note, resolvedBy: null, resolvedAt: change.now })
    .where('accountClosureRequestId', '=', id)
    .where('state', '=', 'approved')
    .returning('accountClosureRequestId')
    .executeTakeFirst();
  if (!kept) return;
  await change.note({ request: `CLOSE-${id}`, closeOn, locked });
  await notifyAllContacts(change, {
    accountName,
    text: organisationsTexts.written('closureEnded', { reference: id, accountName, note }),
  });
}
