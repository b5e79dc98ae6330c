import type { AnswerOf } from '@portal/contract';
import type { nirEntities } from '@portal/contract/nir/entities';
import { sql } from 'kysely';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart } from '../../platform/reading-apart.ts';
import type { EntityFacts, EntityLine, readEntityLines } from './entity-csv.ts';

/** Reads a file of organisations in the thread for texts. */
export const entityLinesApart = readApart<typeof readEntityLines>(new URL('./entity-csv-thread.ts', import.meta.url));

/** Reads the file of an import, before its change. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readEntityFile = ({
  account: { accountName },
  body: { csv },
}: {
  account: { accountName: string };
  body: { csv: string };
}): Promise<EntityLine[]> => entityLinesApart(accountName, csv, 'csv');

/** Records the organisations of a file, all or none; each wrong line gets its reason. One that already exists, by registration number or name, is wrong. */
export async function importEntities(
  { change, account: { accountName }, body: { dryRun } }: Act<typeof nirEntities.importEntities>,
  lines: EntityLine[],
): Promise<AnswerOf<typeof nirEntities.importEntities>> {
  const right = lines.flatMap(({ facts }) => (facts ? [facts] : []));
  const known = await change.rows<{
    name: string;
    registrationNumber: string;
  }>(sql`select lower(name) as name, registration_number from nir_entity
    where account_name = ${accountName} and merged_into is null and (lower(name) in (select lower(n) from unnest(${right.map(({ name }) => name)}::text[]) n)
      or registration_number = any(${right.map(({ registrationNumber }) => registrationNumber).filter(number => number !== '')}::text[]))`);
  const names = new Set(known.map(({ name }) => name));
  const numbers = new Set(known.map(({ registrationNumber }) => registrationNumber).filter(number => number !== ''));
  for (const each of lines) {
    if (!each.facts) continue;
    const { name, registrationNumber } = each.facts;
    if (registrationNumber !== '' && numbers.has(registrationNumber))
      each.problem = `registrationNumber: ${registrationNumber} is recorded already`;
    else if (names.has(name.toLowerCase())) each.problem = `name: ${name} is recorded already`;
    names.add(name.toLowerCase());
    if (registrationNumber !== '') numbers.add(registrationNumber);
  }
  const stored = !dryRun && lines.every(({ problem }) => problem === null);
  if (stored) {
    const of = (field: keyof EntityFacts): string[] => right.map(facts => facts[field]);
    await change.rows(sql`insert into nir_entity (account_name, name, local_name, registration_number, address, economy, phone, email, handle, remarks, updated_at)
      select ${accountName}, name, local_name, registration_number, address, nullif(economy, ''), phone, email, handle, remarks, ${change.now}::timestamptz
      from unnest(${of('name')}::text[], ${of('localName')}::text[], ${of('registrationNumber')}::text[], ${of('address')}::text[], ${of('economy')}::text[],
        ${of('phone')}::text[], ${of('email')}::text[], ${of('handle')}::text[], ${of('remarks')}::text[])
        as given (name, local_name, registration_number, address, economy, phone, email, handle, remarks)`);
  }
  await change.note({ rows: lines.length, stored });
  return {
    stored,
    rows: lines.map(({ line, given, problem }) => ({
      line,
      name: given['name'] ?? '',
      registrationNumber: given['registrationNumber'] ?? '',
      economy: given['economy'] ?? '',
      problem,
    })),
  };
}
