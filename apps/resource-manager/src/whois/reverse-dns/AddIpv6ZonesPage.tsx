import { AddZones } from './AddZones.tsx';

/** /resources/ReverseDNS_v6: delegate the reverse zones of an IPv6 prefix. */
export default function AddIpv6ZonesPage() {
  return <AddZones kind="ipv6" />;
}
