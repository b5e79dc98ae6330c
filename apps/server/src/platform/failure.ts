import { errorCatalogue, type ErrorCode, type ErrorParams } from '@portal/contract';

/** One problem with the input. `field` is the field it is about, such as `email` or `decisions.3.reason`. */
export type Problem = { message: string; field?: string };

/** A refusal the caller should read, as opposed to a defect. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: ErrorCode;
  /** Answer headers that belong to the refusal: a challenge, a retry time. */
  readonly headers: Readonly<Record<string, string>>;
  /** The current value after a concurrent change, as the call would have answered it. */
  readonly current: unknown;
  /** Individual problems: each becomes an error of the answer. `message` says it all in one sentence. */
  readonly problems: readonly Problem[];
  constructor(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    current?: unknown,
    problems: readonly Problem[] = [{ message }],
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.current = current;
    this.problems = problems;
  }
  /** The same refusal, attached to a field of the input, so that a form can show it there. */
  at(field: string): Failure {
    return new Failure(this.code, this.message, this.headers, this.current, [{ message: this.message, field }]);
  }
  /** The same refusal, with other answer headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Failure {
    return new Failure(this.code, this.message, headers, this.current, this.problems);
  }
  /** The problems in words, for a place of their own such as a line of a file or a mail: without the frame of an answer and the names of its fields. */
  get words(): string {
    const frame = wordsOf('INVALID_REQUEST', { detail: '' });
    const bare = (message: string): string =>
      message.startsWith(frame) ? `${message.charAt(frame.length).toUpperCase()}${message.slice(frame.length + 1)}` : message;
    return this.problems.map(({ message }) => bare(message)).join('; ');
  }
  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** The refusal for an error code of the catalogue, with its values filled in. A missing or unknown value doesn't compile. */
export function refuse<C extends ErrorCode>(code: C, ...[params]: keyof ErrorParams<C> extends never ? [] : [ErrorParams<C>]): Failure {
  return new Failure(code, wordsOf(code, params as Record<string, string> | undefined));
}

/** Like `refuse`, with answer headers. */
export function refuseWith<C extends ErrorCode>(
  headers: Readonly<Record<string, string>>,
  code: C,
  ...[params]: keyof ErrorParams<C> extends never ? [] : [ErrorParams<C>]
): Failure {
  return new Failure(code, wordsOf(code, params as Record<string, string> | undefined), headers);
}

/** Like `refuse`, with the current row, so that the caller can continue from it. It is sent unchanged: pass what the call would answer. */
export function refuseWithCurrent<C extends ErrorCode>(
  current: unknown,
  code: C,
  ...[params]: keyof ErrorParams<C> extends never ? [] : [ErrorParams<C>]
): Failure {
  return new Failure(code, wordsOf(code, params as Record<string, string> | undefined), {}, current);
}

/** Refuses input with INVALID_REQUEST, one error for each invalid field. Messages are sentences that can be shown beside the field. */
export function refuseFields(problems: readonly Required<Problem>[]): Failure {
  const detail = problems.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new Failure('INVALID_REQUEST', wordsOf('INVALID_REQUEST', { detail }), {}, undefined, problems);
}

/** Refuses one field of what was given with INVALID_REQUEST: `refuseField('email', 'This is already the address')`. */
export const refuseField = (field: string, message: string): Failure => refuseFields([{ field, message }]);

const wordsOf = (code: ErrorCode, params: Record<string, string> | undefined): string =>
  errorCatalogue[code].message.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? '');
