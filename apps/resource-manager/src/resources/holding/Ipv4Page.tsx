import { AddressSpacePage, addressSpaceReads } from './AddressSpacePage.tsx';

export const reads = addressSpaceReads('ipv4');

/** /resources/ipv4 */
export default function Ipv4Page() {
  return <AddressSpacePage kind="ipv4" />;
}
