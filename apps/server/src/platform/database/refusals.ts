import { type ErrorCode, errorCatalogue } from '@portal/contract';
import { Failure, refuse } from '../failure.ts';

/** SQLSTATE of a refusal raised by a trigger: its message is an error code of the catalogue, its detail the values as JSON. */
const REFUSAL = 'RF001';

/** Returns the Failure for a refusal raised by the database; every other error unchanged. */
export function refusalOf(error: unknown): unknown {
  const { code, message, detail } = error as { code?: string; message?: string; detail?: string };
  if (code !== REFUSAL || message === undefined || !(message in errorCatalogue)) return error;
  const blanks = JSON.parse(detail ?? '{}') as Record<string, string>;
  return (refuse as (code: ErrorCode, params: Record<string, string>) => Failure)(message as ErrorCode, blanks);
}
