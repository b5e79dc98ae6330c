import { ResourcesRequestPage } from './ResourcesRequestPage.tsx';

/** /resources/asn_request_form: an AS number, and addresses with it. */
export default function AsnRequestPage() {
  return <ResourcesRequestPage kind="asn" title="Request an AS number" />;
}
