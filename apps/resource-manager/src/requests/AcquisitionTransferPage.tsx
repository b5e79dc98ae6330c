import { HandOverPage } from './HandOverPage.tsx';

/** /resources/acquisition_transfer_request: resources after a merger or acquisition. */
export default function AcquisitionTransferPage() {
  return <HandOverPage kind="acquisition" />;
}
