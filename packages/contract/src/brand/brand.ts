import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, staff } from '../endpoint.ts';
import { longText } from '../long-text.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { brandValueNames } from './brand-values.ts';

const Name = z.enum(brandValueNames, { error: 'Choose a value of the brand' });

/** A change of some values, which are in force from an instant on. */
export const BrandChange = z.object({
  changeId: z.string(),
  /** The day of the registry from which it is in force; null: as soon as it is confirmed. */
  validFrom: z.nullable(z.iso.date()),
  /** When it began, or will begin; null until it is confirmed. */
  beginsAt: z.nullable(z.iso.datetime()),
  /** `prepared`: to be looked at, or waiting for a second person. `confirmed`: its day is to come. */
  state: z.enum(['prepared', 'confirmed', 'in-force', 'withdrawn', 'discarded']),
  values: z.array(z.object({ name: Name, before: z.string(), after: z.string() })),
  reason: z.string(),
  preparedBy: z.string(),
  preparedAt: z.iso.datetime(),
  proposedBy: z.nullable(z.string()),
  confirmedBy: z.nullable(z.string()),
  confirmedAt: z.nullable(z.iso.datetime()),
  endedBy: z.nullable(z.string()),
  endedAt: z.nullable(z.iso.datetime()),
  /** Every value as it was once this change had begun, to go back to it; null of one that has not begun. */
  version: z.nullable(z.array(z.object({ name: Name, value: z.string() }))),
  /** The value of the cookie of a preview; null once it is over. */
  preview: z.nullable(z.string()),
});
export type BrandChange = z.infer<typeof BrandChange>;

const BrandValue = z.object({
  name: Name,
  value: z.string(),
  /** The change that set it; null for the value of the profile file. */
  since: z.nullable(z.object({ changeId: z.string(), beganAt: z.iso.datetime() })),
  /** The next confirmed change of it. */
  next: z.nullable(z.object({ changeId: z.string(), day: z.iso.date(), value: z.string() })),
  inFile: z.string(),
  /** The profile file alone decides it. */
  fixed: z.boolean(),
  /** The end of a sentence: `an e-mail address`. */
  bounds: z.string(),
});
export type BrandValue = z.infer<typeof BrandValue>;

export const BrandDesk = z.object({
  today: z.iso.date(),
  timeZone: z.string(),
  /** The profile file, as the settings name it; empty for the example registry. */
  file: z.string(),
  values: z.array(BrandValue),
  /** The newest first; of those that ended without being in force the last few. */
  changes: z.array(BrandChange),
});
export type BrandDesk = z.infer<typeof BrandDesk>;

export const BrandProposal = z.strictObject({
  /** Null: as soon as it is confirmed. */
  validFrom: z.nullable(calendarDay('2028-01-01')),
  values: z.array(z.strictObject({ name: Name, value: oneLine(300) })).check(
    z.minLength(1, { error: 'Change at least one value' }),
    z.maxLength(brandValueNames.length, { error: 'Name each value once' }),
    z.refine(values => new Set(values.map(({ name }) => name)).size === values.length, { error: 'Name each value once' }),
  ),
  reason: severalLines(1000, 3),
});
export type BrandProposal = z.infer<typeof BrandProposal>;

const path = '/api/staff/brand';
const access = staff('policy');

export const brand = group('brand', {
  getBrand: endpoint({
    method: 'GET',
    path,
    summary: 'Names, contact, links, logo and colours in force, and their changes: prepared, to come, in force, and ended.',
    access,
    answer: BrandDesk,
  }),
  previewBrandMail: endpoint({
    method: 'GET',
    path: `${path}/changes/:changeId/mail`,
    summary: 'A mail as it would be with a change of the brand, with invented values.',
    access,
    answer: z.object({ subject: z.string(), text: z.string() }),
    errors: ['NOT_FOUND'],
  }),
  getBrandLogo: endpoint({
    method: 'GET',
    path: `${path}/logos/:name`,
    summary: 'A logo that was uploaded, as a data address, also before pages show it.',
    access,
    answer: z.object({ address: z.string(), width: z.int(), height: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  uploadBrandLogo: endpoint({
    method: 'POST',
    path: `${path}/logos`,
    summary:
      'Upload a logo: a PNG or WebP in base64. What is kept is made anew of what draws. Pages show it once a change that names it is confirmed.',
    access,
    effect: 'drafts',
    body: z.object({
      content: longText({ most: 270_000, tooLong: 'The file is larger than 192 kB. Export a smaller one', empty: 'Choose a file' }),
    }),
    answer: z.object({ name: z.string() }),
    largestBody: 280_000,
    activity: 'Uploaded a logo',
  }),
  prepareBrandChange: endpoint({
    method: 'POST',
    path: `${path}/changes`,
    summary: 'Prepare a change of names, contact, links, logo or colours, to see it on pages before it is confirmed.',
    access,
    effect: 'drafts',
    body: BrandProposal,
    answer: BrandChange,
    errors: ['BRAND_DAY', 'BRAND_FIXED', 'NOTHING_TO_DO'],
    activity: 'Prepared a change of the brand',
  }),
  discardBrandChange: endpoint({
    method: 'DELETE',
    path: `${path}/changes/:changeId`,
    summary: 'Discard a prepared change of the brand.',
    access,
    effect: 'drafts',
    errors: ['NOT_FOUND', 'BRAND_ENDED'],
    activity: 'Discarded a change of the brand',
  }),
  confirmBrandChange: endpoint({
    method: 'POST',
    path: `${path}/changes/:changeId/confirm`,
    summary: 'Confirm a change of the brand: it is in force immediately, or from its day on. A second person approves it.',
    access,
    effect: 'statements',
    answer: BrandChange,
    errors: ['NOT_FOUND', 'BRAND_DAY', 'BRAND_FIXED', 'BRAND_MOVED', 'BRAND_ENDED'],
    secondPersonWhen: 'the brand, always',
    activity: 'Confirmed a change of the brand',
  }),
  withdrawBrandChange: endpoint({
    method: 'POST',
    path: `${path}/changes/:changeId/withdraw`,
    summary: 'Withdraw a confirmed change of the brand before its day. A second person approves it.',
    access,
    effect: 'statements',
    answer: BrandChange,
    errors: ['NOT_FOUND', 'BRAND_ENDED'],
    secondPersonWhen: 'the brand, always',
    activity: 'Withdrew a change of the brand',
  }),
});
