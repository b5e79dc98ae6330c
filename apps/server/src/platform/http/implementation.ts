import type { Endpoint } from '@portal/contract';

/** A group of the contract with the functions of its endpoints. */
export type Implementation = {
  endpoints: Record<string, Endpoint>;
  handlers: Record<string, (act: never) => Promise<unknown>>;
};
