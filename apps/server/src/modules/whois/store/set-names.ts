/** Classes of sets whose names may be a path of names with colons between (RFC 2622 section 5). */
export const setClasses: readonly string[] = ['as-set', 'route-set', 'filter-set', 'peering-set', 'rtr-set'];

/** Returns the key of the object whose holder assigns the names below it: `as64500` of `as64500:as-customers`; null if there is none. */
export function parentOfSet(objectClass: string, key: string): string | null {
  if (!setClasses.includes(objectClass)) return null;
  const colon = key.lastIndexOf(':');
  return colon < 0 ? null : key.slice(0, colon);
}
