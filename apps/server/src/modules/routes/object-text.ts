import type { RouteFacts } from '@portal/contract/routes/routes';
import { printAsNumber } from '@portal/number-resources';
import { formatObject, listValues, objectOf, parseObject, type RpslObject, valuesOf } from '@portal/rpsl';
import { maintainersOfRoute, type RouteObjectRow } from '../whois/index.ts';

/** The contents of a route that go into its objects. */
export type ObjectFacts = Pick<RouteFacts, 'descr' | 'maintainer' | 'attributes'>;

/** Attributes of an object that whois generates, or that come from other fields of the route. */
const generated = new Set(['created', 'last-modified', 'changed', 'source']);
const ofRoute = new Set(['route', 'route6', 'origin']);

/** The text of the route object of a prefix for its route. */
export function objectText(
  prefix: string,
  asn: number,
  { attributes, ...facts }: ObjectFacts,
  usual: Pick<ObjectFacts, 'descr' | 'maintainer'>,
  source: string,
): string {
  const descr = facts.descr || usual.descr;
  const maintainer = facts.maintainer || usual.maintainer;
  const more = parseObject(attributes).object?.attributes ?? [];
  return formatObject(
    objectOf([
      [prefix.includes(':') ? 'route6' : 'route', prefix],
      ...(descr === '' ? [] : ([['descr', descr]] as const)),
      ['origin', printAsNumber(asn)],
      ...more.filter(({ name }) => !generated.has(name) && !ofRoute.has(name)).map(({ name, value }) => [name, value] as const),
      ['mnt-by', maintainer],
      ['source', source],
    ]),
  );
}

/** Returns the problem of additional lines of a route object; null if there is none. */
export function attributesProblem(attributes: string): string | null {
  if (attributes.trim() === '') return null;
  const { object, problems } = parseObject(attributes);
  if (!object || problems.length > 0) return 'Enter one attribute on each line, such as remarks: customer 12';
  const fixed = object.attributes.find(({ name }) => ofRoute.has(name) || generated.has(name));
  return fixed ? `${fixed.name} follows from the route. Remove this line` : null;
}

/** Returns the contents of an existing object in the form of a route. Of several maintainers the account's own is used, the others are kept as additional lines. */
export function factsOfObject(text: string, mine: ReadonlySet<string>): ObjectFacts {
  const object = parseObject(text).object ?? { class: '', attributes: [] };
  const maintainers = valuesOf(object, 'mnt-by').flatMap(listValues);
  const maintainer = maintainers.find(name => mine.has(name.toLowerCase())) ?? maintainers[0] ?? '';
  const descriptions = valuesOf(object, 'descr');
  const more: (readonly [string, string])[] = [
    ...descriptions.slice(1).map(value => ['descr', value] as const),
    ...object.attributes
      .filter(({ name }) => !generated.has(name) && !ofRoute.has(name) && name !== 'descr' && name !== 'mnt-by')
      .map(({ name, value }) => [name, value] as const),
    ...maintainers.filter(name => name !== maintainer).map(name => ['mnt-by', name] as const),
  ];
  return {
    descr: descriptions[0] ?? '',
    maintainer,
    attributes: more.length === 0 ? '' : formatObject(objectOf(more)).trimEnd(),
  };
}

const linesOf = (object: RpslObject): string[] =>
  object.attributes
    .filter(({ name }) => !generated.has(name))
    .flatMap(({ name, value }) => (name === 'mnt-by' ? listValues(value).map(each => `mnt-by ${each}`) : [`${name} ${value}`]))
    .map(line => line.toLowerCase().replace(/\s+/g, ' '))
    .toSorted();

/** True if two texts are equivalent, ignoring line order, case and spacing. */
export function haveSameAttributes(one: string, other: string): boolean {
  const [a, b] = [parseObject(one).object, parseObject(other).object];
  return a !== null && b !== null && linesOf(a).join('\n') === linesOf(b).join('\n');
}

/** True if one of these maintainers maintains an object. */
export const isMaintainedBy = (object: RouteObjectRow, mine: ReadonlySet<string>): boolean =>
  maintainersOfRoute(object).some(name => mine.has(name));
