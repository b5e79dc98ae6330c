import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { policyValueNames } from './policy-values.ts';

const Name = z.enum(policyValueNames, { error: 'Choose a value of the policy' });
/** As decimal text, whatever it counts: `16`, `10000.00`. */
const Value = z.string();

const Changed = z.object({ name: Name, before: Value, after: Value });
export type ChangedValue = z.infer<typeof Changed>;

/** A change of some values, which count from a day on. */
export const PolicyChange = z.object({
  changeId: z.string(),
  validFrom: z.iso.date(),
  /**
   * `prepared`: to be looked at, or waiting for a second person. `confirmed`: its day is to come. `in-force`: its day has begun. `fixed`: it was confirmed, and has no effect
   * while the profile file fixes all its values.
   */
  state: z.enum(['prepared', 'confirmed', 'in-force', 'fixed', 'withdrawn', 'discarded']),
  values: z.array(Changed),
  reason: z.string(),
  /** The decision that it follows, such as minutes; empty where it follows none. */
  decision: z.string(),
  preparedBy: z.string(),
  /** Where a colleague asks about it. */
  preparedByEmail: z.string(),
  preparedAt: z.iso.datetime(),
  proposedBy: z.nullable(z.string()),
  confirmedBy: z.nullable(z.string()),
  confirmedAt: z.nullable(z.iso.datetime()),
  endedBy: z.nullable(z.string()),
  endedAt: z.nullable(z.iso.datetime()),
  /** Until then it can be confirmed, or withdrawn once it is. */
  until: z.iso.datetime(),
  /** The announcement to members that was written with it, as a draft; of a change that was withdrawn after it was published, the draft that says so. */
  announcement: z.nullable(z.object({ announcementId: z.string(), state: z.enum(['draft', 'scheduled', 'published', 'taken-back']) })),
  /** Values of it that the profile file fixes: they have no effect. */
  fixed: z.array(Name),
});
export type PolicyChange = z.infer<typeof PolicyChange>;

const PolicyValue = z.object({
  name: Name,
  /** In force on the day that is asked for. */
  value: Value,
  /** The day and the change from which it counts; null for the value of the profile file. */
  since: z.nullable(z.object({ day: z.iso.date(), changeId: z.string() })),
  /** The next confirmed change after that day. */
  next: z.nullable(z.object({ day: z.iso.date(), changeId: z.string(), value: Value })),
  inFile: Value,
  /** The profile file alone decides it. */
  fixed: z.boolean(),
  /** The end of a sentence: `a whole number from 1 to 1,000`. */
  bounds: z.string(),
});
export type PolicyValue = z.infer<typeof PolicyValue>;

export const PolicyDesk = z.object({
  today: z.iso.date(),
  /** The day whose values these are. */
  on: z.iso.date(),
  timeZone: z.string(),
  currency: z.string(),
  /** The profile file, as the settings name it; empty for the example registry. */
  file: z.string(),
  /** The first day from which a change without more notice can count. */
  earliest: z.iso.date(),
  values: z.array(PolicyValue),
  /** The latest day first; of those that ended without counting the last few. */
  changes: z.array(PolicyChange),
});
export type PolicyDesk = z.infer<typeof PolicyDesk>;

/** The effect of a change of one value on what is there now: an estimate. */
const Affected = z.object({
  name: Name,
  /** In a sentence: `2 of 14 open cases would be late`. */
  sentence: z.string(),
  /** The word for what is listed: `case`, `account`. */
  of: z.string(),
  /** How many there are, and how many of them the change is different for. */
  all: z.int(),
  met: z.int(),
  /** So many rows are of facts that the reader’s permissions don’t show. */
  unseen: z.int(),
  rows: z.array(
    z.object({
      what: z.string(),
      detail: z.string(),
      link: z.nullable(z.string()),
      before: z.string(),
      after: z.string(),
      /** The same as numbers, to be drawn; null where there are none. */
      numbers: z.nullable(z.tuple([z.number(), z.number()])),
    }),
  ),
});
export type PolicyMet = z.infer<typeof Affected>;

export const PolicyEffect = z.object({
  changeId: z.string(),
  /** When it was computed. */
  at: z.iso.datetime(),
  met: z.array(Affected),
  /** Values of it that are no longer what they were when it was prepared. */
  moved: z.array(z.object({ name: Name, now: Value })),
});
export type PolicyEffect = z.infer<typeof PolicyEffect>;

/** The most values of one change. */
const MOST = 50;

export const PolicyProposal = z.strictObject({
  validFrom: calendarDay('2028-01-01'),
  values: z.array(z.strictObject({ name: Name, value: z.string({ error: 'Enter a value' }).check(z.trim(), z.maxLength(20)) })).check(
    z.minLength(1, { error: 'Choose at least one value to change' }),
    z.maxLength(MOST, { error: `Change at most ${MOST} values together` }),
    z.refine(values => new Set(values.map(({ name }) => name)).size === values.length, { error: 'Name each value once' }),
  ),
  reason: severalLines(1000, 3),
  decision: oneLine(200),
});
export type PolicyProposal = z.infer<typeof PolicyProposal>;

const path = '/api/staff/policy';
const access = staff('policy');
const Format = z.enum(['csv', 'json']);

export const policy = group('policy', {
  getPolicy: endpoint({
    method: 'GET',
    path,
    summary: 'Values of the policy as they are on a day, and their changes: prepared, to come, in force, and ended.',
    access,
    query: z.object({ on: z.optional(calendarDay('2027-06-30')) }),
    answer: PolicyDesk,
  }),
  exportPolicy: endpoint({
    method: 'GET',
    path: `${path}/table`,
    summary: 'Every value of the policy with each day from which it changed, who proposed and who confirmed it, as CSV or JSON.',
    access,
    query: z.object({ format: Format }),
    answer: 'download',
  }),
  getPolicyEffect: endpoint({
    method: 'GET',
    path: `${path}/changes/:changeId/effect`,
    summary:
      'An estimate of what a change affects now: open cases, accounts, acts and terms, by value; rows only of what the reader sees elsewhere.',
    access,
    answer: PolicyEffect,
    errors: ['NOT_FOUND'],
  }),
  exportPolicyEffect: endpoint({
    method: 'GET',
    path: `${path}/changes/:changeId/effect/table`,
    summary: 'Everything that a change is different for, as CSV or JSON.',
    access,
    query: z.object({ format: Format }),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
  preparePolicyChange: endpoint({
    method: 'POST',
    path: `${path}/changes`,
    summary: 'Prepare a change of the policy, to see what it affects before it is confirmed.',
    access,
    effect: 'drafts',
    body: PolicyProposal,
    answer: PolicyChange,
    errors: ['POLICY_DAY', 'POLICY_FIXED', 'POLICY_TAKEN', 'POLICY_FOLLOWED', 'NOTHING_TO_DO'],
    activity: 'Prepared a change of the policy',
  }),
  discardPolicyChange: endpoint({
    method: 'DELETE',
    path: `${path}/changes/:changeId`,
    summary: 'Discard a prepared change of the policy.',
    access,
    effect: 'drafts',
    errors: ['NOT_FOUND', 'POLICY_ENDED'],
    activity: 'Discarded a change of the policy',
  }),
  confirmPolicyChange: endpoint({
    method: 'POST',
    path: `${path}/changes/:changeId/confirm`,
    summary: 'Confirm a change of the policy: its values take effect on its day. A second person approves it.',
    access,
    effect: ['control', 'money'],
    limit: 'two people',
    answer: PolicyChange,
    errors: ['NOT_FOUND', 'POLICY_DAY', 'POLICY_FIXED', 'POLICY_TAKEN', 'POLICY_MOVED', 'POLICY_FOLLOWED', 'POLICY_ENDED'],
    secondPersonWhen: 'the policy, always',
    activity: 'Confirmed a change of the policy',
  }),
  withdrawPolicyChange: endpoint({
    method: 'POST',
    path: `${path}/changes/:changeId/withdraw`,
    summary: 'Withdraw a confirmed change of the policy before its day. A second person approves it.',
    access,
    effect: ['control', 'money'],
    limit: 'two people',
    answer: PolicyChange,
    errors: ['NOT_FOUND', 'POLICY_ENDED'],
    secondPersonWhen: 'the policy, always',
    activity: 'Withdrew a change of the policy',
  }),
});
