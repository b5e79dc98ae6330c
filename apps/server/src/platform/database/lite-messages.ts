/**
 * The few messages of the PostgreSQL protocol (version 3) that the embedded transport reads and writes itself.
 * Source: PostgreSQL documentation, chapter "Frontend/Backend Protocol", section "Message Formats".
 */

export const READY = 0x5a;

/** A message: type byte, length including itself, body. */
export function message(type: string, body: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(5 + body.length);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.set(body, 5);
  return bytes;
}

/** ReadyForQuery, outside any transaction. */
export const READY_IDLE = message('Z', Buffer.from('I'));

/** ErrorResponse with SQLSTATE, message and hint. */
export function errorResponse(code: string, text: string, hint?: string): Buffer {
  return message('E', Buffer.from(`SERROR\0VERROR\0C${code}\0M${text}\0${hint ? `H${hint}\0` : ''}\0`));
}

/** ParameterStatus. */
export function parameterStatus(name: string, value: string): Buffer {
  return message('S', Buffer.from(`${name}\0${value}\0`));
}

/** A simple Query. */
export function queryMessage(text: string): Buffer {
  return message('Q', Buffer.from(`${text}\0`));
}

/** The transaction status of a ReadyForQuery: `I` idle, `T` in a transaction, `E` in a failed one. */
export function readyStatus(ready: Uint8Array): number | null {
  return ready[5] ?? null;
}

/** The complete messages in a sequence of bytes. */
export function* messagesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start + 5 <= bytes.length; ) {
    const end = start + 1 + view.getInt32(start + 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}
