import type { RpslObject } from '@portal/rpsl';
import type { StoredObject } from '../whois/index.ts';

/** A present or past object. */
export type Known = Pick<
  StoredObject,
  'objectId' | 'class' | 'key' | 'shown' | 'text' | 'version' | 'changedAt' | 'keptFor' | 'kept' | 'registryMaintained'
> & { object: RpslObject };

/** The page of one object. */
export const objectAddress = (objectClass: string, key: string): string =>
  `/resources/whois-updates-js/all?${new URLSearchParams({ class: objectClass, key }).toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
