import { formatMoney } from '@portal/number-resources';
import { dayInFull } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import type { Profile } from '../../profile.ts';
import { isLeastDeveloped, type PublicFees } from '../billing/index.ts';
import { economyName } from '../../platform/economy-names.ts';

/** The article that has the announced fees at its end. */
export const feesArticle = 'fees';

/** Address at which the fee of any holding is calculated, without a login. */
export const calculatorPath = '/help/fee-calculator';

const families = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** A column of the tables: a kind of account in a time of announced fees. */
type Column = { name: string; schedule: PublicFees['kinds'][number]['schedule']; feeAt: (row: number) => string };

/** This year's and next year's fees of each kind of account side by side. */
const columnsOf = (years: readonly PublicFees[]): Column[] =>
  years[0]!.kinds.flatMap(({ kind, name }) =>
    years.flatMap(({ kinds, sizes }) => {
      const place = kinds.findIndex(each => each.kind === kind);
      if (place < 0) return [];
      const { schedule } = kinds[place]!;
      return { name: `${name}, ${schedule.validFrom.slice(0, 4)}`, schedule, feeAt: row => sizes[row]!.fees[place]! };
    }),
  );

/** A share such as 0.50 in percent. */
const percent = (share: string): string => `${Math.round(Number(share) * 10_000) / 100}%`;

/** Names the economies that pay a reduced share, and how much it is. */
function reductionPart(
  columns: readonly Column[],
  { serviceRegion, leastDevelopedEconomies }: Pick<Profile, 'serviceRegion' | 'leastDevelopedEconomies'>,
): Content {
  const { schedule } = columns[0]!;
  const economies = serviceRegion.filter(economy => isLeastDeveloped({ leastDevelopedEconomies }, economy, schedule.validFrom));
  if (economies.length === 0 || Number(schedule.ldcShare) === 1) return null;
  return html`<h2 id="reduced-fees">Reduced fees</h2><p>Accounts in these economies pay ${percent(schedule.ldcShare)} of the address fee, because they are on the UN’s list of least developed countries: ${economies
    .map(economyName)
    .toSorted()
    .join(', ')}. AS numbers and the sign-up fee aren’t reduced.</p>`;
}

/** The announced fees, with the amounts that the formula of the article takes, for those who aren’t members yet too. */
export function feesPart(
  years: readonly PublicFees[],
  profile: Pick<Profile, 'currency' | 'serviceRegion' | 'leastDevelopedEconomies'>,
): Content {
  const [now] = years;
  if (!now) return html`<h2 id="announced-fees">Announced fees</h2><p>No fees are announced for today.</p>`;
  const columns = columnsOf(years);
  const money = (amount: string): string => formatMoney(profile.currency, amount);
  const row = (name: Content, cellOf: (column: Column) => string): Content =>
    html`<tr><th scope="row">${name}</th>${columns.map(column => html`<td class="num">${cellOf(column)}</td>`)}</tr>`;
  const of = (name: Content, value: (schedule: Column['schedule']) => string): Content => row(name, ({ schedule }) => value(schedule));
  const head = (first: string): Content =>
    html`<thead><tr><th scope="col">${first}</th>${columns.map(({ name }) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>`;
  const times = years.map(
    ({ kinds: [first] }) => `from ${dayInFull(first!.schedule.validFrom)} to ${dayInFull(first!.schedule.validUntil)}`,
  );
  return html`<h2 id="announced-fees">Announced fees</h2><p>A year, without tax, for terms that begin ${times.join(', and ')}.${
    years.length === 1 && ' Those of the time after aren’t announced yet.'
  } <a href="${calculatorPath}">Calculate the fee of any size</a>, without a login.</p>
<div class="wide" tabindex="0" role="region" aria-label="Fees by size"><table><caption class="away">Fees by size</caption>${head('What an account holds')}<tbody>${now.sizes.map(
    ({ family, length }, place) => row(html`${families[family]} /${length}`, column => money(column.feeAt(place))),
  )}${of('No addresses', each => money(each.associateFee))}</tbody></table></div>
<div class="wide" tabindex="0" role="region" aria-label="What the formula takes"><table><caption class="away">What the formula takes</caption>${head('In the formula')}<tbody>${of(
    'Base fee',
    each => money(each.baseFee),
  )}${of('Bit factor', each => each.bitFactor)}${of('Base sizes', each => `IPv4 /${each.ipv4Base}, IPv6 /${each.ipv6Base}`)}${of(
    'AS numbers without a fee',
    each => String(each.freeAsns),
  )}${of('Each further AS number', each => money(each.asnFee))}${of('In a least developed country', each => percent(each.ldcShare))}${of(
    'Sign-up fee, once',
    each => money(each.signUpFee),
  )}</tbody></table></div>${reductionPart(columns, profile)}`;
}
