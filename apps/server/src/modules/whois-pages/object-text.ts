import { whoisPermalink } from '@portal/contract/whois/permalink';
import { attributeRule, findAttribute, parseObject, type RpslAttribute, valueOf } from '@portal/rpsl';
import { type Content, html } from '../../platform/http/html.ts';

/** Values that have a page here: names of other objects, AS numbers, prefixes of routes and networks. */
const ownPages: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'route', 'route6', 'aut-num', 'origin', 'domain']);
const webAddress = /^https:\/\/[^\s"<>]+$/;

/** Returns the address of the page that a value leads to; null for a value that is only read. What an object of another registry names is there: only its numbers have pages here. */
function linkOf({ name, value }: RpslAttribute, isOwn: boolean): string | null {
  if (webAddress.test(value)) return value;
  const attribute = findAttribute(name);
  const refers = attribute ? (attributeRule(attribute)?.refersTo.length ?? 0) > 0 : false;
  return ((refers && isOwn) || ownPages.has(name)) && /^[^\s,#]+(?: - [^\s,#]+)?$/.test(value) ? whoisPermalink(value) : null;
}

/** The lines of an object as it is stored, whose values lead to what they name. */
function lines(attributes: readonly RpslAttribute[], isOwn: boolean): Content {
  return attributes.map(attribute => {
    const { written, raw, value } = attribute;
    const to = linkOf(attribute, isOwn);
    const at = to === null ? -1 : raw.indexOf(value);
    const end = raw.endsWith('\n') ? '' : '\n';
    if (to === null || at < 0) return html`<span class="name">${written}:</span>${raw}${end}`;
    return html`<span class="name">${written}:</span>${raw.slice(0, at)}<a href="${to}">${value}</a>${raw.slice(at + value.length)}${end}`;
  });
}

/** Returns an object as text; a text that can't be read is shown as it is. */
function objectText(text: string, ownSource: string | undefined): Content {
  const { object } = parseObject(text);
  const isOwn = ownSource === undefined || (object && valueOf(object, 'source')?.toUpperCase()) === ownSource.toUpperCase();
  const label = object ? `${object.class} ${object.attributes[0]!.value}` : 'object';
  return html`<pre tabindex="0" role="region" aria-label="${label}">${object ? lines(object.attributes, isOwn) : text}</pre>`;
}

/** Class, name and what people call it, of an object that is folded in. */
function summaryOf(text: string): Content {
  const { object } = parseObject(text);
  if (!object) return 'object';
  const [head] = object.attributes;
  const name = ['org-name', 'person', 'role', 'descr', 'netname', 'as-name']
    .map(each => (each === object.class ? undefined : valueOf(object, each)))
    .find(Boolean);
  const handle = valueOf(object, 'nic-hdl') ?? head!.value;
  const called = handle === head!.value ? name : head!.value;
  return html`<b>${object.class}</b> <span class="mono">${handle}</span>${called !== undefined && html` <span class="quiet">${called}</span>`}`;
}

/** How many objects are unfolded beside the first one. */
const UNFOLDED = 1;

/** The objects of an answer: the first one, and beside it those that belong to it, folded in. @param ownSource where objects of other sources may be among them */
export function objectsPart(objects: readonly string[], ownSource?: string): Content {
  const [first, ...others] = objects;
  if (first === undefined) return null;
  return html`<div class="objects${others.length === 0 && ' alone'}"><div>${objectText(first, ownSource)}</div>${
    others.length > 0 &&
    html`<div class="related">${others.map(
      (text, index) =>
        html`<details${index < UNFOLDED && html` open`}><summary>${summaryOf(text)}</summary>${objectText(text, ownSource)}</details>`,
    )}</div>`
  }</div>`;
}
