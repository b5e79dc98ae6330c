import { type Database, ownActivity } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { lockLedger } from '../../resources/index.ts';
import { checkRequest } from '../account-facts.ts';
import { carryOut } from '../decisions.ts';
import { choose } from '../transfers/chosen-resource.ts';
import { lockRequest, requestById } from '../request-row.ts';
import { blocks } from '../rules/check.ts';
import { waitingList } from './waiting-list.ts';

/**
 * Delegates returned space to requests on the waiting list in order, each in its own change. It stops at the first one that nothing fits: smaller
 * requests don't overtake it. One that policy no longer allows is skipped and keeps its place.
 */
export async function serveWaitingList(db: Database, now: Date, profile: Profile): Promise<void> {
  for (const { id, accountName } of await waitingList(db.read)) {
    const served = await db.change(
      ownActivity('requests.serveWaitingList', 'Delegated a block to the first on the waiting list', accountName),
      async change => {
        await lockRequest(change, id);
        const row = await requestById(change, id);
        if (row?.state !== 'on-hold') return true;
        await lockLedger(change);
        if (blocks(await checkRequest(change, row, { profile, now }))) return true;
        if ((await choose(change, row.kind, row.form, row)) === null) return false;
        await carryOut(change, row, { note: row.note ?? '', picked: null, decided: {}, byRules: false }, { profile, now });
        return true;
      },
    );
    if (!served) return;
  }
}
