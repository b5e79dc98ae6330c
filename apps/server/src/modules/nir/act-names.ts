import { type ActNames, nameById, nameIn } from '../../platform/act-names.ts';

export const nirNames: ActNames = {
  'NIR delegation': nameById(async ({ read, id, account }) => {
    const row = await read
      .selectFrom('nirDelegation as d')
      .innerJoin('subaccount as s', 's.subaccountId', 'd.subaccountId')
      .select(['d.resource', 's.name'])
      .where('d.nirDelegationId', '=', id)
      .where('d.accountName', '=', account)
      .executeTakeFirst();
    return row && `${row.resource} of ${row.name}`;
  }),
  'NIR organisation': nameIn('nirEntity', { id: 'entityId', name: 'name', owner: 'accountName' }),
  'sub-account': nameIn('subaccount', { id: 'subaccountId', name: 'name', owner: 'accountName' }),
};
