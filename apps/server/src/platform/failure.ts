import { type ErrorCode, type ErrorParams, errorCatalogue } from '@portal/contract/errors';

/** A refusal the caller should read, as opposed to a defect. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: ErrorCode;
  /** Answer headers that belong to the refusal: a challenge, a retry time. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is there now, where somebody else was quicker: as the call would have answered it. */
  readonly current: unknown;
  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}, current?: unknown) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.current = current;
  }
  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** The refusal for a code of the catalogue, its blanks filled in. A missing or unknown blank does not compile. */
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

/** Like `refuse`, with the row as it is now, so that the caller can go on from it. It is sent as it is: hand over what the call would answer. */
export function refuseWithCurrent<C extends ErrorCode>(
  current: unknown,
  code: C,
  ...[params]: keyof ErrorParams<C> extends never ? [] : [ErrorParams<C>]
): Failure {
  return new Failure(code, wordsOf(code, params as Record<string, string> | undefined), {}, current);
}

const wordsOf = (code: ErrorCode, params: Record<string, string> | undefined): string =>
  errorCatalogue[code].message.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? '');
