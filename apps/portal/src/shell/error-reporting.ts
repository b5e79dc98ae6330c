import type { RefusedCall } from '@portal/app-kit';
import type { ErrorItem } from '@portal/contract';
import type { Environment } from '@portal/contract/shell/shell';
import type { SignInFailure } from '@portal/app-kit/auth/sign-in-error';
import { withRetries } from '@portal/ui/code/with-retries';
import type { Sentry } from './sentry.ts';

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

type Report = (sentry: Sentry) => void;

/** Maximum number of reports that wait in memory until the service is loaded. */
const maxWaiting = 50;

/** Error reporting with the rates of the specification (section 9); off unless the environment switches it on. */
export function createErrorReporting(environment: Environment['errorReporting']): ErrorReporting {
  const waiting: Report[] = [];
  let send = (report: Report): void => {
    if (environment.enabled && waiting.length < maxWaiting) waiting.push(report);
  };

  async function load(): Promise<void> {
    const { startService } = await withRetries(() => import('./sentry.ts'))();
    const sentry = startService(environment);
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
