import { type RouteChangeDetails, type RouteChangeItem, undoHours } from '@portal/contract/routes/routes';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { announceEntries } from '../rpki/index.ts';

/** Announces a change of routes by its public effects: nothing if only comments or the list itself changed. Links to the change, where it can be undone. */
export async function announceRoutes(
  change: Change,
  account: AdmittedAccount,
  saved: Pick<RouteChangeDetails, 'changeId' | 'kind'>,
  items: readonly RouteChangeItem[],
): Promise<void> {
  const results = items.flatMap(item => item.results);
  const objects = (...done: RouteChangeItem['results'][number]['done'][]): string[] =>
    results.filter(result => done.includes(result.done)).map(({ object }) => spacedKey(object));
  await announceEntries(
    change,
    account,
    { Added: objects('added'), Changed: objects('changed'), Removed: objects('removed'), 'Waiting for consent': objects('waits') },
    {
      what: 'Routes',
      path: `/resources/routes/request-details?id=${saved.changeId}`,
      act: 'See the change',
      more: [
        ...(saved.kind === 'undo' ? ['This undid an earlier change.'] : []),
        `If you didn’t expect this, undo it there: that is possible for ${undoHours} hours.`,
      ],
    },
  );
}
