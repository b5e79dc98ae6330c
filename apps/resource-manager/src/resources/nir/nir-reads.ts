import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirEntities } from '@portal/contract/nir/entities';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { pagePath, pages } from '@portal/contract/pages';
import { resources } from '@portal/contract/resources/resources';

export const delegationPath = pages.nirDelegation.path;
export const subaccountsPath = pages.subaccountManagement.path;
export const transferPath = pages.subaccountTransfer.path;
export const entitiesPath = pages.entityManagement.path;
/** The address of one sub-account. */
export const subaccountPath = (subaccountId: string): string => `${subaccountsPath}?subaccount=${subaccountId}`;
/** The address of the page for the registry's pool, which is named after the product. */
export const registryPoolPath = (product: string): string => pagePath(pages.nirDelegationRegistry.path, product);

/** The comparison of the national registry’s own list with this registry, on the page of delegations. */
export const differencesPath = `${delegationPath}?differences=yes`;
export const differencesTitle = 'Differences';

/** Reads that a change of sub-accounts or organisations puts out of date. */
export const memberReads = [
  nirSubaccounts.countRecords,
  nirSubaccounts.countSubaccounts,
  nirSubaccounts.listSubaccounts,
  nirSubaccounts.getSubaccount,
  nirEntities.listEntities,
  nirEntities.getEntity,
];
/** Reads that a change of what sub-accounts hold puts out of date. */
export const delegationReads = [
  ...memberReads,
  nirDelegations.listNirDelegations,
  nirDelegations.listNirFreeSpace,
  resources.listRegistrations,
  resources.getSummary,
  resources.listDelegations,
];
