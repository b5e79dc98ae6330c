export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
type Facts = Record<string, unknown>;
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, facts?: Facts) => void>;

/**
 * Writes JSON lines, one per event. Values under keys that name secrets, and tokens anywhere, are replaced before they
 * are written (S18).
 * @param write receives the lines; standard error by default.
 */
export function createLog(level: LogLevel, write: (line: string) => void = line => process.stderr.write(line)): Log {
  const threshold = logLevels.indexOf(level);
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (message: string, facts: Facts = {}): void => {
      if (logLevels.indexOf(name) > threshold) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...facts }, scrub)}\n`);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

const secretKey = /authorization|cookie|password|secret|token|^code$|session_state/i;
const secretText = /\b(eyJ[\w-]+\.[\w-]+\.[\w-]+)|([?&](?:code|state|token|link|id_token_hint|session_state)=)[^&\s"]+/g;

function scrub(key: string, value: unknown): unknown {
  if (key !== '' && secretKey.test(key) && value !== null && value !== undefined && typeof value !== 'boolean') return '[removed]';
  if (value instanceof Error)
    return {
      name: value.name,
      message: scrub('', value.message),
      stack: scrub('', value.stack ?? ''),
      ...('code' in value && { errorCode: value.code }),
    };
  if (typeof value === 'string')
    return value.replace(secretText, (_, _token, parameter?: string) => (parameter ? `${parameter}[removed]` : '[removed]'));
  if (typeof value === 'bigint') return value.toString();
  return value;
}
