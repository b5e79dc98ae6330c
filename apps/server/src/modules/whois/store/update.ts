import type { RpslObject, RpslProblem } from '@portal/rpsl';

/** One object of a submission. */
export type WhoisUpdate = {
  /** `auto`: created or modified, depending on whether it exists. */
  operation: 'create' | 'modify' | 'delete' | 'auto';
  text: string;
  /** Its first line in the submitted text. */
  line?: number;
  /** The person's reason for deleting it. */
  reason?: string;
  /** The version that was edited; a newer one makes the update fail. */
  expectedVersion?: number | null;
  /** The edited object, which the text must not turn into another one. */
  of?: { class: string; key: string };
  /** The holder of its numbers reclaims it (`updates/reclaim.ts`). */
  takesOver?: boolean;
  /** Restores a deleted object, so it may have its old handle. */
  restores?: boolean;
  /** The name servers of the domain were checked with exactly these values. */
  serversChecked?: boolean;
  /** Refuses the update regardless of the object: the account may no longer write it. */
  refused?: { code: string; message: string };
};

/** A finding that may also name who could authorise it, and the conflicting objects. */
export type WhoisProblem = RpslProblem & {
  /** Maintainers of which any would do; names as the objects spell them. */
  maintainers?: readonly string[];
  /** The first objects that refer here or conflict. */
  objects?: readonly { class: string; key: string; shown: string }[];
  /** Total number of such objects. */
  count?: number;
};

/** The rights a submission is made with. */
export type Credentials = {
  /** Keys of maintainers. */
  maintainers: ReadonlySet<string>;
  /** The account whose kept objects may be edited, within the holder's limits, by people who may use the principal maintainer. */
  holder: string | null;
  /** Maintainers that consented to this submission, for routes and references to irts. */
  agreed?: ReadonlySet<string>;
  /** Reverse domains need a permission of their own. */
  mayWriteDomains: boolean;
  /** The registry itself: no authorisation is needed, and registry-only changes are allowed. */
  registry: boolean;
  /** The sender, for the mails: `Corin Achterberg of EXAMPLE-AU`. */
  who: string;
};

/** Result of one update. */
export type WhoisOutcome = {
  /** `skipped`: valid, but not stored because others of an atomic submission failed. */
  state: 'ok' | 'unchanged' | 'failed' | 'skipped';
  done: 'create' | 'modify' | 'delete' | null;
  /** Empty if the text names no object. */
  class: string;
  key: string;
  shown: string;
  /** Versions before and after, or null. */
  beforeVersion: number | null;
  afterVersion: number | null;
  before: string | null;
  after: string | null;
  problems: WhoisProblem[];
};

/** A row of whois_object. */
export type StoredObject = {
  objectId: number;
  class: string;
  key: string;
  shown: string;
  text: string;
  version: number;
  first: string | null;
  last: string | null;
  firstAs: number | null;
  lastAs: number | null;
  registryMaintained: boolean;
  keptFor: string | null;
  kept: boolean;
  createdAt: string;
  changedAt: string;
};

/** One update on its way through the steps. */
export type Item = {
  index: number;
  update: WhoisUpdate;
  /** The object as it would be; for a deletion, as it is. */
  object: RpslObject;
  class: string;
  key: string;
  shown: string;
  operation: 'create' | 'modify' | 'delete';
  stored: StoredObject | null;
  /** Whether it belongs to the state the others are checked against. */
  alive: boolean;
  /** It has more of something than an object may have, and is judged no further. */
  isBeyondLimits: boolean;
  unchanged: boolean;
  problems: WhoisProblem[];
};

export const isError = ({ severity }: { severity: string }): boolean => severity === 'error';

/** A finding about an object as a whole, about the attribute at an index, or about the first attribute of a name (and value). */
export function problem(
  object: RpslObject,
  code: string,
  message: string,
  at: { attribute?: string; value?: string; index?: number; severity?: RpslProblem['severity'] } & Pick<
    WhoisProblem,
    'maintainers' | 'objects' | 'count'
  > = {},
): WhoisProblem {
  const { attribute: name, value, index: given, severity = 'error', ...more } = at;
  if (given !== undefined) return { severity, code, attribute: given, line: object.attributes[given]?.line || null, message, ...more };
  const wanted = value?.toLowerCase();
  const named =
    name === undefined
      ? -1
      : object.attributes.findIndex(a => a.name === name && (wanted === undefined || a.value.toLowerCase().includes(wanted)));
  const index = named >= 0 || name === undefined ? named : object.attributes.findIndex(a => a.name === name);
  const attribute = index < 0 ? null : index;
  return { severity, code, attribute, line: attribute === null ? null : object.attributes[attribute]!.line || null, message, ...more };
}
