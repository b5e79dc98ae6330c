import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';

/** Parts of the report, in its order. */
export const boardParts = {
  members: 'Members',
  resources: 'Resources',
  transfers: 'Transfers',
  income: 'Income',
  service: 'Service levels',
  elections: 'Elections',
  incidents: 'Incidents',
} as const;
export type BoardPart = keyof typeof boardParts;

/** How a number of the report is written; money is in the currency of the registry. */
export const boardUnits = ['count', 'money', 'percent', 'hours'] as const;
export type BoardUnit = (typeof boardUnits)[number];

const Fact = z.object({
  name: z.string(),
  unit: z.enum(boardUnits),
  /** Decimal text; null where there is nothing to measure. */
  value: z.nullable(z.string()),
  /** The same in the period before. */
  before: z.nullable(z.string()),
});
export type BoardFact = z.infer<typeof Fact>;

/** A month such as `2026-10`, or a year. */
const period = z
  .string()
  .check(z.regex(/^(?!0000)\d{4}(-(0[1-9]|1[0-2]))?$/, { error: 'Enter a month or a year, such as 2026-10 or 2026' }));

export const BoardReport = z.object({
  period,
  from: z.iso.date(),
  to: z.iso.date(),
  /** The period with which it is compared. */
  before: period,
  /** It has ended: its numbers stay as they are, whatever changes later. */
  isOver: z.boolean(),
  today: z.iso.date(),
  /** The first year of which there is something to report. */
  firstYear: z.int(),
  currency: z.string(),
  timeZone: z.string(),
  parts: z.array(z.object({ part: z.enum(Object.keys(boardParts) as [BoardPart, ...BoardPart[]]), facts: z.array(Fact) })),
});
export type BoardReport = z.infer<typeof BoardReport>;

const path = '/api/staff/board-reports/:period';
const access = staff('policy');

export const board = group('board', {
  getBoardReport: endpoint({
    method: 'GET',
    path,
    summary:
      'The report of a month or a year for the board: members, resources, transfers, income, service levels, elections and incidents, beside the period before.',
    access,
    answer: BoardReport,
    errors: ['NOT_FOUND'],
  }),
  exportBoardReport: endpoint({
    method: 'GET',
    path: `${path}/file`,
    summary: 'The same report as a PDF, CSV or JSON.',
    access,
    query: z.object({ format: z.enum(['pdf', 'csv', 'json']) }),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
});
