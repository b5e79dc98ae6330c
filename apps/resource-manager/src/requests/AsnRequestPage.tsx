import { RequestPage } from './RequestPage.tsx';

/** /resources/asn_request_form: an AS number. */
export default function AsnRequestPage() {
  return <RequestPage kind="asn" title="Request an AS number" sub="A number for a network with its own routing policy." />;
}
