import { type Flag, flags } from '@portal/contract';
import type { Feature, FeatureSetting } from '@portal/contract/features/features';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Read } from '../../platform/database/index.ts';
import { isOffByInstallation } from '../../platform/features.ts';

type Reads = Pick<Read, 'rows'>;
type SettingRow = FeatureSetting & { feature: string };

/** Where a feature is that was never set. */
export const neverSet: FeatureSetting = {
  edition: 0,
  stands: 'everyone',
  share: null,
  accounts: [],
  reason: '',
  changedBy: null,
  changedAt: null,
};

/** Settings where a condition on `s` holds, the newest of a feature first. */
export const settingRows = (read: Reads, where: RawBuilder<unknown>): Promise<SettingRow[]> =>
  read.rows<SettingRow>(sql`
    select s.feature, s.edition, s.stands, s.share, s.reason, l.full_name as changed_by, s.changed_at,
      array(select a.account_name from feature_account a where a.feature = s.feature and a.edition = s.edition order by a.account_name) as accounts
    from feature_setting s join login l on l.login_id = s.changed_by where ${where} order by s.feature, s.edition desc`);

/** SQL: a setting without a later one. */
export const isLast = sql`not exists (select from feature_setting n where n.feature = s.feature and n.edition > s.edition)`;

/** Returns a setting without its feature. */
export function settingOf(row: SettingRow): FeatureSetting {
  const { feature: _, ...setting } = row;
  return setting;
}

/** Returns a feature as the desk lists it. */
export function featureOf(
  feature: Flag,
  setting: FeatureSetting,
  { accountsOn, accountsTotal }: Pick<Feature, 'accountsOn' | 'accountsTotal'>,
  config: Config,
): Feature {
  const { title, does } = flags[feature];
  const offByInstallation = isOffByInstallation(feature, config);
  return {
    feature,
    title,
    does,
    setting,
    variable: `FLAG_${feature.toUpperCase()}`,
    offByInstallation,
    accountsOn: offByInstallation ? 0 : accountsOn,
    accountsTotal,
  };
}
