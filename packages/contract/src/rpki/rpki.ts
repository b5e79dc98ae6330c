import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { endpoint, group, member, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { listOffset, listedId, prefixLength, rowVersion, wholeCount } from '../whole-numbers.ts';
import { authorityLife, authorityKeyLife } from './life.ts';

/** ROAs one change may add or remove. */
export const maxRoasAtOnce = 1_000;
/** ROAs one account may have. */
export const maxRoas = 20_000;
/** From this many removals on, the number has to be typed. */
export const massRemoval = 10;
/** Hours between starting a key rollover and activating the new key: by then every validator has seen it (RFC 6489, section 2). */
export const rolloverHours = 24;

/** How many days before its end a certificate of an account is renewed, and how many hours before theirs a manifest and its CRL. */
export const certificateRenewalDays = 60;
export const manifestRenewalHours = 12;
/** Members' programs republish many hours before the end of validity (Krill: eight): one with fewer hours left than this has stopped. */
export const endingPublicationHours = 4;

/**
 * Progress of a ROA. `pending`: the next publication has it. `published`: validators can fetch it. `not-held`: the prefix is not certified for
 * the account any more, so nothing is published; it comes back with the prefix. `stopped`: nothing of the account is published at the moment.
 */
export const roaStates = ['pending', 'published', 'not-held', 'stopped'] as const;

export const Roa = z.object({
  roaId: z.string(),
  prefix: z.string(),
  /** 0: no AS may originate the prefix. */
  asn: z.int(),
  maxLength: z.int(),
  comment: z.string(),
  state: z.enum(roaStates),
  /** Where its signed object is; null until it is published. */
  uri: z.nullable(z.string()),
  /** When the signed object ends unless it is renewed, which happens automatically. */
  expiresAt: z.nullable(z.iso.datetime()),
  createdAt: z.iso.datetime(),
});
export type Roa = z.infer<typeof Roa>;

const Prefix = oneLine(60).check(z.minLength(1, { error: 'Enter a prefix, such as 192.0.2.0/24' }));
const AsNumber = oneLine(20).check(z.minLength(1, { error: 'Enter an AS number, such as AS64500' }));

export const NewRoa = z.object({
  /** `192.0.2.0/24` */
  prefix: Prefix,
  /** `AS64500` or `64500`; `AS0` stands for no AS at all. */
  asn: AsNumber,
  /** The most specific announcement that is authorised; the length of the prefix unless told. */
  maxLength: z.optional(z.nullable(prefixLength)),
  comment: z._default(oneLine(200), ''),
});
export type NewRoa = z.infer<typeof NewRoa>;

/** Additions and removals that take effect together, or not at all. */
const changes = {
  add: z._default(z.array(NewRoa).check(z.maxLength(maxRoasAtOnce)), []),
  /** ROAs by their ids. */
  remove: z._default(z.array(rowId()).check(z.maxLength(maxRoas)), []),
};
export const RoaChanges = z.object({
  ...changes,
  /** The version of the list that the change was made on. */
  version: rowVersion,
  /** How many are removed, typed by the person: needed from ten on. */
  removing: z.optional(wholeCount),
  /** The check’s `toConfirm`, typed by the person: needed as soon as it isn’t 0. */
  invalidating: z.optional(wholeCount),
});
export type RoaChanges = z.infer<typeof RoaChanges>;

const Resources = z.array(z.string());

const Key = z.object({
  keyId: z.string(),
  /** Among the account’s keys, those that are gone included: 1 for its first. */
  number: z.int(),
  /** `new`: certified, and waits to take over. `current`: signs. `old`: its certificate goes next. */
  state: z.enum(['new', 'current', 'old']),
  since: z.iso.datetime(),
  /** Null until the next publication. */
  certificate: z.nullable(
    z.object({
      serial: z.string(),
      notBefore: z.iso.datetime(),
      notAfter: z.iso.datetime(),
      uri: z.string(),
      resources: Resources,
    }),
  ),
  manifest: z.nullable(z.object({ number: z.int(), thisUpdate: z.iso.datetime(), nextUpdate: z.iso.datetime(), uri: z.string() })),
});

/** The account is suspended: the day, in the registry’s time zone, on which all of this is withdrawn, null for none, and when it was. It comes back when the account is open again. */
const Suspension = z.object({ withdrawsOn: z.nullable(z.iso.date()), withdrawnAt: z.nullable(z.iso.datetime()) });
export type Suspension = z.infer<typeof Suspension>;

/** Changes and files of an account that are left out of publication. */
export const Unpublished = z.object({
  /** Files that rsync lacks, the first of many, and why; RRDP has them. */
  files: z.array(z.object({ uri: z.string(), problem: z.string() })),
  /** Since when changes wait, where that is longer than publications take: they are left out until the registry has corrected the cause. Null otherwise. */
  waitingSince: z.nullable(z.iso.datetime()),
});
export type Unpublished = z.infer<typeof Unpublished>;

export const RpkiStatus = z.object({
  /** `suspended`: enabled, but nothing is published, because the account is suspended and its day has come, or it holds nothing. */
  mode: z.enum(['off', 'hosted', 'suspended']),
  /** Version of the list of ROAs: every change increments it. */
  version: rowVersion,
  enabledAt: z.nullable(z.iso.datetime()),
  /** The account's holdings, and those not certified yet. */
  held: Resources,
  certified: Resources,
  missing: Resources,
  keys: z.array(Key),
  /** Null where no rollover is under way. */
  rollover: z.nullable(z.object({ startedAt: z.iso.datetime(), activateFrom: z.iso.datetime() })),
  counts: z.object({ roas: z.int(), pending: z.int(), published: z.int(), notHeld: z.int(), stopped: z.int() }),
  repository: z.object({
    /** The last publication; null before the first. */
    serial: z.nullable(z.int()),
    publishedAt: z.nullable(z.iso.datetime()),
    rsync: z.string(),
    /** Null where relying parties can only use rsync. */
    notification: z.nullable(z.string()),
    locator: z.string(),
    /** Of the trust anchor for space without a holder (AS0); null where the registry has none. */
    as0Locator: z.nullable(z.string()),
  }),
  /** Something of this account waits for the next publication. */
  isPublishing: z.boolean(),
  unpublished: Unpublished,
  /** Null where the account isn’t suspended, or has nothing here. */
  suspension: z.nullable(Suspension),
});
export type RpkiStatus = z.infer<typeof RpkiStatus>;

const RoaList = z.object({ version: rowVersion, rows: z.array(Roa), total: z.int() });

const view = member('rescert-view', { staff: true });
const changeErrors = [
  'INVALID_REQUEST',
  'RPKI_NOT_ENABLED',
  'STALE',
  'ROA_COUNT_WRONG',
  'ROUTES_INVALIDATE',
  'NOTHING_TO_DO',
  'ACCOUNT_SUSPENDED',
] as const;

export const rpki = group('rpki', {
  getStatus: endpoint({
    method: 'GET',
    path: '/api/:account/rpki',
    publicApi: { path: '/rpki', scope: 'routes:read' },
    summary:
      'How RPKI is set up for the account: certificate, keys, manifest, what is certified and what is held, and the last publication.',
    access: view,
    answer: RpkiStatus,
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/:account/rpki',
    summary: 'Enable hosted RPKI: the registry keeps the keys, and certifies what the account holds.',
    access: member('rpki-config-update'),
    effect: 'routing',
    answer: RpkiStatus,
    errors: ['RPKI_ENABLED_ALREADY', 'RPKI_NO_RESOURCES', 'ACCOUNT_SUSPENDED'],
    activity: 'Enabled hosted RPKI',
  }),
  previewRevocation: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/revocation',
    summary: 'What revoking the certificate would remove: ROAs that validators would no longer find.',
    access: view,
    answer: z.object({ version: rowVersion, roas: z.array(Roa), certified: Resources }),
    errors: ['RPKI_NOT_ENABLED'],
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/revocation',
    moves: authorityLife.revoke,
    summary:
      'Revoke the certificate: everything that the account publishes is withdrawn, its ROAs are deleted, and its keys are destroyed.',
    access: member('rescert-update'),
    effect: 'routing',
    body: z.object({ version: rowVersion, /** How many ROAs that deletes, typed by the person. */ removing: wholeCount }),
    errors: ['RPKI_NOT_ENABLED', 'STALE', 'ROA_COUNT_WRONG', 'RESOURCE_LOCKED'],
    activity: 'Revoked the resource certificate',
  }),
  listRoas: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/roas',
    publicApi: { path: '/roas', scope: 'routes:read' },
    summary: 'The ROAs of the account, a page at a time.',
    access: view,
    query: z.object({
      /** Prefix, AS number or comment; a prefix finds what is inside it and around it. */
      q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
      state: z.optional(z.enum(roaStates)),
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)), 100),
    }),
    answer: RoaList,
  }),
  checkRoas: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/roas/check',
    publicApi: { path: '/roas/check', scope: 'routes:write' },
    summary: 'Say what is wrong with additions and removals, entry by entry, without changing anything.',
    access: member('roas-update'),
    effect: 'reading',
    largestBody: largeBody,
    body: z.object(changes),
    answer: z.object({
      /** Of the present list: what a change is made on. */
      version: rowVersion,
      /** By their place in what was given. `field` names the part that is wrong. */
      problems: z.array(z.object({ list: z.enum(['add', 'remove']), index: z.int(), field: z.nullable(z.string()), problem: z.string() })),
      /** Valid entries of `add`, as they would be stored. */
      additions: z.array(
        z.object({ index: z.int(), prefix: z.string(), asn: z.int(), maxLength: z.int(), warning: z.nullable(z.string()) }),
      ),
      /** Announcements that the valid entries would make invalid. */
      becomeInvalid: z.int(),
      /** Announcements that many networks see, and that would be left without any ROA. */
      loseRoa: z.int(),
      /** The number to type before this is done: both together. */
      toConfirm: z.int(),
    }),
    errors: ['RPKI_NOT_ENABLED'],
    activity: 'Checked changes of ROAs',
  }),
  changeRoas: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/roas',
    publicApi: { path: '/roas', scope: 'routes:write' },
    summary: 'Add and remove ROAs, all together or not at all. The next publication, within seconds, has them.',
    access: member('roas-update'),
    effect: 'routing',
    largestBody: largeBody,
    body: RoaChanges,
    answer: z.object({ version: rowVersion, added: z.array(Roa), removed: z.int() }),
    errors: changeErrors,
    activity: 'Changed ROAs',
  }),
  listHistory: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/history',
    publicApi: {
      path: '/rpki/history',
      scope: 'routes:read',
      continues: { parameter: 'before', entries: 'rows', id: 'activityId', more: 'more' },
    },
    summary: 'What was done about RPKI in this account, the last first: ROAs added and removed, certificates, keys.',
    access: view,
    query: z.object({
      before: z.optional(listedId),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    answer: z.object({
      rows: z.array(
        z.object({
          activityId: z.int(),
          happenedAt: z.iso.datetime(),
          summary: z.string(),
          /** Who did it; null for the registry itself. */
          by: z.nullable(z.string()),
          added: z.array(z.string()),
          removed: z.array(z.string()),
          refusal: z.nullable(z.string()),
        }),
      ),
      more: z.boolean(),
    }),
  }),
  startRollover: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/rollover',
    summary: 'Start a key rollover: a new key is made and certified beside the present one, and can be activated a day later.',
    access: member('rescert-update'),
    effect: 'routing',
    answer: RpkiStatus,
    errors: ['RPKI_NOT_ENABLED', 'ROLLOVER_UNDER_WAY'],
    activity: 'Started a key rollover',
  }),
  activateKey: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/rollover/activation',
    moves: authorityKeyLife.activate,
    summary:
      'Activate the new key: everything is signed anew with it, and the old key signs no more. Signed checklists made with the old key become invalid.',
    access: member('rescert-update'),
    effect: 'routing',
    answer: RpkiStatus,
    errors: ['RPKI_NOT_ENABLED', 'ROLLOVER_NOT_STARTED', 'ROLLOVER_TOO_EARLY'],
    activity: 'Activated a new key',
  }),
});
