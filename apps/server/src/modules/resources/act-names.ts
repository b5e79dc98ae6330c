import { type ActNames, nameById } from '../../platform/act-names.ts';

export const resourceNames: ActNames = {
  assignment: nameById(async ({ read, id, account }) => {
    const row = await read
      .selectFrom('assignment')
      .select(['resource', 'netname'])
      .where('assignmentId', '=', id)
      .where('accountName', '=', account)
      .executeTakeFirst();
    return row && `${row.resource}, ${row.netname}`;
  }),
  'event delegation': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const row = await read.selectFrom('delegation').select(['resource', 'accountName']).where('delegationId', '=', id).executeTakeFirst();
    return row && `${row.resource} of ${row.accountName}`;
  }),
  lock: nameById(async ({ read, id, account, asStaff }) => {
    const row = await read
      .selectFrom('resourceLock as l')
      .innerJoin('delegation as d', 'd.delegationId', 'l.delegationId')
      .select(['d.resource', 'l.accountName'])
      .where('l.resourceLockId', '=', id)
      .executeTakeFirst();
    if (!row) return null;
    if (asStaff) return `${row.resource} of ${row.accountName}`;
    return row.accountName === account ? row.resource : null;
  }),
};
