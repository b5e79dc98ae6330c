import { type ActNames, nameById } from '../../platform/act-names.ts';

export const privacyNames: ActNames = {
  erasure: nameById(async ({ read, id, asStaff }) => {
    if (!asStaff) return null;
    const asked = await read
      .selectFrom('erasure')
      .innerJoin('login', 'login.loginId', 'erasure.loginId')
      .select('login.fullName')
      .where('erasureId', '=', id)
      .executeTakeFirst();
    return asked?.fullName;
  }),
};
