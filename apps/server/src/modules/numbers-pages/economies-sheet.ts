import { formatCount } from '@portal/number-resources';
import { economyName } from '../../platform/economy-names.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from '../public-pages/index.ts';
import { parts, sinceThen } from './charts.ts';
import { percent } from './figure-words.ts';
import { type EconomyFigures, shareOf } from './figures.ts';

/** Economies that are shown before the others are unfolded. */
const SHOWN = 10;

/** Columns that have something in some row. */
type Columns = { most: number; hasTransfers: boolean };

const delegationsOf = ({ ipv4, ipv6, asn }: EconomyFigures): number => ipv4 + ipv6 + asn;

function row(each: EconomyFigures, { most, hasTransfers }: Columns, before: EconomyFigures | undefined): Content {
  const ipv6 = shareOf(each.holdIpv6, each.accounts);
  const roa = shareOf(each.covered, each.space);
  const share = (look: string, now: number | null, then: number | null): Content =>
    now === null
      ? '–'
      : html`${sinceThen(look, now, then)} ${percent(now)}${then !== null && Math.round(then * 100) !== Math.round(now * 100) && html` <span class="quiet">was ${percent(then).replace('%', '')}</span>`}`;
  return html`<tr><th scope="row">${economyName(each.economy)} <span class="mono quiet">${each.economy}</span></th><td class="num" data-label="Members">${formatCount(each.accounts)}</td>${
    most > 0 &&
    html`<td class="drawn" data-label="Delegations">${parts('kinds', most, [
      { look: 'v4', value: each.ipv4 },
      { look: 'v6', value: each.ipv6 },
      { look: 'as', value: each.asn },
    ])} ${formatCount(delegationsOf(each))}</td>`
  }${
    hasTransfers &&
    html`<td class="num" data-label="Transfers"><b>${formatCount(each.incoming)}</b> in, ${formatCount(each.outgoing)} out</td>`
  }<td class="drawn" data-label="Hold IPv6">${share('v6', ipv6, before ? shareOf(before.holdIpv6, before.accounts) : null)}</td><td class="drawn" data-label="IPv4 with a ROA">${share('roa', roa, before ? shareOf(before.covered, before.space) : null)}</td></tr>`;
}

/** Says what the table counts. Columns without anything are a sentence only. */
function countedInWords({ most, hasTransfers }: Columns): string {
  if (most > 0 && hasTransfers) return 'Delegations and transfers of the last 12 months';
  if (most > 0) return 'Delegations of the last 12 months; nothing was transferred';
  return `${hasTransfers ? 'Transfers of the last 12 months; nothing was delegated' : 'Nothing was delegated or transferred in the last 12 months'}`;
}

/** Shows members, delegations, transfers and coverage by economy. @param yearAgo the economies a year before; empty where that wasn’t counted */
export function economiesSheet(economies: readonly EconomyFigures[], yearAgo: readonly EconomyFigures[]): Content {
  const columns: Columns = {
    most: Math.max(0, ...economies.map(delegationsOf)),
    hasTransfers: economies.some(({ incoming, outgoing }) => incoming + outgoing > 0),
  };
  const table = (label: string, rows: readonly EconomyFigures[]): Content =>
    html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table class="economies"><caption class="away">${label}</caption><thead><tr><th scope="col">Economy</th><th scope="col" class="num">Members</th>${columns.most > 0 && html`<th scope="col">Delegations</th>`}${columns.hasTransfers && html`<th scope="col" class="num">Transfers</th>`}<th scope="col">Hold IPv6</th><th scope="col">IPv4 with a ROA</th></tr></thead><tbody>${rows.map(
      each =>
        row(
          each,
          columns,
          yearAgo.find(({ economy }) => economy === each.economy),
        ),
    )}</tbody></table></div>`;
  const [shown, others] = [economies.slice(0, SHOWN), economies.slice(SHOWN)];
  return sheet('economies', 'By economy', {
    head: html`<p class="aside">${countedInWords(columns)}</p><p class="legend push">${columns.most > 0 && html`<span class="v4">IPv4</span><span class="v6">IPv6</span><span class="as">AS numbers</span>`}${yearAgo.length > 0 && html`<span class="then">a year ago</span><span class="is">now</span>`}</p>`,
    body: html`${
      economies.length === 0 ? html`<p class="pad">No members yet.</p>` : table('Economies with the most members', shown)
    }${others.length > 0 && html`<details><summary>${others.length} more</summary>${table('Other economies', others)}</details>`}`,
  });
}
