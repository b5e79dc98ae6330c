import { rowNumber } from '@portal/contract/row-ids';
import type { RequestState } from '@portal/contract/requests/life';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { pageOf } from './request-notices.ts';
import { inWords, partyOf, referenceOf, requestRows } from './request-row.ts';

/** A case of an account, by its reference. */
export type NamedRequest = { reference: string; state: RequestState; words: string; link: string };

/** Returns the cases that an account is a party of, of some references (`REQ-7`). @param references at most 100 */
export async function namedRequests(read: Read, accountName: string, references: readonly string[]): Promise<NamedRequest[]> {
  const ids = references.flatMap(reference => rowNumber(reference.replace(/^REQ-/i, '')) ?? []);
  if (ids.length === 0) return [];
  const rows = await requestRows(read, sql`r.resource_request_id = any (${ids}::bigint[]) and ${partyOf(accountName)}`);
  return rows.map(row => ({ reference: referenceOf(row.id), state: row.state, words: inWords(row), link: pageOf(row, accountName) }));
}
