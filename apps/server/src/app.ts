import { findPage, isDeskPath, permissionKeys, permissions } from '@portal/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { accountNamesOf, accountRoutes, holdsPrivilege, membershipOf } from './modules/accounts/index.ts';
import { activityLogRoutes, latestActivities } from './modules/activity-log/index.ts';
import { applicationRoutes } from './modules/applications/index.ts';
import { billingRoutes, invoiceFile } from './modules/billing/index.ts';
import { contactAddressActs, contactRoutes, tellOfChange } from './modules/contacts/index.ts';
import { customerRoutes } from './modules/customers/index.ts';
import { certificatePages, documentRoutes, openFileStore, receiveFile } from './modules/documents/index.ts';
import { electionRoutes } from './modules/elections/index.ts';
import { homeRoutes } from './modules/home/index.ts';
import {
  coolDownOf,
  frozenLoginRoutes,
  type Identity,
  notificationAddressRoutes,
  openIdentity,
  peopleRoutes,
  topicAddressAct,
} from './modules/identity/index.ts';
import { letterheadOf, showKeptMail } from './modules/mail/index.ts';
import { dumpFiles, nrtmFiles } from './modules/mirrors/index.ts';
import { notificationRoutes, unsubscribePage } from './modules/notifications/index.ts';
import { organisationRoutes } from './modules/organisations/index.ts';
import { needsSecondPerson, proposalRoutes, propose } from './modules/proposals/index.ts';
import { publicationRoutes } from './modules/publication/index.ts';
import { rdapErrors, rdapRoutes } from './modules/rdap/index.ts';
import { recordRoutes } from './modules/records/index.ts';
import { placeOf, resourceRoutes } from './modules/resources/index.ts';
import { environmentOf, shellRoutes } from './modules/shell/index.ts';
import { staffRoutes, visitOf } from './modules/staff/index.ts';
import { taskRoutes } from './modules/tasks/index.ts';
import { endFollows, irtValidationPage, whoisRoutes } from './modules/whois/index.ts';
import type { Database } from './platform/database/index.ts';
import { type Admission, type Implementation, mount } from './platform/endpoints.ts';
import { serveHealth } from './platform/health.ts';
import { refuse } from './platform/failure.ts';
import { createHttp, pathOf } from './platform/http.ts';
import type { Log } from './platform/log.ts';
import { RequestCounts } from './platform/request-counts.ts';
import { openApiDocument } from './platform/openapi.ts';
import { openSecretBox } from './platform/secret-box.ts';
import type { PageKind } from './platform/security-headers.ts';
import { openWebPages, type WebPages } from './platform/web-pages.ts';
import type { Profile } from './profile.ts';

export type AppOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  log: Log;
  release: string;
  clock?: () => Date;
  /** Folder of the web build; null serves the API alone (tests of modules). */
  webFolder: string | null;
  /** Lines for /metrics from other roles of this process. */
  metrics?: () => readonly string[];
};
export type App = { http: FastifyInstance; identity: Identity; admission: Admission; close(): Promise<void> };

const privileged = permissionKeys.filter(key => permissions[key].privileged);

/** The whole web side of the registry: the list of its modules is the table of contents of the server. */
export async function openApp({
  db,
  config,
  profile,
  log,
  release,
  clock = () => new Date(),
  webFolder,
  metrics = () => [],
}: AppOptions): Promise<App> {
  const pages =
    webFolder === null
      ? null
      : await openWebPages(webFolder, { environment: environmentOf(config, profile, release), title: `My${profile.product}` });
  const asset = (source: string): string => pages?.asset(source) ?? `/assets/${source.split('/').at(-1)}`;
  const identity = await openIdentity({
    db,
    config,
    profile,
    clock,
    log,
    asset,
    holdsPrivilege: loginId => holdsPrivilege(db.read, loginId, privileged),
    placeOf: address => placeOf(db.read, address),
    addressActs: [...contactAddressActs(config), topicAddressAct(config)],
    accountNamesOf: loginId => accountNamesOf(db.read, loginId),
  });

  const origin = (url: string): string[] => (URL.canParse(url) ? [new URL(url).origin] : []);
  const counts = new RequestCounts();
  const http = createHttp({
    appUrl: config.appUrl,
    hosts: [new URL(config.appUrl).host, ...config.trustedHosts],
    redirectHosts: config.production ? [] : [`127.0.0.1:${config.port}`, `localhost:${config.port}`],
    behindProxy: config.behindProxy,
    headers: {
      // Foreign hosts enter the policy only when their feature is configured (S16).
      connect: [...origin(config.issuerUri), ...origin(config.errorReportingDsn), ...origin(config.themeUrl)],
      frames: [...origin(config.issuerUri), ...origin(config.resourceManagerUrl)],
      scripts: config.chatConfig ? origin(config.chatConfig.baseCoreURL) : [],
      styleHashes: pages?.styleHashes ?? [],
      formTargets: identity.formTargets,
      https: config.appUrl.startsWith('https:'),
    },
    kindOf: path => kindOf(path, profile.product),
    raw: { prefix: '/oidc', handle: identity.middleware },
    errorsOf: rdapErrors({ config, profile }),
    counts,
    log,
  });

  const store = openFileStore(config.filesDir);
  const admission: Admission = {
    db,
    receiveFile: (caller, file) => receiveFile({ read: db.read, store, now: clock() }, caller, file),
    judgeBearer: identity.judgeBearer,
    membershipOf: (caller, accountName) => membershipOf(db.read, caller, accountName),
    visitedAccountOf: async ({ loginId }) => {
      const visit = await visitOf(db.read, loginId, clock());
      return visit && { ...visit.account, contactId: null, permissions: new Set(visit.account.permissions) };
    },
    coolDownOf: loginId => coolDownOf(db.read, loginId, clock()),
    tellOfChange,
    needsSecondPerson: (endpoint, who) => needsSecondPerson(db.read, endpoint, who),
    propose,
    stepUpAcr: config.stepUpAcr,
    stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
    clock,
    flags: { renewalquote: config.flagRenewalQuote, contactmanagement: config.flagContactManagement },
  };
  const implementations: Implementation[] = [
    shellRoutes({ config, profile, release }),
    peopleRoutes({ clock }),
    notificationRoutes,
    accountRoutes,
    ...documentRoutes({
      source: {
        secrets: config,
        store,
        registryName: profile.registryName,
        product: profile.product,
        appUrl: config.appUrl,
        fonts: config.certificateFonts,
        clock,
        invoiceFile: (read, caller, invoiceId) => invoiceFile(read, store, caller, invoiceId),
      },
      scanned: config.virusScannerUrl !== '',
    }),
    ...contactRoutes({ db, config, clock }),
    ...applicationRoutes({ db, config, profile, clock }),
    ...organisationRoutes({ timeZone: profile.timeZone }),
    billingRoutes({ secrets: config, profile, clock }),
    resourceRoutes,
    proposalRoutes({
      perform: (change, { action, ...call }) => handlerOf(action)({ ...call, change, query: undefined, traceId: '' }),
    }),
    ...whoisRoutes({ db, config, profile, clock }),
    customerRoutes({ profile }),
    taskRoutes({ profile }),
    recordRoutes,
    publicationRoutes({ db, config, profile, release, clock }),
    ...electionRoutes({ clock, profile }),
    activityLogRoutes({ profile, config, clock }),
    frozenLoginRoutes(config),
    notificationAddressRoutes(config),
    ...homeRoutes({ profile, log, clock }),
    ...staffRoutes({ clock, latestActivities: latestActivities({ profile, config, clock }) }),
  ];
  const handlers = new Map(
    implementations.flatMap(({ endpoints, handlers: of }) => Object.entries(endpoints).map(([key, { id }]) => [id, of[key]!] as const)),
  );
  const handlerOf = (id: string): ((call: unknown) => Promise<unknown>) =>
    handlers.get(id) as unknown as (call: unknown) => Promise<unknown>;
  for (const routes of implementations) mount(http, routes, admission);

  const description = JSON.stringify(openApiDocument({ title: `My${profile.product} API`, url: config.appUrl }));
  http.get('/api/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(description));
  serveHealth(http, db, () => [...counts.lines(), ...metrics()]);
  rdapRoutes(http, { db, config, profile, clock });
  nrtmFiles(http, { db, folder: config.nrtmDir, profile });
  dumpFiles(http, { folder: config.dumpDir, profile });
  if (config.demoMode) {
    const styleSheet = asset('apps/server/web/kept-mail.css');
    showKeptMail(http, {
      read: db.read,
      styleSheet,
      title: `My${profile.product}`,
      box: openSecretBox(config),
      letterhead: letterheadOf(config, profile),
      clock,
    });
  }
  irtValidationPage(http, { db, config, profile, styleSheet: asset('apps/server/web/sign-in.css') });
  unsubscribePage(http, { db, config, product: `My${profile.product}`, styleSheet: asset('apps/server/web/sign-in.css'), endFollows });
  certificatePages(http, {
    read: db.read,
    product: `My${profile.product}`,
    registryName: profile.registryName,
    styleSheet: asset('apps/server/web/sign-in.css'),
    timeZone: profile.timeZone,
    clock,
  });
  await http.register(async routes => identity.routes(routes));
  await servePages(http, pages, profile.product);
  return {
    http,
    identity,
    admission,
    close: async () => {
      await http.close();
      await identity.close();
    },
  };
}

/** Paths that are answered by machines for machines. */
const dataPath = /^\/(?:api\/|rdap(?:\/|$)|nrtm4\/|env\.json$|theme\.json$|healthz$|readyz$|metrics$|\.well-known\/|auth\/)/;

function kindOf(path: string, product: string): PageKind {
  if (dataPath.test(path)) return 'data';
  if (path.startsWith('/assets/') || path === '/favicon.ico') return 'asset';
  if (/^\/(?:sign-in|account|certificates|oidc|dev|irt-validation)(?:\/|$)/.test(path)) return 'sign-in';
  const document = documentOf(path, product);
  return document === 'portal' || document === 'desk' ? 'shell' : 'framed';
}

/** Which document answers a path: framed pages at `<path>.html`, the staff's below `/desk`, everything else is the portal's own (history fallback). */
function documentOf(path: string, product: string): 'portal' | 'resource-manager' | 'desk' | 'silent-renew' {
  if (isDeskPath(path)) return 'desk';
  if (path === '/silent-renew-oidc.html') return 'silent-renew';
  if (path.endsWith('.html') && findPage(path.slice(0, -'.html'.length), product).page.app === 'resource-manager')
    return 'resource-manager';
  return 'portal';
}

async function servePages(http: FastifyInstance, pages: WebPages | null, product: string): Promise<void> {
  await pages?.serve(http);
  http.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const isPage =
      pages !== null && (request.method === 'GET' || request.method === 'HEAD') && !dataPath.test(path) && !path.startsWith('/assets/');
    if (!isPage) throw refuse('NOT_FOUND', { what: 'This address' });
    const document = documentOf(path, product);
    // The portal shows its not-found page; the status says so too.
    if (document === 'portal' && findPage(path, product).name === 'notFound') void reply.code(404);
    return pages.send(document, request, reply);
  });
}
