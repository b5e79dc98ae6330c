import { browserTracingIntegration, captureException, captureMessage, init, makeFetchTransport, replayIntegration } from '@sentry/browser';
import { scrubbed } from '@portal/app-kit/auth/scrubbed';
import { constants } from '@portal/contract/constants';
import type { Environment } from '@portal/contract/shell/shell';

export type Sentry = { captureException: typeof captureException; captureMessage: typeof captureMessage };

/** Removes the values of queries, encoded or not, because addresses contain searches. */
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
        /query/i.test(key) ? withoutValue(part) : scrubbedDeep(part),
      ]),
    ) as T;
  return value;
}

/** Removes what an attribute holds: text, or text with its type, as spans have it. */
function withoutValue(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return typeof part === 'string' ? '[removed]' : part;
  return 'value' in part ? { ...part, value: '[removed]' } : '[removed]';
}

type Transport = ReturnType<typeof makeFetchTransport>;
type Envelope = Parameters<Transport['send']>[0];

/**
 * Scrubs an envelope before it leaves the browser. All kinds of items pass through here, including spans, recordings and future ones: the library's
 * own hooks see only some.
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

/** Starts the reporting service of the environment with the rates of the specification (section 9), and returns it. */
export function startService(environment: Environment['errorReporting']): Sentry {
  init({
    dsn: environment.dsn,
    environment: environment.environment,
    release: environment.release,
    // Default personal data if the registry enables it; headers, cookies and bodies contain secrets and are never sent.
    dataCollection: { userInfo: environment.sendDefaultPii, cookies: false, httpHeaders: false, httpBodies: [] },
    sampleRate: constants.errorSampleRate,
    tracesSampleRate: constants.errorSampleRate,
    tracePropagationTargets: [/^\/api\//],
    replaysSessionSampleRate: constants.replaySampleRate,
    replaysOnErrorSampleRate: constants.replayOnErrorSampleRate,
    integrations: [
      browserTracingIntegration(),
      // Its compression uses a worker created from a string, which Trusted Types forbid.
      replayIntegration({ useCompression: false, maskAllText: true, maskAllInputs: true, blockAllMedia: true }),
    ],
    transport: options => {
      const transport = makeFetchTransport(options);
      return { ...transport, send: envelope => transport.send(scrubbedEnvelope(envelope)) };
    },
  });
  return { captureException, captureMessage };
}
