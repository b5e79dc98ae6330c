import type { RpslAttribute, RpslObject } from '@portal/rpsl';
import type { Credentials, StoredObject } from './update.ts';

const ofResources = [
  'descr',
  'country',
  'admin-c',
  'tech-c',
  'abuse-c',
  'mnt-lower',
  'mnt-routes',
  'mnt-domains',
  'mnt-irt',
  'remarks',
  'notify',
  'geofeed',
  'geoloc',
  'language',
];

/** Attributes the holder may change in an object the registry keeps: never key, name, status or `mnt-by`. The routing policy of an aut-num is its holder's too. */
const changeable: Readonly<Record<string, readonly string[]>> = {
  inetnum: ofResources,
  inet6num: ofResources,
  'aut-num': [...ofResources, 'import', 'export', 'default', 'mp-import', 'mp-export', 'mp-default', 'member-of'],
  // Name, address and telephone come from the portal; these attributes have no other source.
  organisation: ['admin-c', 'tech-c', 'remarks', 'notify', 'ref-nfy', 'mnt-ref', 'geoloc', 'language'],
};

/** Returns whether a caller acts for the account that a kept object belongs to. */
export const heldBy = (stored: StoredObject, credentials: Credentials): boolean =>
  stored.keptFor !== null && credentials.holder === stored.keptFor;

/** Attributes a holder may change; empty for objects that are the registry's alone. */
export const changeableOf = (objectClass: string): readonly string[] => changeable[objectClass] ?? [];

/** Changed attributes that only the registry may change, each once. */
export function frozenChanges(before: RpslObject, after: RpslObject): string[] {
  const free = new Set([...changeableOf(before.class), 'last-modified']);
  const lines = (object: RpslObject, name: string): RpslAttribute[] => object.attributes.filter(attribute => attribute.name === name);
  const names = new Set([...before.attributes, ...after.attributes].map(({ name }) => name));
  return [...names].filter(name => !free.has(name) && !sameLines(lines(before, name), lines(after, name)));
}

/**
 * Compares lines that only the registry may change. Comments and the spacing between words count, because people read them as the registry’s;
 * surrounding spaces and letter case don’t. Several lines may be joined into one, as in other formats.
 */
export function sameLines(before: readonly RpslAttribute[], after: readonly RpslAttribute[]): boolean {
  const written = ({ raw }: RpslAttribute): string => raw.replaceAll('\r', '').trim().toLowerCase();
  const onOneLine = ({ value, comment }: RpslAttribute): string => (comment === null ? value : `${value} # ${comment}`).toLowerCase();
  return (
    before.length === after.length &&
    before.every((line, place) => [written(line), onOneLine(line)].includes(written(after[place]!)) && line.name === after[place]!.name)
  );
}
