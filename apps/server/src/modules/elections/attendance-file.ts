import { maxAttendees } from '@portal/contract/elections/conferences';
import { Email } from '@portal/contract/email';
import * as z from 'zod/mini';
import { cellsOf } from '../../platform/csv-cells.ts';
import { portionsOfJson } from '../../platform/portions.ts';

/** One line of an attendance file. */
export type AttendanceLine = { email: string; registeredAt: string; attended: boolean };

const columns = ['email', 'registered_at', 'attended'] as const;
const yes = ['yes', 'true', '1', 'y'];
const no = ['no', 'false', '0', 'n', ''];
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Parses a list of registrations and attendance of a conference: CSV (RFC 4180) with the columns `email`, `registered_at` (ISO 8601 with its offset) and
 * `attended` (yes or no) in any order; others are ignored. Returns all errors together, with their line numbers.
 */
export function readAttendance(text: string): { lines: AttendanceLine[]; problems: string[] } {
  const { rows, problem } = cellsOf(text);
  if (problem !== null) return { lines: [], problems: [problem] };
  const [head, ...rest] = rows;
  const names = head?.cells.map(name => name.trim().toLowerCase()) ?? [];
  const places = columns.map(name => names.indexOf(name));
  const missing = columns.filter((_, place) => places[place] === -1);
  if (missing.length > 0) return { lines: [], problems: [`line 1: the column ${missing.join(', ')} is missing`] };
  if (rest.length > maxAttendees) return { lines: [], problems: [`${rest.length} lines; the limit is ${maxAttendees}`] };
  const problems: string[] = [];
  const lines: AttendanceLine[] = [];
  const seen = new Map<string, number>();
  for (const { line, cells } of rest) {
    if (cells.length !== names.length) {
      problems.push(`line ${line}: ${cells.length} cells, expected ${names.length}`);
      continue;
    }
    const [email = '', registeredAt = '', attended = ''] = places.map(place => cells[place]!.trim());
    const address = email.toLowerCase();
    const wrong = [!z.safeParse(Email, email).success && `email ${JSON.stringify(email)} isn’t an address`];
    const earlier = seen.get(address);
    if (earlier !== undefined) wrong.push(`email ${JSON.stringify(email)} is already in line ${earlier}`);
    if (!instant.test(registeredAt) || Number.isNaN(Date.parse(registeredAt)))
      wrong.push(`registered_at ${JSON.stringify(registeredAt)} isn’t a time such as 2027-02-01T10:00:00+10:00`);
    if (![...yes, ...no].includes(attended.toLowerCase())) wrong.push(`attended ${JSON.stringify(attended)} must be yes or no`);
    seen.set(address, earlier ?? line);
    const said = wrong.filter(Boolean);
    if (said.length > 0) problems.push(`line ${line}: ${said.join(', ')}`);
    else lines.push({ email: address, registeredAt: new Date(registeredAt).toISOString(), attended: yes.includes(attended.toLowerCase()) });
  }
  return { lines, problems };
}

/** People of a list whose addresses follow each other: from which address on, and their lines as JSON of `AttendanceLine`, which the database takes apart. */
export type AttendancePortion = { from: string; lines: string };

/** Yields people in the order of their addresses, in portions. */
export function* inOrder(lines: readonly AttendanceLine[]): Generator<AttendancePortion, void> {
  const ordered = lines.toSorted((a, b) => (a.email < b.email ? -1 : 1));
  for (const portion of portionsOfJson(ordered)) yield { from: portion[0]!.email, lines: JSON.stringify(portion) };
}
