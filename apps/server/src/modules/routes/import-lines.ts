import type { NewRoute, RouteProblem } from '@portal/contract/routes/routes';
import { cellsOf } from '../../platform/csv-cells.ts';
import { cutText } from '../../platform/cut-text.ts';

/** A parsed line: the route with only the given fields. */
export type ReadLine = { line: number; given: Partial<NewRoute> & Pick<NewRoute, 'prefix' | 'asn'> };
/** The parsed lines of a text, and the problems of unreadable ones. */
export type ReadImport = { lines: ReadLine[]; problems: RouteProblem[] };

const columns = ['prefix', 'asn', 'maxLength', 'roa', 'whois', 'comment', 'owner'] as const;
type Column = (typeof columns)[number];
/** Column names used in files of registries and other portals. */
const heads: Record<string, Column> = {
  prefix: 'prefix',
  'ip prefix': 'prefix',
  asn: 'asn',
  as: 'asn',
  origin: 'asn',
  'origin as': 'asn',
  'as number': 'asn',
  maxlength: 'maxLength',
  'max length': 'maxLength',
  'max-length': 'maxLength',
  'maximum length': 'maxLength',
  maxlen: 'maxLength',
  roa: 'roa',
  whois: 'whois',
  comment: 'comment',
  owner: 'owner',
};
/** Columns of our export and of validators' files that a route doesn't have. */
const ofOthers = new Set([
  'roastate',
  'whoisstate',
  'seenby',
  'validity',
  'uri',
  'not before',
  'not after',
  'trust anchor',
  'ta',
  'expires',
]);
/** Unknown columns that are named in a problem, and how much of each. */
const UNKNOWN_NAMED = 5;
const UNKNOWN_LENGTH = 40;
const switches: Record<string, boolean> = { yes: true, on: true, true: true, '1': true, no: false, off: false, false: false, '0': false };

/** False for a line such as `192.0.2.0/24 AS64500` among lines with commas. */
const isParted = (cells: readonly string[]): boolean => cells.length > 1 || !/^\s*\S+\/\d\S*[ \u00a0]/.test(cells[0]!);

/**
 * Reads pasted lines or a CSV file: with a header line in any order, or without one as `prefix, AS number, maximum length, ROA, whois, comment,
 * owner`. A line without commas is separated by spaces. `192.0.2.0/23-24 => AS64500`, as other RPKI software writes it, is read too. Lines that begin
 * with `#` are skipped. Every unreadable line is a separate problem, and so is a header with a column that neither routes nor validators' files have.
 */
export function readImport(text: string): ReadImport {
  const problems: RouteProblem[] = [];
  const lines: ReadLine[] = [];
  // Comments and the arrow keep their line, so that line numbers match the person's text.
  const tidy = text
    .split(/\r\n|\r|\n/)
    .map(line => (line.trimStart().startsWith('#') ? '' : line.replace(/\s*=>\s*/, ',')))
    .join('\n');
  const { rows, problem } = cellsOf(/[,;\t]/.test(tidy) ? tidy : tidy.replace(/[ \u00a0]+/g, ','));
  if (problem !== null) return { lines, problems: [{ list: 'text', index: 1, field: null, route: '', problem }] };
  let order: readonly (Column | null)[] = columns;
  for (const [place, { cells: raw, line }] of rows.entries()) {
    const cells = (isParted(raw) ? raw : raw[0]!.trim().split(/[ \u00a0]+/)).map(cell => cell.trim());
    const names = place === 0 ? cells.map(cell => cell.toLowerCase().replace(/_/g, ' ')) : [];
    const named = names.map(name => heads[name] ?? null);
    if (named.includes('prefix') && named.includes('asn')) {
      order = named;
      const unknown = cells.filter((cell, at) => cell !== '' && named[at] === null && !ofOthers.has(names[at]!));
      if (unknown.length > 0) {
        const shown = unknown.slice(0, UNKNOWN_NAMED).map(cell => cutText(cell, UNKNOWN_LENGTH));
        const problem = `No column is called ${shown.join(', ')}. The columns are ${columns.join(', ')}`;
        problems.push({ list: 'text', index: line, field: null, route: '', problem });
      }
      continue;
    }
    const value = (column: Column): string => cells[order.indexOf(column)] ?? '';
    const report = (field: Column | null, words: string) =>
      problems.push({ list: 'text', index: line, field, route: cells.slice(0, 3).join(' ').slice(0, 80), problem: words });
    const [prefix = '', suffix] = value('prefix').split(/(?<=\/\d{1,3})-/);
    const length = value('maxLength') || (suffix ?? '');
    if (prefix === '') report('prefix', 'Enter a prefix, such as 192.0.2.0/24');
    else if (value('asn') === '') report('asn', 'Enter an AS number, such as AS64500');
    else if (length !== '' && !/^\/?\d{1,3}$/.test(length)) report('maxLength', `${length} is not a prefix length, such as 24`);
    else {
      const given: ReadLine['given'] = { prefix, asn: value('asn') };
      if (length !== '') given.maxLength = Number(length.replace('/', ''));
      let isRight = true;
      for (const name of ['roa', 'whois'] as const) {
        const word = value(name).toLowerCase();
        if (word === '') continue;
        if (word in switches) given[name] = switches[word]!;
        else {
          report(name, `${value(name)} isn’t yes or no`);
          isRight = false;
        }
      }
      for (const name of ['comment', 'owner'] as const)
        if (value(name) !== '') given[name] = value(name).slice(0, name === 'comment' ? 200 : 80);
      if (isRight) lines.push({ line, given });
    }
  }
  return { lines, problems };
}
