import type { ClientOptions } from '@portal/api-client';

/** A step-up that no call asked for: for any second factor, with nothing to repeat afterwards. */
export const anySecondFactor: Parameters<NonNullable<ClientOptions['stepUp']>> = [
  { acrValues: null, maxAgeSeconds: null, act: null, asked: null },
  { endpoint: { id: '', method: 'GET', path: '', access: { who: 'anyone' } }, input: null, act: null },
];
