import { whoisPermalink } from '@portal/contract/whois/permalink';
import { type AddressRange, parseReverseZone, type Prefix, printAddress, printPrefix, ResourceSyntaxError } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { publicRecord } from '../records/index.ts';
import type { QueryPlace } from '../whois/index.ts';
import { poolWords, standingOf } from './standing.ts';

const link = (key: string): Content => html`<a class="mono" href="${whoisPermalink(key)}">${key}</a>`;

/** The numbers of a reverse zone or name; null for what is none. */
function numbersOf(name: string): (Prefix & AddressRange) | null {
  try {
    return parseReverseZone(name);
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return null;
  }
}

/** A domain of the world: labels, the last of which is letters. */
const looksLikeDomain = /^(?:[a-z\d_](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]\.?$/i;

/** Says why no object has a name that is a domain: a reverse zone that isn’t delegated, and whose it is, or a domain of another registry; null for other names. */
export async function missingName({ context, place }: { context: PageContext; place: QueryPlace }, key: string): Promise<Content> {
  const prefix = numbersOf(key);
  if (!prefix)
    return looksLikeDomain.test(key)
      ? html`This registry doesn’t register domain names. Ask the registry of <b>.${key.replace(/\.$/, '').split('.').at(-1)!.toLowerCase()}</b>, or look up the address of the domain here.`
      : null;
  const numbers = prefix.first === prefix.last ? printAddress({ family: prefix.family, value: prefix.first }) : printPrefix(prefix);
  // Whole parts of the world are looked up by no one, and are no single registry’s.
  if (prefix.length < 8) return null;
  const [record, standing] = await Promise.all([
    publicRecord(place.db.read, numbers, { ...context, db: place.db }),
    standingOf(place, prefix),
  ]);
  const zone = record.objects.findLast(each => each.class === 'domain' && each.relation === 'around');
  const holding = record.holdings.findLast(({ relation }) => relation !== 'inside');
  return html`${zone ? html`No zone of its own: it is part of ${link(zone.shown)}.` : 'This reverse zone isn’t delegated.'} ${
    holding
      ? html`It belongs to ${link(numbers)}, held by <b>${holding.holder}</b>.`
      : standing?.kind === 'elsewhere'
        ? html`It belongs to ${link(numbers)}. ${standing.elsewhere.sentence}.`
        : html`It belongs to ${link(numbers)}.${standing?.kind === 'pool' && ` ${poolWords[standing.state]}.`}`
  }`;
}
