import { restraintKinds } from '@portal/contract/restraints/restraints';
import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import type { ActNames } from '../../platform/act-names.ts';
import { restraintRows } from './restraint-row.ts';

/** The names of things in questions about acts. */
export const restraintsNames: ActNames = {
  restraint: async ({ read, id, asStaff }) => {
    if (!asStaff || !isRowId(id)) return null;
    const [row] = await read.rows(restraintRows(sql`r.account_restraint_id = ${Number(id)}`));
    return row ? `${restraintKinds[row.kind]} on ${row.accountName}` : null;
  },
};
