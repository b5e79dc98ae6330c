import type { CampaignWord } from '@portal/contract/data-quality/campaign-text';
import { type FindingKey, findings, personalFindings } from '@portal/contract/data-quality/findings';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { formatCount } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Registry } from '../../platform/registry.ts';
import { campaignFacts } from './campaign-facts.ts';
import { findingRows } from './finding-rows.ts';

/** Rows that a mail lists one by one, and accounts that it names. */
const LISTED = 10;
const NAMED = 3;

export type Aim = { finding: FindingKey; economy?: string | null | undefined; state?: string | null | undefined };
type Policy = Pick<Registry, 'config' | 'now'>;

/** Whether people are written to about rows of their own. */
export const isAboutThemselves = (finding: FindingKey): boolean => campaignFacts[finding].audience.who === 'themselves';
export const isPersonal = (finding: FindingKey): boolean => (personalFindings as readonly string[]).includes(finding);

/** SQL in brackets: the rows that a campaign is about, with their accounts. */
export const aimedRows = ({ finding, economy, state }: Aim, config: Registry['config']): RawBuilder<unknown> => sql`(
  select f.account_name, f.contact_id from ${findingRows(finding, config)} f join account a using (account_name)
  where (${economy ?? null}::text is null or a.economy = ${economy ?? null}) and (${state ?? null}::text is null or a.account_status = ${state ?? null}))`;

/**
 * SQL in brackets: contacts who can put rows right, each once, and whether their address got a campaign of this finding lately. Not those whose mail is refused or whose login
 * is disabled: nothing reaches them.
 */
export function reachedContacts(aim: Aim, { config, now }: Policy): RawBuilder<unknown> {
  const { audience } = campaignFacts[aim.finding];
  const themselves = audience.who === 'themselves';
  const types = audience.who === 'types' ? [...audience.types] : [];
  const permission = audience.who === 'permission' ? audience.permission : null;
  const quietFrom = instantBefore(now, config.campaignQuietDays * DAY_MS);
  return sql`(
  select distinct c.contact_id, c.account_name, c.full_name, lower(c.email) as address,
    exists (select from quality_recipient p join quality_campaign g using (campaign_id) where p.address = lower(c.email) and g.finding = ${aim.finding}
      and g.started_at > ${quietFrom}::timestamptz and (p.outcome is not null or g.stopped_at is null)) as lately
  from ${aimedRows(aim, config)} f join contact c on c.account_name = f.account_name and c.status = 'active' left join login l on l.login_id = c.login_id
  where l.disabled_at is null and not exists (select from mail_refusal m where m.address = lower(c.email) and m.unreachable_since is not null)
    and case when ${themselves}::boolean then c.contact_id = f.contact_id when ${permission}::text is not null then ${permission}::text = any (c.permissions)
      else cardinality(${types}::text[]) = 0 or c.contact_types && ${types}::text[] end)`;
}

export type CampaignValues = Record<CampaignWord, string>;
type Person = { fullName: string; contactIds: readonly string[]; accountNames: readonly string[] };
type Row = { accountName: string; orgName: string; contactId: string | null; subject: string; detail: string };

/** Returns the present rows of a finding in some accounts. */
export const rowsIn = (read: Read, finding: FindingKey, accountNames: readonly string[], config: Registry['config']): Promise<Row[]> =>
  read.rows<Row>(sql`select a.account_name, a.org_name, f.contact_id::text as contact_id, f.subject, f.detail from ${findingRows(finding, config)} f join account a using (account_name)
    where f.account_name = any (${[...accountNames]}::text[]) order by f.account_name, f.since, f.subject, f.detail`);

/** Names as a list; of many the first two, so that a subject stays short. */
const inWords = (names: readonly string[]): string => {
  if (names.length > NAMED) return `${names.slice(0, 2).join(', ')} and ${formatCount(names.length - 2)} more`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};

/**
 * Returns what the words of a campaign become for a person; null where nothing of theirs is in the finding any more.
 * @param showsPeople names people of the rows; without it the list only counts them
 */
export function valuesFor(
  finding: FindingKey,
  { fullName, contactIds, accountNames }: Person,
  rows: readonly Row[],
  { registryName, showsPeople = true }: { registryName: string; showsPeople?: boolean },
): CampaignValues | null {
  const own = rows.filter(
    ({ accountName, contactId }) =>
      accountNames.includes(accountName) && (!isAboutThemselves(finding) || (contactId !== null && contactIds.includes(contactId))),
  );
  if (own.length === 0) return null;
  const { one, many } = findings[finding];
  const accounts = [...new Set(own.map(({ accountName }) => accountName))];
  const count = `${formatCount(own.length)} ${own.length === 1 ? one : many}`;
  const lines = own
    .slice(0, LISTED)
    .map(
      ({ accountName, subject, detail }) =>
        `- ${accounts.length > 1 ? `${accountName}: ` : ''}${subject}${detail === '' ? '' : `, ${detail}`}`,
    );
  return {
    name: fullName,
    accounts: inWords(accounts),
    organisations: inWords([...new Set(own.map(({ orgName }) => orgName))]),
    count,
    list: !showsPeople
      ? `- ${count}`
      : [...lines, ...(own.length > LISTED ? [`- and ${formatCount(own.length - LISTED)} more`] : [])].join('\n'),
    registry: registryName,
  };
}
