import { AddressSpacePage, addressSpaceReads } from './AddressSpacePage.tsx';

export const reads = addressSpaceReads('ipv6');

/** /resources/ipv6 */
export default function Ipv6Page() {
  return <AddressSpacePage kind="ipv6" />;
}
