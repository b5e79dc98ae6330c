import type { AnswerOf } from '@portal/contract';
import type { Acceptance, legal, LegalText, LegalTextDetails } from '@portal/contract/legal/legal';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { tableFile } from '../../platform/table-file.ts';
import { rowsOfText, stateOfText, textsInForce, type VersionRow, versionOf, versionRows } from './versions.ts';

/** The most rows of one file. */
const MAX_EXPORTED = 20_000;

/** SQL: the people and accounts that the version in force of a text asks, with what each accepted last, and what is enough. */
const asked = (text: string, now: string): RawBuilder<unknown> => sql`
  with v as (select * from (${textsInForce(now)}) f where f.text = ${text})
  select 'person' as kind, l.full_name as name, l.email as detail, a.version, '' as by, a.accepted_at as at, v.needed
    from v cross join login l left join lateral (select p.version, p.accepted_at from legal_acceptance p
      where p.login_id = l.login_id and p.account_name is null and p.text = v.text order by p.version desc limit 1) a on true
    where 'logins' = any (v.asks) and l.disabled_at is null
  union all
  select 'account', m.account_name, m.org_name, a.version, coalesce(a.full_name, ''), a.accepted_at, v.needed
    from v cross join account m left join lateral (select p.version, p.accepted_at, l.full_name from legal_acceptance p join login l using (login_id)
      where p.account_name = m.account_name and p.text = v.text order by p.version desc limit 1) a on true
    where 'corporate' = any (v.asks) and m.account_status <> 'closed'
      and exists (select from contact c where c.account_name = m.account_name and c.status = 'active' and c.login_id is not null and 'corporate' = any (c.contact_types))`;

type Progress = LegalText['people'];

async function progressOf(read: Pick<Read, 'rows'>, text: string, now: Date): Promise<{ people: Progress; accounts: Progress }> {
  const rows = await read.rows<{ kind: string; accepted: number; missing: number }>(sql`
    select s.kind, count(*) filter (where s.version >= s.needed)::int as accepted, count(*) filter (where coalesce(s.version, 0) < s.needed)::int as missing
    from (${asked(text, now.toISOString())}) s group by s.kind`);
  const of = (kind: string): Progress => {
    const row = rows.find(each => each.kind === kind);
    return { accepted: row?.accepted ?? 0, missing: row?.missing ?? 0 };
  };
  return { people: of('person'), accounts: of('account') };
}

async function textOf(read: Pick<Read, 'rows'>, rows: readonly VersionRow[], now: Date): Promise<LegalText> {
  const { draft, coming, inForce } = stateOfText(rows, now);
  const shown = (row: VersionRow | null) => row && versionOf(row, { inForce, now });
  const { text } = rows[0]!;
  return {
    text,
    title: (inForce ?? coming ?? draft ?? rows[0]!).title,
    inForce: shown(inForce),
    coming: shown(coming),
    draft: shown(draft),
    ...(await progressOf(read, text, now)),
  };
}

/** Legal texts, by their names. A text whose only draft was discarded isn’t there. */
export async function listLegalTexts({
  read,
  registry: { now },
}: Act<typeof legal.listLegalTexts>): Promise<AnswerOf<typeof legal.listLegalTexts>> {
  const rows = await versionRows(read, sql`v.version is not null or v.ended_at is null`);
  const texts: LegalText[] = [];
  for (const some of Map.groupBy(rows, ({ text }) => text).values()) texts.push(await textOf(read, some, now));
  return { texts: texts.toSorted((one, other) => one.title.localeCompare(other.title)) };
}

/** One legal text with its draft and versions. @throws Failure NOT_FOUND */
export const getLegalText = ({ read, params: { text }, registry }: Act<typeof legal.getLegalText>): Promise<LegalTextDetails> =>
  detailsOf(read, text, registry);

/** @throws Failure NOT_FOUND */
export async function detailsOf(
  read: Pick<Read, 'rows'>,
  text: string,
  { now, today }: Pick<Registry, 'now' | 'today'>,
): Promise<LegalTextDetails> {
  const rows = await rowsOfText(read, text);
  const { draft, inForce, latest } = stateOfText(rows, now);
  const counts = await read.rows<{ version: number; people: number; accounts: number }>(sql`
    select version, count(*) filter (where account_name is null)::int as people, count(account_name)::int as accounts from legal_acceptance where text = ${text} group by version`);
  return {
    ...(await textOf(read, rows, now)),
    today,
    edition: draft?.edition ?? 0,
    draftBody: draft?.body ?? '',
    latest: latest && { version: latest.version!, title: latest.title, body: latest.body },
    versions: rows
      .filter(({ version }) => version !== null)
      .map(row => {
        const counted = counts.find(({ version }) => version === row.version);
        return { ...versionOf(row, { inForce, now }), body: row.body, people: counted?.people ?? 0, accounts: counted?.accounts ?? 0 };
      }),
  };
}

type Filters = { state: 'missing' | 'accepted'; q: string };

const isListed = ({ state, q }: Filters): RawBuilder<unknown> =>
  sql`${state === 'accepted' ? sql`s.version >= s.needed` : sql`coalesce(s.version, 0) < s.needed`}
    and (${q} = '' or position(lower(${q}) in lower(s.name || ' ' || s.detail || ' ' || s.by)) > 0)`;

/** A page of those who accepted a text, or haven’t; the activity says who looked, and at how many. @throws Failure NOT_FOUND */
export async function listAcceptances({
  change,
  params: { text },
  body: { offset, limit, ...filters },
  registry: { now },
}: Act<typeof legal.listAcceptances>): Promise<AnswerOf<typeof legal.listAcceptances>> {
  const [{ title }] = (await rowsOfText(change, text)) as [VersionRow];
  const of = asked(text, now.toISOString());
  const rows =
    await change.rows<Acceptance>(sql`select s.kind, s.name, s.detail, s.version, s.by, s.at from (${of}) s where ${isListed(filters)}
    order by s.kind, lower(s.name), s.detail limit ${limit} offset ${offset}`);
  const [counted] = await change.rows<{ total: number }>(sql`select count(*)::int as total from (${of}) s where ${isListed(filters)}`);
  await change.note({ text: title, ...filters, shown: rows.length, ...(offset > 0 && { from: offset }) });
  return { rows, total: counted!.total };
}

const columns = ['kind', 'name', 'detail', 'version', 'by', 'at'] as const;

/** The same as the text of a file; the activity says who took it, and with how many. @throws Failure NOT_FOUND */
export async function exportAcceptances({
  change,
  params: { text },
  body: filters,
  registry: { now },
}: Act<typeof legal.exportAcceptances>): Promise<AnswerOf<typeof legal.exportAcceptances>> {
  const [{ title }] = (await rowsOfText(change, text)) as [VersionRow];
  const rows =
    await change.rows<Acceptance>(sql`select s.kind, s.name, s.detail, s.version, s.by, s.at from (${asked(text, now.toISOString())}) s
    where ${isListed(filters)} order by s.kind, lower(s.name), s.detail limit ${MAX_EXPORTED}`);
  const { fileName, chunks } = tableFile(
    `${text}-${filters.state}`,
    'csv',
    columns,
    (async function* () {
      yield await Promise.resolve(rows);
    })(),
  );
  let csv = '';
  for await (const chunk of chunks as AsyncIterable<string>) csv += chunk;
  await change.note({ text: title, ...filters, exported: rows.length });
  return { fileName, csv };
}
