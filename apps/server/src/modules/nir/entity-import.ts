import type { AnswerOf, BodyOf } from '@portal/contract';
import { entityColumns, maxImportedEntities, NewNirEntity, type nirEntities } from '@portal/contract/nir/entities';
import { sql } from 'kysely';
import { cellsOf } from '../../platform/csv-cells.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';

type Facts = ReturnType<typeof NewNirEntity.parse>;
type Line = { line: number; given: Record<string, string>; facts: Facts | null; problem: string | null };

/** Records the organisations that a file lists, all or none; each wrong line says why. One that is recorded already, by its registration number or its name, is wrong. */
export async function importEntities(
  change: Change,
  accountName: string,
  { csv, dryRun }: BodyOf<typeof nirEntities.importEntities>,
): Promise<AnswerOf<typeof nirEntities.importEntities>> {
  const lines = readLines(csv);
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
    const of = (field: keyof Facts): string[] => right.map(facts => facts[field]);
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

/** @throws Failure INVALID_REQUEST when the file has no rows, too many, or a header that is not ours */
function readLines(csv: string): Line[] {
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
  const [head, ...lines] = rows;
  const written = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const names = written.map(name => entityColumns.find(column => column.toLowerCase() === name));
  const unknown = written.filter((_, place) => names[place] === undefined);
  if (!names.includes('name') || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${entityColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : '; name is missing'}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedEntities)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedEntities} at a time` });
  return lines.map(({ cells, line }): Line => {
    const given = Object.fromEntries(names.map((name, place) => [name!, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]));
    const parsed = NewNirEntity.safeParse(given);
    return parsed.success
      ? { line, given, facts: parsed.data, problem: null }
      : { line, given, facts: null, problem: parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  });
}
