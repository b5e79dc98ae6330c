import { Durations } from '../telemetry/durations.ts';

/** Counts answered requests, and how long they took by route, for Prometheus. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();
  readonly #durations = new Durations('http_request_duration_seconds');

  /** @param route pattern of the address, not what the caller filled in */
  note({ method, route, status, milliseconds }: { method: string; route: string; status: number; milliseconds: number }): void {
    const labels = `method="${method}",route="${route}",status="${Math.floor(status / 100)}xx"`;
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1);
    this.#durations.note(`method="${method}",route="${route}"`, milliseconds);
  }

  /** In the text format of Prometheus. */
  lines(): string[] {
    return [
      '# TYPE http_requests_total counter',
      ...[...this.#counts].map(([labels, count]) => `http_requests_total{${labels}} ${count}`),
      ...this.#durations.lines(),
    ];
  }
}
