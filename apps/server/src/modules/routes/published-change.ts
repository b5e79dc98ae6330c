import type { AnswerOf } from '@portal/contract';
import type { routes } from '@portal/contract/routes/routes';
import { roaPublications, servedSerial } from '../rpki/index.ts';
import { readChange } from './saved-changes.ts';
import type { Act } from '../../platform/http/endpoints.ts';

type Published = AnswerOf<typeof routes.getChange>;

/** Returns a change with the present publication state of its ROAs, including later changes, for the routes of a page. @throws Failure NOT_FOUND */
export async function getChange({
  read,
  account: { accountName },
  params: { changeId },
  query: { offset },
  registry: {
    now,
    config: { rpkiDir },
  },
}: Act<typeof routes.getChange>): Promise<Published> {
  const change = await readChange(read, { accountName, changeId, now, offset });
  const pairs = change.items
    .filter(({ results }) => results.some(({ object, done }) => object.startsWith('ROA ') && done !== 'adopted'))
    .map(({ before, after }) => (after ?? before)!);
  if (pairs.length === 0) return { ...change, roas: null };
  const all = await roaPublications(read, pairs);
  const serials = all.flatMap(({ serial }) => serial ?? []);
  const serial = serials.length === 0 ? null : Math.max(...serials);
  const served = await servedSerial(rpkiDir);
  const isMade = all.every(({ isWanted, isLeaving, serial: own }) => !isLeaving && (!isWanted || own !== null));
  const state = !isMade || (served !== null && (serial ?? 0) > served) ? 'waiting' : served === null ? 'elsewhere' : 'done';
  return { ...change, roas: { state, serial: isMade ? serial : null } };
}
