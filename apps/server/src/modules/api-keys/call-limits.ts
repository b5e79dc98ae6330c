/** Maximum number of keys whose calls are counted. */
const MAX_KEYS = 10_000;
/** An idle key may make the calls of so many seconds in one. */
const BURST_SECONDS = 10;

type Bucket = { tokens: number; at: number };
/** Whether a call is within the limit of its key, and the headers that say so (draft-ietf-httpapi-ratelimit-headers). */
export type Allowance = { allowed: boolean; retrySeconds: number; headers: Readonly<Record<string, string>> };

/**
 * Returns the limiter of calls by key, in this process: a token bucket for ten seconds, refilled continuously. A key at its limit is refused before
 * the database is asked, so that it does not slow others.
 */
export function openCallLimits(callsPerSecond: number, elapsedMs = () => performance.now()): (key: string) => Allowance {
  const burst = callsPerSecond * BURST_SECONDS;
  const buckets = new Map<string, Bucket>();
  return key => {
    const now = elapsedMs();
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, tokens + ((now - at) / 1000) * callsPerSecond);
    const allowed = filled >= 1;
    const left = allowed ? filled - 1 : filled;
    // Evicts the least recently used key.
    buckets.delete(key);
    if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value!);
    buckets.set(key, { tokens: left, at: now });
    const retrySeconds = Math.max(1, Math.ceil((1 - left) / callsPerSecond));
    return {
      allowed,
      retrySeconds,
      headers: {
        'ratelimit-policy': `"key";q=${burst};w=${BURST_SECONDS}`,
        ratelimit: `"key";r=${Math.floor(left)};t=${Math.ceil((burst - left) / callsPerSecond)}`,
        ...(!allowed && { 'retry-after': String(retrySeconds) }),
      },
    };
  };
}
