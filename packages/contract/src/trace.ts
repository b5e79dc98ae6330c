const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), b => b.toString(16).padStart(2, '0')).join('');

/** A new trace id: 32 hexadecimal digits (W3C Trace Context). */
export const newTraceId = (): string => hex(16);

/** A new W3C trace-parent header: version 00, 32-hex trace id, 16-hex span id, flag 01 (specification, section 7). */
export const newTraceparent = (): string => `00-${newTraceId()}-${hex(8)}-01`;

/** The trace id of a trace-parent header; undefined when the header is not one (W3C Trace Context 3.2). */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? '');
  return match && !/^0+$/.test(match[1]!) && !/^0+$/.test(match[2]!) ? match[1] : undefined;
}
