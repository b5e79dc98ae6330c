import { type Flag, flagKeys, flags } from '@portal/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Read } from './database/index.ts';
import { type Failure, refuse } from './failure.ts';

/** The settings of the installation, which switch a feature off for everyone. */
type Installed = Pick<Config, 'flagRenewalQuote' | 'flagContactManagement' | 'flagZoneFiles' | 'flagIpv6OneClick' | 'flagChecklists'>;

/** Returns which features the installation has. Where it hasn't one, nothing in the database switches it on. */
const installed = (config: Installed): Readonly<Record<Flag, boolean>> => ({
  renewalquote: config.flagRenewalQuote,
  contactmanagement: config.flagContactManagement,
  zonefiles: config.flagZoneFiles,
  ipv6oneclick: config.flagIpv6OneClick,
  checklists: config.flagChecklists,
});

/** Returns whether the installation switches a feature off. */
export const isOffByInstallation = (flag: Flag, config: Installed): boolean => !installed(config)[flag];

/** SQL: the features that an account has, or everyone where it is null, as an array in the order of their names. @param account SQL of its name */
export const featuresOf = (account: RawBuilder<unknown>, config: Installed): RawBuilder<Flag[]> => {
  const names = flagKeys.filter(flag => !isOffByInstallation(flag, config));
  return sql<Flag[]>`array(select f from unnest(${names}::text[]) f where feature_is_on(f, ${account}) order by f)`;
};

type Reads = Pick<Read, 'rows'>;

/** Returns the features that everyone has, also people without an account. */
export async function featuresOfEveryone(read: Reads, config: Installed): Promise<ReadonlySet<Flag>> {
  const [row] = await read.rows<{ features: Flag[] }>(sql`select ${featuresOf(sql`null`, config)} as features`);
  return new Set(row!.features);
}

/**
 * Returns the refusal of a call whose feature is off: for everyone, or for its account. Null where it is on. Read from the database on every call, so that a change applies in
 * every process with the next one.
 * @param accountName the account of the call; null where it has none, and only what everyone has is on
 */
export async function featureRefusal(read: Reads, flag: Flag, accountName: string | null, config: Installed): Promise<Failure | null> {
  const feature = flags[flag].gates;
  if (isOffByInstallation(flag, config)) return refuse('FEATURE_OFF', { feature });
  const [row] = await read.rows<{ isOn: boolean; forSome: boolean }>(sql`
    select feature_is_on(${flag}, ${accountName}) as is_on, feature_is_for_some(${flag}) as for_some`);
  if (row!.isOn) return null;
  return accountName !== null && row!.forSome
    ? refuse('FEATURE_NOT_ON', { account: accountName, feature })
    : refuse('FEATURE_OFF', { feature });
}
