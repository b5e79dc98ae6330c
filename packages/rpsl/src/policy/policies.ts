import { PolicyReader } from './grammar.ts';
import { PolicyError } from './policy-error.ts';
import { right, type Syntax, wrong } from '../syntax/reading.ts';

/** `ipv4` for the attributes of RFC 2622, `both` for the mp- ones of RFC 4012. */
function policy(families: 'ipv4' | 'both', read: (reader: PolicyReader) => void): Syntax {
  return value => {
    try {
      const reader = new PolicyReader(value, families);
      read(reader);
      reader.finish();
      return right(value);
    } catch (error) {
      if (error instanceof PolicyError) return wrong('policy', error.message);
      throw error;
    }
  };
}

/** In a route6 the same attributes are about IPv6. */
function routePolicy(read: (reader: PolicyReader) => void): Syntax {
  const [ipv4, both] = [policy('ipv4', read), policy('both', read)];
  return (value, object) => (object.class === 'route6' ? both : ipv4)(value, object);
}

/** The attributes that hold policies. */
export const policySyntaxes = {
  import: policy('ipv4', reader => reader.readImport()),
  'mp-import': policy('both', reader => reader.readImport()),
  export: policy('ipv4', reader => reader.readExport()),
  'mp-export': policy('both', reader => reader.readExport()),
  default: policy('ipv4', reader => reader.readDefault()),
  'mp-default': policy('both', reader => reader.readDefault()),
  filter: policy('ipv4', reader => reader.readFilter()),
  'mp-filter': policy('both', reader => reader.readFilter()),
  peering: policy('ipv4', reader => reader.readPeering()),
  'mp-peering': policy('both', reader => reader.readPeering()),
  inject: routePolicy(reader => reader.readInject()),
  components: routePolicy(reader => reader.readComponents()),
  'export-comps': routePolicy(reader => reader.readFilter()),
  'aggr-bndry': routePolicy(reader => reader.readAsExpression()),
  'aggr-mtd': routePolicy(reader => reader.readAggregationMethod()),
  ifaddr: policy('ipv4', reader => reader.readInterface({ tunnel: false })),
  interface: policy('both', reader => reader.readInterface({ tunnel: true })),
  peer: policy('ipv4', reader => reader.readPeer()),
  'mp-peer': policy('both', reader => reader.readPeer()),
} as const;
