import { SentPage } from './SentPage.tsx';

/** /resources/ipv4_transfer_request_success */
export default function Ipv4TransferSentPage() {
  return <SentPage title="IPv4 transfer submitted" back="/resources/transfer_request_select" />;
}
