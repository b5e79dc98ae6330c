import type { ErrorItem } from '@portal/contract/errors';

/** A refused call as an exception, for code that awaits data. The message is the first error's. */
export class ServiceFailure extends Error {
  readonly status: number;
  readonly errors: readonly ErrorItem[];

  constructor(status: number, errors: readonly ErrorItem[]) {
    super(errors[0]?.message ?? 'The call was refused');
    this.name = 'ServiceFailure';
    this.status = status;
    this.errors = errors;
  }

  /** The first error's code. */
  get code(): string {
    return this.errors[0]?.code ?? 'UNEXPECTED_ERROR';
  }
}
