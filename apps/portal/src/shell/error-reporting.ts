import type { RefusedCall } from '@portal/app-kit';
import type { ErrorItem } from '@portal/contract';
import { constants } from '@portal/contract/constants';
import type { Environment } from '@portal/contract/shell/shell';
import type { SignInFailure } from '@portal/app-kit/auth/sign-in-error';
import { scrubbed } from '@portal/app-kit/auth/scrubbed';

export type ErrorReporting = {
  /** An error of a call, with its trace id. */
  reportErrors: (errors: readonly ErrorItem[], call: RefusedCall) => void;
  /** A sign-in that failed, with the trace id the person sees. */
  reportSignIn: (failure: SignInFailure, traceId: string) => void;
  /** A defect of the portal. */
  reportDefect: (error: unknown) => void;
  /** Loads the reporting service when it is switched on. It never keeps the portal from starting. */
  start: () => void;
};

type Sentry = Pick<typeof import('@sentry/browser'), 'captureException' | 'captureMessage'>;
type Report = (sentry: Sentry) => void;

/** Reports wait in memory until the service is loaded; so many at most. */
const mostWaiting = 50;

/** Removes the values of queries, encoded or not: what a person searched for stands in addresses. */
const withoutQueries = (text: string): string =>
  text
    .replace(/([?&][\w.[\]-]+)=[^&#\s"<>]+/g, '$1=[removed]')
    .replace(/((?:%3F|%26)[\w.-]+)%3D(?:(?!%26|%23)[^&#\s"<>])+/gi, '$1%3D[removed]');

/** Returns the report with every text in it scrubbed, names included. */
export function scrubbedDeep<T>(value: T): T {
  if (typeof value === 'string') return withoutQueries(scrubbed(value)) as T;
  if (Array.isArray(value)) return value.map(scrubbedDeep) as T;
  if (value && typeof value === 'object' && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        scrubbed(key),
        // A query alone, without its question mark.
        /query/i.test(key) && typeof part === 'string' ? '[removed]' : scrubbedDeep(part),
      ]),
    ) as T;
  return value;
}

type Transport = ReturnType<typeof import('@sentry/browser').makeFetchTransport>;
type Envelope = Parameters<Transport['send']>[0];

/**
 * The envelope as it may leave the browser. Every kind of item passes here, spans and recordings too, also kinds that a later version of the library
 * adds: its own hooks see some of them only.
 */
function scrubbedEnvelope([headers, items]: Envelope): Envelope {
  const scrubbedItems = items.map(([itemHeaders, payload]) => {
    const isBytes = payload instanceof Uint8Array;
    const clean = scrubbedDeep(isBytes ? new TextDecoder().decode(payload) : payload);
    const bytes = typeof clean === 'string' ? new TextEncoder().encode(clean) : null;
    // The length of a recording precedes it.
    const about = bytes && 'length' in itemHeaders ? { ...itemHeaders, length: bytes.length } : itemHeaders;
    return [scrubbedDeep(about), isBytes ? bytes : clean];
  });
  return [scrubbedDeep(headers), scrubbedItems] as unknown as Envelope;
}

/** Error reporting with the rates of the specification (section 9); off unless the environment switches it on. */
export function createErrorReporting(environment: Environment['errorReporting']): ErrorReporting {
  const waiting: Report[] = [];
  let send = (report: Report): void => {
    if (environment.enabled && waiting.length < mostWaiting) waiting.push(report);
  };

  async function load(): Promise<void> {
    const sentry = await import('@sentry/browser');
    sentry.init({
      dsn: environment.dsn,
      environment: environment.environment,
      release: environment.release,
      // The default personal data where the registry wants it; headers, cookies and bodies carry secrets and never do.
      dataCollection: { userInfo: environment.sendDefaultPii, cookies: false, httpHeaders: false, httpBodies: [] },
      sampleRate: constants.errorSampleRate,
      tracesSampleRate: constants.errorSampleRate,
      tracePropagationTargets: [/^\/api\//],
      replaysSessionSampleRate: constants.replaySampleRate,
      replaysOnErrorSampleRate: constants.replayOnErrorSampleRate,
      integrations: [
        sentry.browserTracingIntegration(),
        // Its compression runs in a worker made from text, which Trusted Types forbid.
        sentry.replayIntegration({ useCompression: false, maskAllText: true, maskAllInputs: true, blockAllMedia: true }),
      ],
      transport: options => {
        const transport = sentry.makeFetchTransport(options);
        return { ...transport, send: envelope => transport.send(scrubbedEnvelope(envelope)) };
      },
    });
    send = report => report(sentry);
    for (const report of waiting.splice(0)) report(sentry);
  }

  return {
    reportErrors(errors, call) {
      for (const error of errors) {
        send(sentry =>
          sentry.captureMessage(`${error.code}: ${error.message}`, {
            level: call.status >= 500 ? 'error' : 'warning',
            tags: { code: error.code, status: call.status, traceId: error.traceId, endpoint: call.endpoint },
            extra: { path: call.path.split('?', 1)[0], method: call.method },
          }),
        );
      }
    },
    reportSignIn: ({ code, detail }, traceId) =>
      send(sentry =>
        sentry.captureMessage(`Sign-in failed: ${code ?? detail}`, {
          level: 'warning',
          tags: { code: code ?? 'SIGN_IN', traceId },
          extra: { detail },
        }),
      ),
    reportDefect: error => send(sentry => sentry.captureException(error)),
    start() {
      if (!environment.enabled) return;
      load().catch(() => {
        send = () => undefined;
        waiting.length = 0;
      });
    },
  };
}
