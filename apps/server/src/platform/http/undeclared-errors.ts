import type { ErrorCode } from '@portal/contract';
import type { Log } from '../log.ts';

/** Counts and logs errors that endpoints answered without declaring them: the caller got an answer, but the contract is wrong. */
export class UndeclaredErrors {
  readonly #counts = new Map<string, number>();
  readonly #log: Log;
  constructor(log: Log) {
    this.#log = log;
  }

  note(endpoint: string, code: ErrorCode, traceId: string): void {
    const labels = `endpoint="${endpoint}",code="${code}"`;
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1);
    this.#log.error('undeclared error', { endpoint, errorCode: code, traceId });
  }

  /** In the text format of Prometheus. */
  lines(): string[] {
    return [
      '# TYPE undeclared_errors_total counter',
      ...[...this.#counts].map(([labels, count]) => `undeclared_errors_total{${labels}} ${count}`),
    ];
  }
}
