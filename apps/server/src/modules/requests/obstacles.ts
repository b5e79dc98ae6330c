import type { Read } from '../../platform/database/index.ts';
import type { Failure } from '../../platform/failure.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import { checkRequest } from './account-facts.ts';
import { checksFor, takesPart } from './checks-for-party.ts';
import type { Row } from './request-row.ts';
import { blocks } from './rules/check.ts';

/**
 * Why a case can’t be completed, in words for one of its parties. The only place where an obstacle is shown to a party: about the other one it says
 * just `takesPart`.
 * @param failure the refusal of its completion
 */
export async function obstacleFor(read: Read, row: Row, failure: Failure, reader: string, registry: PolicyNow): Promise<string> {
  const checks = checksFor(await checkRequest(read, row, registry), row, reader);
  const against = blocks(checks);
  if (against) return `${against.fact}: ${against.known}`;
  // A party whose account closed or was restrained meanwhile gets nothing, and the other one only learns that it can't take part.
  if (failure.code === 'ACCOUNT_RESTRAINED') return 'It can’t be carried out at the moment';
  if (failure.code !== 'ACCOUNT_CLOSED') return failure.words;
  return takesPart(row.recipientName ?? row.accountName, 'receive', false).known;
}
