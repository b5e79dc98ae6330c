/** Reasons for which the database can't answer or be written to, without an error in the program. */
export type Outage = 'lost' | 'busy' | 'full' | 'read-only';

/** SQLSTATE classes and codes, and system error codes, by their meaning. */
const codes: Readonly<Record<string, Outage>> = {
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'lost', // cannot_connect_now
  '57P05': 'lost', // idle_session_timeout
  '25P03': 'lost', // idle_in_transaction_session_timeout
  ECONNREFUSED: 'lost',
  ECONNRESET: 'lost',
  ECONNABORTED: 'lost',
  EPIPE: 'lost',
  ETIMEDOUT: 'lost',
  EHOSTUNREACH: 'lost',
  ENETUNREACH: 'lost',
  ENOTFOUND: 'lost',
  EAI_AGAIN: 'lost',
  '57014': 'busy', // query_canceled, by a time limit
  '55P03': 'busy', // lock_not_available
  '53300': 'busy', // too_many_connections
  '53200': 'busy', // out_of_memory
  '53100': 'full', // disk_full
  '53000': 'full', // insufficient_resources
  ENOSPC: 'full',
  EDQUOT: 'full',
  '25006': 'read-only', // read_only_sql_transaction
  EROFS: 'read-only',
};

/** Messages of node-postgres errors without a code: a connection broke, or none was free in time. */
const sentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded when trying to connect|Query read timeout)/;

/** Returns the known outage of the database or disk that an error reports; null if none. */
export function outageOf(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof AggregateError) return error.errors.map(outageOf).find(outage => outage !== null) ?? null;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && Object.hasOwn(codes, code)) return codes[code]!;
  if (typeof code === 'string' && /^08...$/.test(code)) return 'lost';
  return sentences.test(error.message) ? 'lost' : null;
}
