import type { NirDelegation } from '@portal/contract/nir/delegations';
import { type NumberResource, parseResource, ResourceSyntaxError } from '@portal/number-resources';
import { csvOf, rowsOf } from '../csv-records.ts';

/** The facts of a delegation at the registry that are compared. */
export type Registered = Pick<NirDelegation, 'resource' | 'subaccountId' | 'subaccount' | 'netname' | 'type'>;
/** A row of the national registry’s own list. An empty netname or kind isn’t compared. */
export type Listed = { line: number; resource: string; subaccount: string; netname: string; kind: string };
type Fields = 'subaccount' | 'netname' | 'kind';

/**
 * A difference between the list and the registry: `missing-here` is only in the list, `missing-there` only in the registry, `range` is in both with other ends, `fields` has the same numbers with
 * other facts, and `unread` is a row that can’t be compared.
 */
export type Difference =
  | { about: 'missing-here'; listed: Listed }
  | { about: 'missing-there'; registered: Registered }
  | { about: 'range'; listed: Listed; registered: readonly Registered[] }
  | { about: 'fields'; listed: Listed; registered: Registered; fields: readonly Fields[] }
  | { about: 'unread'; listed: Listed; problem: string };
export type Comparison = { same: number; differences: Difference[] };

/** Columns that a list must have. */
const neededColumns = ['subaccount', 'resource'] as const;

/** Returns the rows of a list, or what is wrong with its first line. */
export function readList(csv: string): { rows: Listed[] } | { problem: string } {
  const { columns, rows } = rowsOf(csv);
  const missing = neededColumns.filter(name => !columns.includes(name));
  if (missing.length > 0)
    return { problem: `The first line must name the columns ${neededColumns.join(' and ')}. Missing: ${missing.join(', ')}` };
  if (rows.length === 0) return { problem: 'There are no rows below the first line' };
  return {
    rows: rows.map(({ line, cells }) => ({
      line,
      resource: cells['resource'] ?? '',
      subaccount: (cells['subaccount'] ?? '').toUpperCase(),
      netname: (cells['netname'] ?? '').toUpperCase(),
      kind: (cells['kind'] ?? cells['type'] ?? '').toLowerCase(),
    })),
  };
}

type Placed<Row> = { row: Row; range: NumberResource };
const keyOf = ({ family, first, last }: NumberResource): string => `${family} ${first} ${last}`;
const inOrder = (a: Placed<unknown>, b: Placed<unknown>): number =>
  a.range.family === b.range.family ? (a.range.first < b.range.first ? -1 : 1) : a.range.family < b.range.family ? -1 : 1;

/** Compares the national registry’s own list with what the registry has. Numbers in no sub-account can be in either without the other. */
export function compareLists(list: readonly Listed[], registered: readonly Registered[]): Comparison {
  const ours = registered.map(row => ({ row, range: parseResource(row.resource) })).toSorted(inOrder);
  const byKey = new Map(ours.map(each => [keyOf(each.range), each]));
  const met = new Set<Placed<Registered>>();
  const lines = new Map<string, number>();
  const differences: Difference[] = [];
  let same = 0;
  const unmatched: Placed<Listed>[] = [];
  for (const listed of list) {
    const range = rangeOf(listed.resource);
    if (typeof range === 'string') {
      differences.push({ about: 'unread', listed, problem: range });
      continue;
    }
    const key = keyOf(range);
    const before = lines.get(key);
    if (before !== undefined) {
      differences.push({ about: 'unread', listed, problem: `It is listed before, in line ${before}` });
      continue;
    }
    lines.set(key, listed.line);
    const own = byKey.get(key);
    if (!own) {
      unmatched.push({ row: listed, range });
      continue;
    }
    met.add(own);
    const fields = otherFields(listed, own.row);
    if (fields.length === 0) same++;
    else differences.push({ about: 'fields', listed, registered: own.row, fields });
  }
  for (const { row: listed, range } of unmatched) {
    const across = meeting(ours, range).filter(each => !met.has(each));
    for (const each of across) met.add(each);
    differences.push(
      across.length === 0 ? { about: 'missing-here', listed } : { about: 'range', listed, registered: across.map(({ row }) => row) },
    );
  }
  for (const each of ours) if (!met.has(each)) differences.push({ about: 'missing-there', registered: each.row });
  return { same, differences };
}

/** Registered numbers of one registry never overlap, so that those that meet a range lie side by side. */
function meeting(ours: readonly Placed<Registered>[], range: NumberResource): Placed<Registered>[] {
  let [low, high] = [0, ours.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { range: other } = ours[middle]!;
    if (other.family < range.family || (other.family === range.family && other.last < range.first)) low = middle + 1;
    else high = middle;
  }
  const found: Placed<Registered>[] = [];
  for (let place = low; ours[place]?.range.family === range.family && ours[place]!.range.first <= range.last; place++)
    found.push(ours[place]!);
  return found;
}

function rangeOf(text: string): NumberResource | string {
  if (text === '') return 'Enter a prefix, range or AS number';
  try {
    return parseResource(text);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return error.message;
  }
}

function otherFields(listed: Listed, { subaccount, netname, type }: Registered): Fields[] {
  return [
    ...(listed.subaccount === subaccount ? [] : (['subaccount'] as const)),
    ...(listed.netname === '' || listed.netname === netname.toUpperCase() ? [] : (['netname'] as const)),
    ...(listed.kind === '' || listed.kind === type ? [] : (['kind'] as const)),
  ];
}

/** Rows that the registry doesn’t have, as a file that can be imported. */
export const asImport = (rows: readonly Listed[]): string =>
  csvOf(
    ['subaccount', 'resource', 'kind', 'netname'],
    rows.map(({ subaccount, resource, kind, netname }) => [subaccount, resource, kind, netname]),
  );

const aboutWords: Record<Difference['about'], string> = {
  'missing-here': 'not at the registry',
  'missing-there': 'not in your list',
  range: 'other numbers',
  fields: 'other facts',
  unread: 'not compared',
};

/** All differences as a file. */
export const asFile = (differences: readonly Difference[]): string =>
  csvOf(
    ['difference', 'line', 'yours', 'your subaccount', 'your netname', 'registry', 'registry subaccount', 'registry netname', 'problem'],
    differences.map(each => {
      const registered = 'registered' in each ? (Array.isArray(each.registered) ? each.registered : [each.registered]) : [];
      const listed = 'listed' in each ? each.listed : null;
      return [
        aboutWords[each.about],
        listed ? String(listed.line) : '',
        listed?.resource ?? '',
        listed?.subaccount ?? '',
        listed?.netname ?? '',
        registered.map(({ resource }) => resource).join(' '),
        registered.map(({ subaccount }) => subaccount).join(' '),
        registered.map(({ netname }) => netname).join(' '),
        each.about === 'unread' ? each.problem : '',
      ];
    }),
  );
