import type { RequestKind } from '@portal/contract/requests/request-form';
import { type NumberResource, parseResource, printResource, ResourceSyntaxError } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import { referenceOf } from './request-row.ts';

/** The reference of the request of a kind that an account has open; null without one. Transfers and returns may be several at a time. */
export async function openRequestOf(
  read: Pick<Read, 'rows'>,
  accountName: string,
  kind: RequestKind,
  except: number | null = null,
): Promise<string | null> {
  if (kind === 'transfer' || kind === 'acquisition' || kind === 'return') return null;
  const [row] = await read.rows<{
    id: number;
  }>(sql`select resource_request_id as id from resource_request where account_name = ${accountName} and kind = ${kind}
    and resolved_at is null and subaccount_id is null and resource_request_id is distinct from ${except} and state <> 'draft' limit 1`);
  return row ? referenceOf(row.id) : null;
}

/** Reads the resources of a form, in the one canonical form. @throws Failure INVALID_REQUEST that names the line */
export function readResources(texts: readonly string[]): { resources: NumberResource[]; texts: string[] } {
  const resources = texts.map((text, index) => {
    try {
      return parseResource(text.trim());
    } catch (error) {
      if (error instanceof ResourceSyntaxError) throw refuseField(`resources.${index}`, error.message);
      throw error;
    }
  });
  return { resources, texts: resources.map(printResource) };
}
