import type { RequestKind } from '@portal/contract/requests/request-form';
import {
  countSet,
  intersectSets,
  isEmptySet,
  type NumberResource,
  parseResource,
  printResource,
  ResourceSyntaxError,
  resourceSetOf,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import { referenceOf } from './request-row.ts';

/** Returns the reference of the open request of a kind by an account or one of its sub-accounts, or null. Several transfers and returns may be open. */
export async function openRequestOf(
  read: Pick<Read, 'rows'>,
  accountName: string,
  kind: RequestKind,
  { except = null, subaccountId = null }: { except?: number | null; subaccountId?: number | null } = {},
): Promise<string | null> {
  if (kind === 'transfer' || kind === 'acquisition' || kind === 'return') return null;
  const [row] = await read.rows<{
    id: number;
  }>(sql`select resource_request_id as id from resource_request where account_name = ${accountName} and kind = ${kind}
    and resolved_at is null and subaccount_id is not distinct from ${subaccountId} and resource_request_id is distinct from ${except} and state <> 'draft' and not direct limit 1`);
  return row ? referenceOf(row.id) : null;
}

/** Parses a resource of a draft; null if it is invalid. */
export function readable(text: string): NumberResource | null {
  try {
    return parseResource(text.trim());
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

/** Reads one resource of a form. @throws Failure INVALID_REQUEST at its field */
export function readResource(text: string, field: string): NumberResource {
  try {
    return parseResource(text.trim());
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuseField(field, error.message);
    throw error;
  }
}

/** Parses the resources of a form into canonical form. They must not overlap. @throws Failure INVALID_REQUEST that names the line */
export function readResources(texts: readonly string[]): { resources: NumberResource[]; texts: string[] } {
  const resources = texts.map((text, index) => readResource(text, `resources.${index}`));
  for (const [index, resource] of resources.entries()) {
    const before = resources.slice(0, index).find(other => !isEmptySet(intersectSets(resourceSetOf([other]), resourceSetOf([resource]))));
    if (before) throw refuseField(`resources.${index}`, `${printResource(resource)} overlaps ${printResource(before)}. Remove one of them`);
  }
  return { resources, texts: resources.map(printResource) };
}

/** Number of /24 in resources, rounded up. */
export const blocksOf = (texts: readonly string[]): number => Number((addressesOf(texts) + 255n) / 256n);

/** IPv4 addresses among resources, each once. */
export const addressesOf = (texts: readonly string[]): bigint =>
  countSet(resourceSetOf(texts.map(readable).filter(resource => resource !== null)), 'ipv4');
