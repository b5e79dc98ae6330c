import { sql } from 'kysely';
import { refuse } from '../../../platform/failure.ts';
import type { CasesOf } from '../../../platform/http/cases.ts';
import { type ListingRow, listingRow } from './listings.ts';

/** Entries of the board, moved by their holder or by registry staff. */
export const listingCases: CasesOf<ListingRow> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, params: { listingId } }) => {
    const reader = account?.accountName ?? '';
    const found = await listingRow(change, listingId!, reader);
    if (account && found.accountName !== reader) throw refuse('NOT_FOUND', { what: 'The listing' });
    await change.rows(sql`select 1 from listing where listing_id = ${listingId!}::bigint for update`);
    return listingRow(change, listingId!, reader);
  },
  refusal: async () => refuse('LISTING_ENDED'),
};
