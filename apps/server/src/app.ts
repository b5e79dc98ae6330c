import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Endpoint, type ErrorCode, permissionKeys, permissions } from '@portal/contract';
import { brandPreviewCookie } from '@portal/contract/brand/brand-values';
import { SECOND_MS } from '@portal/contract/days';
import type { FastifyInstance } from 'fastify';
import { openAdmission } from './admission.ts';
import { brandKey, brandSource, brandStyle, portalNameOf } from './brand.ts';
import { previewing, readPolicy } from './dated-profile.ts';
import { accountNamesOf, firstAccountOf, holdsPrivilege } from './modules/accounts/index.ts';
import { previewOf } from './modules/brand/index.ts';
import { copyStorageOf, type Identity, openIdentity } from './modules/identity/index.ts';
import { erasedKinds } from './modules/privacy/index.ts';
import { placeOf } from './modules/resources/index.ts';
import { rolesOfGroups, staffPermissionsOf } from './modules/roles/index.ts';
import { environmentOf, themeOf } from './modules/shell/index.ts';
import { openPerform } from './perform.ts';
import { servePlainPages } from './plain-pages/plain-pages.ts';
import { wordsOfActs } from './platform/activity-words.ts';
import type { Admission } from './platform/admission.ts';
import { refuse } from './platform/failure.ts';
import { metricLines, serveHealth } from './platform/health.ts';
import { openCallerAddress } from './platform/http/caller-address.ts';
import { connectionLimit } from './platform/http/connection-limit.ts';
import { mount } from './platform/http/endpoints.ts';
import { createHttp, type HttpOptions, pathOf } from './platform/http/http.ts';
import { watchMethods } from './platform/http/known-methods.ts';
import { openKnownReads } from './platform/http/known-reads.ts';
import { publicTurns } from './platform/http/public-turns.ts';
import { mountReadsTogether } from './platform/http/reads-together.ts';
import { mountRegistryApi } from './platform/http/registry-api.ts';
import { RequestCounts } from './platform/http/request-counts.ts';
import { noInlineHashes } from './platform/http/security-headers.ts';
import { UndeclaredErrors } from './platform/http/undeclared-errors.ts';
import { openWebPages } from './platform/http/web-pages.ts';
import { type ModuleContext, readingFrom } from './platform/module.ts';
import { unavailability } from './platform/unavailability.ts';
import { isUnknownVisitor, pageKindOf, servePages } from './platform/web-addresses.ts';
import type { Profile } from './profile.ts';
import { signInLead } from './sign-in-leads.ts';

export type AppOptions = {
  /** Folder of the web build; null serves the API alone (tests of modules). */
  webFolder: string | null;
  /** Lines for /metrics from other roles of this process. */
  metrics?: () => readonly string[];
  /** Whether the process is about to stop: /readyz says so. */
  isStopping?: () => boolean;
  /** Called for each error that an endpoint answered without declaring it: a test run fails because of it. */
  onUndeclared?: (endpointId: string, code: ErrorCode) => void;
};
export type App = {
  http: FastifyInstance;
  identity: Identity;
  admission: Admission;
  /** The lines of /metrics. */
  metricLines(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** Opens the whole web side of the registry: what the modules declare, and around it what holds for all of them. */
export async function openApp(
  context: ModuleContext,
  { webFolder, metrics = () => [], isStopping, onUndeclared }: AppOptions,
): Promise<App> {
  const { db, config, profile, log, modules } = context;
  const pages = webFolder === null ? null : await openPages(context, webFolder);
  const asset = (source: string): string => pages?.asset(source) ?? `/assets/${source.split('/').at(-1)}`;
  const actWords = wordsOfActs(modules);
  const endpoints = new Map<string, Endpoint>();
  const identity = await openIdentity({
    ...context,
    asset,
    holdsPrivilege: loginId => holdsPrivilege(db.read, loginId, privileged),
    placeOf: address => placeOf(db.read, address),
    signInLead: url => signInLead(url, profile.product),
    addressActs: modules.flatMap(({ addressActs }) => addressActs?.(context) ?? []),
    copyStorage: copyStorageOf(context),
    erasure: {
      obstaclesOf: async loginId =>
        (await Promise.all(modules.flatMap(({ erasureObstacles }) => erasureObstacles?.(db.read, loginId, loginId) ?? []))).flat(),
      kinds: erasedKinds(context),
    },
    programs: modules.flatMap(({ loginPrograms }) => loginPrograms?.(context) ?? []),
    accountNamesOf: loginId => accountNamesOf(db.read, loginId),
    staffPermissionsOf: loginId => staffPermissionsOf(db.read, loginId, context.clock()),
    personGroups: rolesOfGroups(config.staffGroups, profile),
    firstAccountOf: loginId => firstAccountOf(db.read, loginId),
    actWords,
    endpointOf: id => endpoints.get(id),
  });

  const counts = new RequestCounts();
  const errorsOf = [...modules.flatMap(({ errors }) => errors?.(context) ?? []), pageErrorsOf(identity, profile.product)];
  const http = createHttp({
    appUrl: config.appUrl,
    hosts: [new URL(config.appUrl).host, ...config.trustedHosts],
    redirectHosts: config.production ? [] : [`127.0.0.1:${config.port}`, `localhost:${config.port}`],
    addressOf: openCallerAddress(config.behindProxy),
    headers: headersFor(context, { inline: pages?.inlineHashes ?? noInlineHashes, formTargets: identity.formTargets }),
    kindOf: (path, request) =>
      pages && config.embeddedProvider && isUnknownVisitor(request, profile.product) ? 'sign-in' : pageKindOf(path, profile.product),
    raw: { prefix: '/oidc', handle: identity.middleware },
    errorsOf: (...error) => errorsOf.map(answer => answer(...error)).find(answer => answer !== null) ?? null,
    counts,
    release: context.release,
    closesWithinMs: config.shutdownSeconds * 1000,
    mostConnections: connectionLimit(config.httpConnections),
    memory: context.memory,
    log,
  });
  const undeclared = new UndeclaredErrors(log);
  const admission = openAdmission(context, identity, {
    actWords,
    undeclared(endpointId, code, traceId) {
      undeclared.note(endpointId, code, traceId);
      onUndeclared?.(endpointId, code);
    },
  });
  const handlers = new Map<string, (call: object) => Promise<unknown>>();
  const perform = openPerform(context, { endpoints, handlers });
  const routes = modules.flatMap(module => module.routes?.({ ...context, perform }) ?? []);
  mountFirst(http, context);
  const methodsAt = watchMethods(http);
  for (const implementation of routes) {
    for (const [key, endpoint] of Object.entries(implementation.endpoints)) {
      handlers.set(endpoint.id, implementation.handlers[key] as never);
      endpoints.set(endpoint.id, endpoint);
    }
    mount(http, implementation, admission);
  }
  mountRegistryApi(http, routes, { admission, isSandbox: config.sandbox });
  describeApi(http, context);
  const more = async () => [...counts.lines(), ...undeclared.lines(), ...metrics()];
  serveHealth(http, context, { more, isStopping });
  const publicTurn = publicTurns();
  for (const { pages: answers } of modules) answers?.serve(http, { ...readingFrom(answers.readsFrom, context), asset, publicTurn });
  await http.register(async scope => identity.routes(scope));
  if (identity.plain) servePlainPages(http, { plain: identity.plain, readAs: openKnownReads(routes, admission) });
  await servePages(http, pages, {
    product: profile.product,
    framesHere: config.resourceManagerUrl === '',
    signInForm: identity.signInForm,
    methodsAt,
  });
  return {
    http,
    identity,
    admission,
    metricLines: () => metricLines(context, more),
    close: async () => {
      await http.close();
      await admission.close();
      await identity.close();
    },
  };
}

/** Returns the errors of pages: a person who asked for one reads on a page that the registry is not available. */
const pageErrorsOf =
  (identity: Identity, product: string): NonNullable<HttpOptions['errorsOf']> =>
  (url, _status, _message, { request, failure }) => {
    if (pageKindOf(pathOf(url), product) !== 'sign-in') return null;
    const unavailable = unavailability(failure);
    return (
      unavailable && { type: 'text/html; charset=utf-8', headers: {}, body: Buffer.from(identity.unavailablePage(request, unavailable)) }
    );
  };

/** Paths that are answered without the policy: of the state of the process, and files. */
const withoutPolicy = /^\/(healthz|readyz|metrics|assets\/)/;

/** So long the document of the portal waits for the brand at most, in ms. */
const SHELL_WAITS_MS = SECOND_MS;
const after = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false });

/** Has the content security policy of an answer allow the style of the brand in force. */
function allowBrand(response: ServerResponse, profile: Profile): void {
  const [policy, source] = [response.getHeader('content-security-policy'), brandSource(profile)];
  if (typeof policy !== 'string' || source === '' || policy.includes(source)) return;
  response.setHeader(
    'content-security-policy',
    policy.replace(/style-src [^;]*/, rule => `${rule} ${source}`),
  );
}

/** Mounts the hooks that must stand before the routes. A process answers nothing that depends on the policy before it has read it once: the file’s values need not be those in force. */
function mountFirst(http: FastifyInstance, context: ModuleContext): void {
  const { profile, log } = context;
  http.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url);
    if (withoutPolicy.test(path)) return;
    const reading = readPolicy(profile);
    if (reading === null) return;
    // The document of the portal has the brand and nothing else that is read here: it is shown, with the file's, while the database doesn't answer.
    if (pageKindOf(path, profile.product) === 'shell') await Promise.race([reading.catch(() => {}), after(SHELL_WAITS_MS)]);
    else
      await reading.catch((error: unknown) => {
        log.error('The policy can’t be read, so nothing is done', { error });
        throw unavailability(error) ? error : refuse('UNAVAILABLE');
      });
    // The headers were written before.
    allowBrand(reply.raw, profile);
  });
  mountPreviews(http, context);
  mountReadsTogether(http);
}

/** Shows pages, and nothing else, with the values of a prepared change of the brand in the browser of registry staff who preview it. */
function mountPreviews(http: FastifyInstance, { db, config, profile, clock }: ModuleContext): void {
  http.decorateRequest('previews', false);
  http.addHook('onRequest', (request, reply, done) => {
    const cookies = request.headers.cookie ?? '';
    if (!cookies.includes(brandPreviewCookie) || request.method !== 'GET' || !isPage(pathOf(request.url))) {
      done();
      return;
    }
    void (async () => {
      let values: Awaited<ReturnType<typeof previewOf>>;
      try {
        values = await previewOf(cookies, { read: db.read, secrets: config, now: clock() });
      } catch (error) {
        done(error as Error);
        return;
      }
      if (values === null) {
        done();
        return;
      }
      // All that answers the request is called from within.
      previewing(profile, values, () => {
        allowBrand(reply.raw, profile);
        request.previews = true;
        done();
      });
    })();
  });
  // Nothing of a preview is kept.
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (request.previews) void reply.header('cache-control', 'no-store').removeHeader('etag');
    done();
  });
}

/** Paths of pages: no calls, no files, nothing of the protocol. */
const isPage = (path: string): boolean => !/^\/(api|oidc|assets|registry-api|rdap|\.well-known)(\/|$)/.test(path);

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer shows a prepared change of the brand. */
    previews: boolean;
  }
}

/** Opens the web build, with the settings that its pages begin with. */
const openPages = (context: ModuleContext, webFolder: string) => {
  const { config, profile, release } = context;
  return openWebPages(webFolder, () => ({
    key: brandKey(profile),
    environment: environmentOf(config, profile, release),
    // Another file is read by the browser.
    theme: config.themeUrl === '/theme.json' ? themeOf(config, profile) : null,
    title: portalNameOf(profile),
    style: brandStyle(profile),
    hasPlainPages: config.embeddedProvider,
  }));
};

/** Serves the description of the API, which is made when it is first asked for under a name of the portal. */
function describeApi(http: FastifyInstance, { config, profile }: ModuleContext): void {
  let described: { title: string; text: Promise<string> } | undefined;
  const describe = async (title: string): Promise<string> => {
    const { openApiText } = await import('./platform/http/openapi.ts');
    return openApiText({ title, url: config.appUrl });
  };
  http.get('/api/openapi.json', async (_request, reply) => {
    const title = `${portalNameOf(profile)} API`;
    if (described?.title !== title) described = { title, text: describe(title) };
    return reply.type('application/json; charset=utf-8').send(await described.text);
  });
}

const privileged = permissionKeys.filter(key => permissions[key].privileged);

/** Returns what the security headers allow: foreign hosts enter the policy only when their feature is configured (S16). */
function headersFor(
  { config, profile }: ModuleContext,
  own: Pick<HttpOptions['headers'], 'inline' | 'formTargets'>,
): HttpOptions['headers'] {
  const origin = (url: string): string[] => (URL.canParse(url) ? [new URL(url).origin] : []);
  const chat = config.chatConfig;
  return {
    connect: [...origin(config.issuerUri), ...origin(config.errorReportingDsn), ...origin(config.themeUrl)],
    frames: [...origin(config.issuerUri), ...origin(config.resourceManagerUrl)],
    framedBy: URL.canParse(config.resourceManagerUrl) ? origin(config.appUrl) : [],
    chat: chat ? [...new Set([chat.baseCoreURL, chat.communityEndpointURL, chat.gslbBaseURL].flatMap(origin))] : [],
    https: config.appUrl.startsWith('https:'),
    brandSource: () => brandSource(profile),
    ...own,
  };
}
