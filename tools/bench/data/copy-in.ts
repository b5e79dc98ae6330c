import type { Writable } from 'node:stream';
import type { Client } from 'pg';

type Wire = { query(text: string): void; sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void; stream: Writable };

/** Rows a statement of COPY reads, values in the order of its columns; null is SQL's. */
export type CopyRow = readonly (string | number | null)[];

const escaped: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const field = (value: string | number | null): string =>
  value === null ? '\\N' : typeof value === 'number' ? String(value) : value.replace(/[\\\n\r\t]/g, sign => escaped[sign]!);

/** Loads rows with COPY, the fastest way into PostgreSQL. Returns how many there were. */
export async function copyIn(client: Client, target: string, rows: Iterable<CopyRow>): Promise<number> {
  let count = 0;
  await new Promise<void>((resolve, reject) => {
    let wire: Wire;
    const send = async (): Promise<void> => {
      let block: string[] = [];
      const flush = async (): Promise<void> => {
        wire.sendCopyFromChunk(Buffer.from(block.join('')));
        block = [];
        if (wire.stream.writableLength > 1_000_000) await new Promise(drained => wire.stream.once('drain', drained));
      };
      for (const row of rows) {
        block.push(`${row.map(field).join('\t')}\n`);
        if (++count % 2_000 === 0) await flush();
      }
      await flush();
      wire.endCopyFrom();
    };
    // A "submittable" of node-postgres: it receives the messages that answer it.
    const copy = {
      submit: (connection: Wire): void => {
        wire = connection;
        connection.query(`copy ${target} from stdin`);
      },
      handleCopyInResponse: (): void => void send().catch(reject),
      handleCommandComplete: (): void => {},
      handleReadyForQuery: (): void => resolve(),
      handleError: (error: Error): void => reject(error),
    };
    client.query(copy as never);
  });
  return count;
}
