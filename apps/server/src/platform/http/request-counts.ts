/** Counts answered requests and their total duration, for Prometheus. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();
  #seconds = 0;

  /** @param route pattern of the address, not what the caller filled in */
  note({ method, route, status, milliseconds }: { method: string; route: string; status: number; milliseconds: number }): void {
    const labels = `method="${method}",route="${route}",status="${Math.floor(status / 100)}xx"`;
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1);
    this.#seconds += milliseconds / 1000;
  }

  /** In the text format of Prometheus. */
  lines(): string[] {
    return [
      '# TYPE http_requests_total counter',
      ...[...this.#counts].map(([labels, count]) => `http_requests_total{${labels}} ${count}`),
      '# TYPE http_request_seconds_total counter',
      `http_request_seconds_total ${this.#seconds.toFixed(3)}`,
    ];
  }
}
