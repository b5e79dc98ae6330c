import type { AnswerOf } from '@portal/contract';
import { answerMonths, type helpAnswers } from '@portal/contract/help-pages/answers';
import { utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readHelp } from './articles.ts';

/** Counts whether an article answered a reader’s question. */
export async function countAnswer({ unrecorded }: Pick<Database, 'unrecorded'>, slug: string, helped: boolean, now: Date): Promise<void> {
  await sql`insert into help_answer as h (article, month, helped, answers) values (${slug}, date_trunc('month', ${utcDay(now)}::date)::date, ${helped}, 1)
    on conflict (article, month, helped) do update set answers = h.answers + 1`.execute(unrecorded);
}

/** Articles that readers answered about in the last twelve months: those that failed most often first. One that the help no longer has is left out. */
export async function listHelpAnswers({
  read,
  registry: { config, now },
}: Act<typeof helpAnswers.listHelpAnswers>): Promise<AnswerOf<typeof helpAnswers.listHelpAnswers>> {
  const counted = await read.rows<{ slug: string; yes: number; no: number }>(sql`select article as slug,
      coalesce(sum(answers) filter (where helped), 0)::int as yes, coalesce(sum(answers) filter (where not helped), 0)::int as no
    from help_answer where month > ${utcDay(now)}::date - make_interval(months => ${answerMonths}) group by article order by no desc, yes desc, article`);
  const titles = new Map(readHelp(config.helpDir).articles.map(({ slug, title }) => [slug, title]));
  return { rows: counted.flatMap(row => (titles.has(row.slug) ? [{ ...row, title: titles.get(row.slug)! }] : [])) };
}
