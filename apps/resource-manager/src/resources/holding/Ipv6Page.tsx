import { AddressSpacePage } from './AddressSpacePage.tsx';

/** /resources/ipv6 */
export default function Ipv6Page() {
  return <AddressSpacePage kind="ipv6" />;
}
