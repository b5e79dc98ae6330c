import type { RecordHealth, RecordLane, RecordMark, RecordSection, ResourceRecord } from '@portal/contract/records/records';
import type { NumberResource } from '@portal/number-resources';
import type { RpslObject } from '@portal/rpsl';
import type { Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';

/** A present or past whois object about the numbers. */
export type RecordedObject = { class: string; key: string; shown: string; keptFor: string | null; object: RpslObject };

/** The prefix, range or AS number of a page, with facts from the ledger and whois. */
export type RecordSubject = {
  read: Read;
  /** The viewer. */
  account: AdmittedAccount;
  caller: Pick<Caller, 'loginId'>;
  /** Asked with an API key: what its scope of numbers doesn't name, such as tickets, people and fees, is left out. */
  byProgram: boolean;
  resource: NumberResource;
  /** Day of the view; null for now. */
  on: string | null;
  /** Whether the account holds all of it. */
  own: boolean;
  /** Whether it holds all of it by a delegation of this registry, which takes changes and fees for no other. */
  here: boolean;
  /** Assignments of the account. */
  assignments: ResourceRecord['assignments'];
  moreAssignments: boolean;
  objects: readonly RecordedObject[];
  moreObjects: boolean;
};

/** A module's part of one subject. */
export type HealthPart = Pick<RecordHealth, 'about'> & Partial<RecordHealth>;

/** A module's part of the page of some numbers; missing fields are empty. */
export type RecordPart = {
  section?: Omit<RecordSection, 'id' | 'about'> & { about?: RecordSection['about'] };
  /** The state of a subject, or facts and actions for the state that another module declares. Shown for today only. */
  health?: HealthPart;
  routing?: ResourceRecord['routing'];
  fee?: ResourceRecord['fee'];
  editors?: ResourceRecord['editors'];
  lanes?: readonly RecordLane[];
  /** Checks that pass or fail; shown for today only. */
  marks?: readonly RecordMark[];
  /** Changes, in any order. */
  history?: ResourceRecord['history'];
};

/** A part of the page of a prefix or AS number. */
export type RecordContribution = {
  /** Stable, unique among all modules: `roas`. */
  id: string;
  /** Returns what the module knows; public data to everyone, the rest to the holding account only. */
  describe: (subject: RecordSubject, context: ModuleContext) => Promise<RecordPart>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its parts of the page of a prefix or AS number, in the order they are shown. */
    records?: readonly RecordContribution[];
  }
}
