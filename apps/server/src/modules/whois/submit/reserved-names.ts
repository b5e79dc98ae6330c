import type { Profile } from '../../../profile.ts';

type Look = { of: string; look: Pick<RegExp, 'test'> };

/** Prefixes that RFC 2622 section 2 and this database reserve for names of other classes. */
const ofOtherClasses: Look = { of: 'another class', look: /^(?:as|rs|rtrs|fltr|prng|irt|org)-/i };
const ofNewHandles: Look = { of: 'a handle to be made', look: /^auto-?\d/i };

const isHandle = (name: string, { nicHandleSuffix }: Profile): boolean =>
  name.toLowerCase().endsWith(nicHandleSuffix.toLowerCase()) && /^[a-z]{2,4}\d{0,6}$/i.test(name.slice(0, -nicHandleSuffix.length));

const looksOf = (objectClass: string, profile: Profile): readonly Look[] =>
  objectClass === 'mntner'
    ? [
        ofOtherClasses,
        ofNewHandles,
        { of: 'an AS number', look: /^as\d+$/i },
        { of: 'a key', look: /^(?:pgpkey|x509)-/i },
        { of: 'a contact', look: { test: (name: string) => isHandle(name, profile) } },
      ]
    : objectClass === 'person' || objectClass === 'role'
      ? [ofOtherClasses]
      : [];

/** Prefixes of maintainer names reserved for this or another registry. */
const registryNames = ({ hostmasterMaintainer, source, reservedMaintainers }: Profile): string[] => [
  hostmasterMaintainer,
  `${source}-`,
  ...reservedMaintainers,
];

/** Returns why a member can’t take a name: it looks like one of another class, or like a registry’s maintainer. Null if it can. */
export function reservedFor(objectClass: string, name: string, profile: Profile): string | null {
  const other = looksOf(objectClass, profile).find(({ look }) => look.test(name));
  if (other) return `${name} looks like the name of ${other.of}`;
  const taken =
    objectClass === 'mntner' ? registryNames(profile).find(each => name.toLowerCase().startsWith(each.toLowerCase())) : undefined;
  return taken === undefined ? null : `Names that start with ${taken} are kept for registries`;
}
