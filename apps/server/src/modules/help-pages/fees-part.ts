import { formatMoney } from '@portal/number-resources';
import { dayInFull } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import type { PublicFees } from '../billing/index.ts';

/** The article that has the announced fees at its end. */
export const feesArticle = 'fees';

const families = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** The announced fees, with the amounts that the formula of the article takes, for those who aren’t members yet too. */
export function feesPart(fees: PublicFees | null, currency: string): Content {
  if (!fees) return html`<h2 id="announced-fees">Announced fees</h2><p>No fees are announced for today.</p>`;
  const { kinds, sizes } = fees;
  const money = (amount: string): string => formatMoney(currency, amount);
  const row = (name: Content, cells: readonly string[]): Content =>
    html`<tr><th scope="row">${name}</th>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`;
  const head = (first: string): Content =>
    html`<thead><tr><th scope="col">${first}</th>${kinds.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>`;
  const of = (value: (schedule: PublicFees['kinds'][number]['schedule']) => string): string[] =>
    kinds.map(({ schedule }) => value(schedule));
  const [{ schedule }] = kinds as [PublicFees['kinds'][number]];
  return html`<h2 id="announced-fees">Announced fees</h2><p>A year, without tax, for terms that begin from ${dayInFull(schedule.validFrom)} to ${dayInFull(schedule.validUntil)}.</p>
<div class="wide" tabindex="0" role="region" aria-label="Fees by size"><table><caption class="away">Fees by size</caption>${head('What an account holds')}<tbody>${sizes.map(
    ({ family, length, fees: each }) => row(html`${families[family]} /${length}`, each.map(money)),
  )}${row(
    'No addresses',
    of(each => money(each.associateFee)),
  )}</tbody></table></div>
<div class="wide" tabindex="0" role="region" aria-label="What the formula takes"><table><caption class="away">What the formula takes</caption>${head('In the formula')}<tbody>${row(
    'Base fee',
    of(each => money(each.baseFee)),
  )}${row(
    'Bit factor',
    of(each => each.bitFactor),
  )}${row(
    'Base sizes',
    of(each => `/${each.ipv4Base} and IPv6 /${each.ipv6Base}`),
  )}${row(
    'AS numbers without a fee',
    of(each => String(each.freeAsns)),
  )}${row(
    'Each further AS number',
    of(each => money(each.asnFee)),
  )}${row(
    'Sign-up fee, once',
    of(each => money(each.signUpFee)),
  )}</tbody></table></div>`;
}
