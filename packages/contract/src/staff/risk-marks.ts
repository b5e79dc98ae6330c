import * as z from 'zod/mini';
import { daysAfter, yearsAfter } from '../days.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { casePermissions } from '../staff-permissions.ts';

/** Who sets and removes marks on accounts: those who decide about an account, or read private data of it. All who read accounts see them. */
export const riskMarkers = ['private-data', ...casePermissions] as const;

/** Marks in force that an account can have. */
export const maxRiskMarks = 20;

/** The first and the latest last day of a mark that is set today: tomorrow, and the same day of next year. */
export const riskMarkDays = (today: string): { earliest: string; latest: string } => ({
  earliest: daysAfter(today, 1),
  latest: yearsAfter(today, 1),
});

/** A mark that a person of the registry set on an account, for colleagues only. */
export const RiskMark = z.object({
  riskMarkId: z.string(),
  title: z.string(),
  reason: z.string(),
  /** The last day on which it counts, in the registry’s time zone. */
  endsOn: z.iso.date(),
  setBy: z.string(),
  setAt: z.iso.datetime(),
});
export type RiskMark = z.infer<typeof RiskMark>;

/** A mark that is over: its last day was, or a person removed it before. */
export const EarlierRiskMark = z.extend(RiskMark, {
  removedBy: z.nullable(z.string()),
  removedAt: z.nullable(z.iso.datetime()),
  removalReason: z.nullable(z.string()),
});
export type EarlierRiskMark = z.infer<typeof EarlierRiskMark>;

/** Marks that are over and are still kept, of which an account lists so many. */
export const maxEarlierMarks = 20;

/** The marks in force, those that end first before the others. */
const answer = z.object({ marks: z.array(RiskMark) });

export const riskMarks = group('staff.riskMarks', {
  addRiskMark: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/risk-marks',
    summary: 'Set a risk mark on an account, with a reason and a last day within a year. Only registry staff see it.',
    access: staff(riskMarkers),
    effect: 'records',
    body: z.object({
      title: oneLine(80, 3, 'Enter at least 3 characters, such as Access asked from a new domain'),
      reason: oneLine(300, 3, 'Enter at least 3 characters: what a colleague has to know'),
      endsOn: z.iso.date({ error: 'Enter a day, such as 2027-03-31' }),
    }),
    answer,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'RISK_MARK_THERE', 'TOO_MANY_RISK_MARKS'],
    activity: 'Set a risk mark',
  }),
  removeRiskMark: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/risk-marks/:riskMarkId/remove',
    summary: 'Remove a risk mark before its last day, and say why.',
    access: staff(riskMarkers),
    effect: 'records',
    body: z.object({ reason: severalLines(500, 1) }),
    answer,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'RISK_MARK_ENDED'],
    activity: 'Removed a risk mark',
  }),
});
