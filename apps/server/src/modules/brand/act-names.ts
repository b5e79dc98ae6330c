import { type ActNames, nameById } from '../../platform/act-names.ts';

export const brandNames: ActNames = {
  'brand change': nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const change = await read.selectFrom('brandChange').select('reason').where('brandChangeId', '=', id).executeTakeFirst();
    return change?.reason ?? null;
  }),
};
