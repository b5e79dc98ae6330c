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

/** SQL: contact `c` with login `l` can be written to: its mail isn’t refused, and its login is neither disabled nor frozen. */
export const isReached = sql<boolean>`(l.disabled_at is null and l.frozen_at is null
    and not exists (select from mail_refusal m where m.address = lower(c.email) and m.unreachable_since is not null))`;

/** SQL: contact `c` is one of those a finding is for, by type or permission. */
export function isMeant(finding: FindingKey): RawBuilder<boolean> {
  const { audience } = campaignFacts[finding];
  const types = audience.who === 'types' ? [...audience.types] : [];
  const permission = audience.who === 'permission' ? audience.permission : null;
  return sql<boolean>`case when ${permission}::text is not null then ${permission}::text = any (c.permissions)
    else cardinality(${types}::text[]) = 0 or c.contact_types && ${types}::text[] end`;
}

/** SQL in brackets: contacts who can put rows right, each once, and whether their address got a campaign of this finding lately. */
export function reachedContacts(aim: Aim, { config, now }: Policy): RawBuilder<unknown> {
  const themselves = isAboutThemselves(aim.finding);
  const quietFrom = instantBefore(now, config.campaignQuietDays * DAY_MS);
  return sql`(
  select distinct c.contact_id, c.account_name, c.full_name, lower(c.email) as address,
    exists (select from quality_recipient p join quality_campaign g using (campaign_id) where p.address = lower(c.email) and g.finding = ${aim.finding}
      and g.started_at > ${quietFrom}::timestamptz and (p.outcome = 'sent' or (p.outcome is null and g.stopped_at is null))) as lately
  from ${aimedRows(aim, config)} f join contact c on c.account_name = f.account_name and c.status = 'active' left join login l on l.login_id = c.login_id
  where ${isReached} and (not ${themselves}::boolean or c.contact_id = f.contact_id) and ${isMeant(aim.finding)})`;
}

export type CampaignValues = Record<CampaignWord, string>;
type Person = { fullName: string; contactIds: readonly string[]; accountNames: readonly string[] };
type Row = { accountName: string; orgName: string; contactId: string | null; subject: string; detail: string };

/** Returns the present rows of a finding in some accounts. */
export const rowsIn = (read: Read, finding: FindingKey, accountNames: readonly string[], config: Registry['config']): Promise<Row[]> =>
  read.rows<Row>(sql`select a.account_name, a.org_name, f.contact_id::text as contact_id, f.subject, f.detail from ${findingRows(finding, config)} f join account a using (account_name)
    where f.account_name = any (${[...accountNames]}::text[]) order by f.account_name, f.since, f.subject, f.detail`);

/** Returns words that members and others wrote in one line and without braces, which would stand for something in an e-mail. */
const plain = (written: string): string => written.replace(/[{}\p{Cc}]+/gu, ' ').slice(0, 200);

/** Names as a list; of many the first two, so that a subject stays short. */
const inWords = (names: readonly string[]): string => {
  if (names.length > NAMED) return `${names.slice(0, 2).join(', ')} and ${formatCount(names.length - 2)} more`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};

/**
 * Returns what the words of a campaign become for a person; null where nothing of theirs is in the finding any more.
 */
export function valuesFor(
  finding: FindingKey,
  { fullName, contactIds, accountNames }: Person,
  rows: readonly Row[],
  { registryName }: { registryName: string },
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
        `- ${accounts.length > 1 ? `${accountName}: ` : ''}${plain(subject)}${detail === '' ? '' : `, ${plain(detail)}`}`,
    );
  return {
    name: plain(fullName),
    accounts: inWords(accounts),
    organisations: inWords([...new Set(own.map(({ orgName }) => plain(orgName)))]),
    count,
    list: [...lines, ...(own.length > LISTED ? [`- and ${formatCount(own.length - LISTED)} more`] : [])].join('\n'),
    registry: registryName,
  };
}

/** Returns invented values, for the preview of a campaign about people. */
export function inventedValues(finding: FindingKey, registryName: string): CampaignValues {
  const count = `1 ${findings[finding].one}`;
  return {
    name: 'Full Name',
    accounts: 'EXAMPLE-ACCOUNT',
    organisations: 'Example Organisation',
    count,
    list: '- Full Name, name@organisation.example',
    registry: registryName,
  };
}
