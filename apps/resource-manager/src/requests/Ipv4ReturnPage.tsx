import { HandOverPage } from './HandOverPage.tsx';

/** /resources/ipv4_transfer_return: resources back to the registry. */
export default function Ipv4ReturnPage() {
  return <HandOverPage kind="return" />;
}
