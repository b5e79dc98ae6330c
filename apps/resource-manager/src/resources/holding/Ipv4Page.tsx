import { AddressSpacePage } from './AddressSpacePage.tsx';

/** /resources/ipv4 */
export default function Ipv4Page() {
  return <AddressSpacePage kind="ipv4" />;
}
