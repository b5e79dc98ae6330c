import type { RecordMark, RecordSection, ResourceRecord } from '@portal/contract/records/records';
import type { NumberResource } from '@portal/number-resources';
import type { RpslObject } from '@portal/rpsl';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';

/** A whois object about the numbers, now or as it was. */
export type RecordedObject = { class: string; key: string; shown: string; keptFor: string | null; object: RpslObject };

/** The prefix, range or AS number of a page, with what the registry's ledger and whois say of it. */
export type RecordSubject = {
  read: Read;
  /** Who looks at it. */
  account: AdmittedAccount;
  resource: NumberResource;
  /** The day it is told of; null: now. */
  on: string | null;
  /** The account holds all of it. */
  own: boolean;
  /** Assignments of the account. */
  assignments: ResourceRecord['assignments'];
  moreAssignments: boolean;
  objects: readonly RecordedObject[];
  moreObjects: boolean;
};

/** What a module has to say of some numbers; each part is left out where there is nothing. */
export type RecordPart = {
  section?: Omit<RecordSection, 'id'>;
  /** What is right and wrong with them; shown of today only. */
  marks?: readonly RecordMark[];
  /** Changes, in any order. */
  history?: ResourceRecord['history'];
};

/** A part of the page of a prefix or AS number. */
export type RecordContribution = {
  /** Stable, unique among all modules: `roas`. */
  id: string;
  /** Tells what the module knows; anybody may see what is public, only the account that holds it the rest. */
  tell: (subject: RecordSubject, context: ModuleContext) => Promise<RecordPart>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its parts of the page of a prefix or AS number, in the order they are shown. */
    records?: readonly RecordContribution[];
  }
}
