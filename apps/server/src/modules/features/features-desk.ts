import { type AnswerOf, type Flag, flagKeys } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { type AccountFeature, type FeatureDetails, featureNamed, type features } from '@portal/contract/features/features';
import { sitePages } from '@portal/contract/pages';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { isOffByInstallation } from '../../platform/features.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { featureOf, isLast, neverSet, settingOf, settingRows } from './settings.ts';

/** Settings are listed so many back. */
const LISTED = 100;

/** Returns the feature of a name. @throws Failure NOT_FOUND */
export function knownFeature(name: string): Flag {
  const feature = featureNamed(name);
  if (!feature) throw refuse('NOT_FOUND', { what: 'The feature' });
  return feature;
}

type Counted = { feature: Flag; accountsOn: number; accountsTotal: number };

/** How many accounts have each feature, without the installation’s settings. */
const countedIn = (read: Pick<Read, 'rows'>, names: readonly Flag[]): Promise<Counted[]> =>
  read.rows<Counted>(sql`
    select f as feature, whole.accounts as accounts_total,
      case when coalesce(s.stands, 'everyone') = 'everyone' then whole.accounts when s.stands = 'off' then 0
        else (select count(*)::int from account a where a.account_status <> 'closed' and feature_is_on(f, a.account_name)) end as accounts_on
    from unnest(${names}::text[]) f
    cross join (select count(*)::int as accounts from account where account_status <> 'closed') whole
    left join lateral (select stands from feature_setting where feature = f order by edition desc limit 1) s on true`);

/** Features with their settings in force. */
export async function listFeatures({
  read,
  registry: { config },
}: Act<typeof features.listFeatures>): Promise<AnswerOf<typeof features.listFeatures>> {
  const [settings, counted] = await Promise.all([settingRows(read, isLast), countedIn(read, flagKeys)]);
  return {
    features: flagKeys.map(feature => {
      const row = settings.find(each => each.feature === feature);
      return featureOf(feature, row ? settingOf(row) : neverSet, counted.find(each => each.feature === feature)!, config);
    }),
  };
}

/** One feature. @throws Failure NOT_FOUND */
export const getFeature = ({ read, params, registry }: Act<typeof features.getFeature>): Promise<FeatureDetails> =>
  detailsOf(read, knownFeature(params.feature), registry);

/** Returns a feature with what it opens and its settings. */
export async function detailsOf(read: Pick<Read, 'rows'>, feature: Flag, { config }: Pick<Registry, 'config'>): Promise<FeatureDetails> {
  const settings = (await settingRows(read, sql`s.feature = ${feature}`)).map(settingOf);
  const [counted] = await countedIn(read, [feature]);
  const shares = await read.rows<{ accounts: number }>(sql`
    with placed as (
      select feature_place(${feature}, account_name) / 100 as hundredth, count(*)::int as accounts from account where account_status <> 'closed' group by hundredth)
    select coalesce(sum(p.accounts) over (order by s.share), 0)::int as accounts
    from generate_series(0, 100) s(share) left join placed p on p.hundredth = s.share - 1 order by s.share`);
  return {
    ...featureOf(feature, settings[0] ?? neverSet, counted!, config),
    calls: allEndpoints.filter(({ flag }) => flag === feature).map(({ id, method, path, summary }) => ({ id, method, path, summary })),
    pages: sitePages.filter(({ flag }) => flag === feature).map(({ title, path }) => ({ title, path })),
    accountsByShare: shares.map(({ accounts }) => accounts),
    settings: settings.slice(0, LISTED),
  };
}

/** Whether an account has a feature, and why. @throws Failure NOT_FOUND */
export async function getAccountFeature({
  read,
  params,
  query: { account },
  registry: { config },
}: Act<typeof features.getAccountFeature>): Promise<AccountFeature> {
  const feature = knownFeature(params.feature);
  const [row] = await read.rows<{ isOn: boolean; place: number }>(sql`
    select feature_is_on(${feature}, a.account_name) as is_on, feature_place(${feature}, a.account_name) as place from account a where a.account_name = ${account}`);
  if (!row) throw refuse('NOT_FOUND', { what: `Account ${account}` });
  const [last] = await settingRows(read, sql`s.feature = ${feature} and ${isLast}`);
  const { stands, accounts } = last ?? neverSet;
  const offByInstallation = isOffByInstallation(feature, config);
  const ofSome = stands === 'accounts' ? ('not-named' as const) : ('not-in-share' as const);
  return {
    accountName: account,
    isOn: row.isOn && !offByInstallation,
    why: offByInstallation
      ? 'installation'
      : stands === 'off' || stands === 'everyone'
        ? stands
        : accounts.includes(account)
          ? 'named'
          : row.isOn
            ? 'share'
            : ofSome,
    fromShare: Math.floor(row.place / 100) + 1,
  };
}
