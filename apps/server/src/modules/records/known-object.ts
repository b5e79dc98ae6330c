import type { RpslObject } from '@portal/rpsl';
import type { StoredObject } from '../whois/index.ts';

/** The row of a present or past object. */
export type KnownRow = Pick<
  StoredObject,
  'objectId' | 'class' | 'key' | 'shown' | 'text' | 'version' | 'changedAt' | 'keptFor' | 'kept' | 'registryMaintained'
>;
export type Known = KnownRow & { object: RpslObject };

/** The page of one object. */
export const objectAddress = (objectClass: string, key: string): string =>
  `/resources/whois-updates-js/all?${new URLSearchParams({ class: objectClass, key }).toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
