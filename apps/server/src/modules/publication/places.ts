import type { PublicationPlace } from '@portal/contract/publication/publication';
import type { Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';

/** A version of a whois object, from the journal. */
export type PublishedVersion = {
  class: string;
  key: string;
  shown: string;
  version: number;
  operation: 'ADD' | 'DEL';
  text: string;
  serial: number;
};

/** The answer of a place: as text, or the newest version that it has. */
export type PlaceAnswer = Pick<PublicationPlace, 'query'> & {
  opens?: boolean;
} & (Pick<PublicationPlace, 'state' | 'answer'> | { seen: PublishedVersion | undefined; isThere: boolean });

/** A place where others read whois objects. */
export type PublishingPlace = Pick<PublicationPlace, 'place' | 'name'> & {
  /** Asks it, as its clients do, about the first of these versions; the others are newer. Returns null where it has no objects of the class. */
  ask: (versions: readonly PublishedVersion[], context: ModuleContext & { read: Read }) => Promise<PlaceAnswer | null>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Places where others read whois objects through this module, in the order in which a change reaches them. */
    publishing?: readonly PublishingPlace[];
  }
}
