import { feeKinds, type FeeEstimate } from '@portal/contract/billing/fee-estimates';
import { dayIn, HOUR_MS, SECOND_MS, yearsAfter } from '@portal/contract/days';
import { formatMoney } from '@portal/number-resources';
import type { FastifyInstance } from 'fastify';
import { dayInFull } from '../../platform/day-words.ts';
import { Failure } from '../../platform/failure.ts';
import { type Content, html } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { getFeeEstimate, stepsInWords } from '../billing/index.ts';
import { type Frame, framedPage, sendKept, sheet } from '../public-pages/index.ts';
import { economyName } from '../../platform/economy-names.ts';
import { calculatorPath, feesArticle } from './fees-part.ts';
import { type FeeFields, type FeeQuestion, readFeeQuestion } from './fee-question.ts';

const KEPT_SECONDS = HOUR_MS / SECOND_MS;

type Problems = Partial<Record<keyof FeeFields, string>>;

/** A field with its label and what is wrong with it. */
const field = (
  name: keyof FeeFields,
  label: string,
  help: string | null,
  problems: Problems,
  control: (described: Content) => Content,
): Content =>
  html`<div class="field"><label for="${name}">${label}</label>${control(
    (help !== null || problems[name] !== undefined) &&
      html` aria-describedby="${name}-help"${problems[name] !== undefined && html` aria-invalid="true"`}`,
  )}${(help !== null || problems[name] !== undefined) && html`<p class="${problems[name] === undefined ? 'quiet' : 'wrong'}" id="${name}-help">${problems[name] ?? help}</p>`}</div>`;

const input =
  (name: keyof FeeFields, value: string, placeholder: string, mode: string) =>
  (described: Content): Content =>
    html`<input class="mono" id="${name}" name="${name}" value="${value}" placeholder="${placeholder}" inputmode="${mode}" maxlength="200" autocomplete="off" spellcheck="false"${described}>`;

const options = (chosen: string, list: readonly (readonly [string, string])[]): Content =>
  list.map(([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`);

const form = (fields: FeeFields, problems: Problems, economies: readonly string[]): Content =>
  html`<form class="ask" action="${calculatorPath}"><div class="pair">${field('kind', 'Kind of account', null, problems, described => html`<select id="kind" name="kind"${described}>${options(fields.kind, Object.entries(feeKinds))}</select>`)}${field(
    'economy',
    'Economy',
    'For tax, and the reduction of least developed countries',
    problems,
    described =>
      html`<select id="economy" name="economy"${described}>${options(fields.economy, [['', 'Not given'], ...economies.map(code => [code, economyName(code)] as const).toSorted((a, b) => a[1].localeCompare(b[1]))])}</select>`,
  )}</div><div class="pair">${field('ipv4', 'IPv4', 'Prefix lengths or addresses: /22, /22 + /24, 1024', problems, input('ipv4', fields.ipv4, '/24', 'text'))}${field(
    'ipv6',
    'IPv6',
    'Prefix lengths: /32, /32 + /36',
    problems,
    input('ipv6', fields.ipv6, '/32', 'text'),
  )}${field('asns', 'AS numbers', null, problems, input('asns', fields.asns, '1', 'numeric'))}</div>
<label class="check"><input type="checkbox" name="new" value="1"${fields.new !== '' && html` checked`}> A new account: with the sign-up fee</label>
<div><button class="btn">Calculate</button></div></form>`;

/** Fees of the same holding for terms that begin today and in a year: each step, tax where it applies, and the total. */
function answerPart(estimates: readonly FeeEstimate[], asns: number, taxName: string): Content {
  const [first] = estimates as [FeeEstimate];
  const money = (amount: string | undefined): string => (amount === undefined ? '–' : formatMoney(first.currency, amount));
  const words = stepsInWords(first, asns);
  const steps = (Object.keys(words) as (keyof typeof words)[]).filter(step =>
    estimates.some(({ lines }) => lines.some(line => line.step === step)),
  );
  const row = (name: Content, cellOf: (estimate: FeeEstimate) => string | undefined): Content =>
    html`<tr><th scope="row">${name}</th>${estimates.map(each => html`<td class="num">${money(cellOf(each))}</td>`)}</tr>`;
  const { taxRate } = first;
  return sheet('fee', 'Annual fee', {
    head: html`<p class="aside">For a term that begins on the day</p>`,
    body: html`<div class="wide" tabindex="0" role="region" aria-label="Annual fee by step"><table class="fee"><caption class="away">Annual fee by step</caption><thead><tr><th scope="col">Step</th>${estimates.map(
      ({ begins, projected }) => html`<th scope="col" class="num">${dayInFull(begins)}${projected && ', projected'}</th>`,
    )}</tr></thead><tbody>${steps.map(step => row(words[step], ({ lines }) => lines.find(line => line.step === step)?.amount))}${
      taxRate !== null && row(`${taxName} ${Number(taxRate) * 100}%`, ({ tax }) => tax)
    }</tbody><tfoot>${row(html`<b>Total</b>`, ({ total }) => total)}</tfoot></table></div>`,
    foot: html`The same formula as that of invoices${taxRate === null && ', without tax'}. ${estimates.some(({ projected }) => projected) && 'Projected fees aren’t announced: they grow as before. '}<a href="/help/${feesArticle}">How fees are calculated</a>`,
  });
}

/** Estimates for terms that begin today and in a year, as far as fees are announced or projected; a sentence where none are. */
async function estimatesOf({ dbForQuestion, profile, clock }: PageContext, question: FeeQuestion): Promise<FeeEstimate[] | string> {
  const today = dayIn(profile.timeZone, clock());
  const { kind, economy, ipv4, ipv6, asns, isNew } = question;
  const { read } = dbForQuestion();
  const at = async (years: number): Promise<FeeEstimate | string> => {
    try {
      const begins = yearsAfter(today, years);
      // Only the first year of an account has the sign-up fee.
      const newAccount = isNew && years === 0 ? 'true' : 'false';
      const query = { kind, begins, ipv4: String(ipv4), ipv6: String(ipv6), asns, newAccount, ...(economy !== '' && { economy }) } as const;
      return (await getFeeEstimate({ read, query, registry: { profile } })).estimate;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  };
  const found = await Promise.all([at(0), at(1)]);
  const estimates = found.filter(each => typeof each !== 'string');
  return estimates.length > 0 ? estimates : (found[0] as string);
}

/** `/help/fee-calculator`: the fee of any holding, this year's and next year's, for anyone and without scripts. The fields are in the address, so that it can be sent to others. */
export function feeCalculator(app: FastifyInstance, context: PageContext, frame: Frame): void {
  app.get(calculatorPath, async (request, reply) => {
    const { profile } = context;
    const { fields, question, problems } = readFeeQuestion(request.query as Record<string, unknown>, profile.serviceRegion);
    const answer = question && (await estimatesOf(context, question));
    const isWrong = Object.keys(problems).length > 0;
    const main = html`<div class="answer"><h1>Annual fee calculator</h1><p class="lead">What an account of any size pays a year. You don’t need to sign in.</p></div>
<div class="stack calculator">${isWrong && html`<p class="note" role="alert">This can’t be calculated yet. Fix the marked ${Object.keys(problems).length === 1 ? 'field' : 'fields'}.</p>`}${
      typeof answer === 'string' && html`<p class="note" role="alert">${answer}</p>`
    }${sheet('holdings', 'What the account holds', { body: form(fields, problems, profile.serviceRegion) })}${
      answer !== null && typeof answer !== 'string' && answerPart(answer, question!.asns, profile.taxName)
    }</div>`;
    if (isWrong)
      return reply
        .code(400)
        .type('text/html; charset=utf-8')
        .send(framedPage(frame, { title: 'Annual fee calculator', main, current: '/help' }));
    return sendKept(request, reply, {
      body: framedPage(frame, { title: 'Annual fee calculator', main, current: '/help', listed: question === null }),
      type: 'text/html; charset=utf-8',
      seconds: KEPT_SECONDS,
    });
  });
}
