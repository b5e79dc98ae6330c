import type { RequestForm } from '@portal/contract/requests/request-form';
import { askedFor } from '@portal/contract/requests/request-words';
import { type ActNames, nameById, nameIn } from '../../platform/act-names.ts';

export const requestNames: ActNames = {
  listing: nameIn('listing', { id: 'listingId', name: 'resource', owner: 'accountName' }),
  request: nameById(async ({ read, id, account, asStaff }) => {
    const row = await read
      .selectFrom('resourceRequest')
      .select(['accountName', 'recipientName', 'kind', 'form'])
      .where('resourceRequestId', '=', id)
      .executeTakeFirst();
    if (!row || (!asStaff && row.accountName !== account && row.recipientName !== account)) return null;
    const whose = row.accountName === account ? '' : ` of ${row.accountName}`;
    return `REQ-${id}${whose} (${askedFor(row.kind, row.form as RequestForm)})`;
  }),
};
