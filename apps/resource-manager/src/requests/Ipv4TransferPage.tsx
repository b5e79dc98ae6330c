import { HandOverPage } from './HandOverPage.tsx';

/** /resources/ipv4_transfer_request: IPv4 and AS numbers to another holder. */
export default function Ipv4TransferPage() {
  return <HandOverPage kind="transfer" />;
}
