import { type ErrorCode, errorCatalogue } from '@portal/contract';
import { Failure, refuse } from '../failure.ts';

/** SQLSTATE of a refusal that a trigger makes: its message is a code of the catalogue, its detail the blanks as JSON. */
const REFUSAL = 'RF001';

/** Returns the refusal that the database made for a rule of its own; every other error as it is. */
export function refusalOf(error: unknown): unknown {
  const { code, message, detail } = error as { code?: string; message?: string; detail?: string };
  if (code !== REFUSAL || message === undefined || !(message in errorCatalogue)) return error;
  const blanks = JSON.parse(detail ?? '{}') as Record<string, string>;
  return (refuse as (code: ErrorCode, params: Record<string, string>) => Failure)(message as ErrorCode, blanks);
}
