import { AddZones } from './AddZones.tsx';

/** /resources/ReverseDNS_ip: delegate the reverse zones of an IPv4 prefix. */
export default function AddIpv4ZonesPage() {
  return <AddZones kind="ipv4" />;
}
