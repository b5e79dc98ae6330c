import { type ActNames, nameById } from '../../platform/act-names.ts';

const fields = { orgName: 'name', registrationNumber: 'registration number', organisationType: 'type' } as const;

export const organisationNames: ActNames = {
  closure: nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const row = await read
      .selectFrom('accountClosureRequest')
      .select(['accountName', 'closeOn'])
      .where('accountClosureRequestId', '=', id)
      .executeTakeFirst();
    return row && `${row.accountName} on ${row.closeOn}`;
  }),
  'organisation change': nameById(async ({ read, id, account, asStaff }) => {
    const row = await read
      .selectFrom('organisationChange')
      .select(['accountName', 'field', 'wantedValue'])
      .where('organisationChangeId', '=', id)
      .executeTakeFirst();
    if (!row || (!asStaff && row.accountName !== account)) return null;
    return `the change of the ${fields[row.field]} of ${row.accountName} to “${row.wantedValue}”`;
  }),
};
