import type { Asked } from './asked.ts';

/** Types that an answer has, by preference where several are as welcome. */
const offered = ['text/html', 'text/plain', 'application/json', 'application/rdap+json'] as const;
const formsOfTypes = { 'text/html': 'page', 'text/plain': 'text', 'application/json': 'json', 'application/rdap+json': 'rdap' } as const;

/** Returns the form of an answer that the header `Accept` prefers (RFC 9110, 12.5.1): the page where none is named, as for any type. */
export function acceptedForm(accept: string | undefined): (typeof formsOfTypes)[keyof typeof formsOfTypes] {
  const asked = (accept ?? '').split(',').map(each => {
    const [type = '', ...given] = each.split(';').map(part => part.trim().toLowerCase());
    const quality = Number(given.find(part => part.startsWith('q='))?.slice(2) ?? '1');
    return { type, quality: Number.isNaN(quality) ? 0 : quality };
  });
  const qualityOf = (type: string): number => asked.find(each => each.type === type)?.quality ?? 0;
  const [best] = offered.toSorted((a, b) => qualityOf(b) - qualityOf(a));
  return qualityOf(best!) > 0 ? formsOfTypes[best!] : 'page';
}

/** The path at RDAP of what is asked; null for what RDAP has no answer to, such as ranges. */
export function rdapPathOf(asked: Exclude<Asked, { kind: 'wrong' }>): string | null {
  const { key } = asked;
  if (asked.kind === 'name') return key.includes(' ') ? null : `${key.includes('.') ? 'domain' : 'entity'}/${encodeURIComponent(key)}`;
  const { resource } = asked;
  if (resource.family !== 'asn') return key.includes(' ') ? null : `ip/${key}`;
  return resource.first === resource.last ? `autnum/${resource.first}` : null;
}
