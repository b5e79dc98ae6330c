import path from 'node:path';
import { type Flag, flags } from '@portal/contract';
import { type FeedName, feedNames } from '@portal/contract/publication/feeds';
import { Environment } from '@portal/contract/shell/shell';
import { readyMadeRoleKeys } from '@portal/contract/staff-roles';
import { ticketQueueNames } from '@portal/contract/tickets/queues';
import * as z from 'zod/mini';
import { readTrustedProxies } from './platform/http/caller-address.ts';
import { readSupportHours } from './platform/support-hours.ts';
import {
  host,
  listOf,
  oneOf,
  pairsOf,
  parsedAs,
  readSetting,
  type Setting,
  secret,
  someOf,
  text,
  url,
  wholeNumber,
  yesNo,
} from './setting.ts';

/** Whether the installation has a feature; see `flags` of the contract. */
const feature = <F extends Flag>(flag: F) =>
  yesNo(
    `FLAG_${flag.toUpperCase()}`,
    true,
    `Feature “${flags[flag].title}”: no switches it off for everyone, whatever is set at /desk/features`,
  );

const roles = ['web', 'worker', 'whois', 'publisher'] as const;
/** Returns minutes by feed; null where a pair is wrong. */
function readFeedMinutes(value: string): Partial<Record<FeedName, number>> | null {
  const minutes: Partial<Record<FeedName, number>> = {};
  for (const pair of value.split(',').flatMap(part => part.trim() || [])) {
    const [, name, count] = /^([a-z0-9-]+)=(\d{1,7})$/.exec(pair) ?? [];
    const known = feedNames.find(feed => feed === name);
    if (!known || minutes[known] !== undefined || Number(count) > 1_000_000) return null;
    minutes[known] = Number(count);
  }
  return minutes;
}

/** Returns addresses of database servers; null where one is none. */
function readServerUrls(value: string): string[] | null {
  const urls = value.split(',').flatMap(part => part.trim() || []);
  const isServer = (url: string): boolean => URL.canParse(url) && ['postgres:', 'postgresql:'].includes(new URL(url).protocol);
  return urls.every(isServer) && new Set(urls).size === urls.length ? urls : null;
}

/** Returns groups of another provider with the role of each; null where a pair is wrong. A group may contain `=` and commas, as distinguished names do. */
function readStaffGroups(value: string): { group: string; role: string }[] | null {
  const pairs: { group: string; role: string }[] = [];
  for (const pair of value.split(';').flatMap(part => part.trim() || [])) {
    const [, group, role] = /^(.{1,300}?)\s*=\s*([a-z-]+|[1-9]\d{0,17})$/.exec(pair) ?? [];
    const isKnown = role !== undefined && (/^\d/.test(role) || (readyMadeRoleKeys as readonly string[]).includes(role));
    if (group === undefined || !isKnown || pairs.some(each => each.group === group && each.role === role)) return null;
    pairs.push({ group, role });
  }
  return pairs;
}

/** Places that watch at most: each has its own column of facts on the status page. */
const MAX_WATCHERS = 8;

/** Returns addresses of watchers' reports, with the place of each where there are several; null where one is wrong. */
function readWatchers(value: string): { place: string | null; url: string }[] | null {
  const parts = value.split(';').flatMap(part => part.trim() || []);
  const watchers = parts.map(part => {
    const [, place = null, url] = /^(?:([^=:/]{1,40}?)\s*=\s*)?(https?:.+)$/.exec(part) ?? [];
    return url !== undefined && URL.canParse(url) ? { place, url: url.replace(/\/$/, '') } : null;
  });
  const names = new Set(watchers.map(each => each?.place ?? null));
  if (watchers.length > MAX_WATCHERS || watchers.includes(null) || (watchers.length > 1 && names.has(null))) return null;
  return names.size === watchers.length ? watchers.flatMap(each => each ?? []) : null;
}

/** Returns headers by name, in lower case; null where a pair is wrong. */
function readHeaders(value: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of value.split(',').flatMap(part => part.trim() || [])) {
    const [, name, given] = /^([\w-]{1,100})\s*=\s*([\x21-\x7e]{0,4000})$/.exec(pair) ?? [];
    if (name === undefined || headers[name.toLowerCase()] !== undefined) return null;
    try {
      headers[name.toLowerCase()] = decodeURIComponent(given!);
    } catch {
      return null;
    }
    if (!/^[\x20-\x7e]*$/.test(headers[name.toLowerCase()]!)) return null;
  }
  return headers;
}

const readShare = (value: string): number | null => (/^(0|1|0?\.\d{1,9}|1\.0+|0\.0+)$/.test(value) ? Number(value) : null);

const demoSecret = 'demo-registry-not-for-production';

/** Claims of a person the portal reads (specification, section 3). */
export const profileClaims = ['userid', 'nickname', 'display_name', 'full_name', 'name', 'email', 'email_verified', 'groups'] as const;
export type ProfileClaim = (typeof profileClaims)[number];

/** All settings: an environment variable each, read and checked only here. */
export const settings = {
  mode: oneOf(
    'NODE_ENV',
    ['development', 'production', 'test'],
    'development',
    'production refuses to start with demo people, default secrets or an http APP_URL',
  ),
  apiCallsPerSecond: wholeNumber(
    'API_CALLS_PER_SECOND',
    10,
    'Calls of the registry API that one API key may make per second, for each web process. A key that was idle may make the calls of ten seconds in one',
    { min: 1, max: 100_000 },
  ),
  robotHostmaster: yesNo(
    'ROBOT_HOSTMASTER',
    false,
    'yes: requests for IPv4, IPv6 and AS numbers that policy allows outright are approved without a person, and logged as such',
  ),
  sandbox: yesNo(
    'SANDBOX',
    false,
    'yes: this is a copy of the registry to try things in. Nothing leaves it: the roles whois and publisher are left out, no mail is sent, no webhook is called',
  ),
  sandboxUrl: url(
    'SANDBOX_URL',
    '',
    'Address of a portal with SANDBOX=yes, shown to members beside their API keys and in the API reference; empty: none',
  ),
  roles: someOf('ROLES', roles, roles, 'What this process does; several processes may share one PostgreSQL'),
  host: text('HOST', '127.0.0.1', 'Address the HTTP server listens on'),
  port: wholeNumber('PORT', 8080, 'Port of the portal, API, sign-in, RDAP and RRDP', { min: 0, max: 65535 }),
  healthPort: wholeNumber(
    'HEALTH_PORT',
    0,
    'Port, on HOST, of /healthz, /readyz and /metrics of a process without the role web, which answers them on PORT; 0: none',
    { min: 0, max: 65535 },
  ),
  shutdownSeconds: wholeNumber(
    'SHUTDOWN_SECONDS',
    30,
    'How long a process may finish running requests and tasks after SIGTERM, before they are cut off',
    { min: 0, max: 3600 },
  ),
  shutdownNoticeSeconds: wholeNumber(
    'SHUTDOWN_NOTICE_SECONDS',
    0,
    'How long a process goes on after SIGTERM while /readyz answers 503, before it takes no more requests: a little longer than a load balancer needs to notice',
    { min: 0, max: 600 },
  ),
  httpConnections: wholeNumber(
    'HTTP_CONNECTIONS',
    0,
    'Connections that a process with the role web takes at a time; more are closed. 0: what the limit of open files (ulimit -n) leaves beside 256 of them for everything else',
    { min: 0, max: 1_000_000 },
  ),
  memoryMegabytes: parsedAs(
    'MEMORY_MEGABYTES',
    '0',
    'Memory, in megabytes, that this process may take, 1024 at the least: uploads, exports and long calls are refused for the moment when it takes 85 % of them or less than 320 are left, other calls from 95 % on. 0: what the machine, the unit or the container gives',
    text => (/^\d{1,7}$/.test(text) && (Number(text) === 0 || Number(text) >= 1024) ? Number(text) : null),
    'must be 0 or a whole number from 1024 to 9999999',
  ),
  whoisPort: wholeNumber('WHOIS_PORT', 4343, 'Port of whois queries and the IRRd protocol (role whois), on HOST', { min: 0, max: 65535 }),
  whoisMemoryMegabytes: wholeNumber(
    'WHOIS_MEMORY_MEGABYTES',
    2048,
    'Memory, in megabytes, that the role whois may take for a copy of the objects, about 600 for a million; with 0, or when they take more, each query asks the database',
    { min: 0, max: 1_048_576 },
  ),
  whoisTrustedProxies: listOf(
    'WHOIS_TRUSTED_PROXIES',
    '',
    'Addresses that may pass on whose whois query it is (-V tag,address), such as a web page that queries',
  ),
  appUrl: url('APP_URL', '', 'Address people see; default http://localhost:PORT'),
  trustedHosts: listOf('TRUSTED_HOSTS', '', 'Further host names (with port) this server answers to; others get 421'),
  behindProxy: parsedAs(
    'BEHIND_PROXY',
    'no',
    'The proxies in front whose X-Forwarded-For is believed: no; yes, one that appends; how many (2); or their networks (192.0.2.0/28,2001:db8::/64)',
    readTrustedProxies,
    'must be no, yes, how many proxies there are (1 to 9), or their networks, separated by commas',
  ),
  databaseUrl: secret(
    url('DATABASE_URL', '', 'postgres://… of a server (15 or newer); empty: embedded database under DATA_DIR/db; memory:// keeps nothing', [
      'postgres:',
      'postgresql:',
      'memory:',
    ]),
  ),
  databaseDirectUrl: secret(
    url(
      'DATABASE_DIRECT_URL',
      '',
      'postgres://… of the server itself, where DATABASE_URL leads to PgBouncer in transaction mode: notifications, locks, streams and migrations go there; empty: DATABASE_URL is the server',
      ['postgres:', 'postgresql:'],
    ),
  ),
  databaseReadUrls: secret(
    parsedAs(
      'DATABASE_READ_URL',
      '',
      'postgres://… of a replica of the server, or of several, separated by commas: what anyone may ask (whois and IRR, RDAP, public pages but the status) is read there, and a person’s search once all that the person changed is there; empty: none',
      readServerUrls,
      'must be addresses starting with postgres://, separated by commas, each once',
    ),
  ),
  replicaLagSeconds: wholeNumber(
    'REPLICA_LAG_SECONDS',
    10,
    'How many seconds a replica may be behind; one that is further behind is left out until it has caught up',
    { min: 1, max: 3600 },
  ),
  databaseConnections: wholeNumber(
    'DATABASE_CONNECTIONS',
    10,
    'Connections to a PostgreSQL server for reading, and as many for writing, beside four of a worker',
    {
      min: 4,
      max: 200,
    },
  ),
  dataDir: text('DATA_DIR', './data', 'Folder of the embedded database and of files'),
  filesStore: oneOf(
    'FILES_STORE',
    ['auto', 'disk', 's3'],
    'auto',
    'Where files are written: disk, the folder of DATA_DIR; s3, the bucket of FILES_S3_URL; auto: the bucket, where there is one. With FILES_S3_URL they are read from both, so that `registry files move` can move them meanwhile',
  ),
  filesS3Url: url(
    'FILES_S3_URL',
    '',
    'Address of a service that speaks S3, which keeps files instead of a disk that all processes share, such as https://s3.eu-central-1.amazonaws.com; empty: none',
  ),
  filesS3Bucket: text('FILES_S3_BUCKET', '', 'Bucket there, of this registry alone, and not public'),
  filesS3Region: text('FILES_S3_REGION', 'us-east-1', 'Region of the bucket; most services of one’s own take any'),
  filesS3KeyId: text('FILES_S3_KEY_ID', '', 'Access key of a user who may list, read, write and delete in the bucket'),
  filesS3Secret: secret(text('FILES_S3_SECRET', '', 'Secret of that access key')),
  demo: oneOf('DEMO', ['auto', 'on', 'off'], 'auto', 'Demo registry and demo people; auto: on unless production'),
  logLevel: oneOf(
    'LOG_LEVEL',
    ['silent', 'error', 'warn', 'info', 'debug'],
    'warn',
    'Least severe log line that is written (JSON lines on standard error)',
  ),
  smtpUrl: secret(
    url('SMTP_URL', '', 'smtp://user:password@host:port of the mail server; empty: mail is kept and, in demo mode, shown at /dev/mail', [
      'smtp:',
      'smtps:',
    ]),
  ),
  mailFrom: text('MAIL_FROM', '', 'Sender of mail; default: registry name <no-reply@host of APP_URL>'),
  mailIn: text(
    'MAIL_IN',
    '',
    'Address whose mail the mail server pipes into `registry mail-in`, such as support@registry.example, with what follows a plus sign; empty: replies to mail are not read',
  ),
  mailInAuthserv: text(
    'MAIL_IN_AUTHSERV',
    '',
    'Name with which the mail server marks its checks of senders (authserv-id of Authentication-Results, RFC 8601), such as mx.registry.example. It has to remove such headers of others. Mail that failed SPF, DKIM and DMARC is refused then; empty: messages by mail are marked as from a sender that is not verified',
  ),
  rtUrl: secret(
    url(
      'RT_URL',
      '',
      'Request Tracker 5 with which support works, such as https://portal:password@rt.registry.example; the user needs rights to see, create and answer in its queues; empty: tickets are answered in the desk',
    ),
  ),
  rtToken: secret(text('RT_TOKEN', '', 'Authentication token of the user in RT_URL, instead of a password')),
  rtQueues: pairsOf(
    'RT_QUEUES',
    ticketQueueNames,
    '',
    'Names of queues in Request Tracker, such as helpdesk=General,billing=Billing; others are named as in the portal',
  ),
  profile: text('REGISTRY_PROFILE', '', 'File (JSON) with brand and policy of the registry; empty: Example Registry'),
  secretKey: secret(text('SECRET_KEY', demoSecret, 'At least 32 characters; encrypts keys and second factors at rest and signs cookies')),
  metricsToken: secret(
    text(
      'METRICS_TOKEN',
      '',
      'What a monitoring system sends as bearer to read /metrics; empty: /metrics answers this machine only, and nothing that a proxy passed on',
    ),
  ),
  telemetryUrl: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'Address of a collector of OpenTelemetry that takes OTLP over HTTP in JSON, such as http://127.0.0.1:4318: traces and metrics go below it to /v1/traces and /v1/metrics. Empty: none are made, and nothing of it is loaded',
  ),
  telemetryHeaders: secret(
    parsedAs(
      'OTEL_EXPORTER_OTLP_HEADERS',
      '',
      'Headers for that collector, such as authorization=Bearer%20KEY: pairs separated by commas, with values as in addresses',
      readHeaders,
      'must be pairs such as name=value, separated by commas, with values as in addresses (a space is %20)',
    ),
  ),
  telemetryShare: parsedAs(
    'OTEL_TRACES_SAMPLER_ARG',
    '0.1',
    'Share of the traces that are sent to the collector, from 0 to 1; callers have no say in which. All of them (1) cost about an eighth of the throughput of short requests. Metrics count everything',
    readShare,
    'must be a number from 0 to 1, such as 0.1',
  ),
  telemetryName: text('OTEL_SERVICE_NAME', 'myregistry', 'Name of this registry’s program at the collector (service.name)'),
  secretKeyOld: secret(
    text('SECRET_KEY_OLD', '', 'The key before SECRET_KEY, while it is being replaced (`npm run registry -- keys reseal`)'),
  ),
  breachedPasswordsFile: text(
    'BREACHED_PASSWORDS_FILE',
    '',
    'File of stolen passwords that may not be chosen: SHA-1 in hexadecimal, sorted, one a line, with or without :count; empty: none',
  ),
  virusScannerUrl: url(
    'VIRUS_SCANNER_URL',
    '',
    'tcp://host:port of ClamAV’s daemon (clamd); no one can open a file until it has been checked. Empty: files are not checked for viruses',
    ['tcp:'],
  ),
  certificateFonts: listOf(
    'CERTIFICATE_FONTS',
    '',
    'Font files (TTF, OTF) for certificates of membership: of names outside Western European letters the first that has all letters is used; without one the certificate says where to read the name',
  ),
  issuerUri: url('ISSUER_URI', '', 'OpenID provider; empty: the embedded one at APP_URL/oidc'),
  clientId: text('CLIENT_ID', 'portal', 'Client id of the portal at the provider'),
  scopes: listOf('SCOPES', 'openid,profile,email', 'Scopes the portal asks for'),
  apiAudiences: listOf('API_AUDIENCES', '', 'Audiences the API accepts besides CLIENT_ID'),
  idTokenAlgs: listOf('ID_TOKEN_ALGS', 'RS256,ES256,PS256', 'Signature algorithms of identity tokens'),
  claimNames: pairsOf(
    'CLAIM_NAMES',
    profileClaims,
    '',
    'Under which names another provider gives the claims of a person, such as full_name=cn,email=mail; others keep their names',
  ),
  staffGroups: parsedAs(
    'STAFF_GROUPS',
    '',
    'Groups of another provider (claim groups) whose people are registry staff, each with a role, separated by semicolons: noc=routing; cn=fees,ou=groups=finance. A role is ready-made or the number of one of the registry’s own: docs/decisions/0256-roles-by-groups.md',
    readStaffGroups,
    `must be pairs such as noc=routing, separated by semicolons, each once, with a role of ${readyMadeRoleKeys.join(', ')}, or the number of one of the registry’s own`,
  ),
  clientsFile: text('CLIENTS_FILE', '', 'File (JSON) of other systems that sign in at the embedded provider: docs/adding/other-systems.md'),
  mfaAmr: listOf('MFA_AMR', 'mfa', 'amr values that mean a second factor was used'),
  mfaAcr: listOf('MFA_ACR', '', 'acr values that mean a second factor was used; default: the embedded provider’s'),
  stepUpAcr: text('STEP_UP_ACR', '', 'acr asked for when a second factor is needed; default: the embedded provider’s'),
  stepUpMaxAgeSeconds: wholeNumber('STEP_UP_MAX_AGE', 300, 'A call that needs a fresh second factor accepts one this many seconds old', {
    min: 30,
    max: 86400,
  }),
  staffStepUpMaxAgeSeconds: wholeNumber(
    'STEP_UP_MAX_AGE_STAFF',
    900,
    'A change confirmed over its page is good for this many seconds for the work of registry staff, who decide about many things in a row',
    { min: 30, max: 86400 },
  ),
  monitorSession: oneOf(
    'MONITOR_SESSION',
    ['auto', 'on', 'off'],
    'auto',
    'Watch the provider’s session from the browser; auto: when it is same-site',
  ),
  renewMode: oneOf(
    'RENEW_MODE',
    ['iframe', 'refresh-token'],
    'iframe',
    'How the portal renews tokens. refresh-token is for another provider (ISSUER_URI); the embedded one gives the portal none',
  ),
  requireMfa: oneOf(
    'REQUIRE_MFA',
    ['off', 'privileged', 'all'],
    'privileged',
    'Who must have a second factor: nobody (it is asked for only when something needs it), everyone with a permission that changes the registry, everyone. Except with off, people who have one are asked for it at every sign-in',
  ),
  signInStarts: wholeNumber(
    'SIGN_IN_STARTS',
    1000,
    'How many sign-ins one address (of IPv6 a /64 network) may begin in 15 minutes, at each process; 0: as many as there are. Behind a proxy it takes BEHIND_PROXY, or everyone counts as one',
    { min: 0, max: 1_000_000 },
  ),
  tokenSeconds: wholeNumber('TOKEN_SECONDS', 900, 'Life of access and identity tokens (at most 900)', { min: 30, max: 900 }),
  sessionIdleSeconds: wholeNumber('SESSION_IDLE_SECONDS', 3600, 'A sign-in session ends after this long without renewal', {
    min: 60,
    max: 3600,
  }),
  sessionAbsoluteSeconds: wholeNumber('SESSION_ABSOLUTE_SECONDS', 43200, 'A sign-in session ends after this long whatever happens', {
    min: 300,
    max: 43200,
  }),
  logoutUrl: parsedAs(
    'LOGOUT_URL',
    '/logout',
    'Where people come to once they are signed out, such as https://www.example.net/goodbye; /logout: the start of the portal',
    value => (value === '/logout' || (/^https?:/i.test(value) && URL.canParse(value)) ? value : null),
    'must be /logout or start with https://',
  ),
  singleLogoutUrl: text('SINGLE_LOGOUT_URL', '/logout', 'Single-logout address, the last membership link'),
  profileUrl: text(
    'PROFILE_URL',
    '',
    'Where a person manages the login; default: APP_URL/account with the embedded provider, /settings with another one',
  ),
  contentSiteUrl: url('CONTENT_SITE_URL', '', 'The registry’s public site'),
  membershipExternalRootUrl: url(
    'MEMBERSHIP_EXTERNAL_ROOT_URL',
    '',
    'Root of membership pages outside the portal, a link under the signed-in person’s name; empty: none',
  ),
  votingSystemSecret: secret(
    text(
      'VOTING_SYSTEM_SECRET',
      '',
      'Shared with the voting system: signs the hand-over of voters to it and its reports of who has voted; empty: it signs voters in itself and reports nothing',
    ),
  ),
  supportHours: parsedAs(
    'SUPPORT_HOURS',
    'Mon-Fri 09:00-17:00',
    'When support answers, in the time zone of the registry, such as Mon-Fri 09:00-17:00: said in “Talk to us”; empty: it isn’t said',
    readSupportHours,
    'must be weekdays and hours, such as Mon-Fri 09:00-17:00, or empty',
  ),
  stripeKey: secret(text('STRIPE_KEY', '', 'Secret key of Stripe, with which members pay invoices online; empty: by bank transfer only')),
  stripeWebhookSecret: secret(
    text(
      'STRIPE_WEBHOOK_SECRET',
      '',
      'Signing secret of the Stripe webhook that calls APP_URL/checkout-events/stripe; empty: online payment is off',
    ),
  ),
  stripeUrl: url('STRIPE_URL', 'https://api.stripe.com', 'Address of Stripe’s API'),
  supportUrl: text('SUPPORT_URL', '/contact/helpdesk/rt-tickets', 'Support, linked from error messages'),
  rdapBootstrapDir: text(
    'RDAP_BOOTSTRAP_DIR',
    '',
    'Folder with IANA’s RDAP bootstrap files ipv4.json, ipv6.json, asn.json and dns.json; empty: those that came with the program',
  ),
  irtEveryDays: wholeNumber('IRT_EVERY_DAYS', 182, 'Days after which the mailboxes of irts are validated again; 0: never', {
    min: 0,
    max: 3650,
  }),
  irtRemindDays: wholeNumber('IRT_REMIND_DAYS', 7, 'Days without an answer after which an irt mailbox is reminded', { min: 1, max: 365 }),
  irtInvalidDays: wholeNumber('IRT_INVALID_DAYS', 15, 'Days without an answer after which an irt mailbox is marked invalid in whois', {
    min: 1,
    max: 365,
  }),
  irtWarnDays: wholeNumber('IRT_WARN_DAYS', 25, 'Days without an answer after which accounts are warned of the restriction', {
    min: 1,
    max: 365,
  }),
  irtRestrictDays: wholeNumber(
    'IRT_RESTRICT_DAYS',
    30,
    'Days without an answer after which the accounts behind an irt change no whois objects',
    {
      min: 1,
      max: 365,
    },
  ),
  campaignQuietDays: wholeNumber('CAMPAIGN_QUIET_DAYS', 14, 'Days within which no one gets the same campaign of data quality again', {
    min: 1,
    max: 365,
  }),
  campaignEffectDays: wholeNumber(
    'CAMPAIGN_EFFECT_DAYS',
    7,
    'Days after which the effect of a campaign of data quality is counted for the last time',
    {
      min: 1,
      max: 365,
    },
  ),
  staleRecordDays: wholeNumber(
    'STALE_RECORD_DAYS',
    730,
    'Days without a change after which the record of a customer or an entity of a national registry that holds numbers counts as stale',
    { min: 30, max: 36_500 },
  ),
  irtAttributes: someOf(
    'IRT_ATTRIBUTES',
    ['e-mail', 'abuse-mailbox'],
    ['e-mail', 'abuse-mailbox'],
    'Attributes of irts whose mailboxes are asked',
  ),
  whoisMostObjects: wholeNumber('WHOIS_MOST_OBJECTS', 20_000, 'Whois objects an account may have', { min: 1, max: 10_000_000 }),
  whoisEditsAnHour: wholeNumber(
    'WHOIS_EDITS_AN_HOUR',
    300,
    'Times an account may change whois objects within an hour, uploads and bulk updates aside',
    {
      min: 1,
      max: 1_000_000,
    },
  ),
  whoisUploadMegabytesADay: wholeNumber(
    'WHOIS_UPLOAD_MEGABYTES_A_DAY',
    10,
    'Megabytes of whois objects an account may write within a day, by uploads, edits and bulk changes',
    {
      min: 1,
      max: 100_000,
    },
  ),
  foreignSources: text(
    'FOREIGN_SOURCES',
    '',
    'File (JSON) of routing registries of others that are mirrored here, by files, NRTM 3 or NRTM 4, and answered by their source: docs/operating/foreign-sources.md; empty: none',
  ),
  rpkiRsyncBase: url(
    'RPKI_RSYNC_BASE',
    'rsync://localhost:8730/repository',
    'Where the RPKI repository is read by rsync: host and module. It is named in every certificate, so it is chosen once, before the first',
    ['rsync:'],
  ),
  rpkiRrdpBase: url(
    'RPKI_RRDP_BASE',
    '',
    'Where the RPKI repository is read by RRDP; default APP_URL/rrdp. Relying parties take https alone: with http certificates name rsync only',
  ),
  rpkiKeyPool: wholeNumber(
    'RPKI_KEY_POOL',
    500,
    'Most one-time keys made ahead, when there is time (role publisher): each signed object takes one',
    {
      min: 0,
      max: 100_000,
    },
  ),
  feedMinutes: parsedAs(
    'FEED_MINUTES',
    '',
    `How many minutes old what the registry publishes may be before /readyz and the desk say so, such as backups=1560,statistics=1800, for some of ${feedNames.join(', ')}; 0: as old as it is. Others keep their usual age; backups have none`,
    readFeedMinutes,
    `must be pairs such as backups=1560, separated by commas, each once, with minutes up to a million, for some of ${feedNames.join(', ')}`,
  ),
  rpkiRsyncSeconds: wholeNumber(
    'RPKI_RSYNC_SECONDS',
    60,
    'Least time between two trees for rsync (role publisher); RRDP has each publication immediately',
    {
      min: 0,
      max: 3_600,
    },
  ),
  rpkiTrustAnchor: oneOf(
    'RPKI_TRUST_ANCHOR',
    ['online', 'offline'],
    'online',
    'offline: the key of the trust anchor is on a machine without a network, which signs request files (registry rpki ta); set before the first publication',
  ),
  rpkiAs0: yesNo(
    'RPKI_AS0',
    false,
    'yes: space that the registry could delegate is published with AS0, by a trust anchor of its own (/rpki/as0.tal), so that networks that add it reject announcements of space without a holder (role publisher)',
  ),
  rpkiTaPassphrase: secret(
    text('RPKI_TA_PASSPHRASE', '', 'On the offline machine alone: opens the key of the trust anchor; at least 12 characters'),
  ),
  rpkiPkcs11Module: text(
    'RPKI_PKCS11_MODULE',
    '',
    'Library of a hardware module (PKCS#11) for the keys of the trust anchor and of the registry’s authority (role publisher), set before the first publication; empty: keys are sealed in the database. Needs pkcs11-tool of the package opensc',
  ),
  rpkiPkcs11Token: text('RPKI_PKCS11_TOKEN', '', 'Label of the token in RPKI_PKCS11_MODULE'),
  rpkiPkcs11Pin: secret(text('RPKI_PKCS11_PIN', '', 'PIN of its user')),
  rpkiPkcs11Environment: listOf(
    'RPKI_PKCS11_ENVIRONMENT',
    '',
    'Variables that the library reads, NAME=value, such as SOFTHSM2_CONF=/etc/softhsm/softhsm2.conf',
  ),
  dnsResolvers: listOf(
    'DNS_RESOLVERS',
    '',
    'Resolvers, address or address:port, that checks of reverse zones look names up with; empty: those of this machine',
  ),
  dnsPort: wholeNumber('DNS_PORT', 53, 'Port that checks of reverse zones ask name servers on; another one in a lab', {
    min: 1,
    max: 65535,
  }),
  dnsTimeoutMs: wholeNumber('DNS_TIMEOUT_MS', 3_000, 'How long, in ms, a check waits for an answer of a name server', {
    min: 100,
    max: 30_000,
  }),
  dnsCheckFirst: oneOf(
    'DNS_CHECK_FIRST',
    ['auto', 'on', 'off'],
    'auto',
    'Delegating reverse zones on the page for it needs a check of their name servers without errors first; auto: on, but in demo mode, where name servers are made up, off',
  ),
  dnsCheckMinutes: wholeNumber('DNS_CHECK_MINUTES', 60, 'How long, in minutes, a check counts for delegating a reverse zone', {
    min: 1,
    max: 1440,
  }),
  dnsWatch: yesNo('DNS_WATCH', true, 'Check every delegated reverse zone at least every three days (role worker)'),
  webhookTargets: oneOf(
    'WEBHOOK_TARGETS',
    ['auto', 'public', 'any'],
    'auto',
    'Where webhooks may be sent: public, https on public addresses alone; any, also http and private addresses, for a lab; auto: public, but in demo mode any',
  ),
  dnsServers: listOf(
    'DNS_SERVERS',
    '',
    'Name server of the registry’s reverse zones, address or address:port, that publication receipts ask; empty: receipts say what was written',
  ),
  dnsSecondaries: listOf(
    'DNS_SECONDARIES',
    '',
    'Name servers, address or address:port, that the one beside the publisher notifies of new serials and lets transfer the reverse zones; empty: none',
  ),
  dnsReload: text(
    'DNS_RELOAD',
    '',
    'Program with its arguments that makes the name server read the zone files again, such as nsd-control reload (role publisher); empty: none',
  ),
  helpDir: text(
    'HELP_DIR',
    '',
    'Folder of help articles of the registry (Markdown), which replace those of the program by their names or are added; empty: none',
  ),
  watchers: parsedAs(
    'WATCH_URL',
    '',
    'Where the report of the watcher on another network is read (registry watch), for the status page; of several: Singapore=https://…; Frankfurt=https://…, by the places that the page names; empty: no one watches from outside',
    readWatchers,
    'must be an address starting with https:// or http://, or up to 8 pairs such as Singapore=https://watch.example.net/watch.json, separated by semicolons, each place once',
  ),
  watchKey: secret(
    text(
      'WATCH_KEY',
      '',
      'Key that the status page sends to WATCH_URL (Authorization: Bearer), or one for each place: Singapore=key; Frankfurt=key; empty: none',
    ),
  ),
  watchToken: secret(
    text(
      'WATCH_TOKEN',
      '',
      'Token with which a watcher sends its reports to the status page (registry watch send); made at the desk, under Registry data',
    ),
  ),
  themeUrl: text('THEME_URL', '/theme.json', 'Theme links (JSON)'),
  resourceManagerUrl: text(
    'RESOURCE_MANAGER_URL',
    '',
    'Base address of the framed pages; empty: the portal’s own. Another host of this program must be listed in TRUSTED_HOSTS; pages that speak our protocol are given the token of the signed-in person',
  ),
  eventsCalendarUrl: text('EVENTS_CALENDAR_URL', '', 'Events calendar'),
  dashboardServerHost: host(
    'DASHBOARD_SERVER_HOST',
    'Host that answers the dashboard: told to framed pages of RESOURCE_MANAGER_URL; the portal asks it nothing',
  ),
  dashboardWebHost: host('DASHBOARD_WEB_HOST', 'Host of a dashboard outside the portal, a link in the top bar; empty: none'),
  errorReportingDsn: url('ERROR_REPORTING_DSN', '', 'Sentry-compatible address errors are reported to; empty: off'),
  errorReportingEnvironment: text('ERROR_REPORTING_ENVIRONMENT', '', 'Environment name in error reports; default NODE_ENV'),
  errorReportingPersonalData: yesNo(
    'ERROR_REPORTING_PERSONAL_DATA',
    true,
    'Send the default personal data (address, login) with error reports',
  ),
  chat: text(
    'CHAT_CONFIG',
    '',
    'Live chat: JSON with baseCoreURL, communityEndpointURL, orgId, eswConfigDevName, mergeSettings, gslbBaseURL; empty: off',
  ),
  flagRenewalQuote: feature('renewalquote'),
  flagContactManagement: feature('contactmanagement'),
  flagZoneFiles: feature('zonefiles'),
  flagIpv6OneClick: feature('ipv6oneclick'),
  flagChecklists: feature('checklists'),
} as const satisfies Record<string, Setting<unknown>>;

type Values = { [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never };
/** The settings, read and completed. */
export type Config = Values & {
  appUrl: string;
  /** Issuer of the tokens the API accepts. */
  issuerUri: string;
  /** The provider in this process serves the sign-in; false with ISSUER_URI. */
  embeddedProvider: boolean;
  demoMode: boolean;
  /** Webhooks are sent by https to public addresses alone. */
  webhooksStayPublic: boolean;
  /** Reverse zones are delegated on their page once a check of their name servers found no errors. */
  mustCheckDns: boolean;
  production: boolean;
  /** Folder of the embedded database, `memory://` or a postgres address. */
  database: string;
  filesDir: string;
  /** Folder of the files for mirrors of the whois database: the worker writes it, web processes serve it. */
  nrtmDir: string;
  /** Folder of the RPKI repository: the publisher writes it, web processes and rsync serve it. */
  rpkiDir: string;
  /** Folder of the hourly dump of the whois database. */
  dumpDir: string;
  /** Folder of files of other registries while the worker reads them. */
  foreignDir: string;
  chatConfig: Environment['chat'];
};

/** acr values of the embedded provider, for one factor and for two; they contain the product's name. */
export const acrOf = (level: '1fa' | 'mfa'): string => `urn:myregistry:acr:${level}`;

/**
 * Reads and checks the environment.
 * @throws Error with a sentence naming the setting that is wrong; the program prints it and does not start.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = Object.fromEntries(
    Object.entries(settings).map(([key, s]) => [key, readSetting(s as Setting<unknown>, environment)]),
  ) as Values;
  const production = values.mode === 'production';
  const demoMode = values.demo === 'on' || (values.demo === 'auto' && !production);
  const appUrl = values.appUrl || `http://localhost:${values.port}`;
  const dataDir = path.resolve(values.dataDir);
  if (values.secretKey.length < 32) throw new Error('The setting SECRET_KEY must have at least 32 characters.');
  if (new Set(values.secretKey).size < 8)
    throw new Error('The setting SECRET_KEY repeats a few characters: make it of random ones (`openssl rand -hex 32`).');
  if (production) {
    if (demoMode) throw new Error('DEMO=on cannot be used in production: demo people have known passwords.');
    if (values.secretKey === demoSecret) throw new Error('SECRET_KEY must be set in production (at least 32 random characters).');
    if (!appUrl.startsWith('https:')) throw new Error(`APP_URL ("${appUrl}") must start with https:// in production.`);
  }
  if (values.sandbox && values.smtpUrl !== '')
    throw new Error('SANDBOX=yes sends no mail: leave SMTP_URL empty, so that no one mistakes its mail for the registry’s.');
  if (values.sandbox && values.sandboxUrl !== '')
    throw new Error('SANDBOX=yes is the sandbox: SANDBOX_URL is a setting of the registry it copies.');
  if (values.sandbox && (values.rtUrl !== '' || values.clientsFile !== '' || values.foreignSources !== ''))
    throw new Error('SANDBOX=yes speaks to no other system: leave RT_URL, CLIENTS_FILE and FOREIGN_SOURCES empty.');
  if (values.issuerUri !== '' && values.clientsFile !== '')
    throw new Error('CLIENTS_FILE lists clients of the embedded provider, and ISSUER_URI names another one: register them there.');
  refuseHalfBucket(values);
  if (values.databaseDirectUrl !== '' && !values.databaseUrl.startsWith('postgres'))
    throw new Error('DATABASE_DIRECT_URL names the server behind the pooler of DATABASE_URL, which is no postgres:// address.');
  if (values.databaseReadUrls.length > 0 && !values.databaseUrl.startsWith('postgres'))
    throw new Error('DATABASE_READ_URL names replicas of the server of DATABASE_URL, which is no postgres:// address.');
  if (values.issuerUri === '' && values.staffGroups.length > 0)
    throw new Error(
      'STAFF_GROUPS is for another provider (ISSUER_URI): the embedded one has no groups. Invite staff on the page Registry staff.',
    );
  if (values.issuerUri === '' && values.renewMode === 'refresh-token')
    throw new Error(
      'RENEW_MODE=refresh-token is for another provider (ISSUER_URI): the embedded one keeps the session in a cookie and gives the portal no refresh tokens.',
    );
  return {
    ...values,
    // Nothing is published from a copy.
    roles: values.sandbox ? values.roles.filter(role => role === 'web' || role === 'worker') : values.roles,
    appUrl,
    production,
    demoMode,
    webhooksStayPublic: values.webhookTargets === 'public' || (values.webhookTargets === 'auto' && !demoMode),
    mustCheckDns: values.dnsCheckFirst === 'on' || (values.dnsCheckFirst === 'auto' && !demoMode),
    embeddedProvider: values.issuerUri === '',
    issuerUri: values.issuerUri || `${appUrl}/oidc`,
    // Absolute, so that the portal leaves for it with a full page load.
    profileUrl: values.profileUrl || (values.issuerUri === '' ? `${appUrl}/account` : '/settings'),
    mfaAcr: values.mfaAcr.length > 0 ? values.mfaAcr : [acrOf('mfa')],
    stepUpAcr: values.stepUpAcr || acrOf('mfa'),
    dataDir,
    filesDir: path.join(dataDir, 'files'),
    rpkiDir: path.join(dataDir, 'files/rpki'),
    rpkiRsyncBase: `${values.rpkiRsyncBase}/`,
    rpkiRrdpBase: `${values.rpkiRrdpBase || `${appUrl}/rrdp`}/`,
    nrtmDir: path.join(dataDir, 'nrtm4'),
    dumpDir: path.join(dataDir, 'whois-dump'),
    foreignDir: path.join(dataDir, 'foreign-sources'),
    rdapBootstrapDir: values.rdapBootstrapDir || path.join(import.meta.dirname, '../data/iana'),
    database: values.databaseUrl || path.join(dataDir, 'db'),
    chatConfig: chatOf(values.chat),
  };
}

/** @throws Error in a sentence, where the settings of files in a bucket can't work together */
function refuseHalfBucket(values: Values): void {
  const { filesStore, filesS3Url, filesS3Bucket, filesS3KeyId, filesS3Secret, sandbox } = values;
  if (filesS3Url === '') {
    if (filesStore === 's3') throw new Error('FILES_STORE=s3 needs the address of the service in FILES_S3_URL.');
    if (filesS3Bucket !== '' || filesS3KeyId !== '' || filesS3Secret !== '')
      throw new Error('FILES_S3_BUCKET, FILES_S3_KEY_ID and FILES_S3_SECRET need the address of the service in FILES_S3_URL.');
    return;
  }
  if (sandbox)
    throw new Error(
      'SANDBOX=yes keeps its files on disk: leave FILES_S3_URL empty, or the copy would delete files that only the registry needs.',
    );
  const { username, password, search, hash } = new URL(filesS3Url);
  if (username || password || search || hash)
    throw new Error('FILES_S3_URL is an address alone: the key goes into FILES_S3_KEY_ID and FILES_S3_SECRET.');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(filesS3Bucket))
    throw new Error(
      `FILES_S3_BUCKET ("${filesS3Bucket}") must name a bucket: 3 to 63 small letters, digits, dots and hyphens. FILES_S3_URL is the address without it.`,
    );
  if (filesS3KeyId === '' || filesS3Secret === '') throw new Error('FILES_S3_URL needs a key: set FILES_S3_KEY_ID and FILES_S3_SECRET.');
}

function chatOf(value: string): Environment['chat'] {
  if (value === '') return null;
  let given: unknown;
  try {
    given = JSON.parse(value);
  } catch {
    throw new Error('The setting CHAT_CONFIG must be JSON.');
  }
  const chat = z.safeParse(Environment.shape.chat, given);
  if (!chat.success || chat.data === null) {
    const wrong = chat.error?.issues.map(issue => issue.path.join('.')).join(', ') ?? 'null';
    throw new Error(`The setting CHAT_CONFIG lacks or mistypes ${wrong}.`);
  }
  return chat.data;
}
