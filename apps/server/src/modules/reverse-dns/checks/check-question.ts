import type { DnsClient } from '../../../adapters/dns/client.ts';
import type { Resolver } from './resolver.ts';

/** A zone and how it is delegated. */
export type CheckQuestion = {
  zone: string;
  /** Servers to ask: those of the delegation, or those of a test; a server inside the zone with its address. */
  servers: readonly string[];
  ds: readonly string[];
  /** The current answer of the parent; null if it wasn't asked, as in a test before the delegation. */
  parent: { found: boolean; servers: readonly string[] } | null;
  /** Whether the addresses are registered to an account. */
  isHeld: boolean;
};

/** Client, resolver and limits that a check asks with. */
export type CheckTools = {
  client: DnsClient;
  resolver: Resolver;
  port: number;
  timeoutMs: number;
  /** Whether private and reserved addresses may be queried, for labs. */
  lab: boolean;
  now: Date;
  /** AS numbers that originate an address, as far as the registry knows. */
  originsOf: (address: string) => Promise<number[]>;
};
