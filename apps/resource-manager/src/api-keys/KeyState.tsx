import type { ApiKey } from '@portal/contract/api-keys/api-keys';
import { DAY_MS } from '@portal/contract/days';
import { type State, StateMark } from '@portal/ui';

const SOON_MS = 14 * DAY_MS;

export const stateWords: Record<ApiKey['state'], readonly [State, string]> = {
  active: ['valid', 'Active'],
  rotating: ['pending', 'Rotating'],
  expired: ['closed', 'Expired'],
  revoked: ['closed', 'Revoked'],
  'creator-gone': ['warning', 'Blocked: its creator lost access'],
};

/** Returns whether calls with the key can be answered. */
export const works = ({ state }: ApiKey): boolean => state !== 'revoked' && state !== 'expired';

/** The state of a key; its last two weeks are counted in days. */
export function KeyState({ apiKey: { state, expiresAt }, now }: { apiKey: ApiKey; now: number }) {
  const left = Date.parse(expiresAt) - now;
  if (state === 'active' && left < SOON_MS) {
    const days = Math.max(0, Math.ceil(left / DAY_MS));
    return (
      <StateMark state="warning">
        Expires in {days} {days === 1 ? 'day' : 'days'}
      </StateMark>
    );
  }
  const [mark, words] = stateWords[state];
  return <StateMark state={mark}>{words}</StateMark>;
}
