import { type AnswerOf, holdsOneOf } from '@portal/contract';
import type { Campaign, campaigns } from '@portal/contract/data-quality/campaigns';
import { findings } from '@portal/contract/data-quality/findings';
import { DAY_MS, HOUR_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Registry } from '../../platform/registry.ts';
import { seemsCutOff } from '../reverse-dns/index.ts';
import { campaignFacts } from './campaign-facts.ts';
import { keptAt } from './lists.ts';
import { type Aim, aimedRows, inventedValues, isPersonal, reachedContacts, rowsIn, valuesFor } from './campaign-people.ts';

type Row = Omit<Campaign, 'measuredOn'> & { finishedAt: string | null };

async function campaignsOf(read: Read, rest: RawBuilder<unknown>, { campaignEffectDays }: Registry['config']): Promise<Campaign[]> {
  const rows = await read.rows<Row>(sql`
    select g.campaign_id::text as campaign_id, g.finding, g.subject, g.body, g.economy, g.account_status, l.full_name as started_by, g.started_at, g.finished_at,
      case when g.stopped_at is not null then 'stopped' when g.finished_at is not null then 'sent' else 'sending' end as state, g.people,
      coalesce(g.sent, n.sent) as sent, coalesce(g.cured_before, n.cured_before) as cured_before, coalesce(g.failed, n.failed) as failed, g.cured, g.cured_at
    from quality_campaign g join login l on l.login_id = g.started_by
      cross join lateral (select count(distinct address) filter (where outcome = 'sent')::int as sent, count(distinct address) filter (where outcome = 'cured')::int as cured_before,
        count(distinct address) filter (where outcome = 'failed')::int as failed from quality_recipient r where r.campaign_id = g.campaign_id) n
    ${rest}`);
  return rows.map(({ finishedAt, ...row }) => ({
    ...row,
    measuredOn: finishedAt === null ? null : instantAfter(finishedAt, campaignEffectDays * DAY_MS),
  }));
}

/** Campaigns of a finding, the latest first. */
export async function listCampaigns({
  read,
  query: { finding, offset, limit },
  registry: { config },
}: Act<typeof campaigns.listCampaigns>): Promise<AnswerOf<typeof campaigns.listCampaigns>> {
  const [rows, [counted]] = await Promise.all([
    campaignsOf(read, sql`where g.finding = ${finding} order by g.campaign_id desc offset ${offset} limit ${limit}`, config),
    read.rows<{ total: number }>(sql`select count(*)::int as total from quality_campaign where finding = ${finding}`),
  ]);
  return { rows, total: counted!.total, effectDays: config.campaignEffectDays };
}

/** A campaign shows what is known of accounts, so writing announcements is not enough. @throws Failure NO_PERMISSION */
function requireAccounts({ staffPermissions }: Pick<Caller, 'staffPermissions'>, isRead: boolean): void {
  if (!holdsOneOf(staffPermissions, ['accounts'], isRead)) throw refuse('NO_PERMISSION');
}

const latestOf = async (read: Read, finding: Aim['finding']): Promise<string | null> =>
  (
    await read.rows<{ id: string }>(
      sql`select campaign_id::text as id from quality_campaign where finding = ${finding} order by campaign_id desc limit 1`,
    )
  )[0]?.id ?? null;

/** How old, in hours, a kept finding may be when people are written to about it: it is looked for each hour. */
const MAX_KEPT_HOURS = 3;
/** Shown in place of a person’s: reading a draft is written down nowhere. */
const INVENTED_NAME = 'Full Name';

/** The usual text of a campaign, and the people it would reach now: the first one’s account, and of findings about people invented values. @throws Failure NO_PERMISSION */
export async function getCampaignDraft({
  read,
  caller,
  query: { finding, economy, state },
  registry,
}: Act<typeof campaigns.getCampaignDraft>): Promise<AnswerOf<typeof campaigns.getCampaignDraft>> {
  requireAccounts(caller, true);
  const { config, profile } = registry;
  const aim = { finding, economy, state };
  const reached = reachedContacts(aim, registry);
  const [[counts], [all], [first], after] = await Promise.all([
    read.rows<{ people: number; accounts: number; leftOut: number; reachable: number }>(sql`
      select count(distinct address) filter (where not lately)::int as people, count(distinct account_name) filter (where not lately)::int as accounts,
        count(distinct address) filter (where lately)::int as left_out, count(distinct account_name)::int as reachable from ${reached} r`),
    read.rows<{ accounts: number }>(sql`select count(distinct account_name)::int as accounts from ${aimedRows(aim, config)} f`),
    read.rows<{ contactIds: string[]; accountNames: string[] }>(sql`
      select array_agg(contact_id::text) as contact_ids, array_agg(distinct account_name) as account_names
      from ${reached} r where not lately group by address order by min(account_name), address limit 1`),
    latestOf(read, finding),
  ]);
  const { subject, body, act } = campaignFacts[finding];
  const { registryName } = profile;
  const example =
    first &&
    (isPersonal(finding)
      ? inventedValues(finding, registryName)
      : valuesFor(finding, { ...first, fullName: INVENTED_NAME }, await rowsIn(read, finding, first.accountNames, config), {
          registryName,
        }));
  return {
    subject,
    body,
    act,
    people: counts!.people,
    accounts: counts!.accounts,
    leftOut: counts!.leftOut,
    unreached: all!.accounts - counts!.reachable,
    quietDays: config.campaignQuietDays,
    example: example ?? null,
    after,
  };
}

/**
 * Sends a campaign: keeps its recipients; periodic work writes to them. Of two people who send at the same time, the unique index lets one through.
 * @throws Failure NO_PERMISSION, STALE, NOTHING_TO_DO
 */
export async function sendCampaign({
  change,
  caller,
  body: { finding, economy, state, subject, body, people, after },
  registry,
}: Act<typeof campaigns.sendCampaign>): Promise<Campaign> {
  requireAccounts(caller, false);
  if (finding === 'lame-servers' && (await seemsCutOff(change, registry.now)))
    throw refuse('NOTHING_TO_DO', { why: 'most name servers seem not to answer, so the registry’s own connection may be down' });
  const at = findings[finding].kept ? await keptAt(change) : null;
  if (at !== null && at < instantBefore(registry.now, MAX_KEPT_HOURS * HOUR_MS))
    throw refuse('NOTHING_TO_DO', {
      why: `this finding was last looked for on ${at.slice(0, 16).replace('T', ' ')} UTC, and much may have been put right since then`,
    });
  if ((await latestOf(change, finding)) !== after) throw refuse('STALE', { what: 'the campaigns of this finding' });
  const [added] = await change.rows<{ id: string }>(sql`
    insert into quality_campaign (finding, subject, body, economy, account_status, people, started_by, started_at)
    values (${finding}, ${subject}, ${body}, ${economy ?? null}, ${state ?? null}, ${people}, ${caller.loginId}, ${change.now}::timestamptz)
    on conflict (finding) where finished_at is null do nothing returning campaign_id::text as id`);
  if (!added) throw refuse('NOTHING_TO_DO', { why: 'a campaign of this finding is being sent. Wait until it is finished' });
  const [reached] = await change.rows<{ people: number; accounts: number }>(sql`
    with added as (insert into quality_recipient (campaign_id, contact_id, account_name, address)
      select ${added.id}::bigint, contact_id, account_name, address from ${reachedContacts({ finding, economy, state }, registry)} r where not lately
      returning address, account_name)
    select count(distinct address)::int as people, count(distinct account_name)::int as accounts from added`);
  if (reached!.people === 0) throw refuse('NOTHING_TO_DO', { why: 'no one can be written to about this finding' });
  if (reached!.people > people) throw refuse('STALE', { what: 'the number of people' });
  await change.rows(sql`update quality_campaign set people = ${reached!.people} where campaign_id = ${added.id}::bigint`);
  await change.note({ campaign: subject, finding: findings[finding].title, people: reached!.people, accounts: reached!.accounts });
  return campaignAt(change, added.id, registry.config);
}

async function campaignAt(read: Read, campaignId: string, config: Registry['config']): Promise<Campaign> {
  const [row] = isRowId(campaignId) ? await campaignsOf(read, sql`where g.campaign_id = ${campaignId}::bigint`, config) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The campaign' });
  return row;
}

/** Stops a campaign between two of its batches. @throws Failure NO_PERMISSION, NOT_FOUND, NOTHING_TO_DO */
export async function stopCampaign({
  change,
  caller,
  params: { campaignId },
  registry: { config },
}: Act<typeof campaigns.stopCampaign>): Promise<Campaign> {
  requireAccounts(caller, false);
  const { subject } = await campaignAt(change, campaignId, config);
  const stopped =
    await change.rows(sql`update quality_campaign set stopped_at = ${change.now}::timestamptz, finished_at = ${change.now}::timestamptz
    where campaign_id = ${campaignId}::bigint and finished_at is null returning campaign_id`);
  if (stopped.length === 0) throw refuse('NOTHING_TO_DO', { why: 'the campaign is finished' });
  await change.note({ campaign: subject });
  return campaignAt(change, campaignId, config);
}
