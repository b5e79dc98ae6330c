import { fillCampaign } from '@portal/contract/data-quality/campaign-text';
import type { FindingKey } from '@portal/contract/data-quality/findings';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, eachAttempted, type RowFailure, RowsFailed } from '../../platform/each-alone.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { notifyPeople } from '../identity/index.ts';
import { campaignFacts } from './campaign-facts.ts';
import { isAboutThemselves, isMeant, isReached, rowsIn, valuesFor } from './campaign-people.ts';
import { findingRows } from './finding-rows.ts';
import { campaignKinds, dataQualityTexts } from './mail-texts.ts';

/** People written to in one change. */
const AT_ONCE = 100;
/** Days for which the recipients of a campaign are kept. */
const RECIPIENT_DAYS = 365;

type Sending = Pick<ModuleContext, 'db' | 'clock' | 'config' | 'profile'>;
type Due = { campaignId: number; finding: FindingKey; subject: string; body: string };
/** Who can’t be written to about any of the accounts any more has no account names, and so nothing to put right. */
type Person = { address: string; fullName: string; email: string; loginId: string | null; contactIds: string[]; accountNames: string[] };

/**
 * Writes to the people of campaigns, some in each change, in the order of their addresses: an interruption undoes at most the last change, and the next run goes on after it. A
 * person who can't be written to is passed over and noted. Returns how many were written to.
 * @throws {RowsFailed} after the last one, naming campaigns and contacts that failed
 */
export async function sendCampaigns({ db, config, profile }: Pick<Sending, 'db' | 'config' | 'profile'>): Promise<number> {
  const due = await db.read.rows<{ id: number }>(
    sql`select campaign_id::int as id from quality_campaign where finished_at is null order by campaign_id`,
  );
  let sent = 0;
  await eachAlone(
    due,
    ({ id }) => `campaign ${id}`,
    async ({ id }) => {
      const failures: RowFailure[] = [];
      for (let isLast = false; !isLast; ) {
        const some = await db.change(ownActivity('dataQuality.sendCampaigns', 'Wrote to people of a campaign'), change =>
          sendSome(change, id, { config, profile }),
        );
        sent += some.sent;
        failures.push(...some.failures);
        isLast = some.isLast;
      }
      if (failures.length > 0) throw new RowsFailed(failures);
    },
  );
  return sent;
}

async function sendSome(
  change: Change,
  id: number,
  { config, profile }: Pick<Sending, 'config' | 'profile'>,
): Promise<{ sent: number; failures: readonly RowFailure[]; isLast: boolean }> {
  const [campaign] = await change.rows<Due>(sql`select campaign_id::int as campaign_id, finding, subject, body from quality_campaign
    where campaign_id = ${id} and finished_at is null for no key update`);
  if (!campaign) return { sent: 0, failures: [], isLast: true };
  // A contact that left, has another address or role by now, or can't be reached any more is not written to.
  const stands = sql<boolean>`(c.status = 'active' and lower(c.email) = r.address and ${isReached} and ${isMeant(campaign.finding)})`;
  const people = await change.rows<Person>(sql`
    select r.address, coalesce(min(c.full_name) filter (where ${stands}), '') as full_name, coalesce(min(c.email) filter (where ${stands}), r.address) as email,
      min(c.login_id) filter (where ${stands}) as login_id, array_agg(r.contact_id::text) as contact_ids,
      coalesce(array_agg(distinct r.account_name) filter (where ${stands}), '{}') as account_names
    from quality_recipient r join contact c using (contact_id) left join login l on l.login_id = c.login_id where r.campaign_id = ${id} and r.done_at is null
    group by r.address order by r.address limit ${AT_ONCE}`);
  const rows = await rowsIn(change, campaign.finding, [...new Set(people.flatMap(({ accountNames }) => accountNames))], config);
  const cured: string[] = [];
  const failures = await eachAttempted(
    change,
    people,
    ({ contactIds }) => `contact ${contactIds[0]}`,
    async person => {
      const values = valuesFor(campaign.finding, person, rows, profile);
      if (values === null) {
        cured.push(person.address);
        return;
      }
      const usual = campaignFacts[campaign.finding];
      const { path, act } = usual;
      // Words of one's own are an announcement, which people may switch off.
      const topic = campaign.subject === usual.subject && campaign.body === usual.body ? usual.topic : 'announcements.news';
      const [only, ...others] = person.accountNames;
      await notifyPeople(
        change,
        {
          topic,
          accountName: others.length === 0 ? only! : null,
          text: dataQualityTexts.written(campaignKinds[topic], {
            title: fillCampaign(campaign.subject, values),
            body: fillCampaign(campaign.body, values)
              .split(/\n{2,}/)
              .join('\n\n'),
          }),
          path,
          act,
        },
        [person],
      );
    },
  );
  const failed = people
    .filter(({ contactIds }) => failures.some(({ row }) => row === `contact ${contactIds[0]}`))
    .map(({ address }) => address);
  await change.rows(sql`update quality_recipient set done_at = ${change.now}::timestamptz,
    outcome = case when address = any (${failed}::text[]) then 'failed' when address = any (${cured}::text[]) then 'cured' else 'sent' end
    where campaign_id = ${id} and address = any (${people.map(({ address }) => address)}::text[])`);
  const isLast = people.length < AT_ONCE;
  if (isLast) await change.rows(sql`update quality_campaign set finished_at = ${change.now}::timestamptz where campaign_id = ${id}`);
  const sent = people.length - failed.length - cured.length;
  await change.note({ campaign: campaign.subject, people: sent, ...(failures.length > 0 && { failed: failures.map(each => each.row) }) });
  return { sent, failures, isLast };
}

/**
 * Counts of how many of those who were written to nothing is in the finding any more: whenever that changed until the effect is due, and once when it is. Forgets the recipients
 * of old campaigns.
 */
export async function measureCampaigns({ db, clock, config }: Pick<Sending, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock();
  const effect = config.campaignEffectDays;
  const due = await db.read.rows<{ campaignId: number; finding: FindingKey; cured: number | null; isFinal: boolean }>(sql`
    select campaign_id::int as campaign_id, finding, cured, finished_at + make_interval(days => ${effect}::int) <= ${now.toISOString()}::timestamptz as is_final
    from quality_campaign where finished_at is not null and sent is null and (cured_at is null or cured_at < finished_at + make_interval(days => ${effect}::int)) order by campaign_id`);
  await eachAlone(
    due,
    ({ campaignId }) => `effect of campaign ${campaignId}`,
    async ({ campaignId, finding, cured, isFinal }) => {
      const themselves = isAboutThemselves(finding);
      const [counted] = await db.read.rows<{ cured: number }>(sql`
        with still as materialized (select distinct f.account_name, case when ${themselves}::boolean then f.contact_id end as contact_id from ${findingRows(finding, config)} f)
        select count(*)::int as cured from (select r.address from quality_recipient r
          left join still s on s.account_name = r.account_name and (not ${themselves}::boolean or s.contact_id = r.contact_id)
          where r.campaign_id = ${campaignId} and r.outcome = 'sent' group by r.address having bool_and(s.account_name is null)) p`);
      if (!isFinal && counted!.cured === cured) return;
      await db.change(ownActivity('dataQuality.measureCampaigns', 'Counted the effect of a campaign'), async change => {
        await change.rows(
          sql`update quality_campaign set cured = ${counted!.cured}, cured_at = ${now.toISOString()}::timestamptz where campaign_id = ${campaignId}`,
        );
        await change.note({ campaign: campaignId, cured: counted!.cured });
      });
    },
  );
  const old = instantBefore(now, RECIPIENT_DAYS * DAY_MS);
  const [some] = await db.read.rows(
    sql`select 1 from quality_recipient join quality_campaign using (campaign_id) where finished_at < ${old}::timestamptz limit 1`,
  );
  if (!some) return;
  await db.change(ownActivity('dataQuality.forgetRecipients', 'Forgot the recipients of old campaigns'), async change => {
    await change.rows(sql`update quality_campaign g set sent = n.sent, cured_before = n.cured, failed = n.failed
      from (select campaign_id, count(distinct address) filter (where outcome = 'sent') as sent, count(distinct address) filter (where outcome = 'cured') as cured,
          count(distinct address) filter (where outcome = 'failed') as failed from quality_recipient group by 1) n
      where n.campaign_id = g.campaign_id and g.finished_at < ${old}::timestamptz and g.sent is null`);
    await change.rows(
      sql`delete from quality_recipient r using quality_campaign g where g.campaign_id = r.campaign_id and g.finished_at < ${old}::timestamptz`,
    );
  });
}
