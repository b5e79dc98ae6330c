import type { KeptFigures } from './kept-figures.ts';

/** A cell of CSV (RFC 4180). */
const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Returns a day’s figures as lines of one value each: what it is about, what is counted, and how much. */
export function figuresCsv({ day, figures }: KeptFigures): string {
  const { pools, months, economies, members, coverage, levels, answers } = figures;
  const of = (section: string, item: string, values: object): (string | number | null)[][] =>
    Object.entries(values as Record<string, string | number | null>).map(([measure, value]) => [day, section, item, measure, value]);
  const rows = [
    ['day', 'section', 'item', 'measure', 'value'],
    ...pools.flatMap(({ kind, ...values }) => of('pools', kind, values)),
    ...months.flatMap(({ month, ...values }) => of('months', month, values)),
    ...economies.flatMap(({ economy, ...values }) => of('economies', economy, values)),
    ...of('members', 'all', members),
    ...coverage.flatMap(({ kind, ...values }) => of('coverage', kind, values)),
    ...levels.flatMap(({ service, months: ofService = [], ...values }) => [
      ...of('levels', service, values),
      ...ofService.flatMap(({ month, ...counts }) => of('levels', `${service} ${month}`, counts)),
    ]),
    ...(answers?.months ?? []).flatMap(({ month, ...counts }) => of('levels', `answers ${month}`, counts)),
  ];
  return rows.map(row => `${row.map(cell).join(',')}\r\n`).join('');
}
