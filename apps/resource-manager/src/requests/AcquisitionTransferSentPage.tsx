import { SentPage } from './SentPage.tsx';

/** /resources/acquisition_transfer_request_success */
export default function AcquisitionTransferSentPage() {
  return <SentPage title="Merger and acquisition transfer submitted" back="/resources/transfer_request_select" />;
}
