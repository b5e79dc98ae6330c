import type { RpslObject, RpslProblem } from '@portal/rpsl';

/** One object of a submission. */
export type WhoisUpdate = {
  /** `auto`: created or modified, whichever the database asks for. */
  operation: 'create' | 'modify' | 'delete' | 'auto';
  text: string;
  /** Its first line in the text it was sent in. */
  line?: number;
  /** Why it is deleted, in the words of who does. */
  reason?: string;
  /** The version that was edited; a newer one makes the update fail. */
  expectedVersion?: number | null;
  /** The object that was edited: the text must not turn it into another one. */
  of?: { class: string; key: string };
  /** The holder of its numbers puts it into its own hands (`updates/reclaim.ts`). */
  takesOver?: boolean;
  /** It brings back what was deleted, so its handle is its own. */
  restores?: boolean;
  /** The name servers of a domain were checked as they are to be delegated. */
  serversChecked?: boolean;
  /** Refuses the update regardless of the object: the account may no longer write it. */
  refused?: { code: string; message: string };
};

/** A finding that may also name who could authorise it, and the conflicting objects. */
export type WhoisProblem = RpslProblem & {
  /** Maintainers of which any would do; names as the objects spell them. */
  maintainers?: readonly string[];
  /** Objects that refer here, or lie in the way: the first ones. */
  objects?: readonly { class: string; key: string; shown: string }[];
  /** Total number of such objects. */
  count?: number;
};

/** The rights a submission is made with. */
export type Credentials = {
  /** Keys of maintainers. */
  maintainers: ReadonlySet<string>;
  /** The account whose kept objects may be edited, as far as its holder may: for those who may use the principal maintainer. */
  holder: string | null;
  /** Maintainers that agreed to this very submission, as far as it can wait for it: to routes, and to the naming of irts. */
  agreed?: ReadonlySet<string>;
  /** Reverse domains need a permission of their own. */
  mayWriteDomains: boolean;
  /** The registry itself: no maintainers are asked, and it writes what only a registry may. */
  registry: boolean;
  /** The sender, for the mails: `Corin Achterberg of EXAMPLE-AU`. */
  who: string;
};

/** Result of one update. */
export type WhoisOutcome = {
  /** `skipped`: right in itself, but not stored because others of an atomic submission failed. */
  state: 'ok' | 'unchanged' | 'failed' | 'skipped';
  done: 'create' | 'modify' | 'delete' | null;
  /** Empty where the text names no object. */
  class: string;
  key: string;
  shown: string;
  /** Versions before and after; null where there is none. */
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
  /** The object as it would be; of a deletion, as it is. */
  object: RpslObject;
  class: string;
  key: string;
  shown: string;
  operation: 'create' | 'modify' | 'delete';
  stored: StoredObject | null;
  /** It belongs to the state the others are checked against. */
  alive: boolean;
  unchanged: boolean;
  problems: WhoisProblem[];
};

export const isError = ({ severity }: { severity: string }): boolean => severity === 'error';

/** A finding about an object as a whole, or about the first attribute of a name (and value). */
export function problem(
  object: RpslObject,
  code: string,
  message: string,
  at: { attribute?: string; value?: string; severity?: RpslProblem['severity'] } & Pick<
    WhoisProblem,
    'maintainers' | 'objects' | 'count'
  > = {},
): WhoisProblem {
  const { attribute: name, value, severity = 'error', ...more } = at;
  const wanted = value?.toLowerCase();
  const named =
    name === undefined
      ? -1
      : object.attributes.findIndex(a => a.name === name && (wanted === undefined || a.value.toLowerCase().includes(wanted)));
  const index = named >= 0 || name === undefined ? named : object.attributes.findIndex(a => a.name === name);
  const attribute = index < 0 ? null : index;
  return { severity, code, attribute, line: attribute === null ? null : object.attributes[attribute]!.line || null, message, ...more };
}
