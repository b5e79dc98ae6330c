/** One thing that is wrong with a call, and what of the input it is about: `rows.3.prefix`. */
export type ProblemItem = { code: string; message: string; traceId: string; field?: string };

/** Problem details (RFC 9457) as the registry answers them. */
export type ProblemDetails = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: string;
  traceId: string;
  errors: ProblemItem[];
  current?: unknown;
};

/** A call that the registry refused. `code` is stable; name `traceId` when you ask the registry about it. */
export class RegistryProblem extends Error {
  override readonly name = 'RegistryProblem';
  readonly status: number;
  readonly code: string;
  readonly traceId: string | null;
  readonly errors: readonly ProblemItem[];
  readonly details: ProblemDetails;
  /** The call, by its id. */
  readonly call: string;
  constructor(call: string, details: ProblemDetails) {
    super(details.detail);
    this.call = call;
    this.status = details.status;
    this.code = details.code;
    this.traceId = details.traceId === '' ? null : details.traceId;
    this.errors = details.errors;
    this.details = details;
  }
}

/** The registry could not be reached, or did not answer as one. */
export class RegistryUnreachable extends Error {
  override readonly name = 'RegistryUnreachable';
}

/** Reads the problem details of an answer; of a proxy in between, what its status says. */
export async function problemOf(call: string, answer: Response): Promise<RegistryProblem> {
  const { status, statusText } = answer;
  const isProblem = /\bapplication\/problem\+json\b/.test(answer.headers.get('content-type') ?? '');
  const details = isProblem ? ((await answer.json()) as ProblemDetails) : null;
  return new RegistryProblem(
    call,
    details ?? {
      type: 'about:blank',
      title: statusText,
      status,
      detail: `${status} ${statusText}`.trim(),
      code: `HTTP_${status}`,
      traceId: '',
      errors: [],
    },
  );
}
