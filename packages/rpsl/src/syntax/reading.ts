import { ResourceSyntaxError } from '@portal/number-resources';
import type { RpslObject } from '../object.ts';

/** Result of parsing one value: its canonical spelling, or the error. */
export type SyntaxReading = { readonly canonical: string } | SyntaxFault;

export interface SyntaxFault {
  readonly code: string;
  /** A sentence for members that says what would be right. */
  readonly message: string;
}

/** Parses one value of `object`: glue depends on the zone, holes on the route. */
export type Syntax = (value: string, object: RpslObject) => SyntaxReading;

export function right(canonical: string): SyntaxReading {
  return { canonical };
}

export function wrong(code: string, message: string): SyntaxFault {
  return { code, message };
}

export function isWrong(reading: SyntaxReading): reading is SyntaxFault {
  return 'code' in reading;
}

/** Turns the exceptions of number-resources into faults: `ipv4-host-bits-set` from HOST_BITS_SET. */
export function readResource(read: () => string): SyntaxReading {
  try {
    return right(read());
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return wrong(error.code.toLowerCase().replaceAll('_', '-'), error.message);
    throw error;
  }
}
