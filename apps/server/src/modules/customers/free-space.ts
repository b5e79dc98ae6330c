import type { AnswerOf } from '@portal/contract';
import type { whoisCustomers } from '@portal/contract/customers/customers';
import { coverRange, parseRange, printPrefix } from '@portal/number-resources';
import type { Act } from '../../platform/http/endpoints.ts';
import { listRegistrations, listRestingSpace } from '../resources/index.ts';

/** Number of free prefixes offered together. */
const OFFERED = 30;

/** Rows of the register looked through for them. */
const MAX_ROWS_SEARCHED = 5_000;

/** Free prefixes of one length in the account's allocations, at most one per gap, up to the limit. */
export async function listFreeSpace({
  read,
  account,
  query: { kind, length, within },
}: Act<typeof whoisCustomers.listFreeSpace>): Promise<AnswerOf<typeof whoisCustomers.listFreeSpace>> {
  const rows: AnswerOf<typeof whoisCustomers.listFreeSpace>['rows'] = [];
  const resting = (await listRestingSpace(read, account.accountName)).filter(each => each.kind === kind);
  const rested = resting.map(({ first, last }) => parseRange(`${first} - ${last}`));
  const isFresh = (first: bigint, last: bigint): boolean => rested.every(each => each.last < first || each.first > last);
  for (let offset = 0; offset < MAX_ROWS_SEARCHED && rows.length < OFFERED; offset += 500) {
    const page = await listRegistrations({
      read,
      account,
      query: {
        kind,
        ...(within && { parent: within }),
        q: '',
        free: 'yes',
        offset,
        limit: 500,
      },
    });
    for (const gap of page.rows.filter(({ row }) => row === 'free')) {
      for (const prefix of coverRange(parseRange(gap.resource))) {
        if (prefix.length > length) continue;
        const step = 1n << BigInt((kind === 'ipv4' ? 32 : 128) - length);
        for (let first = prefix.first, offeredHere = 0; first <= prefix.last && offeredHere < 4 && rows.length < OFFERED; first += step) {
          if (!isFresh(first, first + step - 1n)) continue;
          offeredHere++;
          rows.push({
            resource: printPrefix({ family: kind, first, last: first + step - 1n, length }),
            gap: gap.resource,
            parent: gap.parent,
          });
        }
      }
    }
    if (offset + 500 >= page.total) break;
  }
  return { rows, resting: resting.map(({ resource, customer, returnedOn, until }) => ({ resource, customer, returnedOn, until })) };
}
