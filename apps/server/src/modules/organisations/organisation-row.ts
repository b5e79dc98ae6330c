import type { DetailField, Organisation } from '@portal/contract/organisations/organisations';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';

/** Organisation details that the member maintains itself. */
export type OrganisationDetails = Pick<Organisation, DetailField>;
/** Refuses contacts who aren't corporate, because only those represent the member towards the registry. @throws Failure CORPORATE_ONLY */
export function requireCorporate({ contactTypes }: Pick<AdmittedAccount, 'contactTypes'>): void {
  if (!contactTypes.includes('corporate')) throw refuse('CORPORATE_ONLY');
}

/** A number in a path; null for anything else. */
/** Writes an account's organisation details; omitted fields stay. Increments the version. */
export async function writeOrganisation(
  change: Change,
  accountName: string,
  values: Partial<OrganisationDetails & Pick<Organisation, 'registrationNumber' | 'organisationType'>>,
): Promise<void> {
  await change
    .insertInto('organisation')
    .values({ accountName, ...values })
    .onConflict(conflict => conflict.column('accountName').doUpdateSet(eb => ({ ...values, version: eb('organisation.version', '+', 1) })))
    .execute();
}
