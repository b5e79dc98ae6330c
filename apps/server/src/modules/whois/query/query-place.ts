import type { AddressRange, VrpIndex } from '@portal/number-resources';
import type { Database } from '../../../platform/database/index.ts';
import type { ConfiguredSource } from '../../foreign-sources/index.ts';

/** The server of an answer. */
export type QueryPlace = {
  db: Database;
  source: string;
  host: string;
  termsUrl: string;
  release: string;
  /** Published VRPs, if any are known. */
  origins?: (() => VrpIndex | null) | undefined;
  /** Says where to ask for addresses, or an AS number, of other registries. */
  elsewhere?: FindElsewhere | undefined;
  /** Sources of other registries that are mirrored here; none where it is missing. */
  foreign?: readonly ConfiguredSource[] | undefined;
  /** Objects inside a range that are looked at, for pages that show a few. */
  most?: number | undefined;
};

/** The registry that has some numbers, in a sentence and by its services; `registry` is null for a service of no regional registry. */
export type Elsewhere = { sentence: string; registry: { name: string; whois: string; web: string } | null; rdap: string };

/** Returns which registry has addresses or an AS number, and where to ask it; null if they are ours or unassigned. */
export type FindElsewhere = (db: Database, asked: AddressRange | number) => Promise<Elsewhere | null>;

/** A part of an answer, and how many objects in it count as personal data. */
export type AnswerPart = { text: string; personal: number };
