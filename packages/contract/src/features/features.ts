import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { type Flag, flagKeys } from '../flags.ts';
import { ifMissing } from '../if-missing.ts';
import { oneLine } from '../one-line.ts';
import { largestWhole } from '../whole-numbers.ts';

/** Who has a feature. */
export const standings = {
  off: 'Off',
  everyone: 'On for everyone',
  accounts: 'On for named accounts',
  share: 'On for a share of accounts',
} as const;
export type Standing = keyof typeof standings;
export const standingNames = Object.keys(standings) as [Standing, ...Standing[]];

/** Most accounts that one setting names. */
export const maxNamedAccounts = 500;

export const FeatureSetting = z.object({
  /** 0 where it was never set, and is on for everyone. */
  edition: z.int(),
  stands: z.enum(standingNames),
  /** Percent of accounts; null where it isn’t on for a share. */
  share: z.nullable(z.int()),
  accounts: z.array(z.string()),
  reason: z.string(),
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(z.iso.datetime()),
});
export type FeatureSetting = z.infer<typeof FeatureSetting>;

export const Feature = z.object({
  feature: z.enum(flagKeys),
  title: z.string(),
  /** The use of it for members, in a sentence or two. */
  does: z.string(),
  setting: FeatureSetting,
  /** The setting of the installation that can switch it off, such as FLAG_ZONEFILES, and whether it does: then it is off for everyone, whatever is set here. */
  variable: z.string(),
  offByInstallation: z.boolean(),
  /** Accounts that have it now, and all; closed ones aren’t counted. */
  accountsOn: z.int(),
  accountsTotal: z.int(),
});
export type Feature = z.infer<typeof Feature>;

export const FeatureDetails = z.object({
  ...Feature.shape,
  /** Calls that are refused without it. */
  calls: z.array(z.object({ id: z.string(), method: z.string(), path: z.string(), summary: z.string() })),
  /** Pages that aren’t shown without it. */
  pages: z.array(z.object({ title: z.string(), path: z.string() })),
  /** How many accounts a share of so many percent is now, from 0 to 100. */
  accountsByShare: z.array(z.int()),
  /** All settings, the newest first. */
  settings: z.array(FeatureSetting),
});
export type FeatureDetails = z.infer<typeof FeatureDetails>;

/** Why an account has a feature, or doesn’t. */
export const featureReasons = ['installation', 'off', 'everyone', 'named', 'share', 'not-named', 'not-in-share'] as const;

export const AccountFeature = z.object({
  accountName: z.string(),
  isOn: z.boolean(),
  why: z.enum(featureReasons),
  /** The smallest share in percent that includes the account. It stays the same. */
  fromShare: z.int(),
});
export type AccountFeature = z.infer<typeof AccountFeature>;

const AccountName = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.maxLength(40, { error: 'Enter names of accounts, such as EXAMPLE-AU: none is longer than 40 characters' }),
    z.regex(/^[A-Z0-9][A-Z0-9-]*$/, { error: 'Enter the name of an account, such as EXAMPLE-AU' }),
  );
const percent = { error: 'Enter a share from 1 to 99 percent' };

/** A new setting of a feature. */
export const NewFeatureSetting = z.strictObject({
  /** The edition that it replaces: 0 for the first. */
  edition: z.int().check(z.minimum(0), z.maximum(largestWhole)),
  stands: z.enum(standingNames, ifMissing('Choose who has it')),
  share: z.nullable(z.int(percent).check(z.minimum(1, percent), z.maximum(99, percent))),
  accounts: z.array(AccountName).check(
    z.maxLength(maxNamedAccounts, { error: `Name at most ${maxNamedAccounts} accounts` }),
    z.refine(names => new Set(names).size === names.length, { error: 'Name each account once' }),
  ),
  reason: oneLine(500, 3, 'Say why in a few words'),
});
export type NewFeatureSetting = z.infer<typeof NewFeatureSetting>;

const path = '/api/staff/features';
const access = staff('policy');

/** Features of accounts, for registry staff. */
export const features = group('features', {
  listFeatures: endpoint({
    method: 'GET',
    path,
    summary: 'Features that can be switched, who has each, and who changed it last.',
    access,
    answer: z.object({ features: z.array(Feature) }),
  }),
  getFeature: endpoint({
    method: 'GET',
    path: `${path}/:feature`,
    summary: 'One feature with the calls and pages that it opens, and all its settings.',
    access,
    answer: FeatureDetails,
    errors: ['NOT_FOUND'],
  }),
  getAccountFeature: endpoint({
    method: 'GET',
    path: `${path}/:feature/account`,
    summary: 'Whether an account has a feature, and why.',
    access,
    query: z.object({ account: AccountName }),
    answer: AccountFeature,
    errors: ['NOT_FOUND'],
  }),
  setFeature: endpoint({
    method: 'POST',
    path: `${path}/:feature/settings`,
    summary: 'Switch a feature off, on for everyone, on for named accounts, or on for a share of accounts. It applies immediately.',
    access,
    effect: 'control',
    body: NewFeatureSetting,
    answer: FeatureDetails,
    errors: ['NOT_FOUND', 'STALE', 'NOTHING_TO_DO'],
    activity: 'Switched a feature',
  }),
});

/** Returns the feature of a name; null for one that there isn’t. */
export const featureNamed = (name: string): Flag | null => flagKeys.find(key => key === name) ?? null;
