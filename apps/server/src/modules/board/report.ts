import type { Download } from '@portal/contract';
import { type BoardPart, boardParts, type BoardReport, type board } from '@portal/contract/board/board';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { BoardDays } from '../../platform/board-facts.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { printerIn } from '../../platform/pdf/printing.ts';
import type { Registry } from '../../platform/registry.ts';
import { tableFile } from '../../platform/table-file.ts';
import type { BoardPaper } from './report-pdf.ts';
import { factWords, periodWords } from './report-words.ts';

const print = printerIn<BoardPaper>(new URL('./report-thread.ts', import.meta.url));

/** Months of a period: of a year all of them. */
const monthsIn = (period: string): number => (period.length === 4 ? 12 : 1);
const firstDay = (period: string): string => (period.length === 4 ? `${period}-01-01` : `${period}-01`);

/** The days of a month or a year. */
const daysOf = (period: string): BoardDays => ({
  from: firstDay(period),
  to: daysAfter(monthsAfter(firstDay(period), monthsIn(period)), -1),
});

/** The month or year before. */
const periodBefore = (period: string): string => monthsAfter(firstDay(period), -monthsIn(period)).slice(0, period.length);

/** The first year with an account or a delegation. */
async function firstYearOf(read: Pick<Read, 'rows'>, today: string): Promise<number> {
  const [row] = await read.rows<{ year: number | null }>(sql`select extract(year from least((select min(member_since) from account),
    (select min(delegated_on) from delegation where registry = '')))::int as year`);
  return row!.year ?? Number(today.slice(0, 4));
}

/** Puts together the report of a period. @throws Failure NOT_FOUND where it hasn't begun, or is before the registry */
async function reportOf(read: Pick<Read, 'rows'>, period: string, { now, today, profile, modules }: Registry): Promise<BoardReport> {
  const firstYear = await firstYearOf(read, today);
  const days = daysOf(period);
  if (days.from > today || Number(period.slice(0, 4)) < firstYear) throw refuse('NOT_FOUND', { what: `The report of ${period}` });
  const before = periodBefore(period);
  const parts: BoardReport['parts'] = [];
  for (const part of Object.keys(boardParts) as BoardPart[]) {
    const factsOf = modules.filter(({ boardFacts }) => boardFacts?.[part]).map(({ boardFacts }) => boardFacts![part]!);
    const facts: BoardReport['parts'][number]['facts'] = [];
    for (const of of factsOf) {
      const [is, was] = [await of(read, days, { profile, now }), await of(read, daysOf(before), { profile, now })];
      facts.push(...is.map((fact, place) => ({ ...fact, before: was[place]!.value })));
    }
    parts.push({ part, facts });
  }
  const { currency, timeZone } = profile;
  return { period, ...days, before, isOver: days.to < today, today, firstYear, currency, timeZone, parts };
}

/** Returns the report of a month or a year. @throws Failure NOT_FOUND */
export const getBoardReport = ({ read, params: { period }, registry }: Act<typeof board.getBoardReport>): Promise<BoardReport> =>
  reportOf(read, periodIn(period), registry);

/** @throws Failure NOT_FOUND where it is no month or year */
function periodIn(period: string): string {
  if (!/^(?!0000)\d{4}(-(0[1-9]|1[0-2]))?$/.test(period)) throw refuse('NOT_FOUND', { what: 'The report' });
  return period;
}

const columns = ['part', 'fact', 'unit', 'from', 'to', 'value', 'before'] as const;

/** Returns the report as a file. @throws Failure NOT_FOUND */
export async function exportBoardReport({
  read,
  params: { period },
  query: { format },
  registry,
}: Act<typeof board.exportBoardReport>): Promise<Download> {
  const report = await reportOf(read, periodIn(period), registry);
  const name = `board-report-${report.period}`;
  if (format === 'pdf') {
    const pdf = await print(paperOf(report, registry));
    const chunks = async function* () {
      yield pdf;
    };
    return { fileName: `${name}.pdf`, contentType: 'application/pdf', bytes: pdf.length, chunks: chunks() };
  }
  const { from, to, parts } = report;
  const rows = async function* () {
    for (const { part, facts } of parts)
      yield facts.map(({ name: fact, unit, value, before }) => ({
        part: boardParts[part],
        fact,
        unit: unit === 'money' ? report.currency : unit,
        from,
        to,
        value: value ?? '',
        before: before ?? '',
      }));
  };
  return tableFile(name, format, columns, rows());
}

/** The report as it is printed. */
const paperOf = (
  report: BoardReport,
  { profile: { registryName }, config: { certificateFonts } }: Pick<Registry, 'profile' | 'config'>,
): BoardPaper => ({
  title: `Board report of ${periodWords(report.period)}`,
  sub: report.isOver
    ? `From ${report.from} to ${report.to}, beside ${periodWords(report.before)}. Amounts in ${report.currency}, days in ${report.timeZone}.`
    : `So far, from ${report.from} to ${report.today}, beside the whole of ${periodWords(report.before)}. Amounts in ${report.currency}, days in ${report.timeZone}.`,
  registryName,
  period: periodWords(report.period),
  before: periodWords(report.before),
  to: report.to,
  fonts: [...certificateFonts],
  parts: report.parts.map(({ part, facts }) => ({
    title: boardParts[part],
    rows: facts.map(fact => ({ name: fact.name, value: factWords(fact, fact.value), before: factWords(fact, fact.before) })),
  })),
});
