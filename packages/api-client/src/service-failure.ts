import { errorInWords, type ErrorItem } from '@portal/contract';

/** A refused call as an exception, for code that awaits data. The message is the first error's, with the others of fields after it. */
export class ServiceFailure extends Error {
  readonly status: number;
  readonly errors: readonly ErrorItem[];
  /** The present value after a concurrent change (412 STALE, 409 ALREADY_RESOLVED). */
  readonly current: unknown;

  constructor(status: number, errors: readonly ErrorItem[], current?: unknown) {
    const said = errors.filter((error, index) => index === 0 || error.field !== undefined);
    super(said.length > 0 ? said.map(errorInWords).join('; ') : 'The call was refused');
    this.name = 'ServiceFailure';
    this.status = status;
    this.errors = errors;
    this.current = current;
  }

  /** The first error's code. */
  get code(): string {
    return this.errors[0]?.code ?? 'UNEXPECTED_ERROR';
  }
}
