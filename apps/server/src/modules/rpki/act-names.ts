import { type ActNames, nameById } from '../../platform/act-names.ts';

export const rpkiNames: ActNames = {
  'provider authorisation': nameById(async ({ read, id, account }) => {
    const row = await read
      .selectFrom('aspa')
      .select('customer')
      .where('aspaId', '=', id)
      .where('accountName', '=', account)
      .executeTakeFirst();
    return row && `AS${row.customer}`;
  }),
  'signed checklist': nameById(async ({ read, id, account }) => {
    const row = await read
      .selectFrom('rpkiChecklist')
      .select(['resources', 'fileNames'])
      .where('checklistId', '=', id)
      .where('accountName', '=', account)
      .executeTakeFirst();
    return row && `${row.fileNames.join(', ') || 'files'} for ${row.resources.join(', ')}`;
  }),
};
