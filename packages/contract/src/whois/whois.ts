import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { DryRun } from '../dry-run.ts';
import { Email } from '../email.ts';
import { contact, endpoint, group, member, largeBody } from '../endpoint.ts';
import { oneLine, PersonName } from '../one-line.ts';
import { largestWhole, listOffset, rowVersion } from '../whole-numbers.ts';
import { longText } from '../long-text.ts';

export const whoisClasses = [
  'inetnum', 'inet6num', 'as-block', 'aut-num', 'as-set', 'route', 'route6', 'route-set', 'inet-rtr', 'filter-set', 'peering-set', 'rtr-set', 'domain', 'mntner', 'irt',
  'key-cert', 'organisation', 'role', 'person',
] as const; // biome-ignore format: one list
export type WhoisClass = (typeof whoisClasses)[number];
const Class = z.enum(whoisClasses);
/** No control characters: the database doesn't store them. */
const plainText = z.regex(/^\P{Cc}*$/u, { error: 'Remove control characters' });
const Key = z.string().check(z.trim(), z.minLength(1), z.maxLength(300), plainText);
const Paging = {
  offset: listOffset,
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 50),
};

/** Objects of one call; more become a task. */
export const maxImmediateUpdates = 500;
/** Objects of one text, and its characters. */
export const maxUploadedObjects = 10_000;
export const longestUpload = 10_000_000;

/** Identifies an object. `key` in its usual notation, in any case. */
const ObjectName = z.object({ class: z.string(), key: z.string(), shown: z.string() });

/** One object in a list. */
export const WhoisListing = z.object({
  class: Class,
  key: z.string(),
  shown: z.string(),
  /** Name besides its key: netname, name of the person, first line of descr. */
  name: z.string(),
  maintainers: z.array(z.string()),
  version: rowVersion,
  changedAt: z.iso.datetime(),
  /** The registry keeps it out of its ledger. Its holder can change some of it. */
  kept: z.boolean(),
});
export type WhoisListing = z.infer<typeof WhoisListing>;

export const whoisSorts = ['class', 'shown', 'changedAt'] as const;

/** Filters of a list of objects. */
export const whoisFilters = {
  class: z.optional(Class),
  /** Part of the key or of the text. */
  q: z._default(z.string().check(z.trim(), z.maxLength(100), plainText), ''),
  maintainer: z.optional(z.string().check(z.maxLength(80), plainText)),
  changedSince: z.optional(calendarDay()),
  /** Only those nothing refers to. */
  unreferenced: z.optional(z.enum(['yes'])),
};

/** One object with all that its page shows. */
export const WhoisObject = z.object({
  class: Class,
  key: z.string(),
  shown: z.string(),
  /** Text as its maintainers wrote it, without credentials of maintainers. */
  text: z.string(),
  version: rowVersion,
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  /** The account the registry keeps it for; null for objects of others, and of the registry itself. */
  keptFor: z.nullable(z.string()),
  mayEdit: z.boolean(),
  mayDelete: z.boolean(),
  /** The account holds its numbers, and someone else maintains it: it can be taken over, or deleted. */
  mayReclaim: z.boolean(),
  /** Why not, or what of it only; null when the caller may do both. */
  why: z.nullable(z.string()),
  /** Attributes the caller may change; null: all. */
  changeable: z.nullable(z.array(z.string())),
  /** Objects that refer to it. */
  references: z.int(),
});
export type WhoisObject = z.infer<typeof WhoisObject>;

export const WhoisVersion = z.object({
  version: rowVersion,
  /** The operation. */
  operation: z.enum(['create', 'modify', 'delete']),
  at: z.iso.datetime(),
  /** Who did it, as far as the caller may know: contacts of the caller's account by name. */
  by: z.string(),
  reason: z.string(),
  serial: z.int(),
});
export type WhoisVersion = z.infer<typeof WhoisVersion>;

/** Something found in an object: what is wrong and what would be right. */
export const WhoisProblem = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  /** Stable, kebab-case: `reference-missing`, `not-authorised`, `changed-meanwhile`. */
  code: z.string(),
  /** The attribute it is about, and its line in the text as sent; null when the whole object is meant. */
  attribute: z.nullable(z.string()),
  line: z.nullable(z.int()),
  message: z.string(),
  /** Maintainers of which any could allow it. */
  maintainers: z.array(z.string()),
  /** Objects in the way: the first ones of `count`. */
  objects: z.array(ObjectName),
  count: z.int(),
});
export type WhoisProblem = z.infer<typeof WhoisProblem>;

/** Result of an update or its dry run. */
export const WhoisOutcome = z.object({
  /** `skipped`: right in itself, not done because others of an atomic submission failed. */
  state: z.enum(['ok', 'unchanged', 'failed', 'skipped']),
  done: z.nullable(z.enum(['create', 'modify', 'delete'])),
  class: z.string(),
  key: z.string(),
  shown: z.string(),
  beforeVersion: z.nullable(z.int()),
  afterVersion: z.nullable(z.int()),
  /** The stored text before, and after the update or dry run; of a failed one, as it was sent. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  problems: z.array(WhoisProblem),
});
export type WhoisOutcome = z.infer<typeof WhoisOutcome>;

const modes = ['atomic', 'best-effort'] as const;
const Mode = z.enum(modes);
const Reason = z._default(z.string().check(z.trim(), z.maxLength(500), plainText), '');
const Update = z.object({
  /** `auto`: created or modified, whichever the database asks for. A line `delete: <reason>` in the text deletes. */
  operation: z._default(z.enum(['create', 'modify', 'delete', 'auto']), 'auto'),
  text: z.string().check(z.maxLength(200_000)),
  reason: Reason,
  /** The version that was edited; a newer one makes the update fail. */
  expectedVersion: z.optional(z.nullable(rowVersion)),
  /** The object that was edited: the text must not turn it into another one. */
  of: z.optional(z.object({ class: Class, key: Key })),
});
export const WhoisUpdates = z.object({
  updates: z
    .array(Update)
    .check(
      z.minLength(1),
      z.maxLength(maxImmediateUpdates, { error: `Send at most ${maxImmediateUpdates} objects at a time. A text with more becomes a task` }),
    ),
  mode: z._default(Mode, 'atomic'),
});
export type WhoisUpdates = z.infer<typeof WhoisUpdates>;

const Upload = z.object({
  /** Objects separated by empty lines. */
  text: longText({
    most: longestUpload,
    tooLong: 'The text is longer than 10 million characters. Send it in parts',
    empty: 'Choose a file, or paste objects',
  }),
  mode: z._default(Mode, 'best-effort'),
  /** Returns what would happen and changes nothing. */
  dryRun: DryRun,
});

/** Attributes that cannot be bulk-updated: keys, and those the server writes. */
export const fixedAttributes: readonly string[] = [
  ...whoisClasses,
  'nic-hdl',
  'origin',
  'status',
  'source',
  'last-modified',
  'created',
  'auth',
  'certif',
];
const AttributeName = z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z][a-z0-9-]{1,30}$/));
const BulkAction = z
  .object({
    action: z.enum(['add', 'replace', 'set', 'remove']),
    attribute: AttributeName.check(
      z.refine(name => !fixedAttributes.includes(name), { error: 'This attribute is part of a primary key or set by the registry' }),
    ),
    /** Which value is replaced or taken out; with `remove` and none, all. */
    value: z.optional(oneLine(500)),
    newValue: z.optional(oneLine(2_000)),
  })
  .check(
    z.refine(({ action, newValue }) => action === 'remove' || (newValue ?? '') !== '', { error: 'Enter the new value' }),
    z.refine(({ action, value }) => action !== 'replace' || (value ?? '') !== '', { error: 'Enter the value to replace' }),
  );
const BulkChange = z.object({
  /** Objects that meet all given conditions. */
  choose: z
    .object({
      classes: z.optional(z.array(Class).check(z.minLength(1))),
      /** They refer to this value by this attribute: `tech-c`, `mnt-by`, `notify` … */
      attribute: z.optional(AttributeName),
      value: z.optional(oneLine(300)),
      keys: z.optional(z.array(z.object({ class: Class, key: Key })).check(z.minLength(1), z.maxLength(5_000))),
    })
    .check(
      z.refine(({ attribute, value }) => (attribute === undefined) === (value === undefined), {
        error: 'Enter both an attribute and its value',
      }),
      z.refine(choose => Object.values(choose).some(each => each !== undefined), {
        error: 'Say which objects: their keys, their classes, or an attribute and its value',
      }),
    ),
  actions: z.array(BulkAction).check(z.minLength(1), z.maxLength(10)),
  mode: z._default(Mode, 'best-effort'),
  dryRun: DryRun,
});

/** Outcomes if it ran immediately, or the task that runs it. */
const UploadAnswer = z.object({
  objects: z.int(),
  /** Null while a task is running it. */
  outcomes: z.nullable(z.array(WhoisOutcome)),
  /** The task that carries it out, or under which it is recorded with its report and can be reverted; null of a small dry run, and where nothing changed. */
  taskId: z.nullable(z.int()),
});

export const WhoisMaintainer = z.object({
  maintainer: z.string(),
  principal: z.boolean(),
  /** False if there is no object of this name any more. */
  exists: z.boolean(),
  linkedAt: z.iso.datetime(),
  descr: z.string(),
  updTo: z.array(z.string()),
  mntNfy: z.array(z.string()),
  /** `PORTAL`, `PGPKEY-…`; remains of older methods are left out. */
  auth: z.array(z.string()),
  version: z.nullable(z.int()),
  /** Number of objects it maintains, per class. */
  maintains: z.array(z.object({ class: z.string(), objects: z.int() })),
  /** Contacts with its permission; null for callers who may not see permissions. */
  users: z.nullable(z.array(z.object({ contactId: z.string(), name: z.string() }))),
  /** When its last users lose it, unless they are kept; null otherwise. */
  usersEndAt: z.nullable(z.iso.datetime()),
  /** The caller may write with it. */
  mine: z.boolean(),
});
export type WhoisMaintainer = z.infer<typeof WhoisMaintainer>;

const MaintainerName = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.maxLength(80),
    z.regex(/^[A-Z][A-Z0-9_-]*[A-Z0-9]$/, { error: 'Enter a maintainer, such as MAINT-AU-EXAMPLE' }),
  );

const NewMaintainer = z.object({
  maintainer: MaintainerName,
  descr: oneLine(200).check(z.minLength(1, { error: 'Enter a description' })),
  updTo: z.array(Email).check(z.minLength(1, { error: 'Enter at least one e-mail address for upd-to' }), z.maxLength(10)),
  mntNfy: z._default(z.array(Email).check(z.maxLength(10)), []),
  /** A contact that exists, or the first person, made together with the maintainer. */
  adminC: z.optional(oneLine(40)),
  person: z.optional(
    z.object({
      name: PersonName,
      address: z.array(oneLine(100)).check(z.minLength(1), z.maxLength(8)),
      country: z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter country code, such as AU' })),
      phone: oneLine(30),
      email: Email,
    }),
  ),
});
export type NewMaintainer = z.infer<typeof NewMaintainer>;

export const irtStates = ['valid', 'pending', 'invalid', 'restricted', 'undeliverable'] as const;
export const WhoisIrt = z.object({
  irt: z.string(),
  version: rowVersion,
  mine: z.boolean(),
  mailboxes: z.array(
    z.object({
      mailbox: z.string(),
      attribute: z.enum(['e-mail', 'abuse-mailbox']),
      state: z.enum(irtStates),
      validatedAt: z.nullable(z.iso.datetime()),
      dueAt: z.nullable(z.iso.datetime()),
      sentAt: z.nullable(z.iso.datetime()),
    }),
  ),
  /** Resources of the account that name it, by class. */
  usedBy: z.array(z.object({ class: z.string(), objects: z.int() })),
});
export type WhoisIrt = z.infer<typeof WhoisIrt>;

export const completionKinds = ['contact', 'role', 'maintainer', 'irt', 'organisation', 'set', 'as-number', 'key-cert'] as const;

const useOf = z.object({ class: Class, key: Key });
const manageMaintainers = member('whois-principal-mntner-access');

export const whois = group('whois', {
  listObjects: endpoint({
    method: 'GET',
    path: '/api/:account/whois/objects',
    publicApi: { path: '/whois/objects', scope: 'whois:read' },
    summary: 'Whois objects the account maintains, or the registry keeps for it, a page at a time, and how many of each class there are.',
    access: contact,
    query: z.object({
      ...whoisFilters,
      sort: z._default(z.enum(whoisSorts), 'class'),
      direction: z._default(z.enum(['asc', 'desc']), 'asc'),
      ...Paging,
    }),
    answer: z.object({ rows: z.array(WhoisListing), total: z.int(), classes: z.array(z.object({ class: z.string(), objects: z.int() })) }),
  }),
  getObject: endpoint({
    method: 'GET',
    path: '/api/:account/whois/object',
    publicApi: { path: '/whois/object', scope: 'whois:read' },
    summary: 'One whois object, of whomever: its text, its version, and what the caller may do with it.',
    access: contact,
    query: useOf,
    answer: WhoisObject,
    errors: ['NOT_FOUND'],
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/api/:account/whois/versions',
    publicApi: { path: '/whois/versions', scope: 'whois:read' },
    summary: 'The versions of an object, newest first, those before it was deleted too.',
    access: contact,
    query: z.object({ class: Class, key: Key, ...Paging }),
    answer: z.object({ rows: z.array(WhoisVersion), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/api/:account/whois/version',
    publicApi: { path: '/whois/version', scope: 'whois:read' },
    summary: 'One version of an object, with the text before it.',
    access: contact,
    query: z.object({ class: Class, key: Key, version: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(largestWhole)) }),
    answer: z.extend(WhoisVersion, { text: z.string(), before: z.nullable(z.string()) }),
    errors: ['NOT_FOUND'],
  }),
  listReferences: endpoint({
    method: 'GET',
    path: '/api/:account/whois/references',
    publicApi: { path: '/whois/references', scope: 'whois:read' },
    summary: 'The objects that refer to an object, and by which attributes.',
    access: contact,
    query: z.object({ class: Class, key: Key, ...Paging }),
    answer: z.object({ rows: z.array(z.extend(ObjectName, { attributes: z.array(z.string()) })), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  previewUpdates: endpoint({
    method: 'POST',
    path: '/api/:account/whois/previews',
    publicApi: { path: '/whois/previews', scope: 'whois:write' },
    summary: 'What would come of changes of whois objects: everything is checked, nothing is stored.',
    access: contact,
    effect: 'reading',
    largestBody: largeBody,
    body: WhoisUpdates,
    answer: z.object({ outcomes: z.array(WhoisOutcome) }),
    errors: ['NO_PERMISSION', 'ACCOUNT_SUSPENDED'],
    activity: 'Previewed changes of whois objects',
  }),
  submitUpdates: endpoint({
    method: 'POST',
    path: '/api/:account/whois/updates',
    publicApi: { path: '/whois/updates', scope: 'whois:write' },
    summary: 'Create, change and delete whois objects that see each other; all findings of all objects are answered together.',
    access: contact,
    effect: 'whois',
    largestBody: largeBody,
    body: WhoisUpdates,
    answer: z.object({ outcomes: z.array(WhoisOutcome) }),
    errors: ['NO_PERMISSION', 'ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'TOO_MANY_EDITS', 'TOO_MUCH_UPLOADED', 'TOO_MANY_OBJECTS'],
    activity: 'Changed whois objects',
  }),
  uploadText: endpoint({
    method: 'POST',
    path: '/api/:account/whois/uploads',
    publicApi: { path: '/whois/uploads', scope: 'whois:write' },
    summary: 'Create, change and delete the objects of a text, or say what would come of it. Many objects become a task.',
    access: contact,
    effect: 'whois',
    body: Upload,
    largestBody: 2 * longestUpload,
    answer: UploadAnswer,
    errors: [
      'NO_PERMISSION',
      'ACCOUNT_SUSPENDED',
      'ACCOUNT_RESTRICTED_IRT',
      'INVALID_REQUEST',
      'TOO_MANY_TASKS',
      'TOO_MUCH_UPLOADED',
      'TOO_MANY_OBJECTS',
      'TOO_MANY_EDITS',
    ],
    activity: 'Uploaded whois objects',
  }),
  bulkChange: endpoint({
    method: 'POST',
    path: '/api/:account/whois/changes',
    publicApi: { path: '/whois/changes', scope: 'whois:write' },
    summary:
      'One change of many objects of the account: attributes added, replaced, set or taken out; or what would come of it. Many objects become a task.',
    access: contact,
    effect: 'whois',
    largestBody: largeBody,
    body: BulkChange,
    answer: z.object({
      /** Number of objects it changes, and of those chosen. */
      objects: z.int(),
      matched: z.int(),
      /** Of a dry run how many of all `objects` would be refused, otherwise how many of the outcomes are. */
      refused: z.int(),
      /** Fifty outcomes of a dry run, those that would be refused first; null while a task is at work on it. */
      outcomes: z.nullable(z.array(WhoisOutcome)),
      /** The task that carries it out, or under which it is recorded with its report and can be reverted; null of a dry run, and where nothing changed. */
      taskId: z.nullable(z.int()),
    }),
    errors: [
      'NO_PERMISSION',
      'ACCOUNT_SUSPENDED',
      'ACCOUNT_RESTRICTED_IRT',
      'INVALID_REQUEST',
      'TOO_MANY_TASKS',
      'TOO_MUCH_UPLOADED',
      'TOO_MANY_OBJECTS',
    ],
    activity: 'Bulk-updated whois objects',
  }),
  complete: endpoint({
    method: 'GET',
    path: '/api/:account/whois/completions',
    summary: 'Handles, maintainers, irts, organisations and sets to fill in: those of the account first.',
    access: contact,
    query: z.object({
      kind: z.enum(completionKinds),
      q: z._default(z.string().check(z.trim(), z.maxLength(100), plainText), ''),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), 20),
    }),
    answer: z.object({ rows: z.array(z.extend(ObjectName, { name: z.string(), own: z.boolean() })) }),
  }),
  listMaintainers: endpoint({
    method: 'GET',
    path: '/api/:account/whois/maintainers',
    publicApi: { path: '/whois/maintainers', scope: 'whois:read' },
    summary: 'The maintainers linked to the account: what they maintain, who may use them.',
    access: contact,
    answer: z.object({ rows: z.array(WhoisMaintainer) }),
  }),
  createMaintainer: endpoint({
    method: 'POST',
    path: '/api/:account/whois/maintainers',
    summary:
      'Make a maintainer and link it to the account; the first one together with its person. It becomes the principal one when there is none.',
    access: manageMaintainers,
    effect: ['keys', 'whois'],
    body: NewMaintainer,
    answer: z.object({ outcomes: z.array(WhoisOutcome) }),
    errors: ['ACCOUNT_SUSPENDED', 'TOO_MANY_OBJECTS', 'ACCOUNT_RESTRICTED_IRT'],
    activity: 'Created a maintainer',
  }),
  askToLinkMaintainer: endpoint({
    method: 'POST',
    path: '/api/:account/whois/maintainer-codes',
    summary: 'Ask to link a maintainer that exists: a code goes to all its upd-to addresses.',
    access: manageMaintainers,
    effect: 'keys',
    body: z.object({ maintainer: MaintainerName }),
    answer: z.object({ sentTo: z.int(), dueAt: z.iso.datetime() }),
    errors: ['NOT_FOUND', 'MAINTAINER_LINKED', 'TOO_MANY_REQUESTS', 'REGISTRY_MAINTAINER'],
    activity: 'Asked to link a maintainer',
  }),
  linkMaintainer: endpoint({
    method: 'POST',
    path: '/api/:account/whois/maintainer-links',
    summary: 'Link a maintainer with the code that was mailed to it.',
    access: manageMaintainers,
    effect: 'keys',
    body: z.object({ maintainer: MaintainerName, code: z.string().check(z.trim(), z.maxLength(40)) }),
    /** `linked` false: a wrong code; five of them, and it takes a new one. */
    answer: z.object({ linked: z.boolean(), rows: z.array(WhoisMaintainer) }),
    errors: ['CODE_EXPIRED'],
    activity: 'Entered the code that links a maintainer',
  }),
  unlinkMaintainer: endpoint({
    method: 'DELETE',
    path: '/api/:account/whois/maintainers/:maintainer',
    summary: 'Link a maintainer to the account no more. The object stays.',
    access: manageMaintainers,
    effect: 'keys',
    answer: z.object({ rows: z.array(WhoisMaintainer) }),
    errors: ['NOT_FOUND', 'PRINCIPAL_MAINTAINER'],
    activity: 'Unlinked a maintainer',
  }),
  choosePrincipalMaintainer: endpoint({
    method: 'POST',
    path: '/api/:account/whois/maintainers/:maintainer/principal',
    summary: 'Make a linked maintainer the principal one: new objects name it, and the registry names it in what it keeps.',
    access: manageMaintainers,
    effect: 'keys',
    answer: z.object({ rows: z.array(WhoisMaintainer) }),
    errors: ['NOT_FOUND'],
    activity: 'Chose the principal maintainer',
  }),
  grantMaintainer: endpoint({
    method: 'PUT',
    path: '/api/:account/whois/maintainers/:maintainer/users',
    summary:
      'Say which contacts may use a maintainer, besides corporate contacts. The last one loses it a day later, unless kept by the code of a mail.',
    access: member('users-privileges-update'),
    effect: ['control', 'keys'],
    body: z.object({ contactIds: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(500)) }),
    answer: z.object({ rows: z.array(WhoisMaintainer) }),
    errors: ['NOT_FOUND', 'OWN_PERMISSIONS', 'PERMISSION_NOT_GRANTABLE'],
    activity: 'Changed who may use a maintainer',
  }),
  listIrts: endpoint({
    method: 'GET',
    path: '/api/:account/whois/irts',
    publicApi: { path: '/whois/irts', scope: 'whois:read' },
    summary: 'The irts the account maintains or its resources name, and resources without one of its own.',
    access: contact,
    answer: z.object({ rows: z.array(WhoisIrt), without: z.array(ObjectName), withoutTotal: z.int() }),
  }),
});
