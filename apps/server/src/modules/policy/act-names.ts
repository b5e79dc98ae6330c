import { type ActNames, nameById } from '../../platform/act-names.ts';
import { dayInFull } from '../../platform/day-words.ts';

export const policyNames: ActNames = {
  'policy change': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const change = await read.selectFrom('policyChange').select('validFrom').where('policyChangeId', '=', id).executeTakeFirst();
    return change && dayInFull(change.validFrom);
  }),
};
