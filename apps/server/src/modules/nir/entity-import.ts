import type { AnswerOf } from '@portal/contract';
import type { LongText } from '@portal/contract/long-text';
import type { nirEntities } from '@portal/contract/nir/entities';
import { sql } from 'kysely';
import type { Act } from '../../platform/http/endpoints.ts';
import { type ReadOf, readApart } from '../../platform/reading-apart.ts';
import type { read } from './entity-csv-thread.ts';

/** Reads a file of organisations in the thread for texts. */
export const entityLinesApart = readApart<typeof read>(new URL('./entity-csv-thread.ts', import.meta.url));

/** Reads the file of an import, before its change. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readEntityFile = ({
  account: { accountName },
  body: { csv },
}: {
  account: { accountName: string };
  body: { csv: LongText };
}): Promise<ReadOf<typeof read>> => entityLinesApart(accountName, csv, 'csv');

/**
 * Records the organisations of a file, all or none, a portion at a time; each wrong line gets its reason. One that already exists, by registration number or
 * name, is wrong.
 */
export async function importEntities(
  { change, account: { accountName }, body: { dryRun } }: Act<typeof nirEntities.importEntities>,
  { portions }: ReadOf<typeof read>,
): Promise<AnswerOf<typeof nirEntities.importEntities>> {
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const { facts } of portions) {
    const known = await change.rows<{ name: string; registrationNumber: string }>(sql`
      with given as materialized (select lower(name) as name, "registrationNumber" from json_to_recordset(${facts}::json) as g (name text, "registrationNumber" text))
      select lower(name) as name, registration_number from nir_entity
      where account_name = ${accountName} and merged_into is null and (lower(name) in (select name from given)
        or registration_number in (select "registrationNumber" from given where "registrationNumber" <> ''))`);
    for (const each of known) {
      names.add(each.name);
      if (each.registrationNumber !== '') numbers.add(each.registrationNumber);
    }
  }
  const rows = portions.flatMap(portion => portion.rows);
  for (const each of rows) {
    if (!each.known) continue;
    const { name, registrationNumber } = each.known;
    if (registrationNumber !== '' && numbers.has(registrationNumber))
      each.problem = `registrationNumber: ${registrationNumber} is recorded already`;
    else if (names.has(name.toLowerCase())) each.problem = `name: ${name} is recorded already`;
    names.add(name.toLowerCase());
    if (registrationNumber !== '') numbers.add(registrationNumber);
  }
  const stored = !dryRun && rows.every(({ problem }) => problem === null);
  if (stored)
    for (const { facts } of portions)
      await change.rows(sql`insert into nir_entity (account_name, name, local_name, registration_number, address, economy, phone, email, handle, remarks, updated_at)
        select ${accountName}, name, "localName", "registrationNumber", address, nullif(economy, ''), phone, email, handle, remarks, ${change.now}::timestamptz
        from json_to_recordset(${facts}::json) as given (name text, "localName" text, "registrationNumber" text, address text, economy text, phone text,
          email text, handle text, remarks text)`);
  await change.note({ rows: rows.length, stored });
  return { stored, rows: rows.map(({ known: _known, ...row }) => row) };
}
