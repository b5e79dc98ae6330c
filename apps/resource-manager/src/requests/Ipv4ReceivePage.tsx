import { ReceivePage } from './ReceivePage.tsx';

/** /resources/ipv4_receive_form */
export default function Ipv4ReceivePage() {
  return <ReceivePage title="Receive IPv4" />;
}
