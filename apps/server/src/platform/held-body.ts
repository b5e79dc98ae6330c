import type { HeldText } from './held-text.ts';

/**
 * JSON of a request with many values, as bytes: only a thread parses and checks it (`inputOf`), because that takes the event loop too long. Threads share the
 * bytes. `dryRun`: its field of that name, as far as it could be seen without parsing; `long`: its long text, in whose place the JSON has an empty one.
 */
export class HeldBody {
  readonly pieces: readonly SharedArrayBuffer[];
  readonly bytes: number;
  readonly dryRun: boolean | undefined;
  readonly long: { name: string; text: HeldText } | null;

  constructor(given: Pick<HeldBody, 'pieces' | 'bytes' | 'dryRun' | 'long'>) {
    this.pieces = given.pieces;
    this.bytes = given.bytes;
    this.dryRun = given.dryRun;
    this.long = given.long;
  }
}
