import { type ActNames, nameById } from '../../platform/act-names.ts';
import { dayInWords } from '../../platform/day-words.ts';

export const routeNames: ActNames = {
  'route change': nameById(async ({ read, id, account }) => {
    const row = await read
      .selectFrom('routeChange')
      .select(['madeBy', 'madeAt'])
      .where('routeChangeId', '=', id)
      .where('accountName', '=', account)
      .executeTakeFirst();
    return row && `${dayInWords(row.madeAt)}, ${row.madeAt.slice(11, 16)} UTC, by ${row.madeBy}`;
  }),
};
