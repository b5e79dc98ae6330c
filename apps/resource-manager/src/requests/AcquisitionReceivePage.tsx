import { ReceivePage } from './ReceivePage.tsx';

/** /resources/acquisition_transfer_receive */
export default function AcquisitionReceivePage() {
  return <ReceivePage title="Receive by merger or acquisition" />;
}
