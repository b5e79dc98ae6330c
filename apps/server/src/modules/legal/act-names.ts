import { sql } from 'kysely';
import type { ActNames } from '../../platform/act-names.ts';
import { versionRows } from './versions.ts';

export const legalNames: ActNames = {
  'legal text': async ({ read, id, asStaff }) => {
    if (!asStaff || id.length > 30) return null;
    const [row] = await versionRows(read, sql`v.text = ${id} and (v.version is not null or v.ended_at is null)`);
    return row?.title ?? null;
  },
};
