import { formatCount } from '@portal/number-resources';
/** Where progress and failures are printed. */
export type Terminal = { isTTY: boolean; write: (text: string) => unknown };

/** Progress of long work on a terminal: one line that is written over; on a pipe a line every ten seconds. */
export class Progress {
  readonly #out: Terminal;
  #lastWrite = 0;
  #open = false;
  readonly #started = performance.now();
  constructor(out: Terminal) {
    this.#out = out;
  }

  /** @param total 0 when it is not known. */
  show(what: string, done: number, total: number): void {
    const now = performance.now();
    const pause = this.#out.isTTY ? 100 : 10_000;
    if (now - this.#lastWrite < pause && done !== total) return;
    this.#lastWrite = now;
    const seconds = (now - this.#started) / 1000;
    const rate = seconds > 0 ? done / seconds : 0;
    const left = total > done && rate > 0 ? `, ${Math.ceil((total - done) / rate)} s left` : '';
    const line = `${what}: ${formatCount(done)}${total > 0 ? ` of ${formatCount(total)}` : ''} (${formatCount(Math.round(rate))}/s${left})`;
    this.#out.write(this.#out.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    this.#open = this.#out.isTTY;
  }

  end(): void {
    if (this.#open) this.#out.write('\n');
    this.#open = false;
  }
}
