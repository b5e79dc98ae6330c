import { casePermissions, holdsOneOf } from '@portal/contract';
import type { SearchHit } from '@portal/contract/search/search';
import type { FindEverywhere } from '../../platform/module.ts';
import { findHolders } from './holders.ts';
import { findOpenRequests } from './requests.ts';
import { casePath } from '@portal/contract/staff/case-words';

/** Accounts by name, and holders of a prefix, address or AS number; open requests by reference, account or person. */
export const findForStaff: FindEverywhere = {
  permissions: ['accounts', ...casePermissions],
  find: (search, context) => find(search, context),
};

const find: FindEverywhere['find'] = async ({ read, caller, text, most }) => {
  const seesAccounts = holdsOneOf(caller.staffPermissions, ['accounts'], true);
  const [{ hits }, rows] = await Promise.all([
    seesAccounts ? findHolders({ read, query: { q: text, offset: 0, limit: most } }) : { hits: [] },
    findOpenRequests(read, caller, { text, most }),
  ]);
  return [
    ...hits
      .filter(({ accountName }) => accountName !== '')
      .map(
        ({ accountName, orgName, kind, resource, accountStatus }): SearchHit => ({
          section: resource === null ? 'accounts' : 'resources',
          text: resource ?? accountName,
          note: resource === null ? `${orgName}, ${accountStatus}` : `${accountName}, ${orgName}`,
          link: `/desk/accounts/${encodeURIComponent(accountName)}`,
          kind,
        }),
      ),
    ...rows.map(
      ({ kind, requestId, reference, accountName, asked }): SearchHit => ({
        section: 'requests',
        text: reference ?? asked,
        note: accountName === null ? asked : `${accountName}, ${asked}`,
        link: casePath({ kind, caseId: requestId }),
        kind: null,
      }),
    ),
  ];
};
