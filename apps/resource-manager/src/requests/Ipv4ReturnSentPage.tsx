import { SentPage } from './SentPage.tsx';

/** /resources/ipv4_transfer_return_success */
export default function Ipv4ReturnSentPage() {
  return <SentPage title="Return submitted" back="/resources/ipv4_transfer_return" parties={1} />;
}
