import { flags } from '@portal/contract';
import { type FeatureDetails, type features, type NewFeatureSetting, standings } from '@portal/contract/features/features';
import { sql } from 'kysely';
import { type Change, lockByName } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { detailsOf, knownFeature } from './features-desk.ts';
import { isLast, neverSet, settingRows } from './settings.ts';

/**
 * Switches a feature: for everyone, for named accounts, for a share of accounts, or off. Each change is a setting of its own, so that one goes back by setting it as it was before.
 * @throws Failure NOT_FOUND, STALE, NOTHING_TO_DO, INVALID_REQUEST
 */
export async function setFeature({ change, caller, params, body, registry }: Act<typeof features.setFeature>): Promise<FeatureDetails> {
  const feature = knownFeature(params.feature);
  await lockByName(change, `features.${feature}`);
  const [last = { ...neverSet, feature }] = await settingRows(change, sql`s.feature = ${feature} and ${isLast}`);
  const { title } = flags[feature];
  if (last.edition !== body.edition) throw refuse('STALE', { what: `the feature “${title}”` });
  const { stands, reason } = body;
  const accounts = accountsOf(body);
  const share = shareOf(body);
  if (last.stands === stands && last.share === share && last.accounts.join(' ') === accounts.join(' '))
    throw refuse('NOTHING_TO_DO', { why: 'it is set like this already' });
  await refuseUnknown(change, accounts);
  const edition = last.edition + 1;
  await change
    .insertInto('featureSetting')
    .values({ feature, edition, stands, share, reason, changedBy: caller.loginId, changedAt: change.now })
    .execute();
  if (accounts.length > 0)
    await change
      .insertInto('featureAccount')
      .values(accounts.map(accountName => ({ feature, edition, accountName })))
      .execute();
  await change.note({ feature: title, before: standings[last.stands], after: standings[stands], share, accounts, reason });
  return detailsOf(change, feature, registry);
}

/** Returns the accounts that a setting names, by name. @throws Failure INVALID_REQUEST */
function accountsOf({ stands, accounts }: NewFeatureSetting): string[] {
  if (stands === 'accounts' && accounts.length === 0) throw refuseField('accounts', 'Name at least one account, such as EXAMPLE-AU');
  return stands === 'accounts' || stands === 'share' ? accounts.toSorted() : [];
}

/** Returns the share of a setting; null where it has none. @throws Failure INVALID_REQUEST */
function shareOf({ stands, share }: NewFeatureSetting): number | null {
  if (stands !== 'share') return null;
  if (share === null) throw refuseField('share', 'Enter a share from 1 to 99 percent');
  return share;
}

/** @throws Failure INVALID_REQUEST that names the accounts that aren’t there, or are closed */
async function refuseUnknown(change: Change, accounts: readonly string[]): Promise<void> {
  const unknown = await change.rows<{ accountName: string }>(sql`
    select n as account_name from unnest(${accounts}::text[]) n
    where not exists (select from account a where a.account_name = n and a.account_status <> 'closed') order by n limit 5`);
  if (unknown.length === 0) return;
  const names = new Intl.ListFormat('en').format(unknown.map(({ accountName }) => accountName));
  throw refuseField('accounts', `No open account is called ${names}. Enter names as on the page Accounts, such as EXAMPLE-AU`);
}
